"""Reads a line whose quotes are not as they should be, so that it has as many cells as the others.

A quote inside a cell that is not doubled, one too many at its beginning, one that nothing closes:
a strict reader drops characters there or shifts the cells. Of all readings the likeliest is taken
that has the right width, and keeps each character.
"""

import re
from collections.abc import Iterator

from stubcli.detect.table.dialect import Dialect

# A line is tried so often; most take one try a cell.
_TRIES = 1000
_WIDEST = 200


class Fitting:
    """Lines of one dialect, each for a wanted number of cells."""

    def __init__(self, dialect: Dialect) -> None:
        self._quote, self._delimiter = dialect.quote, dialect.delimiter
        self._space = " " if dialect.padded else ""
        q, d, s = re.escape(dialect.quote), re.escape(dialect.delimiter), self._space
        spaces = f"{s}*" if s else ""
        # Quotes that neither open nor close a cell and are not doubled: begins with a literal, so
        # that a line is searched as fast as it is copied.
        inside = rf"(?<=[^{d}{q}{s}\r\n]{q})(?=[^{d}{q}{s}\r\n])"
        twice = rf"(?<![^{d}{s}\r\n]{q})(?={q}[^{d}{q}\r\n])"
        # Finds a quote where no regular line has one.
        self.odd = re.compile(rf"{q}(?:{inside}|{twice})").search
        cell = rf"{spaces}(?:{q}[^{q}]*(?:{q}{q}[^{q}]*)*{q}{spaces}|[^{q}{d}\r\n][^{d}\r\n]*|)"
        self._regular = re.compile(rf"{cell}(?:{d}{cell})*[\r\n]*")
        self._closing = re.compile(rf"{q}(?={spaces}(?:{d}|$))")
        self._left = 0
        self._closed = True

    def regular(self, line: str) -> bool:
        """Whether the quotes are those of whole cells; one that is not closed is none."""
        return self._regular.fullmatch(line) is not None

    def cells(self, line: str, width: int, *, closed: bool) -> list[str] | None:
        """The line as `width` cells; None where it cannot be read so.

        closed: each quote that opens a cell closes it too.
        """
        if width > _WIDEST:
            return None
        self._left, self._closed = _TRIES, closed
        return self._rest(line.rstrip("\r\n"), 0, width)

    def _rest(self, line: str, at: int, wanted: int) -> list[str] | None:
        self._left -= 1
        if self._left < 0:
            return None
        for cell, end in self._readings(line, at):
            if end >= len(line):
                if wanted == 1:
                    return [cell]
            elif wanted > 1:
                rest = self._rest(line, end + 1, wanted - 1)
                if rest is not None:
                    return [cell, *rest]
        return None

    def _readings(self, line: str, at: int) -> Iterator[tuple[str, int]]:
        """The ways to read the cell at `at`, the likeliest first, and where it ends in each."""
        while self._space and line.startswith(self._space, at):
            at += 1
        quoted = line.startswith(self._quote, at)
        if quoted:
            ends = [found.start() for found in self._closing.finditer(line, at + 1)]
            for end in sorted(ends, key=lambda end: self._doubled(line, at + 1, end)):
                cell = line[at + 1 : end].replace(2 * self._quote, self._quote)
                next_ = line.find(self._delimiter, end)
                yield cell, next_ if next_ >= 0 else len(line)
        if not (quoted and self._closed):
            end = line.find(self._delimiter, at)
            end = end if end >= 0 else len(line)
            yield line[at:end], end

    def _doubled(self, line: str, start: int, end: int) -> bool:
        """Whether the quote at `end` is the second of a pair, counted from the run's beginning."""
        first = end
        while first > start and line[first - 1] == self._quote:
            first -= 1
        return (end - first) % 2 == 1
