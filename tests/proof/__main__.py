"""python -m tests.proof: run the families within a time, print the table, end with 0 or 1.

Deterministic by its seed: the points of a family and their order depend on nothing else. The time
decides only how many of them are run, or --points does. With --json FILE the figures are kept
there all along, and a later run with the same file, seed and version goes on behind what was run
already; --table prints what several files have together, of other seeds or of other families.
"""

import argparse
import datetime
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tests.proof import families, table
from tests.proof.point import Given, Point
from tests.proof.processes import fast_place, isolate
from tests.proof.publish import publish
from tests.proof.runner import Failure, Runner, Tally

# From here on counts of the long form are tried: 128 writers, 100,000 artifacts.
LONG = 30.0
MISSES = 5000
# Seconds between two looks at the figures in the file.
EACH = 10.0


def main() -> int:
    """The exit status: 0 where every point held and every control was caught."""
    typed = _arguments()
    if typed.table:
        print(table.markdown(table.merge(table.load(path) for path in typed.table)), end="")
        return 0
    if typed.publish:
        for path in publish(table.load(path) for path in typed.publish):
            print(path)
        return 0
    place = Path(tempfile.mkdtemp(prefix="stub-proof-", dir=fast_place()))
    try:
        # Asked before the environment is another one.
        tools, program = table.tools(), place / "results"
        isolate(place)
        program.mkdir(mode=0o755)
        result = _result(typed, tools)
        _run(typed, result, place, program)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print(table.markdown(result))
    failed = len(result.failures)
    print(f"{result.tried - failed:,} passed, {failed:,} failed")
    return 1 if failed or not result.tried else 0


def _result(typed: argparse.Namespace, tools: str) -> table.Result:
    """Nothing yet, or what an earlier run of this seed and version left in the file."""
    version = families.version()
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    about = table.Circumstances(today, typed.seed, 0.0, version, table.machine(), tools)
    if typed.json and typed.json.exists():
        before = table.load(typed.json)
        if (before.about.seed, before.about.version) == (typed.seed, version):
            return table.Result(
                replace(about, minutes=before.about.minutes), before.tallies, before.failures
            )
    return table.Result(about, {}, [])


def _run(typed: argparse.Namespace, result: table.Result, place: Path, program: Path) -> None:
    """Run until the time is over; the figures are in the file all along."""
    started, before = time.monotonic(), result.about.minutes
    given = Given(typed.seed, typed.minutes >= LONG, place / "templates")
    given.place.mkdir(mode=0o755)
    names = typed.family or list(families.FAMILIES)
    points = {name: _points(name, given, result.tallies, typed) for name in names}
    for name in names:
        result.tallies.setdefault(name, Tally())
    saved = 0.0

    def save(*, now: bool = False) -> None:
        nonlocal saved
        passed = time.monotonic() - started
        result.about = replace(result.about, minutes=round(before + passed / 60, 1))
        if typed.json and (now or passed - saved > EACH):
            saved = passed
            table.save(typed.json, result)

    runner = Runner(points, result.tallies, program, typed.workers, _tell, save, families.SHARES)
    runner.failures = result.failures
    try:
        runner.run(started + typed.minutes * 60)
    except KeyboardInterrupt:
        print("interrupted: these are the figures so far", file=sys.stderr)
    save(now=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    add = parser.add_argument
    add("--minutes", type=float, default=2.0, help="stop after this long (default: 2)")
    add("--points", type=int, metavar="N", help="of each family only the first N points")
    add(
        "--family",
        action="append",
        choices=list(families.FAMILIES),
        help="run this family alone; may be repeated",
    )
    add("--seed", type=int, default=0, help="of every choice and of the order (default: 0)")
    add("--json", type=Path, metavar="FILE", help="keep the figures there, and go on from there")
    add("--only", default="", metavar="TEXT", help="run only points whose name holds this")
    add("--table", type=Path, nargs="+", metavar="FILE", help="print the figures of these together")
    add(
        "--publish",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="write the figures of these into the documents that quote them",
    )
    add("--workers", type=int, default=os.cpu_count() or 1, help="points at once (default: cores)")
    return parser.parse_args()


def _points(
    name: str, given: Given, tallies: dict[str, Tally], typed: argparse.Namespace
) -> Iterable[Point]:
    following = tallies[name].following if name in tallies else 0
    points: Iterable[Point] = itertools.islice(families.FAMILIES[name](given), following, None)
    if typed.only:
        points = _matching(points, typed.only)
    return points if typed.points is None else first_of(points, typed.points)


def first_of(points: Iterable[Point], count: int) -> Iterator[Point]:
    """The controls, and so many of the others."""
    for point in points:
        count -= not point.control
        if count < 0:
            return
        yield point


def _matching(points: Iterable[Point], text: str) -> Iterator[Point]:
    """Those whose name holds the text. A family may have no end: many misses in a row are one."""
    misses = 0
    for point in points:
        misses = 0 if text in point.name else misses + 1
        if not misses:
            yield point
        if misses > MISSES:
            return


def _tell(failure: Failure) -> None:
    what = failure.what.replace("\n", "\n    ")
    print(f"{failure.family}: {failure.name}: {failure.kind}\n    {what}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
