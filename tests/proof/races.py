"""Two commands on one store, in every order of their calls with up to two changes of turns.

Above all a collection against whoever puts, reads, claims or repairs: what is said to be kept is
there, whatever came between.
"""

import fcntl
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from tests.proof.adapter import Ran, Store, is_stub, make_old, ref_of, without_last_look
from tests.proof.judges import check_list
from tests.proof.oracles import (
    DOCUMENTED,
    Ledger,
    check_answer,
    check_final_names,
    check_kept,
    check_mended,
    check_next,
    phases,
    read_back,
)
from tests.proof.point import ACKNOWLEDGED, NOWHERE, PROTECTED, Given, Point, first_caught, require
from tests.proof.scenarios import Scenario
from tests.proof.schedule import Part, length, orders, run
from tests.proof.states import DATA, IN_USE, LEFT_OVER, State, conversation, lines
from tests.proof.trials import Template, template

# Of IN_USE: 1 to 3 are needed, 4 and 5 may go.
FREE = 4
GC = Part(("gc", "--apply", "--older-than", "1h"))
Check = Callable[[Store, Ledger, Ran], Ledger]


def put_is_kept(store: Store, ledger: Ledger, done: Ran, data: bytes = DATA) -> Ledger:
    require(is_stub(done.out) or done.out == data, NOWHERE, done)
    if not is_stub(done.out):
        return ledger
    check_kept(store, Ledger({ref_of(done.out): data}))
    return ledger.add(ref_of(done.out), data)


def same_is_kept(store: Store, ledger: Ledger, done: Ran) -> Ledger:
    return put_is_kept(store, ledger, done, lines(FREE))


def read_is_whole_or_gone(_store: Store, ledger: Ledger, done: Ran) -> Ledger:
    whole = done.status == 0 and done.out == lines(FREE)
    require(whole or (done.status == 3 and done.out == b""), ACKNOWLEDGED, done)
    return ledger


def claim_holds(store: Store, ledger: Ledger, done: Ran) -> Ledger:
    """A claim that was acknowledged has its artifact, from now on."""
    if done.status:
        return ledger
    meant = {ref for ref, data in ledger.kept.items() if data == lines(FREE)}
    for ref in meant:
        found = read_back(store, ref)
        require(found.out == lines(FREE), PROTECTED, f"claimed and gone: {found}")
    return replace(ledger, needed=ledger.needed | meant, leases=phases(store))


def list_reads_back(store: Store, ledger: Ledger, done: Ran) -> Ledger:
    return check_list(store, done.out, ledger)


def anything(_store: Store, ledger: Ledger, _done: Ran) -> Ledger:
    return ledger


@dataclass(frozen=True)
class Race:
    """Two commands by name, the state that they meet, and what their answers promise."""

    name: str
    parts: tuple[Part, Part]
    checks: tuple[Check, Check]
    state: State = IN_USE


PUT = Part((), DATA)
OTHERS: dict[str, tuple[Part, Check]] = {
    "put": (PUT, put_is_kept),
    "put the same": (Part((), lines(FREE)), same_is_kept),
    "read": (Part(("read", str(FREE), "--all")), read_is_whole_or_gone),
    "lease prepare": (Part(("lease", "prepare", str(FREE), "--transaction", "x")), claim_holds),
    "pin": (Part(("pin", str(FREE))), claim_holds),
    "lease release": (Part(("lease", "release", "two")), anything),
    "check --repair": (Part(("check", "--repair")), anything),
    "gc": (GC, anything),
    "ls": (Part(("ls", "--json")), anything),
    "messages offload": (
        Part(("messages", "offload", "--threshold", "5000"), conversation()),
        list_reads_back,
    ),
}


