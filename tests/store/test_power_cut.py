"""The power fails: a small ext4 in a file is shut down without writing its log, and mounted again.

After that the disk holds what was synchronised and nothing else. That these tests can see a loss
is shown by the same tests without one kind of fsync.
"""

import fcntl
import json
import os
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stubcli.reference import file_number
from tests.conftest import Store
from tests.helpers import (
    BULK,
    COMMAND,
    LARGE,
    artifact_of,
    assert_final_names_are_right,
    assert_kept,
    assert_nothing_is_wrong,
    calls_of,
    findings,
    forked,
    is_root,
    kill_at,
    mended,
    names,
    ref_of,
)

SHUT_DOWN = 0x8004587D  # the ioctl of ext4, XFS and F2FS
WITHOUT_THE_LOG = struct.pack("I", 2)
BEFORE, DATA = b"kept before\n" * 5000, BULK


# What makes something durable, or gives or takes a name.
DECIDING = ("fsync", "fdatasync", "link", "rename", "symlink", "unlink")


class Disk:
    """An ext4 of 16 MiB, mounted, whose power can be cut."""

    def __init__(self, place: Path) -> None:
        self.image, self.point = place / "image", place / "disk"
        self.mounted = False

    def make(self) -> None:
        self.point.mkdir(exist_ok=True)
        self.image.unlink(missing_ok=True)
        self.image.touch()
        os.truncate(self.image, 16 << 20)
        tool("mkfs.ext4", "-q", "-F", "-m", "0", str(self.image))
        self.mount()

    def mount(self) -> None:
        # Nothing is written because time passed: what is on the disk was asked for.
        tool("mount", "-o", "loop,commit=600", str(self.image), str(self.point))
        self.mounted = True

    def unmount(self) -> None:
        for _ in range(50):
            try:
                tool("umount", str(self.point))
            except RuntimeError:
                time.sleep(0.05)  # somebody looks at it at this very moment
            else:
                break
        else:
            tool("umount", "-l", str(self.point))
        self.mounted = False

    def cut(self) -> None:
        """The power fails, and comes back."""
        descriptor = os.open(self.point, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, SHUT_DOWN, WITHOUT_THE_LOG)
        finally:
            os.close(descriptor)
        self.unmount()
        # A copy: whoever cloned the mount namespace meanwhile holds the file system that was shut
        # down, and mounting the same image again would give that one.
        after = self.image.with_suffix(".after" if self.image.suffix != ".after" else ".again")
        tool("cp", "--sparse=always", str(self.image), str(after))
        self.image.unlink()
        self.image = after
        self.mount()


