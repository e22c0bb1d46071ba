"""The given ends of an artifact as text, in which every index has an exact byte offset.

What a cut of the bytes left incomplete at their edges (a character, a grapheme, an escape sequence)
does not belong to the text.
"""

import re
from dataclasses import dataclass

from stubcli.render.model import Facts
from stubcli.text.decode import boundary, decode, encode
from stubcli.text.display import unfinished
from stubcli.text.graphemes import border, first_border

# How far into bytes that begin anywhere a sequence that began before them may plausibly reach.
_SEQUENCE_ROOM = 256
_EVENT = re.compile(r"\x1b\\|[\x07\x1b\x90-\x9f\n]")


@dataclass(frozen=True)
class Window:
    """text is what the bytes start..end of the artifact decode to."""

    text: str
    start: int
    end: int
    encoding: str

    def offset(self, index: int) -> int:
        """The byte of the artifact at which `text[index]` begins."""
        if index >= len(self.text):
            return self.end
        return self.start + _width(self.text[:index], self.encoding)


@dataclass(frozen=True)
class Ends:
    """Both ends of an artifact, decoded once. They may overlap, and do where it is small."""

    facts: Facts
    head: Window
    far: Window

    def tail(self, shown: int) -> Window:
        """The end of the artifact, as far as it is given and not before the byte `shown`."""
        start = self.facts.size - len(self.facts.tail)
        if shown < max(1, start):
            return self.far
        encoding = self.facts.synopsis.encoding
        text = _decoded(self.facts.tail[shown - start :], encoding)
        return Window(text, shown, self.facts.size, encoding)


def ends(facts: Facts) -> Ends:
    head = _head(facts)
    return Ends(facts, head, head if head.end == facts.size else _tail(facts))


def _wide(encoding: str) -> bool:
    return encoding.startswith("utf-16")


def _width(text: str, encoding: str) -> int:
    return len(text.encode(encoding, "surrogatepass") if _wide(encoding) else encode(text))


def _decoded(data: bytes, encoding: str) -> str:
    """`data` as text; an odd last byte of UTF-16 is one character."""
    if not _wide(encoding):
        return decode(data)
    even = len(data) & ~1
    return data[:even].decode(encoding, "surrogatepass") + data[even:].decode(
        "ascii", "surrogateescape"
    )


def _head(facts: Facts) -> Window:
    """The beginning of the artifact, as far as it is given."""
    encoding = facts.synopsis.encoding
    if len(facts.head) >= facts.size:
        return Window(_decoded(facts.head, encoding), 0, facts.size, encoding)
    whole = len(facts.head) & ~1 if _wide(encoding) else boundary(facts.head)
    text = _decoded(facts.head[:whole], encoding)
    if _wide(encoding) and text and "\ud800" <= text[-1] <= "\udbff":
        text = text[:-1]
    text = text[: unfinished(text)]
    if not text.endswith("\n"):
        text = text[: border(text, len(text) - 1)]
    return Window(text, 0, _width(text, encoding), encoding)


def _tail(facts: Facts) -> Window:
    """The end of an artifact that is larger than its given end."""
    encoding = facts.synopsis.encoding
    start = facts.size - len(facts.tail)
    skip = _half_unit(start, facts.tail, encoding) if _wide(encoding) else _continuation(facts.tail)
    text = _decoded(facts.tail[skip:], encoding)
    lead = _incomplete(text) if start else 0
    return Window(text[lead:], start + skip + _width(text[:lead], encoding), facts.size, encoding)


def begins_line(facts: Facts, offset: int) -> bool:
    """Whether a line begins at that byte, which lies in or at an edge of a given end."""
    line_end = "\n".encode(facts.synopsis.encoding)
    if offset <= len(facts.head):
        return offset == 0 or facts.head[:offset].endswith(line_end)
    return facts.tail[: len(facts.tail) - (facts.size - offset)].endswith(line_end)


def _continuation(data: bytes) -> int:
    """How many bytes at the beginning of `data` may belong to a character before it."""
    return next((i for i, byte in enumerate(data[:3]) if byte & 0xC0 != 0x80), len(data[:3]))


def _half_unit(start: int, data: bytes, encoding: str) -> int:
    """How many bytes at the beginning of UTF-16 that starts at byte `start` belong before it."""
    skip = start & 1
    high = data[skip + (encoding == "utf-16-le") :][:1]
    return skip + 2 if b"\xdc" <= high <= b"\xdf" else skip


def _incomplete(text: str) -> int:
    """How much of `text`, which begins anywhere, may be the end of what began before it."""
    found = _EVENT.search(text)
    if found and found[0] in ("\x07", "\x1b\\", "\x9c"):
        # The end of a string such as a window title or an inline image.
        return found.end()
    if found and found.start() < _SEQUENCE_ROOM:
        return found.end() if found[0] == "\n" else found.start()
    return first_border(text)
