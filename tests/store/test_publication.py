"""A final name appears whole, durable and private, or not at all."""

import errno
import glob
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

import stubcli.store.posix.incoming
from tests.conftest import Store
from tests.helpers import (
    BULK,
    COMMAND,
    LARGE,
    Call,
    artifact_of,
    assert_kept,
    assert_nothing_is_wrong,
    begun,
    code_of,
    findings,
    forked,
    is_stub,
    linux_only,
    ref_of,
    sha256,
    traced,
)

DATA = BULK


@dataclass
class Writer:
    """A `stub` that is fed bit by bit."""

    pid: int
    pipe: IO[bytes]
    out: IO[bytes]
    data: bytes = b""
    ended: bool = False

    def feed(self, data: bytes) -> None:
        self.pipe.write(data)
        self.data += data

    def has_ended(self) -> bool:
        if not self.ended:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.ended = pid != 0
            assert not self.ended or code_of(status) == 0
        return self.ended


@contextmanager
def writers(store: Store, count: int) -> Iterator[list[Writer]]:
    made = []
    try:
        for _ in range(count):
            reading, writing = os.pipe()
            pipe, out = os.fdopen(writing, "wb", buffering=0), tempfile.TemporaryFile()  # noqa: SIM115
            with os.fdopen(reading, "rb") as given, tempfile.TemporaryFile() as err:
                made.append(Writer(begun(store, (given, out, err)), pipe, out))
        yield made
    finally:
        for writer in made:
            writer.pipe.close()
            writer.out.close()
            while not writer.has_ended():
                time.sleep(0.001)


def poll(store: Store, allowed: set[str]) -> None:
    """Look at the folder as any other program would; every name must be whole and recorded."""
    for name in glob.glob(str(store.results / "*")):
        if not name.endswith(".txt"):
            continue
        digest = sha256(Path(name).read_bytes())
        records = glob.glob(name.removesuffix(".txt") + ".*.json")
        assert [record.split(".")[-2] for record in records] == [digest[:16]], name
        assert digest in allowed


# https://github.com/vercel/workflow/issues/2296
# https://github.com/ExaDev/agent-comms/issues/227
def test_a_poller_never_sees_a_name_whose_bytes_are_not_all_there(store: Store) -> None:
    forked(store, DATA)
    with writers(store, 4) as slow:
        for turn in range(25):
            for number, writer in enumerate(slow):
                writer.feed(b"writer %d, turn %d\n" % (number, turn) + DATA[:8000])
            poll(store, {sha256(DATA)})
        allowed = {sha256(DATA)} | {sha256(writer.data) for writer in slow}
        for writer in slow:
            # Each ends in its own time; the poller looks all the while.
            writer.pipe.close()
            while not writer.has_ended():
                poll(store, allowed)
            poll(store, allowed)
            writer.out.seek(0)
            assert_kept(store, writer.out.read(), writer.data)
    assert len(store.artifacts()) == 5
    assert_nothing_is_wrong(store)


# https://github.com/vercel/workflow/issues/2296
def test_no_pattern_of_a_shell_meets_what_is_not_finished(store: Store) -> None:
    with writers(store, 2) as slow:
        for writer in slow:
            writer.feed(DATA)
        while sum(p.stat().st_size for p in store.folder.glob(".incoming/*")) < 2 * len(DATA):
            time.sleep(0.002)
        assert glob.glob(str(store.results / "*")) == []
        assert glob.glob(str(store.results / ".*")) == []
        met = glob.glob(str(store.home / "**"), recursive=True)
        assert not [name for name in met if os.path.isfile(name)]
        unfinished = forked(store, b"", "read", "1")
        assert unfinished.lines[0] == f"stub: in progress: {len(DATA):,} bytes so far"
        assert unfinished.out == DATA[:10_000]
        assert forked(store, b"", "check").status == 0


ERRORS = ("EPERM", "EOPNOTSUPP", "EINVAL", "EACCES", "ENOSYS", "EMLINK", "EXDEV")


def links_fail(name: str, before: Callable[[str, int], None] | None = None) -> Callable[[], None]:
    """For `prepare`: no hard link can be made here; `before` sees what would have been made."""
    number = getattr(errno, name)

    def link(_source: str, target: str, *, dst_dir_fd: int, **_: object) -> None:
        if before:
            before(target, dst_dir_fd)
        raise OSError(number, os.strerror(number))

    def install() -> None:
        os.link = link  # type: ignore[assignment]

    return install


