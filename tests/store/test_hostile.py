"""What somebody planted in the store is refused or passed over: never followed, never waited for.

Whatever stands there: the input is in the store or on stdout, nothing outside the store is made
or changed, and nothing from outside is ever shown.
"""

import os
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import (
    BULK,
    Ran,
    artifact_of,
    assert_kept,
    findings,
    forked,
    is_root,
    is_stub,
    or_dead,
    root_only,
    sha256,
)

DATA = BULK
BEFORE = b"kept before\n" * 5000
SECRET = b"a secret from outside the store\n"
STRANGER = 61_235


class Outside:
    """A folder beside the store, with a file and a folder that links may lead to."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.file = place / "file"
        self.folder = place / "folder"
        self.nothing = place / "nothing"
        self.folder.mkdir(parents=True)
        self.file.write_bytes(SECRET)
        self.file.chmod(0o640)
        (self.folder / "file").write_bytes(SECRET)

    def looks(self) -> dict[str, tuple[object, ...]]:
        found: dict[str, tuple[object, ...]] = {}
        for path in (self.place, *self.place.rglob("*")):
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (status.st_mode, status.st_uid, status.st_mtime_ns, content)
        return found


Plant = Callable[[Path, Outside], None]


def of_a_stranger(place: Path, _: Outside) -> None:
    place.write_bytes(b"of a stranger\n" * 9)
    os.chown(place, STRANGER, STRANGER)


def folder_of_a_stranger(place: Path, _: Outside) -> None:
    place.mkdir(0o700)
    os.chown(place, STRANGER, STRANGER)


def a_full_folder(place: Path, _: Outside) -> None:
    place.mkdir()
    (place / "file").write_bytes(b"in a planted folder\n")


def a_socket(place: Path, _: Outside) -> None:
    # The path of a socket may be no longer than 107 bytes.
    here = os.open(".", os.O_RDONLY)
    os.chdir(place.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(place.name)
    finally:
        os.fchdir(here)
        os.close(here)


ANYTHING: dict[str, Plant] = {
    "a link to a file": lambda place, outside: place.symlink_to(outside.file),
    "a link to nothing": lambda place, outside: place.symlink_to(outside.nothing),
    "a link to a folder": lambda place, outside: place.symlink_to(outside.folder),
    "a link to itself": lambda place, outside: place.symlink_to(place),
    "a pipe": lambda place, outside: os.mkfifo(place),
    "a socket": a_socket,
}
FOR_A_FILE: dict[str, Plant] = {
    **ANYTHING,
    "a folder": lambda place, outside: place.mkdir(),
    "a full folder": a_full_folder,
    "a second name of a file": lambda place, outside: os.link(outside.file, place),
}
FOR_A_FOLDER: dict[str, Plant] = {
    **ANYTHING,
    "a file": lambda place, outside: place.touch(),
}
if is_root:
    FOR_A_FILE["a file of a stranger"] = of_a_stranger
    FOR_A_FOLDER["a folder of a stranger"] = folder_of_a_stranger

FILES = {
    "the next file being written": ".incoming/tool_result_002",
    "its record being written": ".incoming/tool_result_002.json",
    "the next artifact": "tool-results/tool_result_002.txt",
    "the next record": f"tool-results/tool_result_002.{sha256(DATA)[:16]}.json",
    "the hint": ".sequence",
    "the index of the digest": f".index/{sha256(DATA)[:6]}",
    "the index of the number": ".index/n002",
    "the version": ".index/format",
    "the log of runs": "runs.jsonl",
}
FOLDERS = {
    "unfinished files": "sessions/test/.incoming",
    "artifacts": "sessions/test/tool-results",
    "the index": "sessions/test/.index",
    "the session": "sessions/test",
    "the sessions": "sessions",
}


def assert_the_input_is_not_lost(store: Store, done: Ran) -> None:
    assert done.status == 0, done
    if is_stub(done.out):
        assert done.err == b""
        assert artifact_of(store, done.out).lstat().st_nlink == 1
        assert_kept(store, done.out, DATA)
    else:
        assert done.out == DATA
        assert done.err.startswith(b"stub: not stored: ")
        assert done.err.count(b"\n") == 1


COMMANDS = ("check", "read 2", "search secret", "check --repair", "ls")
READING = ("check", "read 2", "search secret", "ls")


def two_of(place: str, what: str) -> tuple[str, ...]:
    """What repairs and one that reads: every place and every thing meets each of these."""
    places, things = [*FILES, *FOLDERS], [*FOR_A_FILE, *FOR_A_FOLDER]
    return READING[(places.index(place) + things.index(what)) % 4], "check --repair"


def assert_no_command_follows_it(store: Store, commands: tuple[str, ...] = COMMANDS) -> None:
    for command in commands:
        done = forked(store, b"", *command.split(), prepare=or_dead())
        assert done.status in (0, 1, 3, 4, 5), (command, done)
        assert SECRET not in done.out, command
        assert SECRET not in done.err, command
        assert b"Traceback" not in done.err, command


@pytest.mark.parametrize("what", FOR_A_FILE)
@pytest.mark.parametrize("place", FILES)
def test_what_is_planted_for_a_file_is_not_followed(
    store: Store, tmp_path: Path, place: str, what: str
) -> None:
    first = forked(store, BEFORE)
    outside, planted = Outside(tmp_path / "outside"), store.folder / FILES[place]
    planted.unlink(missing_ok=True)
    FOR_A_FILE[what](planted, outside)
    before = outside.looks()
    done = forked(store, DATA, prepare=or_dead())
    assert_the_input_is_not_lost(store, done)
    assert_no_command_follows_it(store, two_of(place, what))
    assert outside.looks() == before
    assert_kept(store, first.out, BEFORE)


@pytest.mark.parametrize("what", FOR_A_FOLDER)
@pytest.mark.parametrize("place", FOLDERS)
def test_what_is_planted_for_a_folder_is_not_followed(
    store: Store, tmp_path: Path, place: str, what: str
) -> None:
    outside, planted = Outside(tmp_path / "outside"), store.home / FOLDERS[place]
    forked(store, BEFORE)
    shutil.rmtree(planted)
    FOR_A_FOLDER[what](planted, outside)
    before, names = outside.looks(), contents(planted)
    done = forked(store, DATA, prepare=or_dead())
    assert_the_input_is_not_lost(store, done)
    assert_no_command_follows_it(store, two_of(place, what))
    assert outside.looks() == before
    assert contents(planted) == names


def contents(place: Path) -> list[str] | None:
    """What stands in a folder; None where it is none."""
    return os.listdir(place) if stat.S_ISDIR(place.lstat().st_mode) else None


@pytest.mark.parametrize("what", FOR_A_FOLDER)
def test_what_is_planted_for_the_home_is_not_followed(
    store: Store, tmp_path: Path, what: str
) -> None:
    outside = Outside(tmp_path / "outside")
    FOR_A_FOLDER[what](store.home, outside)
    before, names = outside.looks(), contents(store.home)
    done = forked(store, DATA, prepare=or_dead())
    assert (done.status, done.out) == (0, DATA)
    assert done.err.startswith(b"stub: not stored: ")
    assert done.err.count(b"\n") == 1
    assert_no_command_follows_it(store)
    assert outside.looks() == before
    assert contents(store.home) == names


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o720, 0o702])
def test_a_home_that_others_may_write_to_is_refused(store: Store, mode: int) -> None:
    store.home.mkdir()
    store.home.chmod(mode)
    done = forked(store, DATA)
    assert (done.status, done.out) == (0, DATA)
    assert str(store.home).encode() in done.err
    assert b"chmod 700" in done.err
    assert os.listdir(store.home) == []
    assert store.home.stat().st_mode & 0o7777 == mode
    for command in COMMANDS:
        assert forked(store, b"", *command.split()).status == 5, command
    store.home.chmod(0o700)
    assert_kept(store, forked(store, DATA).out, DATA)


@root_only
def test_a_home_of_a_stranger_is_refused(store: Store) -> None:
    folder_of_a_stranger(store.home, Outside(store.home.parent / "outside"))
    done = forked(store, DATA)
    assert (done.status, done.out) == (0, DATA)
    assert b"belongs to another user" in done.err
    assert os.listdir(store.home) == []


@pytest.mark.parametrize("place", FOLDERS)
def test_a_folder_that_others_may_write_to_is_refused_or_closed(store: Store, place: str) -> None:
    """They could put another file under a name that was verified a moment ago."""
    forked(store, BEFORE)
    folder = store.home / FOLDERS[place]
    folder.chmod(0o777)
    assert_the_input_is_not_lost(store, done := forked(store, DATA))
    assert not is_stub(done.out) or folder.stat().st_mode & 0o022 == 0


def test_a_parent_of_the_home_may_be_a_link(store: Store, tmp_path: Path) -> None:
    """Where the user's own directories lead is the user's affair."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    linked = Store(tmp_path / "link" / "state" / "store")
    assert_kept(linked, forked(linked, DATA).out, DATA)
    assert (tmp_path / "real" / "state" / "store" / "sessions" / "test").is_dir()
    assert set(findings(linked)) == {"ok"}


