"""What a rendering is made from: the facts of an artifact, its ends as text, and the limits.

Who fills these knows the store, they do not. In the ends every index has an exact byte offset:
what a cut of the bytes left incomplete at their edges (a character, a grapheme, an escape sequence)
does not belong to the text.
"""

import re

from stubcli.advice import Where
from stubcli.detect.model import Synopsis
from stubcli.reference import Reference
from stubcli.text.characters import border, boundary, decode, encode, first_border
from stubcli.text.display import unfinished
from stubcli.value import Value

# How far into bytes that begin anywhere a sequence that began before them may plausibly reach.
_SEQUENCE_ROOM = 256
_EVENT = re.compile(r"\x1b\\|[\x07\x1b\x90-\x9f\n]")


class Facts(Value):
    """One artifact, as far as its stub tells of it.

    reference: None where the bytes were not stored. size: bytes of the artifact. state: complete,
    interrupted or capped; dropped: bytes of the input beyond a cap that were not kept. head and
    tail: its first and last bytes, both the whole of it where it has at most 64 KiB. where: the
    options that printed commands repeat. notice: one line of warning, or "".
    """

    reference: Reference | None
    path: str | None
    sha256: str
    size: int
    characters: int
    lines: int
    tool: str | None
    exit_status: int | None
    signal: str | None
    reason: str
    state: str
    dropped: int
    synopsis: Synopsis
    head: bytes
    tail: bytes
    where: Where = ()
    notice: str = ""


class Limits(Value):
    """How long a rendering may be.

    budget: characters. head and tail: characters of preview that are wanted. below: characters and
    bytes of what it stands for, of which it must save some; None where nothing is compared.
    """

    budget: int
    head: int = 1000
    tail: int = 2000
    below: tuple[int, int] | None = None

    @property
    def characters(self) -> int:
        """The longest that a rendering may be, in characters."""
        return self.budget if self.below is None else min(self.budget, self.below[0] - 1)

    def worth(self, rendering: str) -> bool:
        """Whether it saves a third of what it stands for: for less, nobody wants to page."""
        return self.below is None or 3 * len(rendering) <= 2 * self.below[0]

    def excess(self, rendering: str) -> int:
        """By how much `rendering` is too long, in characters or in bytes; 0 where it is not."""
        over = len(rendering) - self.characters
        if self.below is not None:
            over = max(over, len(rendering.encode()) - self.below[1] + 1)
        return max(0, over)


class Excerpt(Value):
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


class Ends(Value):
    """Both ends of an artifact, decoded once. They may overlap, and do where it is small."""

    facts: Facts
    head: Excerpt
    far: Excerpt

    def tail(self, shown: int) -> Excerpt:
        """The end of the artifact, as far as it is given and not before the byte `shown`."""
        start = self.facts.size - len(self.facts.tail)
        if shown < max(1, start):
            return self.far
        encoding = self.facts.synopsis.encoding
        text = _decoded(self.facts.tail[shown - start :], encoding)
        return Excerpt(text, shown, self.facts.size, encoding)


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


def _head(facts: Facts) -> Excerpt:
    """The beginning of the artifact, as far as it is given."""
    encoding = facts.synopsis.encoding
    if len(facts.head) >= facts.size:
        return Excerpt(_decoded(facts.head, encoding), 0, facts.size, encoding)
    whole = len(facts.head) & ~1 if _wide(encoding) else boundary(facts.head)
    text = _decoded(facts.head[:whole], encoding)
    if _wide(encoding) and text and "\ud800" <= text[-1] <= "\udbff":
        text = text[:-1]
    text = text[: unfinished(text)]
    if not text.endswith("\n"):
        text = text[: border(text, len(text) - 1)]
    return Excerpt(text, 0, _width(text, encoding), encoding)


def _tail(facts: Facts) -> Excerpt:
    """The end of an artifact that is larger than its given end."""
    encoding = facts.synopsis.encoding
    start = facts.size - len(facts.tail)
    skip = _half_unit(start, facts.tail, encoding) if _wide(encoding) else _continuation(facts.tail)
    text = _decoded(facts.tail[skip:], encoding)
    lead = _incomplete(text) if start else 0
    return Excerpt(text[lead:], start + skip + _width(text[:lead], encoding), facts.size, encoding)


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