# https://github.com/akasecurity/ai-tc/issues/221
# https://github.com/mkj/dropbear/issues/89
# https://github.com/NixOS/nix/issues/3749
@pytest.mark.parametrize("error", ERRORS)
def test_without_hard_links_it_is_kept_all_the_same(store: Store, error: str) -> None:
    for data in (DATA, LARGE):
        done = forked(store, data, prepare=links_fail(error))
        assert (done.status, done.err) == (0, b"")
        assert_kept(store, done.out, data)
        assert forked(store, b"", "read", ref_of(done.out), "--all").out == data
        assert artifact_of(store, done.out).stat().st_mode & 0o777 == 0o400
    assert set(findings(store)) == {"ok"}
    assert os.listdir(store.folder / ".incoming") == []


@pytest.mark.parametrize("error", [*ERRORS, "EEXIST"])
def test_a_name_that_appears_at_the_last_moment_is_not_replaced(store: Store, error: str) -> None:
    forked(store, b"before\n" * 9999)

    def plant(target: str, folder: int) -> None:
        place = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
        os.write(place, b"of somebody else\n")
        os.close(place)

    done = forked(store, DATA, prepare=links_fail(error, plant))
    assert (store.results / "tool_result_002.txt").read_bytes() == b"of somebody else\n"
    assert done.status == 0
    assert done.out == DATA
    assert done.err.startswith(b"stub: not stored: ")
    assert done.err.count(b"\n") == 1
    # Nothing stands beside it that would take it for what it is not.
    assert list(store.results.glob("tool_result_002.*.json")) == []
    again = forked(store, DATA)
    assert_kept(store, again.out, DATA)
    assert artifact_of(store, again.out).name == "tool_result_003.txt"


