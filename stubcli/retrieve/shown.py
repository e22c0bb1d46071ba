"""Lines as they are displayed, to be matched; see `origin` for the way back to their bytes.

Knows bytes; knows no artifact. Lines keep their numbers: no LF comes or goes.
"""

import re
from collections.abc import Iterator

from stubcli.retrieve.pattern import Pattern
from stubcli.text.characters import boundary, decode, encode
from stubcli.text.display import last_frame, strip_ansi, unfinished

# A longer line is matched without its sequences, but with every frame that it had: one of a MiB
# takes 40 MB to play.
LONGEST = 1 << 20
# Of a sequence that goes on in the next piece.
_LONGEST_SEQUENCE = 1 << 16
# What `display` takes for a sequence, in a text without C1 characters: with one first byte it is
# looked for ten times as fast.
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?"
    rb"|[PX\]^_][^\x07\x1b\n]*+(?:\x07|\x1b\\|(?=[\x1b\n])|\Z)"
    rb"|[ -/]*+[0-~]?)"
)
_CSI = re.compile(rb"\x1b\[[0-?]*+[ -/]*+[@-~]")
_HIDING = re.compile(rb"\x1b(?!\[)")
# Different sequences that are taken out one after the other, which is faster where they are few.
_KINDS = 24
_C1 = re.compile(rb"\xc2[\x80-\x9f]")
_REDRAWN = re.compile(rb"\r(?!\n)")
_MOVE = re.compile(rb"\x1b\[[012]?[KG]")


def is_dressed(data: bytes) -> bool:
    """Whether these lines may be displayed as something else than their bytes."""
    return (
        b"\x1b" in data
        or b"\b" in data
        or (b"\r" in data and _REDRAWN.search(data) is not None)
        or (b"\xc2" in data and _C1.search(data) is not None)
    )


def strip(data: bytes) -> bytes:
    """Lines without escape sequences."""
    if b"\xc2" in data and _C1.search(data):
        return b"\n".join([encode(strip_ansi(decode(line))) for line in data.split(b"\n")])
    if b"\x1b" not in data:
        return data
    few = _strip_few(data)
    return _SEQUENCE.sub(b"", data) if few is None else few


def _strip_few(data: bytes) -> bytes | None:
    """The same where they are complete, of few kinds, and all are CSI; else None."""
    rest, left = data, data.count(b"\x1b")
    for _ in range(_KINDS):
        if not left:
            return rest
        found = _CSI.match(rest, rest.find(b"\x1b"))
        if not found:
            break
        # Of what was there: taking one out may make another of what stood around it.
        left -= data.count(found[0])
        rest = rest.replace(found[0], b"")
    return None


def displayed(data: bytes) -> bytes:
    """Whole lines as they are displayed; the CR of a CR LF may stay."""
    moved = b"\b" in data or (
        b"\r" in data and (_REDRAWN.search(data) is not None or _MOVE.search(data) is not None)
    )
    return b"\n".join(map(_line, data.split(b"\n"))) if moved else strip(data)


def _line(line: bytes) -> bytes:
    if b"\r" not in line and b"\b" not in line:
        return strip(line)
    bare = line.removesuffix(b"\r")
    return encode(last_frame(decode(line))) if is_dressed(bare) else bare


def choose(raw: bytes, pattern: Pattern) -> bytes:
    """Each of these lines as it is to be matched: as displayed, or raw where only that matches."""
    shown = displayed(raw)
    tried = pattern.raw_too and (pattern.of_sequences or _hides(raw))
    found = sorted(set(_only_raw(raw, shown, pattern))) if tried else []
    if not found:
        return shown
    lines, bare = shown.split(b"\n"), raw.split(b"\n")
    for number in found:
        lines[number] = bare[number]
    return b"\n".join(lines)


def _hides(raw: bytes) -> bool:
    """Whether anything but colours is taken out of it."""
    return (
        b"\b" in raw
        or (b"\r" in raw and _REDRAWN.search(raw) is not None)
        or _HIDING.search(raw) is not None
        or (b"\xc2" in raw and _C1.search(raw) is not None)
    )


def _only_raw(raw: bytes, shown: bytes, pattern: Pattern) -> Iterator[int]:
    """The numbers (from 0) of lines that match, but not as they are displayed."""
    others = (number for number, _, _ in _matches(shown, pattern))
    other = next(others, -1)
    for number, start, end in _matches(raw, pattern):
        while 0 <= other < number:
            other = next(others, -1)
        if other != number and not _inside(raw, start, end):
            yield number


def _matches(data: bytes, pattern: Pattern) -> Iterator[tuple[int, int, int]]:
    """The number of its line, start and end of every match."""
    number = place = 0
    for start, end in pattern.spans(pattern.text(data), 0, len(data)):
        number += data.count(b"\n", place, start)
        place = start
        yield number, start, end


def _inside(raw: bytes, start: int, end: int) -> bool:
    """Whether the match is a part of a sequence that says nothing by itself: the 31 of a colour."""
    introducer = raw.rfind(b"\x1b", raw.rfind(b"\n", 0, start) + 1, start)
    found = _SEQUENCE.match(raw, introducer) if introducer >= 0 else None
    if not found or found.end() < end or raw[introducer + 1 : introducer + 2] in b"PX]^_":
        return False
    return (start, end) != (introducer + 1, found.end())


def cut(data: bytes) -> int:
    """Where the sequence begins that a piece of a line ends in the middle of, else its length."""
    end = boundary(data)
    start = max(0, end - _LONGEST_SEQUENCE)
    text = decode(data[start:end])
    place = unfinished(text)
    return end if place == len(text) else start + len(encode(text[:place]))
