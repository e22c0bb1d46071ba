"""The lines of a stream as a form reads them: without the escape sequences that colour them.

What is looked at is bounded in bytes and in lines, as most of the work is done once a line; the
bounds are found without looking at single lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.detect.model import Source
from stubcli.detect.reading import LONGEST_LINE, blocks
from stubcli.detect.reading import lines as raw_lines

# Of so many lines a form counts what it knows, a few tenths of a second.
MOST_COUNTED = 250_000
# What is asked of every text besides; of a stream much longer than this, it is a small part
# anyway, and a smaller one tells as much.
MOST_BYTES = 4 * 1024 * 1024
MOST_LINES = 120_000
FEWER_LINES = 20_000
_LONG = 2 * MOST_BYTES

_ANSI = re.compile(rb"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True)
class Beginning:
    """The first lines of a stream, whole ones. seen: how many bytes they are of its `size`."""

    lines: list[bytes]
    seen: int
    size: int

    @property
    def whole(self) -> bool:
        """Whether these are all lines."""
        return self.seen >= self.size

    @property
    def within(self) -> str:
        """What is said behind the name of what was counted."""
        if self.whole:
            return ""
        return f" in the first {len(self.lines):,} lines ({self.seen:,} of {self.size:,} bytes)"


def plain(line: bytes) -> bytes:
    return _ANSI.sub(b"", line) if b"\x1b" in line else line


def lines(source: Source, limit: int) -> Iterator[bytes]:
    """Lines without their LF and without colours; of a line over 64 KiB, its beginning."""
    for line in raw_lines(source, limit):
        yield _ANSI.sub(b"", line) if b"\x1b" in line else line


def reach(source: Source, limit: int, most: int = MOST_COUNTED) -> int:
    """Where the first `most` lines end, in bytes: at most `limit`, at most the whole stream."""
    start = 0
    for block in blocks(source, limit):
        feeds = block.count(b"\n")
        if feeds >= most:
            return start + len(block) - len(block.split(b"\n", most)[-1])
        most -= feeds
        start += len(block)
    return start


def beginning(source: Source) -> Beginning:
    """The lines at the beginning, whole ones wherever the first line is."""
    end = reach(source, MOST_BYTES, MOST_LINES if source.size <= _LONG else FEWER_LINES)
    data = source.read_at(0, end)
    if end < source.size:
        # What the bound cuts would be like no other line.
        data = data[: data.rfind(b"\n") + 1] or data
    found = data.removesuffix(b"\n").split(b"\n") if data else []
    if max(map(len, found), default=0) > LONGEST_LINE:
        found = [line[:LONGEST_LINE] for line in found]
    if b"\x1b" in data:
        found = [plain(line) for line in found]
    return Beginning(found, len(data), source.size)