def races() -> Iterator[Race]:
    for name, (part, check) in OTHERS.items():
        yield Race(f"gc and {name}", (GC, part), (anything, check))
    repair = OTHERS["check --repair"][0]
    for name in ("put", "lease prepare", "gc"):
        part, check = OTHERS[name]
        yield Race(f"repair and {name}", (repair, part), (anything, check), LEFT_OVER)
    yield Race("put and put", (PUT, Part((), lines(98))),
               (put_is_kept, partial(put_is_kept, data=lines(98))))  # fmt: skip
    yield Race("put and put the same", (PUT, PUT), (put_is_kept, put_is_kept))
    claim = OTHERS["lease prepare"]
    yield Race("lease and lease", (claim[0], Part(("pin", str(FREE)))), (claim_holds, claim_holds))
    same = OTHERS["messages offload"]
    yield Race("messages and messages", (same[0], same[0]), (list_reads_back, list_reads_back))


def points(given: Given) -> Iterator[Point]:
    made = _template(next(races()), given.place)
    for name, spoil in CONTROLS.items():
        yield Point(f"control: {name}", partial(_control, made, spoil), control=True, seconds=100)
    chosen = list(races())
    random.Random(given.seed).shuffle(chosen)
    for turn in zip_longest(*(_of_race(race, given) for race in chosen)):
        yield from (point for point in turn if point)


def _template(race: Race, place: Path) -> Template:
    return template(Scenario(race.name, race.state, finish=make_old), place)


def _of_race(race: Race, given: Given) -> Iterator[Point]:
    made = _template(race, given.place)
    steps = [
        length(made.copy(given.place / f"alone {race.name} {number}"), part)
        for number, part in enumerate(race.parts)
    ]
    every = list(orders(*steps))
    random.Random(f"{given.seed} {race.name}").shuffle(every)
    for order in every:
        yield Point(f"{race.name}: turns {order}", partial(_run, made, race, order))


def _run(made: Template, race: Race, order: tuple[int, ...], folder: Path) -> None:
    store, ledger = made.copy(folder), made.ledger
    both = run(store, race.parts, order)
    for done in both:
        check_answer(done, *DOCUMENTED)
    check_final_names(store)
    ledger = _without_released(store, ledger)
    check_kept(store, ledger, collected=True)
    for done, check in zip(both, race.checks, strict=True):
        ledger = check(store, ledger, done)
    # What a collection took is no longer to be kept; what it left must stay readable.
    kept = {ref: data for ref, data in ledger.kept.items() if read_back(store, ref).status == 0}
    ledger = replace(ledger, kept=kept)
    check_mended(store, ledger)
    check_next(store, ledger)


def _without_released(store: Store, ledger: Ledger) -> Ledger:
    """What the transaction `two` held is free once it is released."""
    found = phases(store)
    if found.get("two") != "released":
        return ledger
    needed = frozenset(ref for ref in ledger.needed if ledger.kept.get(ref) != lines(2))
    return replace(ledger, needed=needed, leases={**ledger.leases, "two": "released"})


# ---- Controls


def _control(made: Template, spoil: Callable[[], tuple[Part, Part]], folder: Path) -> int:
    """The same race, one of its commands broken: some order must lose what was claimed."""
    parts = spoil()
    race = Race("control", parts, (anything, claim_holds))
    steps = length(made.copy(folder / "alone"), parts[0])

    def attempt(number: int) -> None:
        within = folder / str(number)
        within.mkdir()
        _run(made, race, (number,), within)

    halves = [steps * part // 16 for part in (8, 12, 10, 14, 6, 9, 11, 13, 15, 7, 5, 4)]
    every = [*halves, *(number for number in range(steps) if number not in halves)]
    return first_caught(partial(attempt, number) for number in every)


def _blind() -> tuple[Part, Part]:
    """gc without its last look, against a claim that leaves the times of the file alone."""

    def unmarked() -> None:
        os.utime = lambda *_given, **_named: None

    claim = OTHERS["lease prepare"][0]
    return replace(GC, prepare=without_last_look), replace(claim, prepare=unmarked)


def _unlocked() -> tuple[Part, Part]:
    """Neither waits for a lock."""

    def unlock() -> None:
        fcntl.flock = lambda _descriptor, _way: None
        os.utime = lambda *_given, **_named: None

    claim = OTHERS["lease prepare"][0]
    return replace(GC, prepare=unlock), replace(claim, prepare=unlock)


CONTROLS: dict[str, Callable[[], tuple[Part, Part]]] = {
    "gc without its last look": _blind,
    "no locks": _unlocked,
}
