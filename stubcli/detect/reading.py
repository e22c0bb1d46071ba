"""Reads a stream or a sample in pieces of bounded size, as it is displayed.

What is read line by line is bounded in bytes and in lines, as most of the work is done once a
line; the bounds are found without looking at single lines. It knows no kind.
"""

import re
from collections.abc import Iterator

from stubcli.detect.model import ByteSource, Sample
from stubcli.text.characters import decode, encode
from stubcli.text.display import last_frame
from stubcli.value import Value

BLOCK = 1024 * 1024
LONGEST_LINE = 64 * 1024
BOM = b"\xef\xbb\xbf"
# Of so many lines a form counts what it knows, a few tenths of a second.
MOST_COUNTED = 250_000
# What is counted in every text besides; of a stream much longer than this, it is a small part
# anyway, and a smaller one tells as much.
MOST_BYTES = 4 * 1024 * 1024
MOST_LINES = 120_000
FEWER_LINES = 10_000
_LONG = 2 * MOST_BYTES

_ANSI = re.compile(
    rb"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~])"
)
_ERASE = rb"\x1b\[[012]?K"
# Bold and underlined, as manual pages write them: a letter, a step back, a letter.
_STRUCK = rb"(?:[\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]{1,3})\x08"


class InMemory(Value):
    """A stream in memory, as a source."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read_at(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]


def blocks(source: ByteSource, limit: int, start: int = 0) -> Iterator[bytes]:
    """The bytes from `start` up to `limit`, at most a block at a time."""
    end = min(source.size, limit)
    while start < end:
        block = source.read_at(start, min(BLOCK, end - start))
        if not block:
            return
        yield block
        start += len(block)


def lines(source: ByteSource, limit: int) -> Iterator[bytes]:
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


def displayed(lines: bytes) -> bytes:
    """Lines as a terminal leaves them, without colours, overstrike and frames that were redrawn.

    What is searched for decides in what is seen. Mostly it is the same object; line ends stay
    where they are, so that lines keep their numbers.
    """
    if b"\x08" in lines:
        lines = re.sub(_STRUCK, b"", lines)
    if b"\r" in lines and lines.count(b"\r") > lines.count(b"\r\n"):
        lines = b"\n".join([_frame(line) if b"\r" in line else line for line in lines.split(b"\n")])
    if b"\x08" in lines:
        lines = b"\n".join(
            [_moved(line) if b"\x08" in line else line for line in lines.split(b"\n")]
        )
    return _ANSI.sub(b"", lines) if b"\x1b" in lines else lines


def _frame(line: bytes) -> bytes:
    """What is left of a line that was redrawn: the last frame, and what stuck out of older ones.

    Columns are taken for code points. An erased frame leaves nothing; where it says which part was
    erased, that part is all of it.
    """
    *older, last = line.rstrip(b"\r").split(b"\r")
    erased = re.search(_ERASE, last)
    shown = decode(_ANSI.sub(b"", last))
    while older and not erased:
        frame = older.pop()
        erased = re.search(_ERASE, frame) if b"\x1b" in frame else None
        if len(frame) > len(shown):
            shown += decode(_ANSI.sub(b"", frame))[len(shown) :]
    return encode(shown)


def _moved(line: bytes) -> bytes:
    return encode(last_frame(decode(line)))


def plain_lines(source: ByteSource, limit: int) -> Iterator[bytes]:
    """Lines as they are displayed, without their LF; of a line over 64 KiB, its beginning."""
    return map(displayed, lines(source, limit))


def reach(source: ByteSource, limit: int, most: int = MOST_COUNTED) -> int:
    """Where the first `most` lines end, in bytes: at most `limit`, at most the whole stream."""
    start = 0
    for block in blocks(source, limit):
        feeds = block.count(b"\n")
        if feeds >= most:
            return start + len(block) - len(block.split(b"\n", most)[-1])
        most -= feeds
        start += len(block)
    return start


class Beginning(Value):
    """The first lines of a stream, whole ones. seen: how many bytes they are of its `size`."""

    lines: list[bytes]
    seen: int
    size: int

    @property
    def whole(self) -> bool:
        """Whether these are all lines."""
        return self.seen >= self.size


def beginning(source: ByteSource) -> Beginning:
    """The lines at the beginning, whole ones wherever the first line is."""
    end = reach(source, MOST_BYTES, MOST_LINES if source.size <= _LONG else FEWER_LINES)
    data = source.read_at(0, end)
    if end < source.size:
        # What the bound cuts would be like no other line.
        data = data[: data.rfind(b"\n") + 1] or data
    found = displayed(data).removesuffix(b"\n").split(b"\n") if data else []
    if max(map(len, found), default=0) > LONGEST_LINE:
        found = [line[:LONGEST_LINE] for line in found]
    return Beginning(found, len(data), source.size)


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


def declared(sample: Sample, *words: str) -> bool:
    """Whether the MIME type names one of the words."""
    return sample.mime is not None and any(word in sample.mime.lower() for word in words)


def hinted(sample: Sample, *words: str) -> bool:
    """Whether the MIME type names one of the words, or the command a file of such a suffix."""
    return declared(sample, *words) or any(suffix in words for suffix in suffixes(sample))


def suffixes(sample: Sample) -> list[str]:
    """What follows the last dot in names of files that the command names, in small letters."""
    found = (name.rpartition("/")[2].rpartition(".") for name in sample.names)
    return [suffix.lower() for stem, _, suffix in found if stem and suffix.isalnum()]
