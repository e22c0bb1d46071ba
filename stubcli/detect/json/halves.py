"""Finds escapes that are half of a surrogate pair: a text that was cut inside an emoji.

They are no characters; readers that are strict refuse the whole file for one.
"""

import re

from stubcli.detect.model import ByteSource
from stubcli.detect.reading import blocks

# Each escape as a whole, so that none is found inside another.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)
# A pair takes so many bytes; a border between them would make two halves of it.
_PAIR = 12


def halves(source: ByteSource) -> tuple[int, int]:
    """How many there are, and the line of the first one; 0 where there is none."""
    count = line = feeds = 0
    held = b""
    for block in blocks(source, source.size):
        data = held + block
        cut = _border(data)
        held = data[cut:] if len(data) - cut <= len(block) else b""
        count, line = _count(data[:cut], count, line, feeds)
        feeds += data.count(b"\n", 0, cut)
    return _count(held, count, line, feeds)


def _border(data: bytes) -> int:
    """The last place that no escape crosses; the end where there is none near."""
    for cut in range(len(data), max(0, len(data) - 4096), -1):
        if b"\\" not in data[max(0, cut - _PAIR) : cut]:
            return cut
    return len(data)


def _count(data: bytes, count: int, line: int, feeds: int) -> tuple[int, int]:
    if b"\\ud" not in data and b"\\uD" not in data:
        return count, line
    for found in _ESCAPE.finditer(data):
        if found["half"]:
            count += 1
            line = line or feeds + data.count(b"\n", 0, found.start()) + 1
    return count, line
