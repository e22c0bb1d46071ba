"""Whatever happens in whatever order: what is claimed is there, byte for byte, and all is told.

Artifacts are kept, claimed, let go, collected and repaired, and any of it may die at any call to
the kernel.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from stubcli.errors import MissingError, RefusedError
from stubcli.reference import file_name
from stubcli.retention.gc.model import Plan, Policy
from stubcli.retention.leases import lease
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import COMMITTED, PREPARED, Lease
from stubcli.retention.leases.owners import ABSENT, PUBLISHED, UNKNOWN
from stubcli.retention.leases.reconcile import reconcile
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import (
    Calls,
    assert_nothing_is_wrong,
    findings,
    keep,
    mended,
    session_of,
)
from tests.retention.gc.made import Memory, applied, plan_of, tombs, waiting

PAST = "2020-01-01T00:00:00+00:00"
PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
ORIGINAL = {name: getattr(os, name) for name in Calls.NAMES}


class Killed(BaseException):
    """The process is gone: nothing that runs after it reaches the kernel."""


@contextmanager
def killed_at(number: int) -> Iterator[None]:
    """Every call from that number on is never made, what tidies up included."""

    def act(count: int, _name: str) -> None:
        if count >= number:
            raise Killed

    before = set(os.listdir("/dev/fd"))
    Calls(act).install()
    try:
        yield
    except Killed:
        # The kernel closes what a process had open, and drops its locks.
        for descriptor in set(ORIGINAL["listdir"]("/dev/fd")) - before:
            try:
                os.close(int(descriptor))
            except OSError:
                pass  # that of the listing itself
    finally:
        for name, real in ORIGINAL.items():
            setattr(os, name, real)


class Machine(RuleBasedStateMachine):
    """bodies: every artifact that was acknowledged. plan: one that waits to be applied."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="stub-test-", dir=PLACE))
        self.store = Store(self.folder / "store")
        self.bodies: dict[int, bytes] = {}
        self.used: set[int] = set()
        self.plan: Plan | None = None
        self.turn = 0

    def teardown(self) -> None:
        try:
            self.mended_is_well()
        finally:
            shutil.rmtree(self.folder)

    def _name(self) -> str:
        self.turn += 1
        return f"transaction-{self.turn}"

    def _leases(self) -> dict[str, Lease]:
        with session_of(self.store) as session, open_journal(session) as journal:
            return journal.leases

    def _keep(self) -> None:
        self.turn += 1
        data = b"artifact %d\n" % self.turn * 20
        with session_of(self.store) as session:
            number = keep(session, data).number
        assert number not in self.used, "a number was used again"
        self.bodies[number] = data
        self.used.add(number)

    def _prepare(self, number: int, until: str | None) -> None:
        with session_of(self.store) as session:
            try:
                record = session.find(number)
                lease.prepare(session, record, transaction_id=self._name(), retain_until=until)
            except MissingError:
                path = self.store.results / file_name(number)
                assert not path.exists(), "what is there can be claimed"

    def _turn(self, name: str, act: Callable[..., Lease]) -> None:
        with session_of(self.store) as session:
            try:
                act(session, name)
            except (MissingError, RefusedError):
                pass  # it cannot come into that phase any more

    def _collect(self, plan: Plan | None = None) -> None:
        plan = plan or plan_of(self.store, Policy(0, None), time.time() + 1)
        done = applied(self.store, plan, time.time() + 1)
        assert done.problems == ()

    numbers = st.integers(1, 6)
    picks = st.integers(0, 5)

    @rule()
    def keeps(self) -> None:
        self._keep()

    @rule(number=numbers, until=st.sampled_from([None, PAST]))
    def prepares(self, number: int, until: str | None) -> None:
        self._prepare(number, until)

    @rule(pick=picks, act=st.sampled_from([lease.commit, lease.release, lease.abort]))
    def turns(self, pick: int, act: Callable[..., Lease]) -> None:
        if names := list(self._leases()):
            self._turn(names[pick % len(names)], act)

    @rule(presence=st.sampled_from([PUBLISHED, ABSENT, UNKNOWN]))
    def reconciles(self, presence: str) -> None:
        with session_of(self.store) as session:
            reconcile(session, Memory(presence))
        left = [one for one in self._leases().values() if one.phase == PREPARED]
        assert presence == UNKNOWN or left == []

    @rule()
    def plans(self) -> None:
        self.plan = plan_of(self.store, Policy(0, None), time.time() + 1)

    @precondition(lambda self: self.plan is not None)
    @rule()
    def applies_an_older_plan(self) -> None:
        self._collect(self.plan)
        self.plan = None

    @rule()
    def collects(self) -> None:
        self._collect()
        held = {self._number(one) for one in self._protecting()}
        for number in self.bodies.keys() - held:
            assert (
                not (self.store.results / file_name(number)).exists()
                or waiting(self.store, number).exists()
            )

    @rule()
    def repairs(self) -> None:
        mended(self.store)

    @rule(
        number=st.integers(1, 160),
        what=st.sampled_from(["keep", "prepare", "commit", "collect", "repair", "plan"]),
        pick=picks,
    )
    def dies(self, number: int, what: str, pick: int) -> None:
        names = list(self._leases())
        acts: dict[str, Callable[[], object]] = {
            "keep": self._keep,
            "prepare": lambda: self._prepare(pick + 1, None),
            "commit": lambda: self._turn(
                (names or ["none"])[pick % max(1, len(names))], lease.commit
            ),
            "collect": self._collect,
            "repair": lambda: mended(self.store),
            "plan": lambda: plan_of(self.store, Policy(0, None), time.time() + 1),
        }
        with killed_at(number):
            acts[what]()

    def _protecting(self) -> list[Lease]:
        return [
            one
            for one in self._leases().values()
            if one.phase == PREPARED or (one.phase == COMMITTED and one.claim.retain_until is None)
        ]

    def _number(self, one: Lease) -> int:
        return int(one.claim.source_id.split(":")[2].removeprefix("tool_result_")[:3])

    @invariant()
    def what_is_claimed_is_there(self) -> None:
        for one in self._protecting():
            number = self._number(one)
            data = (self.store.results / file_name(number)).read_bytes()
            assert data == self.bodies.get(number, data)

    @invariant()
    def what_is_gone_was_told(self) -> None:
        told = tombs(self.store)
        for number, data in self.bodies.items():
            for place in (self.store.results / file_name(number), waiting(self.store, number)):
                if place.exists() and place.read_bytes() == data:
                    break
            else:
                assert f'"number":{number},' in told

    def mended_is_well(self) -> None:
        mended(self.store)
        assert_nothing_is_wrong(self.store)
        assert set(findings(self.store)) <= {"ok"}
        assert mended(self.store) == []
        self._collect()
        self._keep()


TestWhateverHappens = Machine.TestCase
TestWhateverHappens.settings = examples(500, stateful_step_count=15)
