"""Reads a stream or a sample in pieces of bounded size, for the kinds.

It knows no kind.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.detect.model import Sample, Source

BLOCK = 1024 * 1024
LONGEST_LINE = 64 * 1024
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Held:
    """A stream in memory, where a source is asked for."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read_at(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]


def blocks(source: Source, limit: int, start: int = 0) -> Iterator[bytes]:
    """The bytes from `start` up to `limit`, at most a block at a time."""
    end = min(source.size, limit)
    while start < end:
        block = source.read_at(start, min(BLOCK, end - start))
        if not block:
            return
        yield block
        start += len(block)


def lines(source: Source, limit: int) -> Iterator[bytes]:
    """Lines without their LF; of a line over `LONGEST_LINE`, its beginning."""
    rest = b""
    for block in blocks(source, limit):
        pieces = block.split(b"\n")
        if len(rest) < LONGEST_LINE:
            pieces[0] = rest + pieces[0]
        else:
            pieces[0] = rest
        rest = pieces.pop()[: LONGEST_LINE + 1]
        for piece in pieces:
            yield piece if len(piece) <= LONGEST_LINE else piece[:LONGEST_LINE]
    if rest:
        yield rest[:LONGEST_LINE]


def sampled_lines(sample: Sample, most: int = 2000) -> list[bytes]:
    """Whole lines from head, middle and tail, without the fragments where a slice was cut."""
    found = _whole(sample.head, first=True, last=len(sample.head) >= sample.size)[: most // 2]
    for piece in sample.middle:
        found += _whole(piece, first=False, last=False)[: most // 8]
    if sample.size > len(sample.head):
        # What the head holds too is not counted twice.
        fresh = sample.tail[-min(len(sample.tail), sample.size - len(sample.head)) :]
        found += _whole(fresh, first=False, last=True)[-most // 4 :]
    return found


def _whole(piece: bytes, first: bool, last: bool) -> list[bytes]:
    if first and piece.startswith(BOM):
        piece = piece[len(BOM) :]
    found = [line.rstrip(b"\r") for line in piece.split(b"\n")]
    if (not last and len(found) > 1) or (found and not found[-1]):
        found.pop()
    return found if first else found[1:]


def hinted(sample: Sample, *words: str) -> bool:
    """Whether the MIME type names one of the words."""
    return sample.mime is not None and any(word in sample.mime.lower() for word in words)