def tool(*command: str) -> None:
    """Raises RuntimeError with the tool's own words where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        raise RuntimeError(f"{command[0]} is not installed") from None
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.decode().strip()}")


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    if sys.platform != "linux" or not is_root:
        pytest.skip("cutting the power of a disk in a file needs Linux and root")
    monkeypatch.setenv("PATH", os.environ["PATH"] + ":/usr/sbin:/sbin")
    made = Disk(tmp_path)
    try:
        try:
            made.make()
        except RuntimeError as error:
            pytest.skip(f"no ext4 can be made and mounted here: {error}")
        yield made
    finally:
        if made.mounted:
            made.unmount()


def store_on(disk: Disk) -> Store:
    return Store(disk.point / "state" / "stub")


def assert_it_goes_on(store: Store, used: set[int]) -> None:
    """Repaired, everything is in order; the next number is new; and a second repair is idle."""
    mended(store)
    assert_nothing_is_wrong(store)
    assert set(findings(store)) <= {"ok"}
    once = names(store)
    assert mended(store) == []
    assert names(store) == once
    done = forked(store, LARGE)
    assert_kept(store, done.out, LARGE)
    assert file_number(artifact_of(store, done.out).name) not in used


# https://github.com/astral-sh/uv/issues/16841
# https://github.com/marktext/marktext/issues/4852
# https://github.com/jundot/omlx/issues/3095
def test_what_was_printed_survives_a_power_cut_right_behind_it(disk: Disk) -> None:
    store = store_on(disk)
    first = forked(store, BEFORE)
    second = forked(store, DATA)
    disk.cut()
    for done, data in ((first, BEFORE), (second, DATA)):
        assert_kept(store, done.out, data)
        whole = forked(store, b"", "read", ref_of(done.out), "--all")
        assert (whole.status, whole.out) == (0, data)
        assert forked(store, b"", "show", ref_of(done.out)).out == done.out
    assert_final_names_are_right(store)
    assert forked(store, b"", "check").status == 0
    assert_it_goes_on(store, {1, 2})


def test_a_process_of_its_own_survives_it_as_well(disk: Disk) -> None:
    store = store_on(disk)
    done = store.stub(stdin=DATA)
    disk.cut()
    assert_kept(store, done.out, DATA)
    assert_it_goes_on(store, {1})


def test_without_hard_links_it_survives_too(disk: Disk) -> None:
    def no_links() -> None:
        def link(*_: object, **__: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        os.link = link

    store = store_on(disk)
    done = forked(store, DATA, prepare=no_links)
    disk.cut()
    assert_kept(store, done.out, DATA)
    assert_it_goes_on(store, {1})


def calls_elsewhere(tmp_path: Path, *, used: bool) -> list[str]:
    """The calls that keeping DATA takes, found out in a store as deep as the one on the disk."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    elsewhere = Store(place / "state" / "stub")
    if used:
        forked(elsewhere, BEFORE)
    return calls_of(elsewhere, DATA)


def test_what_repair_adopted_survives_it_too(disk: Disk, tmp_path: Path) -> None:
    store = store_on(disk)
    forked(store, BEFORE)
    unsynchronised_yet = calls_elsewhere(tmp_path, used=True).index("fsync") + 1
    assert forked(store, DATA, prepare=kill_at(unsynchronised_yet)).status == 137
    assert len(store.artifacts()) == 1
    assert forked(store, b"", "check", "--repair").status == 0
    disk.cut()
    assert sorted(path.read_bytes() for path in store.artifacts()) == sorted((BEFORE, DATA))
    assert_it_goes_on(store, {1, 2})


