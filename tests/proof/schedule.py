"""Two commands that take turns at every call to the kernel, in an order that is chosen.

Each runs in a child whose calls are announced before they are made; only one child is ever let go
on. A command that sleeps waits for the other one, which is then let go on in its place.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.proof.adapter import Ran, Store
from tests.proof.calls import Prepare, Shim
from tests.proof.commands import Started, start
from tests.proof.point import HANG, Violation

# Calls that nobody else can notice are no places to change turns at.
_OWN = frozenset({"lseek", "select", "pipe", "dup", "dup2"})
_CALL, _SLEEP = b"c", b"s"
# Rounds in which both wait for each other, at 2 ms of theirs each: no lock is waited for so long.
_PATIENCE = 20_000


@dataclass(frozen=True)
class Part:
    """A command of the two: its input, its words, and what is done to it before it begins."""

    arguments: tuple[str, ...]
    data: bytes = b""
    prepare: Prepare = lambda: None


class Actor:
    """A part that is under way, and stopped before its next call."""

    def __init__(self, store: Store, part: Part) -> None:
        self._told, tell = os.pipe()
        hear, self._let = os.pipe()
        self.started: Started = start(
            store, part.data, *part.arguments, prepare=lambda: _announce(tell, hear, part.prepare)
        )
        os.close(tell)
        os.close(hear)
        self.state = os.read(self._told, 1)

    @property
    def ended(self) -> bool:
        return not self.state

    @property
    def sleeping(self) -> bool:
        return self.state == _SLEEP

    def step(self) -> None:
        """Let it make the call before which it stopped, up to the next one."""
        try:
            os.write(self._let, b".")
        except BrokenPipeError:
            pass
        self.state = os.read(self._told, 1)

    def end(self) -> Ran:
        os.close(self._told)
        os.close(self._let)
        return self.started.end()


def _announce(tell: int, hear: int, prepare: Prepare) -> None:
    write, read = os.write, os.read

    def pause(what: bytes) -> None:
        write(tell, what)
        read(hear, 1)

    def meet(_count: int, name: str, act: Callable[[], Any], given: tuple[Any, ...]) -> Any:
        standard = given and type(given[0]) is int and given[0] in (0, 1, 2)
        if not standard and name not in _OWN:
            pause(_CALL)
        return act()

    prepare()
    Shim(meet).install()
    time.sleep = lambda _seconds: pause(_SLEEP)


def run(store: Store, parts: tuple[Part, Part], turns: tuple[int, ...]) -> tuple[Ran, Ran]:
    """Both to their ends. turns: how many calls the first makes, then the second, then the first
    again, and so on; after that whoever has the turn runs on while it can."""
    actors = (Actor(store, parts[0]), Actor(store, parts[1]))
    current = 0
    for steps in turns:
        for _ in range(steps):
            if actors[current].ended or actors[current].sleeping:
                break
            actors[current].step()
        current = 1 - current
    waits = 0
    while not (actors[0].ended and actors[1].ended):
        actor, other = actors[current], actors[1 - current]
        if actor.ended or (actor.sleeping and not other.ended and not other.sleeping):
            current = 1 - current
            continue
        if actor.sleeping:
            waits += 1
            current = 1 - current if not other.ended else current
            if waits > _PATIENCE:
                raise Violation(HANG, "both wait for each other")
        actor.step()
    return actors[0].end(), actors[1].end()


def length(store: Store, part: Part) -> int:
    """How many turns it takes alone; what it does is done."""
    actor, steps = Actor(store, part), 0
    while not actor.ended:
        actor.step()
        steps += 1
    actor.end()
    return steps


def orders(first: int, second: int) -> Iterator[tuple[int, ...]]:
    """Every order of two commands of so many calls with at most two interruptions.

    With one: the other runs to its end in the midst of this one. With two: they change turns twice.
    An order that begins with the second command has no call of the first one in front.
    """
    for a in range(first + 1):
        yield (a,)
    for b in range(1, second + 1):
        yield (0, b)
    for a in range(1, first + 1):
        for b in range(1, second):
            yield (a, b)
    for b in range(1, second + 1):
        for a in range(1, first):
            yield (0, b, a)
