"""One page of an artifact: which bytes, where they stand, and what comes next.

A page may begin and end inside a line; pages that follow each other's `next` put together are
the artifact, byte for byte.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.errors import UsageError
from stubcli.retrieve.position import (
    byte_of_character,
    byte_of_line,
    character_of_byte,
    line_of_byte,
)
from stubcli.store.artifact import Artifact

CHARS, LINES, BYTES = "chars", "lines", "bytes"
UNITS = (CHARS, LINES, BYTES)
# More at once is no page; --all streams everything.
LARGEST = 1 << 20
# Beyond it no line lies.
LAST_LINE = 10**18
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,18}"
_RANGE = re.compile(rf"({_NUMBER})(?:(-)({_NUMBER})?)?", re.ASCII)
# As sed and ed name it; where it may be one number too, it is refused.
_PAIR = re.compile(r"([0-9]{1,18}),([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True)
class Window:
    """What is asked for: `limit` units from `offset` on, both counted in `unit`, from 0.

    room bounds a page of lines in characters. asked is the limit of the first page, where this
    one is what was left of it.
    """

    offset: int
    limit: int
    unit: str
    room: int
    asked: int = 0


@dataclass(frozen=True)
class Page:
    """Bytes start to end (exclusive) of an artifact, which lie on lines first to last.

    follow is the window that comes next, None at the end.
    """

    data: bytes
    start: int
    end: int
    first_line: int
    last_line: int
    follow: Window | None


def parse_lines(text: str) -> tuple[int, int]:
    """The first and the last line of A-B, A,B, A- or A, with or without thousands separators as a
    stub shows them; counted from 1. Raises UsageError."""
    typed = text.strip()
    found, pair = _RANGE.fullmatch(typed), _PAIR.fullmatch(typed)
    first = _number(found[1]) if found else 0
    last = _number(found[3]) if found and found[3] else LAST_LINE if found and found[2] else first
    if pair and 1 <= int(pair[1]) <= int(pair[2]):
        if found:
            other = f"{int(pair[1])}-{int(pair[2])}"
            raise UsageError(
                f"{typed!r} may be one line or many", f"give {first}, or the range {other}"
            )
        first, last = int(pair[1]), int(pair[2])
    if first < 1 or last < first:
        raise UsageError(
            f"invalid range of lines {text!r}", "give A-B with 1 <= A <= B, such as 15-40"
        )
    return first, last


def parse_line(text: str) -> int:
    """One line, counted from 1, with or without thousands separators. Raises UsageError."""
    typed = text.strip()
    if not re.fullmatch(_NUMBER, typed, re.ASCII) or not _number(typed):
        raise UsageError(f"invalid line {text!r}", "give its number, counted from 1")
    return _number(typed)


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def read_lines(artifact: Artifact, first: int, last: int) -> Iterator[bytes]:
    """The bytes of these lines, as far as there are such, in pieces. Raises IntegrityError."""
    if first > artifact.record.lines:
        return
    place, end = byte_of_line(artifact, first), byte_of_line(artifact, last + 1)
    while place < end:
        piece = artifact.read_at(place, min(LARGEST, end - place))
        yield piece
        place += len(piece)


def total(artifact: Artifact, unit: str) -> int:
    """The size of the artifact in that unit."""
    record = artifact.record
    return {CHARS: record.characters, LINES: record.lines, BYTES: record.size}[unit]


def read_page(artifact: Artifact, window: Window) -> Page:
    """The page that `window` asks for; empty at or past the end. Raises IntegrityError."""
    size = artifact.size
    if window.offset >= total(artifact, window.unit):
        return Page(b"", size, size, artifact.record.lines, artifact.record.lines, None)
    if window.unit == LINES:
        return _lines(artifact, window)
    limit = min(window.limit, LARGEST)
    if window.unit == BYTES:
        start, end = window.offset, min(size, window.offset + limit)
    else:
        start = byte_of_character(artifact, window.offset)
        end = byte_of_character(artifact, window.offset + limit)
    follow = None
    if end < size:
        follow = Window(window.offset + limit, window.limit, window.unit, window.room)
    return _page(artifact, start, end, follow)


def _page(artifact: Artifact, start: int, end: int, follow: Window | None) -> Page:
    data = artifact.read_at(start, end - start)
    first = line_of_byte(artifact, start)
    last = first + data.count(b"\n", 0, max(0, len(data) - 1))
    return Page(data, start, end, first, last, follow)


def _lines(artifact: Artifact, window: Window) -> Page:
    """Whole lines, as many as there is room for; a line longer than the room is cut inside."""
    start = byte_of_line(artifact, window.offset + 1)
    wanted = byte_of_line(artifact, window.offset + window.limit + 1)
    bound = byte_of_character(artifact, character_of_byte(artifact, start) + window.room)
    if wanted <= bound:
        follow = None
        if wanted < artifact.size:
            limit = window.asked or window.limit
            follow = Window(window.offset + window.limit, limit, LINES, window.room)
        return _page(artifact, start, wanted, follow)
    data = artifact.read_at(start, bound - start)
    whole = data.rfind(b"\n") + 1
    if not whole:
        return _page(artifact, start, bound, Window(bound, window.room, BYTES, window.room))
    shown = data.count(b"\n")
    asked = window.asked or window.limit
    follow = Window(window.offset + shown, window.limit - shown, LINES, window.room, asked)
    return _page(artifact, start, start + whole, follow)
