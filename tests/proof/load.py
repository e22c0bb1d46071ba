"""Many at once, very many in all, clocks that jump, and a store that goes away in mid-stream."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.proof import clocks, spoiled
from tests.proof.adapter import LARGE, Ran, Store, fill, forked, ref_of
from tests.proof.commands import Started, start
from tests.proof.oracles import (
    KILLED,
    Ledger,
    check_answer,
    check_final_names,
    check_input,
    check_kept,
    check_mended,
    check_next,
)
from tests.proof.point import (
    ACKNOWLEDGED,
    OTHER,
    Given,
    NotRun,
    Point,
    first_caught,
    require,
)
from tests.proof.processes import IS_ROOT, own_mounts
from tests.proof.scenarios import Scenario
from tests.proof.states import IN_USE, lines
from tests.proof.trials import Template, store_in, template


def points(given: Given) -> Iterator[Point]:
    yield Point("control: two writers, one number", _one_number, control=True)
    made = template(Scenario("load", IN_USE), given.place)
    control = partial(clocks.any_clock, made)
    yield Point("control: gc with a clock that nobody compares", control, control=True)
    number = 0
    while True:
        seed = f"{given.seed} {number}"
        yield Point(f"clocks that jump, {seed}", partial(clocks.try_clocks, made, seed))
        yield Point(f"a store that goes away, {seed}", partial(_away, made, seed))
        yield Point(
            f"a store that is read-only for a while, {seed}", partial(_read_only, made, seed)
        )
        if number % 4 == 0:
            count = 128 if given.long else 16
            yield Point(f"{count} writers, {seed}", partial(_writers, seed, count), seconds=600)
        if given.long and number == 0:
            yield Point("100,000 artifacts", partial(_many, 100_000), seconds=3600)
        number += 1


# ---- Writers


def _writers(seed: str, count: int, folder: Path) -> int:
    """All at once into one session, some with the same bytes, some killed."""
    store, dice = store_in(folder), random.Random(seed)
    data = [lines(dice.randrange(count), dice.randrange(200, 4000)) for _ in range(count)]
    started: list[Started] = [start(store, one, prepare=lambda: None) for one in data]
    killed = set(dice.sample(range(count), count // 4))
    for number in sorted(killed):
        time.sleep(dice.uniform(0, 0.01))
        os.kill(started[number].pid, signal.SIGKILL)
    ledger = Ledger()
    for number, one in enumerate(started):
        done = one.end()
        if number in killed and done.status == KILLED:
            continue
        check_answer(done, 0)
        ledger = check_input(store, data[number], done, ledger)
    check_final_names(store)
    for ref in ledger.kept:
        same = [other for other in ledger.kept if other.split(":")[2] == ref.split(":")[2]]
        require(same == [ref], ACKNOWLEDGED, f"one number for {same}")
    check_kept(store, ledger)
    check_mended(store, ledger)
    check_next(store, ledger)
    return count


def _one_number(folder: Path) -> int:
    """Two writers who are both given the first number, and whose names replace each other."""

    def attempt() -> None:
        store, ledger = store_in(folder), Ledger()
        for number in (1, 2):
            data = lines(number)
            done = forked(store, data, prepare=spoiled.names_replace)
            ledger = ledger.add(ref_of(done.out), data)
        check_kept(store, ledger)

    return first_caught([attempt])


def _many(count: int, folder: Path) -> int:
    """What everybody does, with that many artifacts in the session."""
    store = store_in(folder)
    fill(store, count)
    done = forked(store, LARGE)
    ref = ref_of(done.out)
    ledger = Ledger({ref: LARGE})
    check_kept(store, ledger)
    for words in (("ls", "--json"), ("read", "77777"), ("show", ref), ("stats",), ("check",)):
        check_answer(forked(store, b"", *words), 0)
    check_answer(forked(store, b"", "pin", ref), 0)
    gc = ("gc", "--apply", "--older-than", "0s", "--max-deletions", "all")
    check_answer(forked(store, b"", *gc), 0)
    check_kept(store, ledger)
    require(len(list(store.results.glob("*.txt"))) == 1, OTHER, "gc left more than what is needed")
    check_next(store, ledger)
    return count


# ---- A store that goes away


def _streamed(store: Store, dice: random.Random, acts: Sequence[Callable[[], object]]) -> Ran:
    """The filter, fed by a pipe in pieces, with one of the acts after each."""
    reading, writing = os.pipe()

    def prepare() -> None:
        os.dup2(reading, 0)
        os.close(writing)

    started = start(store, b"", prepare=prepare)
    os.close(reading)
    cuts = sorted(dice.randrange(len(LARGE)) for _ in acts)
    at = 0
    for cut, act in zip(cuts, acts, strict=True):
        _feed(writing, LARGE[at:cut])
        time.sleep(dice.choice((0, 0.001, 0.02)))
        act()
        at = cut
    _feed(writing, LARGE[at:])
    os.close(writing)
    return started.end()


def _feed(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _away(made: Template, seed: str, folder: Path) -> None:
    """Removed, or moved away and back, whole or in part, while the output still comes."""
    store, dice, ledger = made.copy(folder), random.Random(seed), made.ledger
    part = dice.choice(("", "sessions", "sessions/test", "sessions/test/.incoming",
                        "sessions/test/tool-results", "sessions/test/.index"))  # fmt: skip
    place, aside = store.home / part, folder / "aside"
    removed = dice.random() < 0.5
    if removed:
        acts: Sequence[Callable[[], object]] = [lambda: _remove(place)]
    else:
        acts = [lambda: place.rename(aside), lambda: _move_back(aside, place)]
    done = _streamed(store, dice, acts)
    check_answer(done)
    check_input(store, LARGE, done, Ledger())
    if not removed or part.endswith((".incoming", ".index")):
        check_kept(store, ledger)
    check_next(store, Ledger())


def _remove(place: Path) -> None:
    """Whatever the other one makes there meanwhile."""
    while place.exists():
        shutil.rmtree(place, ignore_errors=True)


def _move_back(aside: Path, place: Path) -> None:
    _remove(place)
    aside.rename(place)


def _read_only(made: Template, seed: str, folder: Path) -> None:
    """Its file system is made read-only in mid-stream, and writable again."""
    if not IS_ROOT:
        raise NotRun("remounting: needs root")
    own_mounts()
    (folder / "disk").mkdir()
    _mount("-t", "tmpfs", "-o", "size=64m,mode=700", "none", str(folder / "disk"))
    store, dice, ledger = made.copy(folder / "disk"), random.Random(seed), made.ledger
    disk = str(folder / "disk")
    # A file that is open for writing keeps the system from going read-only, but for a lazy way.
    acts = [lambda: _try_mount("remount,ro", disk), lambda: _try_mount("remount,rw", disk)]
    done = _streamed(store, dice, acts)
    check_answer(done)
    check_input(store, LARGE, done, ledger)
    check_kept(store, ledger)
    check_next(store, ledger)


def _try_mount(option: str, point: str) -> None:
    subprocess.run(["mount", "-o", option, point], capture_output=True, check=False)


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRun("no tmpfs can be mounted here")
