"""python -m tests.proof: run the families within a time, print the table, end with 0 or 1.

Deterministic by its seed: the points of a family and their order depend on nothing else, and the
time decides only how many of them are run. With --json FILE the figures are kept there, and a
later run with the same file, seed and version goes on behind what was run already.
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
from pathlib import Path

from tests.proof import families, table
from tests.proof.point import Given, Point
from tests.proof.processes import fast_place, isolate
from tests.proof.runner import Failure, Runner, Tally

# From here on counts of the long form are tried: 128 writers, 100,000 artifacts.
LONG = 30.0
MISSES = 5000


def main() -> int:
    """The exit status: 0 where every point held and every control was caught."""
    typed = _arguments()
    started = time.monotonic()
    place = Path(tempfile.mkdtemp(prefix="stub-proof-", dir=fast_place()))
    try:
        tools, program = table.tools(), place / "results"
        isolate(place)
        program.mkdir(mode=0o755)
        version = families.version()
        tallies, failures = _restored(typed, version)
        given = Given(typed.seed, typed.minutes >= LONG, place / "templates")
        given.place.mkdir(mode=0o755)
        names = typed.family or list(families.FAMILIES)
        points = {name: _points(name, given, tallies, typed) for name in names}
        for name in names:
            tallies.setdefault(name, Tally())
        runner = Runner(points, tallies, program, typed.workers, _tell)
        runner.failures.extend(failures)
        try:
            runner.run(started + typed.minutes * 60)
        except KeyboardInterrupt:
            print("interrupted: these are the figures so far", file=sys.stderr)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    about = table.Circumstances(
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        typed.seed,
        round((time.monotonic() - started) / 60, 1),
        version,
        table.machine(),
        tools,
    )
    if typed.json:
        table.save(typed.json, about, tallies, runner.failures)
    print(table.markdown(about, tallies))
    tried = sum(tally.points + tally.controls for tally in tallies.values())
    print(f"{tried - len(runner.failures)} passed, {len(runner.failures)} failed")
    return 1 if runner.failures or not tried else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    add = parser.add_argument
    add("--minutes", type=float, default=2.0, help="stop after this long (default: 2)")
    add(
        "--family",
        action="append",
        choices=list(families.FAMILIES),
        help="run this family alone; may be repeated",
    )
    add("--seed", type=int, default=0, help="of every choice and of the order (default: 0)")
    add("--json", type=Path, metavar="FILE", help="keep the figures there, and go on from there")
    add("--only", default="", metavar="TEXT", help="run only points whose name holds this")
    add("--workers", type=int, default=os.cpu_count() or 1, help="points at once (default: cores)")
    return parser.parse_args()


def _restored(typed: argparse.Namespace, version: str) -> tuple[dict[str, Tally], list[Failure]]:
    return table.restore(typed.json, typed.seed, version) if typed.json else ({}, [])


def _points(
    name: str, given: Given, tallies: dict[str, Tally], typed: argparse.Namespace
) -> Iterable[Point]:
    following = tallies[name].following if name in tallies else 0
    points = itertools.islice(families.FAMILIES[name](given), following, None)
    return _matching(points, typed.only) if typed.only else points


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
