"""Every call to the kernel fails once, or for good, or is the last thing the process does.

Whatever happens: stdout carries the whole input or a whole stub whose artifact is there, what
was kept before is untouched, and the next run works under a new number.
"""

import errno
import os
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stubcli.reference import file_number
from tests.conftest import Store
from tests.helpers import (
    BULK,
    Ran,
    assert_kept,
    assert_nothing_is_wrong,
    calls_of,
    fail_at,
    findings,
    forked,
    is_stub,
    keep,
    kill_at,
    mended,
    names,
    ref_of,
    session_of,
    sha256,
)

DATA = BULK[:45_000]
NEXT = BULK[-40_000:]
BEFORE = (BULK[:30_000], BULK[-30_000:])
STATES = ("a new store", "a store in use", "a store whose hint is too low")


def prepare_store(store: Store, state: str) -> None:
    if state == "a new store":
        return
    for data in BEFORE:
        forked(store, data)
    if state == "a store whose hint is too low":
        (store.folder / ".sequence").write_bytes(b"%018d\n" % 0)


def copies(store: Store, tmp_path: Path, count: int) -> list[Store]:
    """So many stores like it, to be spoiled one by one."""
    made = []
    for number in range(count):
        home = tmp_path / f"copy{number}"
        if store.home.exists():
            shutil.copytree(store.home, home, symlinks=True)
        made.append(Store(home))
    return made


def assert_what_was_kept_before_is_whole(store: Store, state: str) -> None:
    if state != "a new store":
        for number, data in enumerate(BEFORE, 1):
            assert (store.results / f"tool_result_{number:03d}.txt").read_bytes() == data


def assert_the_next_run_works(store: Store, used: set[int]) -> None:
    """The next input is kept, under a number that nothing had before."""
    with session_of(store) as session:
        record = keep(session, NEXT)
    assert (store.results / record.reference.file).read_bytes() == NEXT
    assert record.number not in used


def numbers(store: Store) -> set[int]:
    return {number for path in store.artifacts() if (number := file_number(path.name))}


# Every pair of state, error and how often it fails.
@pytest.mark.parametrize(
    ("state", "error", "onwards"),
    [
        ("a new store", errno.ENOSPC, False),
        ("a new store", errno.EIO, True),
        ("a store in use", errno.ENOSPC, True),
        ("a store in use", errno.EIO, False),
        ("a store whose hint is too low", errno.ENOSPC, False),
        ("a store whose hint is too low", errno.EIO, True),
    ],
)
def test_a_call_that_fails_costs_no_byte(
    store: Store, tmp_path: Path, state: str, error: int, onwards: bool
) -> None:
    prepare_store(store, state)
    calls = calls_of(copies(store, tmp_path, 1)[0], DATA)
    wrong = []
    for number, spoiled in enumerate(copies(store, tmp_path / "f", len(calls)), 1):
        done = forked(spoiled, DATA, prepare=fail_at(number, error, onwards=onwards))
        try:
            assert_no_byte_is_lost(spoiled, done)
            assert_what_was_kept_before_is_whole(spoiled, state)
            assert_nothing_is_wrong(spoiled)
            assert set(findings(spoiled)) <= {"ok", "leftover"}
            assert_the_next_run_works(spoiled, numbers(spoiled))
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:200]}")
    assert not wrong, "\n".join(wrong)


def assert_no_byte_is_lost(store: Store, done: Ran) -> None:
    assert done.status == 0, done
    if is_stub(done.out):
        assert_kept(store, done.out, DATA)
        assert done.err == b""
    else:
        assert done.out == DATA
        assert done.err.startswith(b"stub: not stored: ")
        assert done.err.count(b"\n") == 1


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("name", ["rename", "link", "symlink", "unlink", "fsync"])
def test_a_call_that_fails_though_it_was_done_costs_no_byte(
    store: Store, tmp_path: Path, name: str, error: int
) -> None:
    """A network file system that answered once too late says so of what it did."""
    prepare_store(store, "a store in use")
    due = [
        n for n, one in enumerate(calls_of(copies(store, tmp_path, 1)[0], DATA), 1) if one == name
    ]
    assert due
    for nth, spoiled in enumerate(copies(store, tmp_path / "d", len(due)), 1):
        done = forked(spoiled, DATA, prepare=partial(fail_done, name, nth, error))
        if is_stub(done.out):
            assert_kept(spoiled, done.out, DATA)
        else:
            assert done.out == DATA
        assert done.status == 0
        assert_nothing_is_wrong(spoiled)
        assert set(findings(spoiled)) <= {"ok", "leftover"}
        assert_the_next_run_works(spoiled, numbers(spoiled))


def fail_done(name: str, nth: int, error: int) -> None:
    real: Any = getattr(os, name)
    count = 0

    def call(*given: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        answer = real(*given, **named)
        if count == nth:
            raise OSError(error, os.strerror(error))
        return answer

    setattr(os, name, call)


@pytest.mark.parametrize("state", STATES)
def test_a_process_killed_at_any_call_leaves_nothing_wrong(
    store: Store, tmp_path: Path, state: str
) -> None:
    prepare_store(store, state)
    calls = calls_of(copies(store, tmp_path, 1)[0], DATA)
    wrong = []
    for number, spoiled in enumerate(copies(store, tmp_path / "k", len(calls)), 1):
        done = forked(spoiled, DATA, prepare=kill_at(number))
        try:
            assert done == Ran(137, b"", b"")
            assert_a_crash_is_mended(spoiled, DATA)
            assert_what_was_kept_before_is_whole(spoiled, state)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
    assert not wrong, "\n".join(wrong)


def assert_a_crash_is_mended(store: Store, data: bytes) -> None:
    """Final names are right at once; repairing finishes or adopts what was left, once."""
    assert_final_names_are_right(store)
    used = numbers(store)
    assert_the_next_run_works(store, used)
    leftovers = [
        path.read_bytes()
        for path in (store.folder / ".incoming").iterdir()
        if not path.name.endswith(".json") and path.stat().st_size
    ]
    mended(store)
    assert_nothing_is_wrong(store)
    assert set(findings(store)) == {"ok"}
    kept = [path.read_bytes() for path in store.artifacts()]
    for leftover in leftovers:
        assert data.startswith(leftover)
        assert leftover in kept
    once = names(store)
    assert mended(store) == []
    assert names(store) == once
    used = numbers(store)
    done = forked(store, BULK + b"another\n")
    assert_kept(store, done.out, BULK + b"another\n")
    assert file_number(ref_of(done.out).split(":")[2]) not in used


def assert_final_names_are_right(store: Store) -> None:
    """Data under a final name is what its record says; a record may still wait for its data."""
    for path in store.artifacts():
        records = list(store.results.glob(path.stem + ".*.json"))
        assert len(records) == 1, path.name
        assert records[0].name.split(".")[1] == sha256(path.read_bytes())[:16]
