"""What the tests of gc share: aged artifacts, plans without a process, and what must hold after."""

import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stubcli.reference import file_name
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Plan, Policy
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.leases import lease
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import PREPARED, Lease, claim_of
from stubcli.retention.leases.owners import ABSENT, PUBLISHED, Observation
from stubcli.store.records import Record
from tests.helpers import (
    AnyStore,
    Calls,
    assert_nothing_is_wrong,
    code_of,
    findings,
    fork,
    keep,
    mended,
    session_of,
)

HOUR = Policy(older_than=3600)
AGE = 7200


def put(store: AnyStore, data: bytes, age: float = AGE) -> Record:
    """An artifact that was written so many seconds ago."""
    with session_of(store) as session:
        record = keep(session, data)
    make_old(store, record.number, age)
    return record


def make_old(store: AnyStore, number: int, age: float = AGE) -> None:
    moment = time.time() - age
    os.utime(store.results / file_name(number), (moment, moment))


def body(number: int) -> bytes:
    return b"artifact %d\n" % number * 50


def fill(store: AnyStore, count: int, age: float = AGE) -> list[Record]:
    return [put(store, body(number), age) for number in range(1, count + 1)]


def plan_of(store: AnyStore, policy: Policy = HOUR, now: float | None = None) -> Plan:
    with session_of(store) as session:
        return make_plan(session, policy, time.time() if now is None else now)


def applied(store: AnyStore, plan: Plan, now: float | None = None) -> Plan:
    with session_of(store) as session:
        return apply_plan(session, plan, time.time() if now is None else now)


def collect(store: AnyStore, policy: Policy = HOUR, now: float | None = None) -> Plan:
    return applied(store, plan_of(store, policy, now), now)


def states(plan: Plan) -> dict[str, int]:
    return dict(Counter(one.state for one in plan.decisions))


def reasons(plan: Plan) -> dict[int | None, str]:
    return {one.number: one.reason for one in plan.decisions}


def prepare(store: AnyStore, number: int, name: str = "memory-1", until: str | None = None) -> None:
    with session_of(store) as session:
        record = session.find(number)
        lease.prepare(session, record, transaction_id=name, retain_until=until)


def commit(store: AnyStore, number: int, name: str = "memory-1", until: str | None = None) -> None:
    prepare(store, number, name, until)
    with session_of(store) as session:
        lease.commit(session, name)


def in_child(act: Callable[[], object], before: Callable[[], None] = lambda: None) -> int:
    """Run `act` in a child of this process: its status, 128+N where a signal ended it."""
    pid = fork()
    if pid == 0:
        status = 1
        try:
            before()
            act()
            status = 0
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        finally:
            os._exit(status)
    return code_of(os.waitpid(pid, 0)[1])


def dies_at(number: int) -> Callable[[], None]:
    """The process is gone before the call of that number."""

    def act(count: int, _name: str) -> None:
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return Calls(act).install


def count_calls(act: Callable[[], object]) -> list[str]:
    """The names of the calls that `act` makes, in order; what it does is done."""
    reader, writer = os.pipe()
    real = os.write

    def note(_count: int, name: str) -> None:
        real(writer, name.encode() + b" ")

    status = in_child(act, Calls(note).install)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        names = file.read().decode().split()
    assert status == 0
    assert names
    return names


def assert_safe_and_mended(store: AnyStore, held: set[int], bodies: dict[int, bytes]) -> None:
    """What is held is there; the rest is there, waits, or was buried; repairing makes all well."""
    for number in held:
        assert (store.results / file_name(number)).read_bytes() == bodies[number]
    for number, data in bodies.items():
        for place in (store.results / file_name(number), waiting(store, number)):
            assert not place.exists() or place.read_bytes() in (data, b""), place
        if not (store.results / file_name(number)).exists():
            assert waiting(store, number).exists() or f'"number":{number},' in tombs(store)
    waited = {
        number
        for number, data in bodies.items()
        if waiting(store, number).exists() and waiting(store, number).read_bytes() == data
    }
    mended(store)
    for number in waited:
        assert (store.results / file_name(number)).read_bytes() == bodies[number]
    assert_nothing_is_wrong(store)
    assert set(findings(store)) <= {"ok"}
    assert mended(store) == []


def waiting(store: AnyStore, number: int) -> Path:
    return store.folder / ".incoming" / file_name(number).removesuffix(".txt")


def tombs(store: AnyStore) -> str:
    path = store.folder / "collected.jsonl"
    return path.read_text() if path.exists() else ""


def claim_without_a_use(store: AnyStore, number: int) -> None:
    """A claim whose preparing left the file's times alone, so that the claim alone protects."""
    with session_of(store) as session, open_journal(session) as journal:
        journal.append(f"m-{number}", PREPARED, claim_of(session.find(number)))


@dataclass
class Memory:
    """An owner that answers what it was told to answer, and seals what is absent."""

    presence: str

    @contextmanager
    def fence(self, lease: Lease) -> Iterator["Memory"]:
        self.lease = lease
        yield self

    def observe(self) -> Observation:
        claim = self.lease.claim
        published = (claim.source_id, claim.sha256) if self.presence == PUBLISHED else (None, None)
        return Observation(self.lease.transaction_id, 1, self.presence, *published)

    def seal(self, generation: int) -> Observation:
        return Observation(self.lease.transaction_id, generation + 1, ABSENT, absence_sealed=True)
