"""Every call of a collection fails, or is the last one: no claim is hurt, and all is mended after.

What is claimed is there. What was to go is there, waits in .incoming, or has its tombstone. A
repair makes all well, the next collection works, and no number comes twice.
"""

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stubcli.reference import file_name
from stubcli.retention.gc.model import Policy
from tests.conftest import Store
from tests.helpers import Calls, disturbed, keep, session_of
from tests.retention.gc.made import (
    assert_safe_and_mended,
    body,
    collect,
    commit,
    count_calls,
    dies_at,
    fill,
    in_child,
    make_old,
    plan_of,
    prepare,
    states,
    tombs,
)

BODIES = {number: body(number) for number in range(1, 5)}
HELD = {1, 3}
ALL = Policy(0, None)


@pytest.fixture
def filled(store: Store) -> Store:
    """Four artifacts: one prepared, one committed, and two that may go."""
    fill(store, 4)
    prepare(store, 1, "a")
    commit(store, 3, "b")
    for number in BODIES:
        make_old(store, number)
    return store


class Copies:
    """So many stores like it, one after the other: a collection compares inodes, not copies."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder

    def one(self, number: int) -> Store:
        home = self._folder / f"copy{number}"
        shutil.copytree(self._store.home, home, symlinks=True)
        made = replace(self._store, home=home)
        for one in BODIES:
            make_old(made, one)
        return made

    def done(self, store: Store) -> None:
        shutil.rmtree(store.home)


def assert_the_next_collection_works(store: Store) -> None:
    for path in store.artifacts():
        os.utime(path, (0, 0))
    done = collect(store, ALL)
    assert done.problems == ()
    assert set(states(done)) <= {"retained_referenced", "deleted"}
    assert [path.name for path in store.artifacts()] == [file_name(one) for one in sorted(HELD)]
    assert {number for number in BODIES if f'"number":{number},' in tombs(store)} == {2, 4}
    with session_of(store) as session:
        assert keep(session, b"the next one\n" * 99).number >= 5


def test_killed_before_any_call_nothing_claimed_is_lost(filled: Store, ram: Path) -> None:
    copies = Copies(filled, ram)
    first = copies.one(0)
    calls = count_calls(lambda: collect(first, ALL))
    assert len(calls) > 80
    wrong = []
    for number in range(1, len(calls) + 1):
        store = copies.one(number)
        status = in_child(lambda store=store: collect(store, ALL), dies_at(number))  # type: ignore[misc]
        try:
            assert status == 137
            assert_safe_and_mended(store, HELD, BODIES)
            assert_the_next_collection_works(store)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
        copies.done(store)
    assert wrong == []


def fails_at(number: int, error: int, *, after: bool, onwards: bool) -> Callable[[], None]:
    """The call of that number fails, `after` having been done where a disk may lie so."""

    class Failing(Calls):
        def _wrap(self, name: str) -> None:
            real = getattr(os, name)

            def call(*arguments: object, **named: object) -> object:
                self.count += 1
                due = self.count == number or (onwards and self.count > number)
                if due and not after:
                    raise OSError(error, os.strerror(error))
                done = real(*arguments, **named)
                if due:
                    raise OSError(error, os.strerror(error))
                return done

            setattr(os, name, call)

    return Failing(lambda _count, _name: None).install


@pytest.mark.parametrize(
    ("error", "after", "onwards"),
    [
        (errno.EIO, False, False),
        (errno.EIO, True, False),
        (errno.ENOSPC, False, True),
        (errno.EACCES, False, False),
    ],
    ids=["EIO", "EIO once it was done", "ENOSPC for good", "EACCES"],
)
def test_a_call_that_fails_costs_nothing_that_is_claimed(
    filled: Store, ram: Path, error: int, after: bool, onwards: bool
) -> None:
    copies = Copies(filled, ram)
    first = copies.one(0)
    calls = count_calls(lambda: collect(first, ALL))
    wrong = []
    for number in range(1, len(calls) + 1):
        store = copies.one(number)
        try:
            # It raises no more than an error of the system.
            with disturbed(fails_at(number, error, after=after, onwards=onwards)):
                quietly(store)
            assert_safe_and_mended(store, HELD, BODIES)
            assert_the_next_collection_works(store)
        except AssertionError as failure:
            wrong.append(f"call {number} ({calls[number - 1]}): {str(failure)[:300]}")
        copies.done(store)
    assert wrong == []


def quietly(store: Store) -> None:
    """Opening the session may fail as the system does; a collection tells of its own problems."""
    try:
        done = collect(store, ALL)
    except OSError:
        return
    for one in done.of("deleted"):
        assert not os.path.lexists(store.results / one.name)


def test_a_deletion_is_reported_only_where_it_took_place(filled: Store) -> None:
    plan = plan_of(filled, ALL)
    assert states(plan) == {"retained_referenced": 2, "planned_delete": 2}
    done = collect(filled, ALL)
    assert {one.number for one in done.of("deleted")} == {2, 4}
    assert [path.name for path in filled.artifacts()] == [file_name(1), file_name(3)]
