"""Text that stands in something else: names that end with NUL, and the frames in which a container
runtime passes on what a program wrote. What it is without them, and where its lines stand.
"""

from bisect import bisect_right
from collections.abc import Iterator

from stubcli.value import Value

NUL_ENDED, FRAMED = "nul-ended", "frames"
_HEADER = 8
_STREAMS = (0, 1, 2)
# Frames of a runtime hold at most a few pages; a longer one is no frame.
_LONGEST = 1024 * 1024
_LEAST = 3
_CONTROLS = bytes(byte for byte in range(1, 32) if byte not in b"\t\n\r\x1b")
_LONGEST_NAME = 4096


def wrapping(head: bytes, whole: bool) -> str:
    """What the text stands in, "" where it is none that stands in anything."""
    if _framed(head, whole):
        return FRAMED
    return NUL_ENDED if _nul_ended(head, whole) else ""


def _framed(head: bytes, whole: bool) -> bool:
    at = count = 0
    while at + _HEADER <= len(head):
        length = _length(head, at)
        if length is None:
            return False
        at += _HEADER + length
        count += 1
    complete = at <= len(head) or not whole
    return count >= _LEAST and complete and _readable(unframed(head).text)


def _length(data: bytes, at: int) -> int | None:
    """How long the frame is whose header stands there; None where none does."""
    if data[at] not in _STREAMS or data[at + 1 : at + 4] != b"\0\0\0":
        return None
    length = int.from_bytes(data[at + 4 : at + 8], "big")
    return length if length <= _LONGEST else None


def _nul_ended(head: bytes, whole: bool) -> bool:
    """Whether it is one text after the other, each short and with a NUL behind it."""
    parts = head.split(b"\0")
    if whole and parts[-1].strip(b"\n"):
        return False
    found = parts[:-1]
    if len(found) < _LEAST or max(map(len, found)) > _LONGEST_NAME:
        return False
    empty = sum(not part for part in found)
    return empty <= 0.05 * len(found) and _readable(head.replace(b"\0", b""))


def _readable(text: bytes) -> bool:
    if len(text) - len(text.translate(None, _CONTROLS)) > 0.001 * len(text):
        return False
    return len(text.decode("utf-8", "ignore").encode()) >= 0.98 * len(text)


class Frames(Value):
    """The text of all frames, how many there are, and bytes by stream. broken: where a frame ends
    behind the end, or what follows is none; -1 where there is no such place.
    """

    text: bytes
    count: int
    streams: tuple[int, int, int]
    broken: int
    feeds: tuple[int, ...]

    def line(self, number: int) -> int:
        """The number of the stream's line that the text's line `number` begins in."""
        return number + bisect_right(self.feeds, number)


def unframed(data: bytes) -> Frames:
    text = bytearray()
    streams, feeds = [0, 0, 0], []
    at = count = lines = 0
    broken = -1
    for start, length in _frames(data):
        piece = data[start + _HEADER : start + _HEADER + length]
        # A header may hold the byte of a line end; lines after it are one further down.
        feeds += [lines + 1] * data.count(b"\n", start, start + _HEADER)
        streams[data[start]] += len(piece)
        lines += piece.count(b"\n")
        text += piece
        count += 1
        at = start + _HEADER + length
    if at != len(data):
        broken = min(at, len(data))
    first, second, third = streams
    return Frames(bytes(text), count, (first, second, third), broken, tuple(feeds))


def _frames(data: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + _HEADER <= len(data):
        length = _length(data, at)
        if length is None:
            return
        yield at, length
        at += _HEADER + length
