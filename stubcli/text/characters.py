"""Bytes as characters, and characters as graphemes: where text may be cut.

A character is a Unicode code point of the UTF-8 text, an undecodable byte is one; a grapheme is
what a reader sees as one. The `regex` package knows the rules of graphemes and costs 18 ms to
import: ASCII, of which only CR LF belongs together, does without it. No other imports: this stands
on the way of a small input.
"""

from collections.abc import Iterator

# A match begins at a border, so that two regional indicators there are a pair. \X alone counts all
# those before it each time, which is quadratic.
_CLUSTER = r"[\U0001F1E6-\U0001F1FF]{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X"
# Which regional indicators are a pair depends on all those before them.
_REMAINDER = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+[\U0001F1E6-\U0001F1FF]*+\X?"
_NEAR = 64


def decode(data: bytes) -> str:
    """`data` as text in which each undecodable byte is one lone surrogate; `encode` undoes it."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` was given."""
    return text.encode("utf-8", "surrogateescape")


def characters(data: bytes | bytearray) -> int:
    """The number of characters in `data`, which is taken as a whole."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))


def count(data: bytes) -> tuple[int, int]:
    """The characters in `data`, taken as a whole, and how many of its bytes are undecodable."""
    if data.isascii():
        return len(data), 0
    try:
        return len(data.decode()), 0
    except UnicodeDecodeError:
        text = decode(data)
        # What strict encoding drops are exactly the undecodable bytes.
        return len(text), len(data) - len(text.encode("utf-8", "ignore"))


def boundary(data: bytes | bytearray | memoryview) -> int:
    """Where a UTF-8 sequence begins that `data` ends in the middle of, else its length.

    Cut there, and both sides decode by themselves to what the whole decodes to: what lies before
    is complete, what lies behind is a valid beginning of at most three bytes.
    """
    end = len(data)
    for back in range(1, min(3, end) + 1):
        byte = data[end - back]
        if byte & 0xC0 == 0x80:
            continue
        need = 4 if 0xF0 <= byte <= 0xF4 else 3 if 0xE0 <= byte < 0xF0 else 2
        if byte < 0xC2 or byte > 0xF4 or back >= need:
            return end
        # A beginning that can never become valid (E0 80, ED A0, F4 90 …) is not held back:
        # the decoder too gives up on it at once.
        second = data[end - back + 1] if back > 1 else None
        low, high = {
            0xE0: (0xA0, 0xBF),
            0xED: (0x80, 0x9F),
            0xF0: (0x90, 0xBF),
            0xF4: (0x80, 0x8F),
        }.get(byte, (0x80, 0xBF))
        return end if second is not None and not low <= second <= high else end - back
    return end


def iter_graphemes(text: str) -> Iterator[str]:
    """The extended grapheme clusters of `text`, one after the other."""
    if text.isascii():
        yield from _ascii(text)
        return
    import regex

    for found in regex.finditer(_CLUSTER, text):
        yield found[0]


def _ascii(text: str) -> list[str]:
    if "\r\n" not in text:
        return list(text)
    parts = text.split("\r\n")
    found = list(parts[0])
    for part in parts[1:]:
        found.append("\r\n")
        found.extend(part)
    return found


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text`: "".join() of them is `text`."""
    return _ascii(text) if text.isascii() else list(iter_graphemes(text))


def border(text: str, place: int) -> int:
    """The last grapheme border of `text` at or before `place`."""
    if place <= 0:
        return 0
    if place >= len(text):
        return len(text)
    start = place
    while start and not _certain(text, start):
        start -= 1
    if start == place:
        return place
    for one in iter_graphemes(text[start : place + 1]):
        if start + len(one) > place:
            return start
        start += len(one)
    return start


def first_border(text: str) -> int:
    """A border of `text` near its beginning, which may lie in the middle of a grapheme."""
    for place in range(1, min(len(text), _NEAR)):
        if _certain(text, place):
            return place
    import regex

    lead = regex.match(_REMAINDER, text)
    return int(lead.end()) if lead else 0


def _certain(text: str, place: int) -> bool:
    """Whether a border lies there that takes no rules to know: ASCII, or before an ideograph."""
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    alone = after < "\x80" or "\u4e00" <= after <= "\u9fff"
    return alone and (before < "\x80" or "\u3000" <= before <= "\u9fff")


def clip(text: str, room: int) -> str:
    """The longest beginning of `text` of at most `room` characters that ends at a border."""
    return text if len(text) <= room else text[: border(text, room)]
