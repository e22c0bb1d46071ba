"""Records out of delimited text: quotes honoured or taken as data, a record over several lines.

It decides nothing about whether a stream is a table, and knows no header.
"""

import csv
import io
from collections.abc import Iterator
from typing import Any

from stubcli.detect.model import ByteSource
from stubcli.detect.reading import BOM, blocks
from stubcli.text.characters import boundary, decode

# Cells beyond this are a quote that is not closed, or no cells.
LONGEST_CELL = 4 * 1024 * 1024


class Unclosed(Exception):
    """A quote swallows the rest of the stream."""


def parsed(lines: list[str], delimiter: str) -> list[list[str]]:
    """The records of a few lines that follow each other; what cannot be read is left out."""
    rows = []
    try:
        for row in reader(iter([line + "\n" for line in lines]), delimiter, delimiter != "\t"):
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
                raise Unclosed
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
