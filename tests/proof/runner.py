"""Runs points: each in a child with a folder and a time limit, the budget spread over families.

The family that had the least time so far is next, so that each has its share, whatever one point
of it costs. Knows no fault and nothing of the program.
"""

import json
import os
import select
import shutil
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.proof.point import HANG, OTHER, NotRun, Point, Violation
from tests.proof.processes import adopting_orphans, children, end_orphans, fork

# A point that is under way when the time is over may still end.
GRACE = 6.0


@dataclass
class Tally:
    """What became of the points of a family. following: the first that was not yet run."""

    points: int = 0
    cases: int = 0
    controls: int = 0
    following: int = 0
    seconds: float = 0.0
    wrong: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    exhausted: bool = False


@dataclass(frozen=True)
class Failure:
    """A point whose oracle did not hold, or a control that lost nothing."""

    family: str
    name: str
    kind: str
    what: str


@dataclass(frozen=True)
class _Running:
    family: str
    point: Point
    folder: Path
    answer: int
    started: float


class Runner:
    """Runs families until their points or the time are at their end.

    tell: is given each failure. done: called after each point. shares: of the time, by family.
    """

    def __init__(
        self,
        families: dict[str, Iterable[Point]],
        tallies: dict[str, Tally],
        place: Path,
        workers: int,
        tell: Callable[[Failure], None] = lambda _failure: None,
        done: Callable[[], None] = lambda: None,
        shares: Mapping[str, float] | None = None,
    ) -> None:
        self._points: dict[str, Iterator[Point]] = {
            name: iter(points) for name, points in families.items()
        }
        self.tallies = tallies
        self.failures: list[Failure] = []
        self._place = place
        self._workers = workers
        self._tell = tell
        self._done = done
        self._shares = {**dict.fromkeys(families, 1.0), **(shares or {})}
        self._running: dict[int, _Running] = {}
        self._number = 0
        self._others: set[int] = set()
        self._used = dict.fromkeys(families, 0.0)

    def run(self, deadline: float) -> None:
        """Run points until `deadline`, on the clock of time.monotonic."""
        self._others = children()
        with adopting_orphans():
            try:
                while self._fill(deadline):
                    self._wait(deadline)
            finally:
                for pid in list(self._running):
                    self._end(pid)

    def _fill(self, deadline: float) -> bool:
        """Start points while there are workers, points and time; whether any runs."""
        while len(self._running) < self._workers and time.monotonic() < deadline - GRACE:
            if not self._start_next():
                break
        return bool(self._running)

    def _start_next(self) -> bool:
        """Start a point of the family that had the least time; whether there was any."""
        while self._points:
            busy = {one.family: 0.0 for one in self._running.values()}
            name = min(self._points, key=lambda one: (self._used[one], one in busy))
            began = time.monotonic()
            point = next(self._points[name], None)
            self._use(name, began)
            if point is not None:
                self._start(name, point)
                return True
            del self._points[name]
            self.tallies[name].exhausted = True
        return False

    def _start(self, family: str, point: Point) -> None:
        self._number += 1
        folder = self._place / str(self._number)
        folder.mkdir()
        reading, writing = os.pipe()
        pid = fork()
        if pid == 0:
            os.setsid()
            os.close(reading)
            os.chdir(folder)
            os.write(writing, json.dumps(_outcome(point, folder)).encode())
            os._exit(0)
        os.close(writing)
        self._running[pid] = _Running(family, point, folder, reading, time.monotonic())

    def _wait(self, deadline: float) -> None:
        """Wait for the next answer, hang, or the end of the time."""
        now = time.monotonic()
        ends = [one.started + one.point.seconds for one in self._running.values()]
        patience = max(0.0, min([*ends, deadline]) - now)
        answers = {one.answer: pid for pid, one in self._running.items()}
        ready, _, _ = select.select(list(answers), [], [], patience)
        for answer in ready:
            pid = answers[answer]
            self._note(self._running[pid], _read(answer))
            self._end(pid)
            self._done()
        now = time.monotonic()
        for pid, one in list(self._running.items()):
            if now >= one.started + one.point.seconds:
                what = f"not at its end after {one.point.seconds:g} s"
                self._note(one, {"kind": HANG, "what": what})
                self._end(pid)
            elif now >= deadline:
                self._end(pid)

    def _end(self, pid: int) -> None:
        """Nothing of a point is left when it has ended: no process, no mount, no file."""
        one = self._running.pop(pid)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(pid, 0)
        os.close(one.answer)
        end_orphans(self._others | set(self._running))
        shutil.rmtree(one.folder, ignore_errors=True)
        self._use(one.family, one.started)

    def _use(self, family: str, since: float) -> None:
        self._used[family] += (time.monotonic() - since) / self._shares[family]

    def _note(self, one: _Running, outcome: dict[str, Any]) -> None:
        tally, point = self.tallies[one.family], one.point
        tally.following += 1
        tally.seconds += time.monotonic() - one.started
        kind, what = outcome.get("kind", ""), outcome.get("what", "")
        if reason := outcome.get("missing"):
            tally.missing[reason] = tally.missing.get(reason, 0) + 1
            return
        if point.control:
            if kind and not outcome.get("crash"):
                tally.controls += 1
                return
            kind = OTHER
            what = f"a control: nothing was caught {what}".strip()
        tally.points += 1
        tally.cases += outcome.get("cases", 1)
        if kind:
            tally.wrong[kind] = tally.wrong.get(kind, 0) + 1
            failure = Failure(one.family, point.name, kind, what)
            self.failures.append(failure)
            self._tell(failure)


def _outcome(point: Point, folder: Path) -> dict[str, Any]:
    try:
        cases = point.run(folder)
    except NotRun as reason:
        return {"missing": str(reason)}
    except Violation as found:
        return {"kind": found.kind, "what": str(found)[:3000]}
    except BaseException:
        # The proof itself may be broken here: no success of a control.
        return {"kind": OTHER, "what": _last_lines(traceback.format_exc()), "crash": True}
    return {"cases": 1 if cases is None else cases}


def _last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-14:])[:3000]


def _read(answer: int) -> dict[str, Any]:
    parts = []
    while data := os.read(answer, 1 << 16):
        parts.append(data)
        if data.endswith(b"}"):
            break
    text = b"".join(parts)
    if not text:
        return {"kind": OTHER, "what": "the point ended without an answer", "crash": True}
    found: dict[str, Any] = json.loads(text)
    return found
