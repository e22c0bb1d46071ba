"""Head and tail of an artifact as they are shown, each with the bytes and lines that it stands for.

Pure: knows the given ends of the artifact, not where it is kept, nor what is printed around them.

How the numbers add up: bytes are counted end-exclusive, so head, gap and tail are the artifact. A
line is counted where it begins: a head that ends inside line 14 counts it, the gap after it counts
from line 15, and a tail that begins inside line 90 (counted by the gap) adds those after it.
"""

import re

from stubcli.render.model import Ends, Facts, begins_line
from stubcli.text.characters import graphemes, iter_graphemes
from stubcli.text.display import last_frame, neutralise, visible_runs
from stubcli.value import Value

# No line of a stub may be longer than 2,000 characters.
LINE = 1990
_FIRST_FRAME = re.compile(r"\r*[^\r]+")


class EndPart(Value):
    """text stands for the bytes start..end, lines first_line..last_line.

    cut: the line next to the gap (the last of a head, the first of a tail) is not whole.
    """

    text: str
    start: int
    end: int
    first_line: int
    last_line: int
    cut: bool

    def shows(self, line: int) -> bool:
        """Whether the line stands in it from its beginning to its end."""
        edge = self.last_line if self.start == 0 else self.first_line
        return self.first_line <= line <= self.last_line and not (self.cut and line == edge)


class Gap(Value):
    """The bytes start..end are not shown; `lines` lines begin there.

    It reaches from first_line to last_line; inside and ends_inside: whether it begins, and ends,
    inside a line.
    """

    start: int
    end: int
    lines: int
    first_line: int
    last_line: int
    inside: bool
    ends_inside: bool


class Preview(Value):
    head: EndPart | None
    tail: EndPart | None
    gap: Gap | None

    def shows(self, line: int) -> bool:
        """Whether a whole line, by its number, stands in the head or in the tail."""
        return any(part.shows(line) for part in (self.head, self.tail) if part)


def preview(given: Ends, head: int, tail: int) -> Preview:
    """What `head` and `tail` characters show of an artifact, or all of it in one head."""
    facts, window = given.facts, given.head
    apart = _separator(facts)
    if window.end == facts.size:
        text, taken = _front(window.text, head + tail, apart, closed=True)
        if taken == len(window.text) and taken:
            return Preview(_head_part(facts, text, window.end), None, None)
    text, taken = _front(window.text, head, apart, closed=window.end == facts.size)
    first = _head_part(facts, text, window.offset(taken)) if taken else None
    last = _tail(given, first.end if first else 0, tail, apart)
    return Preview(first, last, _gap(facts, first, last))


def _separator(facts: Facts) -> str:
    """What ends a line: LF, and CR in a text that has no other line end and is no progress."""
    only_line = facts.lines == 1 and not facts.tail.endswith(b"\n")
    return "\r" if only_line and facts.synopsis.form != "progress" else "\n"


def _shown(line: str) -> str:
    return neutralise(last_frame(line))


def _front(text: str, room: int, apart: str, closed: bool) -> tuple[str, int]:
    """What `room` characters show of the beginning of `text`, and how much of it that is.

    closed: the artifact ends where `text` does, so its last line is a whole one.
    """
    rows: list[str] = []
    taken = 0
    longest = min(room - 1, LINE)
    while taken < len(text) and room > 1:
        stop = text.find(apart, taken)
        line = text[taken : stop if stop >= 0 else len(text)]
        row = _shown(line) if closed or stop >= 0 else None
        if row is None or len(row) > min(room - 1, LINE):
            if row is None or len(row) > longest:
                row, part = _beginning(line, min(room - 1, LINE))
                rows += [row + "\n"] if part else []
                taken += part
            break
        rows.append(row + "\n")
        room -= len(row) + 1
        taken = stop + 1 if stop >= 0 else len(text)
    return "".join(rows), taken


def _beginning(line: str, room: int) -> tuple[str, int]:
    """The beginning of a line that is shown cut, and how much of it that is."""
    frame = _FIRST_FRAME.match(line)
    runs = visible_runs(frame[0] if frame else "")
    left = room
    visible = "".join(run for _, run in runs)
    length = 0
    for one in iter_graphemes(visible):
        left -= len(neutralise(one))
        if left < 0:
            break
        length += len(one)
    taken = 0
    for place, run in runs:
        if length <= 0:
            break
        taken = place + min(length, len(run))
        length -= len(run)
    return _shown(line[:taken]), taken


def _tail(given: Ends, shown: int, room: int, apart: str) -> EndPart | None:
    facts, window = given.facts, given.tail(shown)
    whole = begins_line(facts, window.start)
    text, begin = _back(window.text, room, apart, whole)
    if begin == len(window.text):
        return None
    start = window.offset(begin)
    lines_after = facts.tail[len(facts.tail) - (facts.size - start) : -1].count(b"\n")
    return EndPart(
        text,
        start,
        facts.size,
        facts.lines - lines_after,
        facts.lines,
        not begins_line(facts, start),
    )


def _back(text: str, room: int, apart: str, whole: bool) -> tuple[str, int]:
    """What `room` characters show of the end of `text`, and where in it that begins.

    whole: a line begins where `text` does.
    """
    rows: list[str] = []
    begin = len(text)
    longest = min(room - 1, LINE)
    while begin and room > 1:
        end = begin - text.endswith(apart, 0, begin)
        start = text.rfind(apart, 0, end) + 1
        line = text[start:end]
        row = _shown(line) if whole or start else None
        if row is None or len(row) > min(room - 1, LINE):
            if row is None or len(row) > longest:
                row, part = _ending(line, min(room - 1, LINE))
                rows += [row + "\n"] if part < len(line) else []
                begin = start + part if part < len(line) else begin
            break
        rows.append(row + "\n")
        room -= len(row) + 1
        begin = start
    return "".join(reversed(rows)), begin


def _ending(line: str, room: int) -> tuple[str, int]:
    """The end of a line that is shown cut, and where in the line that begins."""
    body = line.rstrip("\r")
    frame = body.rfind("\r") + 1
    runs = visible_runs(body[frame:])
    visible = "".join(run for _, run in runs)
    length = 0
    for one in reversed(graphemes(visible)):
        room -= len(neutralise(one))
        if room < 0:
            break
        length += len(one)
    begin = len(line)
    for place, run in reversed(runs):
        if length <= 0:
            break
        begin = frame + place + max(0, len(run) - length)
        length -= len(run)
    return _shown(line[begin:]), begin


def _head_part(facts: Facts, text: str, end: int) -> EndPart:
    breaks = facts.head[:end].count(b"\n")
    cut = end < facts.size and not begins_line(facts, end)
    last = facts.lines if end == facts.size else breaks + cut
    return EndPart(text, 0, end, 1, max(1, last), cut)


def _gap(facts: Facts, head: EndPart | None, tail: EndPart | None) -> Gap | None:
    start = head.end if head else 0
    end = tail.start if tail else facts.size
    if start == end:
        return None
    inside = bool(head and head.cut)
    ends_inside = bool(tail and tail.cut)
    before = head.last_line if head else 0
    last = facts.lines if tail is None else tail.first_line - (not tail.cut)
    return Gap(start, end, last - before, before + (not inside), last, inside, ends_inside)
