"""A check or a repair looks while others write and collect: it says what is true, harms nothing."""

import os
import time
from collections.abc import Callable

import pytest

from stubcli.durable import try_lock
from stubcli.retention.gc.model import Policy
from stubcli.store.posix import repair, verify
from stubcli.store.posix.session import PosixSession
from tests.conftest import Store
from tests.helpers import findings, keep, mended, session_of
from tests.retention.gc.made import collect, fill, put

LISTINGS = ("record_names", "artifact_numbers")
DATA = b"written while somebody looks\n" * 99


def between_the_listings(
    monkeypatch: pytest.MonkeyPatch, store: Store, act: Callable[[PosixSession], object]
) -> None:
    """Let `act` happen once, after the first listing that a look makes."""
    waiting = [act]
    places = [(module, name) for module in (verify, repair) for name in LISTINGS]
    for module, name in places:
        real = getattr(module, name)

        def look(session: PosixSession, real: Callable[[PosixSession], object] = real) -> object:
            listed = real(session)
            if waiting:
                with session_of(store) as other:
                    waiting.pop()(other)
            return listed

        monkeypatch.setattr(module, name, look)


def keep_one(session: PosixSession) -> None:
    keep(session, DATA, stub="what was printed")


def test_what_is_published_meanwhile_keeps_the_record_of_its_writer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session_of(store):
        between_the_listings(monkeypatch, store, keep_one)
        monkeypatch.setattr(repair, "finish_removals", lambda _session: iter(()))
        assert mended(store) == []
    with session_of(store) as session:
        assert session.find(1).run.stub == "what was printed"


def test_what_is_published_meanwhile_is_no_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    between_the_listings(monkeypatch, store, keep_one)
    assert set(findings(store)) <= {"ok"}


def test_what_is_collected_meanwhile_is_no_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 3)
    between_the_listings(monkeypatch, store, lambda _: collect(store, Policy(3600, 2)))
    assert {status: len(found) for status, found in findings(store).items()} == {"ok": 1}


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_collected_while_others_are_verified_is_no_damage(
    store: Store, number: int
) -> None:
    fill(store, 3)
    with session_of(store) as session:
        looking = session.verify()
        found = [next(looking).status for _ in range(number)]
        collect(store)
        found += [one.status for one in looking]
    assert found == ["ok"] * number


def test_data_that_was_given_a_record_has_its_time_before_it(store: Store) -> None:
    record = put(store, DATA, age=9 * 86_400)
    for path in store.results.glob("*.json"):
        path.unlink()
    assert len(mended(store)) == 1
    used = os.stat(store.results / record.reference.file).st_atime
    assert time.time() - used < 3600
    assert collect(store).of("deleted") == []


def test_data_that_its_writer_still_holds_is_given_no_record(store: Store) -> None:
    with session_of(store) as session:
        record = keep(session, DATA)
        for path in store.results.glob("*.json"):
            path.unlink()
        holder = os.open(record.reference.file, os.O_RDONLY, dir_fd=session.results)
        assert try_lock(holder)
        assert mended(store) == []
        os.close(holder)
        assert len(mended(store)) == 1
