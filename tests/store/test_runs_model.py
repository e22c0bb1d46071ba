"""Any sequence of outputs, collections and losses of hints: a plain model says the same."""

import tempfile
import time
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from stubcli.errors import MissingError
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Policy
from stubcli.retention.gc.plan import make_plan
from stubcli.retrieve.listing import list_runs
from stubcli.retrieve.selection import Selection
from stubcli.settings.load import load
from stubcli.spill.in_memory import keep
from stubcli.spill.stream import About
from stubcli.store import open_session
from stubcli.store.records import COMPLETE, Origin
from stubcli.store.resolve import find_runs, open_reference
from tests.chance import examples

SESSION = "test"


def body(kind: int) -> bytes:
    return b"output of kind %d\n" % kind * 1200


class Outputs(RuleBasedStateMachine):
    """The model: every run as (kind, status, what was printed), in the order in which they came."""

    def __init__(self) -> None:
        super().__init__()
        self._place = tempfile.TemporaryDirectory()
        self.home = str(Path(self._place.name) / "store")
        self.settings = load({"home": self.home, "session": SESSION})
        self.runs: list[tuple[int, int, str]] = []
        self.numbers: dict[int, int] = {}
        self.used: set[int] = set()

    def teardown(self) -> None:
        self._place.cleanup()

    @rule(kind=st.integers(0, 3), status=st.integers(0, 2))
    def comes(self, kind: int, status: int) -> None:
        name = f"ended-{status}"
        about = About(Origin("sh", argv=("make", str(kind)), exit_status=status, name=name))
        record, stub = keep([body(kind)], self.settings, about)
        assert stub
        assert f"exit: {status}" in stub
        if kind in self.numbers:
            assert record.number == self.numbers[kind]
        self.numbers[kind] = record.number
        assert record.run.number not in self.used, "a number was used twice"
        self.used.add(record.run.number)
        self.runs.append((kind, status, stub))

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def is_collected(self, data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(sorted(self.numbers)))
        with open_session(self.home, SESSION) as session:
            only = frozenset({self.numbers[kind]})
            plan = make_plan(session, Policy(0, None), time.time() + 1, only=only)
            done = apply_plan(session, plan, time.time() + 1)
            assert len(done.of("deleted")) == 1, done
        del self.numbers[kind]
        self.runs = [run for run in self.runs if run[0] != kind]

    @precondition(lambda self: self.used)
    @rule(name=st.sampled_from([".sequence", ".index"]))
    def loses_a_hint(self, name: str) -> None:
        """As a power cut or a copy may leave it."""
        folder = Path(self.home, "sessions", SESSION)
        if name == ".sequence":
            (folder / name).unlink(missing_ok=True)
        else:
            for path in (folder / name).iterdir():
                path.unlink()
            with open_session(self.home, SESSION) as session:
                assert list(session.repair()) == []

    @precondition(lambda self: self.used)
    @invariant()
    def is_listed_as_it_came(self) -> None:
        found = list_runs(self.home, [SESSION], limit=1000, skip=0)
        rows = [(row.number, row.run.origin.exit_status if row.run else None) for row in found.rows]
        assert rows == [(self.numbers[kind], status) for kind, status, _ in self.runs[::-1]]
        assert (found.runs, found.artifacts) == (len(self.runs), len(self.numbers))

    @precondition(lambda self: self.used)
    @invariant()
    def is_found_by_command_first_line_and_end(self) -> None:
        for kind in range(4):
            wanted = [status for of, status, _ in self.runs[::-1] if of == kind]
            for selection, expected in (
                (Selection(text=f"OF KIND {kind}"), wanted),
                (Selection(command=f"make {kind}"), wanted),
                (Selection(command=f"make {kind}", failed=True), [one for one in wanted if one]),
            ):
                found = list_runs(self.home, [SESSION], limit=99, skip=0, selection=selection)
                rows = [row.run.origin.exit_status for row in found.rows if row.run]
                assert rows == expected
                assert (found.searched, found.unread) == (len(self.runs), 0)

    @precondition(lambda self: self.used)
    @invariant()
    def a_name_is_its_newest_run(self) -> None:
        for status in range(3):
            printed = [(kind, stub) for kind, of, stub in self.runs if of == status]
            try:
                with open_reference(self.home, SESSION, f"@ended-{status}") as artifact:
                    found = (artifact.record.number, artifact.run.stub)
            except MissingError:
                assert not printed
                continue
            assert found == (self.numbers[printed[-1][0]], printed[-1][1])

    @precondition(lambda self: self.used)
    @invariant()
    def is_shown_as_it_was_printed_last(self) -> None:
        for kind, number in self.numbers.items():
            printed = [stub for of, _, stub in self.runs if of == kind]
            with open_reference(self.home, SESSION, str(number)) as artifact:
                assert artifact.run.stub == printed[-1]
                assert artifact.run.state == COMPLETE
                assert artifact.read_at(0, artifact.size) == body(kind)
                runs = find_runs(self.home, artifact.record)
            assert [run.stub for run in runs] == printed[::-1]

    @precondition(lambda self: self.used)
    @invariant()
    def last_is_what_came_last(self) -> None:
        try:
            with open_reference(self.home, SESSION, "last") as artifact:
                found = artifact.record.number
        except MissingError:
            assert not self.runs
            return
        assert found == self.numbers[self.runs[-1][0]]

    @precondition(lambda self: self.used)
    @invariant()
    def is_in_order(self) -> None:
        with open_session(self.home, SESSION) as session:
            assert {found.status for found in session.verify()} <= {"ok"}


TestOutputs = Outputs.TestCase
TestOutputs.settings = examples(25, stateful_step_count=12)
