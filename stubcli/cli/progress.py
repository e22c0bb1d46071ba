"""How far work is, in one line on standard error, where that is a terminal and it takes a second.

Knows what is done of how much, not what is done. `terminal` keeps the line away from all others.
"""

import atexit
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self, TypeVar

from stubcli.descriptors import STDERR
from stubcli.store.artifact import Artifact
from stubcli.terminal import terminal
from stubcli.text.durations import rough

_Item = TypeVar("_Item")
# Seconds until it is shown, and between two looks of it.
_PATIENCE, _PAUSE = 1.0, 0.1
# Of a terminal that does not know its own.
_WIDTH = 80
_SCALES = ((10**10, "GB", 10**9), (10**7, "MB", 10**6), (0, "kB", 10**3))


def in_bytes(done: int, total: int | None) -> str:
    """`412 of 1,204 MB`."""
    _, unit, size = next(one for one in _SCALES if (total or done) >= one[0])
    return f"{done // size:,} of {total // size:,} {unit}" if total else f"{done // size:,} {unit}"


def in_items(done: int, total: int | None) -> str:
    return f"{done:,} of {total:,}" if total else f"{done:,}"


class Progress:
    """What is done of `total`, or of nobody knows how much. `amount` words the two of them.

    Any thread may say that more is done. With it as a context, the line is gone afterwards.
    """

    def __init__(
        self,
        label: str,
        total: int | None = None,
        amount: Callable[[int, int | None], str] = in_bytes,
    ) -> None:
        self.total = total
        self._label = label
        self._amount = amount
        self._done = self._before = 0
        self._started = time.monotonic()
        self._next = self._started + _PATIENCE
        self._seen = os.isatty(STDERR) and os.environ.get("TERM", "dumb") != "dumb"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._next = float("inf")
        terminal.erase()

    def add(self, count: int) -> None:
        """So much more is done."""
        self.reach(self._done + count)

    def reach(self, done: int, total: int | None = None) -> None:
        """So much is done at least; the total where it was not known."""
        self.total = total or self.total
        self._done = max(self._done, done)
        if self._seen and time.monotonic() >= self._next:
            self._draw(time.monotonic())

    def follow(self, artifact: Artifact) -> None:
        """What is read of the artifact from now on is done."""
        before = self._before
        self._before += artifact.size
        artifact.watch = lambda end: self.reach(before + end)

    def _draw(self, now: float) -> None:
        if self._next == _PATIENCE + self._started:
            atexit.register(terminal.erase)  # an interrupt may come where no context is left
        self._next = now + _PAUSE
        width = os.get_terminal_size(STDERR).columns or _WIDTH
        terminal.draw(_fitted(self._parts(now - self._started), width - 1).encode("utf-8"))

    def _parts(self, seconds: float) -> list[str]:
        """The most important ones first."""
        done = min(self._done, self.total) if self.total else self._done
        head, left = self._label, rough(seconds)
        if self.total:
            head += f" {100 * done // self.total:3}%"
            if 0 < done < self.total:
                left = f"{rough(max(1.0, seconds * (self.total - done) / done))} left"
        return [head, left, *([self._amount(done, self.total)] if done else [])]


def _fitted(parts: Sequence[str], width: int) -> str:
    """As many of the parts as a line has room for."""
    line = parts[0]
    for part in parts[1:]:
        if len(line) + len(part) + 2 <= width:
            line += f", {part}"
    return line[: max(0, width)]


def tracked(
    items: Iterable[_Item],
    label: str,
    total: int | None = None,
    weight: Callable[[_Item], int] | None = None,
) -> Iterator[_Item]:
    """The items, with the progress over them: `total` of them, or of their weights in bytes."""
    with Progress(label, total, in_bytes if weight else in_items) as progress:
        for item in items:
            yield item
            progress.add(weight(item) if weight else 1)


def measured(pieces: Iterable[bytes], label: str, total: int) -> Iterator[bytes]:
    """The pieces, with the progress over the `total` bytes that they are together."""
    return tracked(pieces, label, total, len)
