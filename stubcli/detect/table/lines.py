"""Lines of text out of a stream, for the records of a table; how many bytes, and how they end."""

import io
from collections.abc import Iterator

from stubcli.detect.model import ByteSource
from stubcli.detect.reading import BOM, blocks
from stubcli.text.characters import boundary, decode

# Cells beyond this are a quote that is not closed, or no cells.
LONGEST_CELL = 4 * 1024 * 1024


class Unclosed(Exception):
    """A quote swallows the rest of the stream, from the record on that begins in that line."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class RowLines:
    """Lines of text out of a stream; how many bytes of it were read, and how lines end in it."""

    def __init__(self, source: ByteSource, returns: bool) -> None:
        self.seen = 0
        self.bom = source.read_at(0, 3) == BOM
        self.feeds = self.pairs = self.returns = 0
        self._source = source
        self._only = returns
        self._last = b""

    def __iter__(self) -> Iterator[str]:
        rest, held = "", b""
        for block in blocks(self._source, self._source.size, len(BOM) if self.bom else 0):
            self.seen += len(block)
            self._count(block)
            data = held + block
            cut = boundary(data)
            held = data[cut:]
            text = rest + decode(data[:cut])
            if self._only:
                text = text.replace("\r", "\n")
            elif "\r" in text:
                # The csv module reads a CR inside a line as the end of a record.
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
        """How `rows` rows end: in LF, CRLF or CR, or mixed; a CR among others is a mixture too."""
        if self._only:
            return "cr"
        if not self.returns:
            return "lf"
        # Cells in quotes may hold LF alone.
        ended = rows - (self._last != b"\n")
        alike = self.pairs in (self.feeds, ended)
        return "crlf" if alike and self.returns == self.pairs else "mixed"
