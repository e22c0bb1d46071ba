"""A session that another version wrote is told in one line, and nothing in it is touched."""

import hashlib
import json
from pathlib import Path

import pytest

from stubcli.store.records import canonical
from tests.conftest import Store
from tests.helpers import LARGE, forked, keep, ref_of, session_of, sha256

DATA = b"kept by the version before\n" * 3000


def of_version_1(store: Store) -> None:
    """A session as version 1 left it: one record for content and run, and no mark."""
    with session_of(store) as session:
        keep(session, DATA)
    (path,) = store.results.glob("*.json")
    document = json.loads(path.read_bytes())
    run = document.pop("run")
    del run["number"], document["record_sha256"]
    document |= {**run, "schema_version": 1}
    document["record_sha256"] = hashlib.sha256(canonical(document)).hexdigest()
    path.chmod(0o600)
    path.write_bytes(canonical(document) + b"\n")
    path.chmod(0o400)
    (store.folder / ".index" / "format").unlink()
    (store.folder / "runs.jsonl").unlink()


def of_a_later_version(store: Store) -> None:
    with session_of(store) as session:
        keep(session, DATA)
    mark = store.folder / ".index" / "format"
    mark.unlink()
    mark.symlink_to("3")


def looks(store: Store) -> dict[str, object]:
    """Everything about a session that could change."""
    found: dict[str, object] = {}
    for path in [store.folder, *store.folder.rglob("*")]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else None
        found[str(path)] = (status.st_mode, status.st_ino, status.st_mtime_ns, content)
    return found


MADE = {"an older": of_version_1, "a newer": of_a_later_version}
COMMANDS = (
    "ls", "read 1", "read last", "show 1", "search kept", "check", "check --repair", "stats",
    "gc --apply --older-than 0", "pin 1", "lease ls",
    f"read artifact:test:tool_result_001.txt:{sha256(DATA)[:16]}",
)  # fmt: skip


@pytest.mark.parametrize("which", MADE)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_so_and_touches_nothing(store: Store, which: str, command: str) -> None:
    MADE[which](store)
    before = looks(store)
    done = forked(store, b"", *command.split())
    assert done.status == 6, done
    told = f"session test was written by {which} version of stub, and nothing in it is touched"
    assert [told in line for line in done.lines].count(True) == 1
    assert len(done.lines) == 1 or command.startswith("gc")  # which adds up what it did
    assert looks(store) == before


@pytest.mark.parametrize("which", MADE)
def test_an_output_passes_as_it_is(store: Store, which: str) -> None:
    MADE[which](store)
    before = looks(store)
    for data in (LARGE, DATA):
        done = forked(store, data)
        assert (done.status, done.out) == (0, data)
        assert done.err.startswith(b"stub: not stored: session test was written by ")
        assert done.err.count(b"\n") == 1
    assert looks(store) == before


@pytest.mark.parametrize("which", MADE)
def test_the_other_sessions_of_the_store_are_used_as_ever(store: Store, which: str) -> None:
    MADE[which](store)
    before = looks(store)
    other = Store(store.home, "other")
    kept = forked(other, LARGE)
    assert ref_of(kept.out).startswith("artifact:other:")
    for command in ("ls", "check", "check --repair", "stats", "gc --older-than 0", "search 4999"):
        done = forked(other, b"", *command.split(), "--all-sessions")
        assert done.out, command
        assert b"version of stub" in done.out + done.err, command
        assert b"Traceback" not in done.err
    assert forked(other, b"", "read", sha256(LARGE)[:12]).out == LARGE[:10_000]
    assert forked(other, b"", "read", sha256(DATA)[:12]).status == 3
    assert looks(store) == before


def test_a_session_whose_mark_was_not_copied_is_known_by_its_records(store: Store) -> None:
    kept = forked(store, LARGE)
    (store.folder / ".index" / "format").unlink()
    assert forked(store, b"", "show", "1").out == kept.out
    assert forked(store, LARGE[:40_000]).out.startswith(b"[stub artifact:test:tool_result_002.txt")
    assert not (store.folder / ".index" / "format").exists()


def test_a_damaged_record_is_of_no_other_version(store: Store) -> None:
    forked(store, LARGE)
    (store.folder / ".index" / "format").unlink()
    (path,) = store.results.glob("*.json")
    path.chmod(0o600)
    path.write_bytes(b'{"schema_version":1')
    assert forked(store, b"", "check").status == 4
    assert forked(store, b"", "read", "1").status == 4


def test_a_new_session_is_marked_before_anything_is_kept_in_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    with session_of(store):
        assert (store.folder / ".index" / "format").readlink() == Path("2")
