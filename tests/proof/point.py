"""The words of the proof as values: a point, what is wrong with it, and what a family is given."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# What can be wrong, in the order of the table's columns.
ACKNOWLEDGED = "acknowledged bytes lost"
NOWHERE = "bytes in neither place"
PROTECTED = "protected deletions"
HANG = "hangs"
TRACEBACK = "tracebacks"
FRAME = "frames from data"
OTHER = "other"
KINDS = (ACKNOWLEDGED, NOWHERE, PROTECTED, HANG, TRACEBACK, FRAME, OTHER)

Run = Callable[[Path], int | None]


class Violation(AssertionError):
    """An oracle that does not hold. kind: one of KINDS."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class NotRun(Exception):
    """This point needs what is not here: root, a tool, a file system."""


def require(holds: object, kind: str, what: object) -> None:
    """Raise a Violation of that kind unless it holds. what: shown, cut to what a reader needs."""
    if not holds:
        raise Violation(kind, str(what)[:1500])


@dataclass(frozen=True)
class Point:
    """One fault at one place.

    run: tries it in the empty folder that it is given; how many cases it compared, None for one.
    Raises Violation, NotRun. control: the program is broken in it, and a Violation is its success.
    seconds: what it may take before it counts as a hang.
    """

    name: str
    run: Run
    control: bool = False
    seconds: float = 120.0


@dataclass(frozen=True)
class Given:
    """seed: of every choice. long: the counts that take hours. place: a folder for templates."""

    seed: int
    long: bool
    place: Path


Points = Callable[[Given], Iterable[Point]]


def first_caught(attempts: Iterable[Callable[[], object]]) -> int:
    """Run attempts until one raises a Violation, and pass that on: for controls that need luck."""
    count = 0
    for attempt in attempts:
        attempt()
        count += 1
    return count


def not_run(reason: str) -> Iterator[Point]:
    """The only point of a family, or a part of one, that cannot be run here."""

    def run(_folder: Path) -> int:
        raise NotRun(reason)

    yield Point(reason, run)
