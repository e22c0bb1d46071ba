"""Records out of delimited text: quotes honoured or taken as data, a record over several lines.

It decides nothing about whether a stream is a table, and knows no header.
"""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from stubcli.detect.model import Sample
from stubcli.detect.reading import BOM
from stubcli.detect.table.dialect import Dialect
from stubcli.detect.table.fitting import Fitting
from stubcli.text.characters import decode

# So many lines may be glued together by a quote that is not closed, and told apart again.
_GLUED = 16
# What a backslash makes data, for each quote.
_ESCAPED = {quote: re.compile(rf"\\([\\{quote}])") for quote in ('"', "'")}
# Of the beginning, so many lines tell how wide a table is.
_HEAD = 1500


class Places:
    """How many records something was found in, and the line of the first one."""

    def __init__(self) -> None:
        self.count = self.line = 0

    def add(self, line: int) -> None:
        self.count += 1
        self.line = self.line or line


def head_lines(sample: Sample) -> list[str]:
    """The first lines of a stream below its comments that hold something, whole ones."""
    body = decode(sample.head.removeprefix(BOM))
    lines = body.split("\n")
    lines = lines[preamble(lines) :]
    head = [line.rstrip("\r") for line in lines[:_HEAD] if line.strip()]
    return head[:-1] if len(sample.head) < sample.size and len(lines) <= _HEAD else head


def preamble(lines: Iterable[str]) -> int:
    """How many lines of comments stand first, but for the last: it may name the columns;
    0 where no other line follows.
    """
    end = next((at for at, line in enumerate(lines) if not line.startswith("#")), 0)
    return max(0, end - 1)


def parsed(lines: Sequence[str], dialect: Dialect, width: int = 0) -> list[list[str]]:
    """The records of a few lines that follow each other; what cannot be read is left out."""
    rows = []
    try:
        for row, _, _ in Records((line + "\n" for line in lines), dialect, width):
            if row:
                rows.append(row)
    except csv.Error:
        pass
    return rows


def reader(lines: Iterator[str], dialect: Dialect) -> Any:
    """The csv module's reader, whose line_num counts `lines`."""
    if not dialect.quote:
        return csv.reader(
            lines,
            delimiter=dialect.delimiter,
            quoting=csv.QUOTE_NONE,
            quotechar=None,
            skipinitialspace=dialect.padded,
        )
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote,
        skipinitialspace=dialect.padded,
    )


def _doubled(found: re.Match[str]) -> str:
    return 2 * found[1] if found[1] != "\\" else "\\"


class Records:
    """The records of lines, each with the line on which it begins and the one on which it ends.

    A quote that is not closed glues lines together, up to the next quote. Where that makes a record
    of another width, and each of its lines alone one of the right `width`, these are the records.
    Lines with other quotes that are not as they should be are read so that they have that width.
    """

    def __init__(self, lines: Iterator[str], dialect: Dialect, width: int) -> None:
        self.unclosed, self.loose, self.folded = Places(), Places(), Places()
        self._width = width
        self._dialect = dialect
        self._fitting = Fitting(dialect) if dialect.quote else None
        # The last lines: a record of more is no such one.
        self._near: deque[str] = deque(maxlen=_GLUED)
        if dialect.escape:
            lines = map(partial(_ESCAPED[dialect.quote].sub, _doubled), lines)
        self._rows = reader(self._kept(lines), dialect)

    @property
    def text(self) -> str:
        """The line that was read last."""
        return self._near[-1]

    def _kept(self, lines: Iterator[str]) -> Iterator[str]:
        keep = self._near.append
        for line in lines:
            keep(line)
            yield line

    def __iter__(self) -> Iterator[tuple[list[str], int, int]]:
        line, quote, width, near = 0, self._dialect.quote, self._width, self._near
        odd = self._fitting.odd if self._fitting else None
        # A record of several lines that may be the last one.
        held: tuple[list[str], int, int] | None = None
        for row in self._rows:
            if held:
                yield held
                held = None
            first, line = line + 1, self._rows.line_num
            if line == first:
                if len(row) != width or (odd and quote in near[-1] and odd(near[-1])):
                    row = self._fitted(row, near[-1], line)
                yield row, first, line
            elif line - first >= _GLUED:
                yield row, first, line
            elif len(row) == width:
                held = row, first, line
            else:
                yield from self._apart(row, first, line)
        if held and "".join(list(self._near)[held[1] - held[2] - 1 :]).count(quote) % 2:
            yield from self._apart(*held)
        elif held:
            yield held

    def _fitted(self, row: list[str], text: str, line: int) -> list[str]:
        """The row of one line, as it has the right width; as it was read where it cannot."""
        width, fitting = self._width, self._fitting
        if not width or not row:
            return row
        if fitting and self._dialect.quote in text and not fitting.regular(text):
            other = fitting.cells(text, width, closed=len(row) == width)
            if other:
                self.loose.add(line)
                return other
        overflow = self._dialect.overflow
        if overflow and len(row) > width:
            other = overflow.folded(row, self._dialect.delimiter)
            if other:
                self.folded.add(line)
                return other
        return row

    def _apart(self, row: list[str], first: int, line: int) -> Iterator[tuple[list[str], int, int]]:
        """The records of the lines, if each is one; else the record that they were read as."""
        alone = self._alone(line - first + 1)
        if not alone:
            yield row, first, line
            return
        self.unclosed.add(first)
        yield from ((one, first + at, first + at) for at, one in enumerate(alone))

    def _alone(self, lines: int) -> list[list[str]]:
        """Each of the last lines as a record; empty where one has not the right width."""
        rows = []
        for line in list(self._near)[-lines:]:
            row = next(reader(iter([line]), self._dialect))
            if len(row) != self._width and self._fitting:
                row = self._fitting.cells(line, self._width, closed=False) or row
            if not self._width or len(row) != self._width:
                return []
            rows.append([cell.removesuffix("\n") for cell in row])
        return rows
