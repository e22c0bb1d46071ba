"""Killed before any call to the kernel, a pin or a publication leaves nothing unprotected."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stubcli.retention.leases import lease as leases
from stubcli.retention.leases import pins
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.memory import memory_reference
from stubcli.retention.leases.program import publisher
from stubcli.retention.leases.reconcile import reconcile
from stubcli.retention.leases.sqlite_owner import SqliteOwner
from stubcli.store.records import Record
from stubcli.store.surface import Session
from tests.conftest import Store
from tests.helpers import code_of, fork, keep, kill_at, session_of

DATA = b"kept for a memory\n" * 2000
KILLED = 137


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    with session_of(store) as opened:
        yield opened


def phases(session: Session) -> dict[str, str]:
    with open_journal(session) as journal:
        return {name: lease.phase for name, lease in journal.leases.items()}


def killed_at(number: int, step: Callable[[], object]) -> int:
    """The status of a child in which `step` is killed before its call of that number, else 0."""
    pid = fork()
    if pid == 0:
        code = 1
        try:
            kill_at(number)()
            step()
            code = 0
        finally:
            os._exit(code)
    return code_of(os.waitpid(pid, 0)[1])


def each_call(step: Callable[[int], Callable[[], object]]) -> Iterator[tuple[int, int]]:
    """Kill `step(N)` before its N-th call, for every N: N and the status, until it runs through."""
    number, status = 0, KILLED
    while status == KILLED:
        number += 1
        status = killed_at(number, step(number))
        yield number, status
    assert status == 0
    assert number > 10


def test_a_pin_that_was_killed_is_made_by_the_next_one(session: Session) -> None:
    record = keep(session, DATA)
    for _number, status in each_call(lambda _: lambda: pins.pin(session, record)):
        if status == 0:
            assert list(phases(session).values())[-1:] == ["committed"]
        pins.pin(session, record)
        active = [phase for phase in phases(session).values() if phase != "released"]
        assert active == ["committed"]
        pins.unpin(session, record)


def test_an_unpin_that_was_killed_is_made_by_the_next_one(session: Session) -> None:
    record = keep(session, DATA)
    pins.pin(session, record)
    for _number, status in each_call(lambda _: lambda: pins.unpin(session, record)):
        unpinned = set(phases(session).values()) == {"released"}
        assert unpinned or status == KILLED
        pins.unpin(session, record)
        assert set(phases(session).values()) == {"released"}
        pins.pin(session, record)


def test_whatever_a_killed_publication_wrote_is_protected(session: Session, tmp_path: Path) -> None:
    record = keep(session, DATA)
    reference = memory_reference(record, "/a", DATA)

    def publication(number: int) -> Callable[[], object]:
        program = publisher(["touch", str(tmp_path / f"t{number}")], reference, None)
        return lambda: leases.publish(session, record, program, transaction_id=f"t{number}")

    for number, status in each_call(publication):
        phase = phases(session).get(f"t{number}")
        if (tmp_path / f"t{number}").exists():
            assert phase in ("prepared", "committed")
        if status == 0:
            assert phase == "committed"


@pytest.mark.parametrize("written", [True, False])
def test_a_killed_reconciliation_is_finished_by_the_next_one(
    session: Session, tmp_path: Path, written: bool
) -> None:
    memory = SqliteOwner(str(tmp_path / "memory.db"), create=True)
    record: Record = keep(session, DATA)
    reference = memory_reference(record, "/a", DATA)

    def pending(number: int) -> Callable[[], object]:
        leases.prepare(session, record, transaction_id=f"t{number}")
        if written:
            memory.publish(reference, f"t{number}")
        return lambda: reconcile(session, memory)

    wanted = "committed" if written else "aborted"
    for number, _status in each_call(pending):
        name = f"t{number}"
        entry = memory.find(name)
        if phases(session)[name] == "aborted":
            assert entry
            assert entry.reference is None
        reconcile(session, memory)
        assert phases(session)[name] == wanted
