"""Records out of delimited text: quotes honoured or taken as data, a record over several lines.

It decides nothing about whether a stream is a table, and knows no header.
"""

import csv
import io
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any

from stubcli.detect.model import ByteSource, Sample
from stubcli.detect.reading import BOM, blocks
from stubcli.text.characters import boundary, decode

# Cells beyond this are a quote that is not closed, or no cells.
LONGEST_CELL = 4 * 1024 * 1024
# So many lines may be glued together by a quote that is not closed, and told apart again.
_GLUED = 16
# Of the beginning, so many lines tell how wide a table is.
_HEAD = 1500


class Unclosed(Exception):
    """A quote swallows the rest of the stream, from the record on that begins in that line."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def head_lines(sample: Sample) -> list[str]:
    """The first lines of a stream that hold something, whole ones."""
    body = decode(sample.head.removeprefix(BOM))
    head = [line.rstrip("\r") for line in body.split("\n")[:_HEAD] if line.strip()]
    return head[:-1] if len(sample.head) < sample.size and body.count("\n") < _HEAD else head


def has_quotes(lines: Sequence[str], delimiter: str) -> bool:
    """Whether quotes around cells are none of their text.

    Tabs seldom stand in cells, so that quotes beside them are data: unless nearly all that open a
    cell close one too, and they are many.
    """
    if delimiter != "\t":
        return True
    cells = [cell for line in lines for cell in line.split("\t") if cell[:1] == '"']
    closed = sum(len(cell) > 1 and cell[-1] == '"' for cell in cells)
    return len(cells) >= max(3, len(lines) // 5) and closed >= 0.9 * len(cells)


def typical_width(lines: Sequence[str], delimiter: str) -> int:
    """How many cells most of the records have that these lines hold; 0 where there are none."""
    widths = Counter(map(len, parsed(lines, delimiter)))
    return widths.most_common(1)[0][0] if widths else 0


def parsed(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The records of a few lines that follow each other; what cannot be read is left out."""
    rows = []
    quotes = has_quotes(lines, delimiter)
    try:
        for row in reader(iter([line + "\n" for line in lines]), delimiter, quotes):
            if row:
                rows.append(row)
    except csv.Error:
        pass
    return rows


def reader(lines: Iterator[str], delimiter: str, quotes: bool) -> Any:
    """The csv module's reader, whose line_num counts `lines`."""
    if quotes:
        return csv.reader(lines, delimiter=delimiter)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, quotechar=None)


class Records:
    """The records of lines, each with the line on which it begins and the one on which it ends.

    A quote that is not closed glues lines together, up to the next quote. Where that makes a record
    of another width, and each of its lines alone one of the right `width`, these are the records.
    """

    def __init__(self, lines: Iterator[str], delimiter: str, quotes: bool, width: int) -> None:
        self.unclosed = self.unclosed_line = 0
        self._width = width
        self._delimiter = delimiter
        # The last lines: a record of more is no such one.
        self._near: deque[str] = deque(maxlen=_GLUED)
        self._rows = reader(self._kept(lines) if quotes else lines, delimiter, quotes)

    def _kept(self, lines: Iterator[str]) -> Iterator[str]:
        keep = self._near.append
        for line in lines:
            keep(line)
            yield line

    def __iter__(self) -> Iterator[tuple[list[str], int, int]]:
        line = 0
        # A record of several lines that may be the last one.
        held: tuple[list[str], int, int] | None = None
        for row in self._rows:
            if held:
                yield held
                held = None
            first, line = line + 1, self._rows.line_num
            if line == first or line - first >= _GLUED:
                yield row, first, line
            elif len(row) == self._width:
                held = row, first, line
            else:
                yield from self._apart(row, first, line)
        if held and "".join(list(self._near)[held[1] - held[2] - 1 :]).count('"') % 2:
            yield from self._apart(*held)
        elif held:
            yield held

    def _apart(self, row: list[str], first: int, line: int) -> Iterator[tuple[list[str], int, int]]:
        """The records of the lines, if each is one; else the record that they were read as."""
        alone = self._alone(line - first + 1)
        if not alone:
            yield row, first, line
            return
        self.unclosed += 1
        self.unclosed_line = self.unclosed_line or first
        yield from ((one, first + at, first + at) for at, one in enumerate(alone))

    def _alone(self, lines: int) -> list[list[str]]:
        """Each of the last lines as a record; empty where one has not the right width."""
        near = list(self._near)[-lines:]
        rows = [row for line in near for row in csv.reader([line], delimiter=self._delimiter)]
        if not self._width or any(len(row) != self._width for row in rows):
            return []
        return [[cell.removesuffix("\n") for cell in row] for row in rows]


class RowLines:
    """Lines of text out of a stream; how many bytes of it were read, and how lines end in it."""

    def __init__(self, source: ByteSource) -> None:
        self.seen = 0
        self.bom = source.read_at(0, 3) == BOM
        self.feeds = self.pairs = self.returns = 0
        self._source = source
        self._last = b""

    def __iter__(self) -> Iterator[str]:
        rest, held = "", b""
        for block in blocks(self._source, self._source.size, len(BOM) if self.bom else 0):
            self.seen += len(block)
            self._count(block)
            data = held + block
            cut = boundary(data)
            held = data[cut:]
            # The csv module reads a CR inside a line as the end of a record.
            text = rest + decode(data[:cut])
            if "\r" in text:
                last = text[-1] == "\r"
                text = text.replace("\r\n", "\n")
                text = text[:-1].replace("\r", " ") + ("\r" if last else text[-1:])
            end = text.rfind("\n") + 1
            rest = text[end:]
            if len(rest) > 2 * LONGEST_CELL:
                raise Unclosed(0)
            yield from io.StringIO(text[:end], newline="\n")
        if rest or held:
            yield rest + decode(held)

    def _count(self, block: bytes) -> None:
        self.feeds += block.count(b"\n")
        if b"\r" in block or self._last == b"\r":
            self.pairs += block.count(b"\r\n") + (self._last == b"\r" and block[:1] == b"\n")
            self.returns += block.count(b"\r")
        self._last = block[-1:]

    def line_end(self, rows: int) -> str:
        """How `rows` rows end: in LF, CRLF, or mixed; a CR alone is a mixture too."""
        if not self.returns:
            return "lf"
        # Cells in quotes may hold LF alone.
        ended = rows - (self._last != b"\n")
        alike = self.pairs in (self.feeds, ended)
        return "crlf" if alike and self.returns == self.pairs else "mixed"
