"""Every call to the kernel of every command: killed before and after, failed once, for good, half.

The calls are those that Python makes for the program, counted in a forked child. Where strace is,
the same is done to real processes from outside: see `strace`.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path

from tests.proof import spoiled, strace
from tests.proof.adapter import forked, ref_of
from tests.proof.calls import Disturbance, disturbances
from tests.proof.oracles import Ledger, check_input, check_kept
from tests.proof.point import Given, Point, first_caught
from tests.proof.scenarios import Scenario, scenarios
from tests.proof.states import DATA
from tests.proof.trials import Template, calls, store_in, template, try_one


def points(given: Given) -> Iterator[Point]:
    yield from controls()
    chosen = list(scenarios())
    random.Random(given.seed).shuffle(chosen)
    each = [_of_scenario(one, given) for one in chosen]
    from_outside = strace.points(given)
    # Scenarios take turns, so that a short run meets each of them; every tenth is of strace.
    for turn in zip_longest(*each):
        for number, point in enumerate(turn):
            if point:
                yield point
            if number % 10 == 9 and (other := next(from_outside, None)):
                yield other
    yield from from_outside


def _of_scenario(scenario: Scenario, given: Given) -> Iterator[Point]:
    made = template(scenario, given.place)
    found = [
        (call, what)
        for number, call in enumerate(calls(made, given.place), 1)
        for what in disturbances(call, number)
    ]
    random.Random(f"{given.seed} {scenario.name}").shuffle(found)
    for call, what in found:
        name = f"{scenario.name}: call {what.number} ({call}), {what}"
        yield Point(name, partial(_run, made, call, what))


def _run(made: Template, call: str, what: Disturbance, folder: Path) -> None:
    try_one(made, call, what, folder)


# ---- Controls


def controls() -> Iterator[Point]:
    """A program that is broken in one way must be caught by the oracles above."""
    for name, spoil in (
        ("what fails is not printed", _silent),
        ("the record is written after the reference is printed", _printed_first),
        ("what stood under a final name is replaced", _replacing),
    ):
        yield Point(f"control: {name}", partial(_attempt, spoil), control=True)


def _attempt(spoil: Callable[[Path], None], folder: Path) -> int:
    return first_caught([partial(spoil, folder)])


def _silent(folder: Path) -> None:
    """The disk fails at the first write to it, and standard output takes nothing either."""
    store = store_in(folder)
    done = forked(store, DATA, prepare=spoiled.nothing_is_printed)
    check_input(store, DATA, done, Ledger())


def _printed_first(folder: Path) -> None:
    """No name is given: as if printing came first, and the process was killed behind it."""
    store = store_in(folder)
    done = forked(store, DATA, prepare=spoiled.no_name_is_given)
    check_kept(store, Ledger({ref_of(done.out): DATA}))


def _replacing(folder: Path) -> None:
    """What stood under a name is replaced by what comes later."""
    store = store_in(folder)
    first = forked(store, DATA)
    forked(store, DATA + b"more\n", prepare=spoiled.names_replace)
    check_kept(store, Ledger({ref_of(first.out): DATA}))
