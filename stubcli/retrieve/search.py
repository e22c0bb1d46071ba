"""Every match of a pattern in an artifact, in time linear in its size.

RE2: no pattern can be made to hang. A match never crosses a line's end; `$` stands before CR LF
as well as before LF.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stubcli.errors import UsageError
from stubcli.retrieve.segments import Segment, segments
from stubcli.store.artifacts import Artifact

WINDOW = 200
_MEMORY = 128 << 20


@dataclass(frozen=True)
class Hit:
    """One match: its line's number, its byte offset in the artifact, and the text around it.

    text is at most WINDOW bytes of the line; before and after count the line's bytes left out.
    """

    line: int
    offset: int
    text: bytes
    before: int
    after: int


def compile_pattern(pattern: str, *, literal: bool, ignore_case: bool, word: bool) -> Any:
    """The compiled pattern. Raises UsageError that says what is wrong with it."""
    import re2

    options = re2.Options()
    options.max_mem = _MEMORY
    options.never_nl = True
    options.log_errors = False
    options.case_sensitive = not ignore_case
    body = re2.escape(pattern) if literal else pattern
    if word:
        body = rf"\b(?:{body})\b"
    try:
        # Lone surrogates stand for bytes of the command line that are no UTF-8.
        return re2.compile(f"(?m:{body})".encode("utf-8", "surrogateescape"), options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise UsageError(f"bad pattern {pattern!r}: {reason}", "-F takes it literally") from None


def search(artifact: Artifact, pattern: Any) -> Iterator[Hit]:
    """Every match in order. Raises IntegrityError where the artifact is damaged."""
    begin = 0
    for segment in segments(artifact):
        end = begin
        for end, hit in _in_segment(segment, pattern, begin):  # noqa: B007 - read behind the loop
            yield hit
        # A match that reaches beyond a window's end is not begun anew in the next.
        begin = max(0, end - segment.step)


def _in_segment(segment: Segment, pattern: Any, begin: int) -> Iterator[tuple[int, Hit]]:
    """The matches that belong to the segment, and where each ends, from `begin` on."""
    data = segment.data
    # CR LF becomes LF LF for the matching alone: the same length, and `$` stands before both.
    text = data.replace(b"\r\n", b"\n\n") if b"\r\n" in data else data
    first, last = segment.accept
    line, offset, counted, previous = segment.line, segment.offset, 0, -1
    for found in pattern.finditer(text, max(first, begin)):
        start, end = found.span()
        if start >= last:
            break
        if start == end and (start == previous or not _is_place(data, start)):
            continue
        previous = start
        line += data.count(b"\n", counted, start)
        offset += segment.width(counted, start)
        counted = start
        yield end, _hit(data, line, offset, start, end)


def _is_place(data: bytes, position: int) -> bool:
    """Whether an empty match may stand here: not between CR and LF, not behind the last LF."""
    if position == len(data):
        return not data.endswith(b"\n")
    return not (data[position] == 10 and position > 0 and data[position - 1] == 13)


def _hit(data: bytes, line: int, offset: int, start: int, end: int) -> Hit:
    begin = data.rfind(b"\n", 0, start) + 1
    stop = data.find(b"\n", start)
    stop = len(data) if stop < 0 else stop
    stop -= stop > begin and data[stop - 1 : stop] == b"\r"
    left, right = begin, stop
    if stop - begin > WINDOW:
        middle = (start + min(end, start + WINDOW)) // 2
        left = min(max(begin, middle - WINDOW // 2), stop - WINDOW)
        right = left + WINDOW
        left, right = _whole(data, left, begin), _whole(data, right, begin)
    return Hit(line, offset, data[left:right], left - begin, stop - right)


def _whole(data: bytes, position: int, floor: int) -> int:
    """The beginning of the UTF-8 sequence that `position` may stand in the middle of."""
    for _ in range(3):
        if position <= floor or position >= len(data) or data[position] & 0xC0 != 0x80:
            return position
        position -= 1
    return position