def can_trace() -> bool:
    return (
        shutil.which("strace") is not None
        and subprocess.run(
            ["strace", "-qq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False
        ).returncode
        == 0
    )


# https://github.com/akasecurity/ai-tc/issues/221
@linux_only
@pytest.mark.skipif(not can_trace(), reason="strace is not installed, or may not trace here")
@pytest.mark.parametrize("error", ERRORS)
def test_where_the_kernel_refuses_the_link_it_is_kept_too(store: Store, error: str) -> None:
    inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=linkat,link"]
    inject += ["-e", f"inject=linkat,link:error={error}"]
    done = subprocess.run(
        [*inject, *COMMAND],
        input=DATA,
        capture_output=True,
        env=store.environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert_kept(store, done.stdout, DATA)
    assert_nothing_is_wrong(store)


def first(calls: list[Call], wanted: Callable[[Call], bool], after: int = -1) -> int:
    """The place of the first such call behind that place."""
    found = [place for place, call in enumerate(calls) if place > after and wanted(call)]
    assert found, "there is no such call"
    return found[0]


def synced(path: str) -> Callable[[Call], bool]:
    return lambda call: call.name in ("fsync", "fdatasync") and call.path == path


def written(path: str) -> Callable[[Call], bool]:
    return lambda call: call.name in ("write", "pwrite") and call.path == path


def named(path: str) -> Callable[[Call], bool]:
    return lambda call: call.name in ("link", "rename") and call.target == path


def assert_durable_before_printed(store: Store, calls: list[Call], file: str, record: str) -> None:
    data_given = first(calls, named(f"{store.results}/{file}"))
    record_given = first(calls, named(f"{store.results}/{record}"))
    printed = first(calls, written("1"))
    for given in (data_given, record_given):
        source = calls[given].path
        last_write = max(n for n, call in enumerate(calls) if written(source)(call))
        assert last_write < first(calls, synced(source), last_write) < given
    assert record_given < data_given
    assert data_given < first(calls, synced(str(store.results)), data_given) < printed
    assert printed == max(n for n, call in enumerate(calls) if written("1")(call))


# https://github.com/astral-sh/uv/issues/16841
# https://github.com/marktext/marktext/issues/4852
# https://github.com/jundot/omlx/issues/3095
@linux_only
def test_bytes_are_on_the_disk_before_their_name_and_the_name_before_the_stub(store: Store) -> None:
    for number, data in enumerate((DATA, LARGE), 1):
        done, calls = traced(store, data)
        assert_kept(store, done.out, data)
        assert_durable_before_printed(
            store,
            calls,
            f"tool_result_{number:03d}.txt",
            f"tool_result_{number:03d}.{sha256(data)[:16]}.json",
        )


@linux_only
def test_without_hard_links_the_order_is_the_same(store: Store) -> None:
    _, calls = traced(store, DATA, links_fail("EPERM"))
    record = f"tool_result_001.{sha256(DATA)[:16]}.json"
    assert_durable_before_printed(store, calls, "tool_result_001.txt", record)


# https://github.com/astral-sh/uv/issues/16841
@linux_only
def test_every_new_folder_is_on_the_disk_before_the_stub(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "and below" / "store")
    done, calls = traced(store, DATA)
    assert_kept(store, done.out, DATA)
    printed = first(calls, written("1"))
    made = [place for place, call in enumerate(calls) if call.name == "mkdir"]
    assert {calls[place].path for place in made} >= {
        str(path) for path in (tmp_path / "new", store.home.parent, store.home, store.results)
    }
    for place in made:
        parent = os.path.dirname(calls[place].path)
        assert place < first(calls, synced(parent), place) < printed, calls[place].path


@linux_only
def test_a_sync_that_failed_is_not_tried_again_and_nothing_is_published(store: Store) -> None:
    """A second fsync of a file whose first one failed says "ok", and the bytes are gone."""
    forked(store, b"before\n" * 9999)
    real, tries = os.fsync, [0]

    def fails(fd: Any) -> None:
        if os.path.isfile(f"/proc/self/fd/{fd}"):
            tries[0] += 1
            assert tries[0] == 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(fd)

    def install() -> None:
        os.fsync = os.fdatasync = fails

    done = forked(store, DATA, prepare=install)
    assert (done.status, done.out) == (0, DATA)
    assert len(store.artifacts()) == 1
    assert_nothing_is_wrong(store)


@linux_only
@pytest.mark.parametrize("after", [0, 0.5], ids=["at once", "when all is read"])
def test_a_sync_that_fails_in_the_middle_of_a_stream_is_not_forgotten(
    store: Store, after: float
) -> None:
    """What was read is given back once: nothing is missing and nothing is there twice."""
    real, tries = os.fdatasync, [0]

    def fails(fd: Any) -> None:
        tries[0] += 1
        if tries[0] == 1:
            time.sleep(after)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(fd)

    def install() -> None:
        stubcli.store.posix.incoming.SYNC_EVERY = 1 << 18
        os.fdatasync = fails

    data = LARGE * 20
    done = forked(store, data, prepare=install)
    assert done.status == 0
    assert sha256(done.out) == sha256(data), (len(done.out), len(data))
    assert done.err.startswith(b"stub: not stored: ")
    assert store.artifacts() == []
    assert_nothing_is_wrong(store)


# https://github.com/earendil-works/pi/issues/7531
# https://github.com/openclaw/openclaw/issues/7862
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777])
def test_everything_is_private_from_the_moment_it_exists(tmp_path: Path, mask: int) -> None:
    store = Store(tmp_path / "new" / "and below" / "store")
    asked = []

    def narrowed() -> None:
        os.umask(mask)

    for data in (DATA, LARGE):
        done, calls = traced(store, data, narrowed)
        assert (done.status, done.err) == (0, b"")
        assert is_stub(done.out)
        asked += [call for call in calls if call.creates or call.name in MODES]
    for call in asked:
        assert call.mode & 0o077 == 0, call
        assert call.mode & 0o700 == call.mode or call.name == "open", call
    assert {call.name for call in asked} >= {"open", "mkdir"}
    found = {path: path.lstat().st_mode & 0o7777 for path in (tmp_path / "new").rglob("*")}
    for path, mode in found.items():
        if path.is_symlink():
            continue
        if path.is_dir():
            assert mode == 0o700, path
        elif path.parent == store.results:
            assert mode == 0o400, path
        else:
            assert mode & 0o177 == 0, path
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert len([path for path in found if path.parent == store.results]) == 4


MODES = ("mkdir", "chmod", "fchmod")