@pytest.mark.parametrize("state", ["a new store", "a store in use"])
def test_the_power_may_fail_at_any_moment(disk: Disk, tmp_path: Path, state: str) -> None:
    used = state == "a store in use"
    calls = calls_elsewhere(tmp_path, used=used)
    found = [number for number, name in enumerate(calls, 1) if name in DECIDING]
    assert len(found) > 6
    wrong = []
    for number in found:
        disk.unmount()
        disk.make()
        store = store_on(disk)
        before = forked(store, BEFORE).out if used else b""
        done = forked(store, DATA, prepare=kill_at(number))
        assert (done.status, done.out) == (137, b"")
        disk.cut()
        try:
            if before:
                assert_kept(store, before, BEFORE)
            if store.results.exists():
                assert_final_names_are_right(store)
            assert_it_goes_on(store, {1} if used else set())
        except AssertionError as failure:
            wrong.append(f"call {number}: {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


def runs_in_order(store: Store) -> list[tuple[int, int]]:
    """Number of the content and of the run, the newest first."""
    rows = json.loads(forked(store, b"", "ls", "--json").out)["runs"]
    return [(row["number"], row["run"]) for row in rows if "run" in row]


def test_what_was_printed_last_is_last_after_it(disk: Disk) -> None:
    store = store_on(disk)
    forked(store, BEFORE)
    forked(store, DATA)
    again = forked(store, BEFORE, "--tool", "again")
    disk.cut()
    assert forked(store, b"", "show", "last").out == again.out
    assert runs_in_order(store) == [(1, 3), (2, 2), (1, 1)]
    # Neither its place in the order nor the hint is on the disk.
    new = forked(store, DATA + b"new\n")
    disk.cut()
    assert forked(store, b"", "show", "last").out == new.out
    assert runs_in_order(store) == [(4, 4), (1, 3), (2, 2), (1, 1)]
    assert_it_goes_on(store, {1, 2, 3, 4})


def test_it_may_fail_at_any_moment_of_a_further_run(disk: Disk, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    elsewhere = Store(place / "state" / "stub")
    for data in (BEFORE, DATA):
        forked(elsewhere, data)
    calls = calls_of(elsewhere, BEFORE)
    assert calls.count("fdatasync") == 1
    wrong = []
    for number in [number for number, name in enumerate(calls, 1) if name in DECIDING]:
        disk.unmount()
        disk.make()
        store = store_on(disk)
        printed = [forked(store, data).out for data in (BEFORE, DATA)]
        assert forked(store, BEFORE, prepare=kill_at(number)).status == 137
        disk.cut()
        try:
            for out, data in zip(printed, (BEFORE, DATA), strict=True):
                assert_kept(store, out, data)
            assert runs_in_order(store)[-2:] == [(2, 2), (1, 1)]
            assert_it_goes_on(store, {1, 2})
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


def test_without_synchronising_it_the_same_cut_loses_a_further_run(disk: Disk) -> None:
    """A control of the two tests above."""
    store = store_on(disk)
    for turn in range(3):  # another process may call sync() for all disks just then
        data = DATA + b"turn %d\n" % turn
        forked(store, data)
        forked(store, BEFORE + data)
        again = forked(store, data, prepare=unsynchronised(BROKEN["files"]))
        assert_kept(store, again.out, data)
        disk.cut()
        if forked(store, b"", "read", "last", "--all").out != data:
            return
    pytest.fail("nothing was lost")


def test_a_number_that_was_printed_is_not_given_again_after_it(disk: Disk) -> None:
    """The hint is not synchronised; what it stands for is."""
    store = store_on(disk)
    given = []
    for turn in range(4):
        done = forked(store, DATA + b"turn %d\n" % turn)
        given.append(file_number(artifact_of(store, done.out).name) or 0)
        disk.cut()
    assert given == sorted(set(given))
    assert len(store.artifacts()) == 4
    assert_it_goes_on(store, set(given))


def test_of_an_unfinished_stream_what_was_synchronised_is_adopted(disk: Disk) -> None:
    store = store_on(disk)
    forked(store, BEFORE)
    script = f"(cat; sleep 60) | exec {' '.join(COMMAND)}"
    process = subprocess.Popen(
        ["bash", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=store.environment(),
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(DATA)
        process.stdin.close()
        place = store.folder / ".incoming" / "tool_result_002"
        for _ in range(2000):
            if place.exists() and place.stat().st_size == len(DATA):
                break
            time.sleep(0.005)
        descriptor = os.open(place, os.O_RDONLY)
        os.fdatasync(descriptor)
        os.close(descriptor)
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()
    disk.cut()
    assert_it_goes_on(store, {1, 2})
    assert DATA in [path.read_bytes() for path in store.artifacts()]


def unsynchronised(skipped: Callable[[int], bool]) -> Callable[[], None]:
    """For `prepare`: no fsync of such files, and no word about it."""
    real: Any = os.fsync

    def fsync(fd: Any) -> None:
        if not skipped(os.fstat(fd).st_mode):
            real(fd)

    def install() -> None:
        os.fsync = os.fdatasync = fsync

    return install


BROKEN: dict[str, Callable[[int], bool]] = {
    "anything": lambda _mode: True,
    "folders": stat.S_ISDIR,
    "files": stat.S_ISREG,
}


@pytest.mark.parametrize("what", BROKEN)
def test_without_synchronising_the_same_cut_loses_it(disk: Disk, what: str) -> None:
    """A control: if this fails, none of the tests above has shown anything."""
    store = store_on(disk)
    forked(store, BEFORE)
    for turn in range(3):  # another process may call sync() for all disks just then
        data = DATA + b"turn %d\n" % turn
        done = forked(store, data, prepare=unsynchronised(BROKEN[what]))
        assert_kept(store, done.out, data)
        disk.cut()
        if forked(store, b"", "read", ref_of(done.out), "--all").out != data:
            return
    pytest.fail("nothing was lost")