def test_a_hundred_planted_names_are_passed_over(store: Store, tmp_path: Path) -> None:
    outside = Outside(tmp_path / "outside")
    forked(store, BEFORE)
    for number in range(2, 102):
        for what, folder, end in (
            ("a link to nothing", ".incoming", ""),
            ("a pipe", "tool-results", ".txt"),
        ):
            place = store.folder / folder / f"tool_result_{number:03d}{end}"
            FOR_A_FILE[what](place, outside)
    before = outside.looks()
    done = forked(store, DATA, prepare=or_dead())
    assert_the_input_is_not_lost(store, done)
    assert artifact_of(store, done.out).name == "tool_result_102.txt"
    assert_no_command_follows_it(store)
    assert outside.looks() == before


@root_only
def test_a_leftover_of_a_stranger_is_not_adopted(store: Store, tmp_path: Path) -> None:
    forked(store, BEFORE)
    place = store.folder / ".incoming" / "tool_result_009"
    of_a_stranger(place, Outside(tmp_path / "outside"))
    assert forked(store, b"", "check", "--repair").status in (0, 4)
    assert place.read_bytes() == b"of a stranger\n" * 9
    assert len(store.artifacts()) == 1
    assert "foreign" in findings(store)


def test_a_second_name_of_a_file_from_outside_is_not_adopted(store: Store, tmp_path: Path) -> None:
    """Adopting it would take the rights to write from its owner, and show what it holds."""
    outside = Outside(tmp_path / "outside")
    forked(store, BEFORE)
    for place in (".incoming/tool_result_009", "tool-results/tool_result_008.txt"):
        os.link(outside.file, store.folder / place)
    before = outside.looks()
    assert forked(store, b"", "check", "--repair").status in (0, 4)
    assert outside.looks() == before
    assert SECRET not in forked(store, b"", "read", "9").out
    assert SECRET not in forked(store, b"", "read", "8").out
