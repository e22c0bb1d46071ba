"""What stands around a deciding line and explains it, whatever the pieces in which lines come.

Above: the nearest less indented line, which owns it, the heading it stands under, what had begun
when it failed. Below: what it goes on with, and the first place of its stack that is no
library's.
"""

import re
from typing import TYPE_CHECKING

from stubcli.detect.notable.judge import Judgement
from stubcli.detect.notable.patterns import ERROR, WEAK
from stubcli.detect.notable.templates import FoundLine, Template
from stubcli.text.characters import decode

if TYPE_CHECKING:
    from stubcli.detect.notable.stack_lines import Frame

MOST_CHARACTERS = 200
# What runs a command often writes the time before each line of it.
STAMP = re.compile(rb"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]?")

# How far up, in bytes, an owner and a heading are looked for.
_ABOVE = 4096
_UNDER = 16_384
# How many lines below go with a line; a pair of what was wanted and what came has three at most.
_BELOW = 2
_PAIRED = 3
_STACK = 14
# So much of a line says what it is.
_WIDTH = 200
# A frame of a source, a rule: they say nothing.
_RULES = b"-=~^|+_*# \t"
_PAIR = re.compile(
    rb"(?i)\s*(?:expected|received|actual|got|want(?:ed)?|left|right)\b[^:\n]{0,20}: "
)
_PLACE = re.compile(rb"(?:^|[\s(@])[\w./\\~<>+-]*[\w-]\.[A-Za-z]\w{0,5}:\d+")
# Behind what a log writes before each line.
_LOGGED = re.compile(rb".{0,120}?[:\]|>-](?=\s+(?:at [\w$.<>/]+\(|File \"|#\d+ +0x))")
_FRAME = re.compile(rb"\s+\S|at \S|#\d|[A-Za-z ]+ at 0x|\w+ of size \d")
# A heading stands at the left edge, behind signs or before a rule.
_HEADING = re.compile(rb"(?:={2,3}|#{2,6}|>{1,3}|==>|-->|::group::|##\[group\]) ?[\w:\[\"'(]")
_GROUP_END = (b"##[endgroup]", b"::endgroup::")
_BANNER = b"=*#_~-"
_BANNER_SIGNS = 6
# How a frame of a stack begins, whatever the function is called.
_CALLS = (b"at ", b"File ")
_LEVEL = re.compile(rb"^\[\w+\] *")
_BEGUN = re.compile(
    rb"(?i)\b(?:start(?:ed|ing)?|running|run|begin(?:ning)?|entering|executing|processing|loading)"
    rb"\b|\.\.\.\s*$"
)


class _Following:
    """The lines below a deciding one, as far as they may belong to it."""

    def __init__(self, template: Template, number: int, indent: int, stacked: bool) -> None:
        self._template = template
        self._number = number
        self._indent = indent
        self._goes_on = indent < _NOWHERE
        self._stacked = stacked
        self._rows = self._kept = self._blank = 0

    def take(self, row: bytes) -> bool:
        """Whether a further row may belong, too."""
        self._rows += 1
        bare = STAMP.sub(b"", row)
        if self._goes_on:
            self._continue(row, bare)
        if self._stacked:
            self._stack(row, bare)
        return self._goes_on or self._stacked

    def _keep(self, row: bytes) -> None:
        self._template.surround(self._number, FoundLine(self._number + self._rows, _text(row)))

    def _continue(self, row: bytes, bare: bytes) -> None:
        paired = self._kept < _PAIRED and _PAIR.match(bare)
        deeper = self._kept < _BELOW and indent_of(bare) > self._indent
        # Of frames, the first of the application's own is enough.
        deeper = deeper and not (self._stacked and _is_call(bare))
        self._goes_on = bool(bare.strip(_RULES) and (paired or deeper))
        if self._goes_on:
            self._kept += 1
            self._keep(row)
            self._indent = max(self._indent, 0)

    def _stack(self, row: bytes, bare: bytes) -> None:
        bare = _unlogged(bare)
        self._blank += not bare.strip()
        found = _frame(bare)
        framed = found is not None or _FRAME.match(bare)
        if found.own if found else framed and _PLACE.search(bare) and not _is_foreign(bare):
            self._stacked = False
            self._keep(row)
        elif self._rows >= _STACK or self._blank > 1 or _leaves(bare, bool(framed)):
            self._stacked = False


def _unlogged(row: bytes) -> bytes:
    """A frame of a stack without what a log wrote before it; other rows as they are."""
    logged = _LOGGED.match(row)
    return row[logged.end() :] if logged else row


def _is_call(row: bytes) -> bool:
    return _unlogged(row).lstrip().startswith(_CALLS)


def is_own(row: bytes) -> bool:
    """Whether a place in a source is the application's own."""
    found = _frame(row)
    return found.own if found else not _is_foreign(row)


def _frame(row: bytes) -> "Frame | None":
    from stubcli.detect.notable.stack_lines import frame

    return frame(row)


def _is_foreign(row: bytes) -> bool:
    from stubcli.detect.notable.stack_lines import is_foreign

    return is_foreign(row)


def _leaves(row: bytes, framed: bool) -> bool:
    """Whether a row is none of a stack, and announces none."""
    row = row.strip()
    return bool(row) and not framed and not row.endswith((b":", b")"))


class Surroundings:
    """`enter` a piece of lines, `see` the deciding ones in it, `leave` it."""

    def __init__(self) -> None:
        self._past = b""
        self._lines = b""
        self._open: list[_Following] = []
        # Up to which line, and where in the piece, headings were looked for; the last found.
        self._searched = 0
        self._searched_at = -1
        self._heading: FoundLine | None = None

    def enter(self, lines: bytes) -> None:
        self._lines = lines
        self._searched_at = -1
        waiting, self._open = self._open, []
        for following in waiting:
            self._follow(following, 0)

    def see(self, template: Template, number: int, start: int, end: int) -> None:
        """A line of `template` stands at start..end of the piece."""
        if not template.keeps(number):
            return
        line = STAMP.sub(b"", self._lines[start : min(end, start + _WIDTH)])
        stacked = not _PLACE.search(line)
        if template.rank < WEAK:
            if stacked:
                self._follow(_Following(template, number, _NOWHERE, True), end + 1)
            return
        self._above(template, number, start, line)
        indent = indent_of(line)
        # What ends so announces the next line.
        if line.rstrip().endswith(b":"):
            indent = -1
        elif indent_of(STAMP.sub(b"", self.above(start))) > indent:
            # What is indented here goes on with something else.
            indent = _NOWHERE
        self._follow(_Following(template, number, indent, stacked), end + 1)

    def leave(self, lines: bytes, done: int) -> None:
        if done >= _UNDER:
            self._past = lines[done - _UNDER : done]
        else:
            self._past = (self._past + lines[:done])[-_UNDER:]
        self._lines = b""

    def above(self, start: int) -> bytes:
        """The line above, or what is left of it."""
        if start:
            return self._lines[self._lines.rfind(b"\n", 0, start - 1) + 1 : start]
        return self._past[self._past.rfind(b"\n", 0, -1) + 1 :]

    def _above(self, template: Template, number: int, start: int, line: bytes) -> None:
        indent = indent_of(line)
        owner = self._owner(start, indent, number) if indent else None
        if owner is None and not template.outcome:
            owner = self._headed(start, number)
        if owner is not None:
            template.surround(number, owner)
        if template.rank >= ERROR:
            above = self.above(start)
            begun = _BEGUN.search(above[:_WIDTH]) and not _is_call(above)
            if len(above.split()) > 1 and begun:
                template.surround(number, FoundLine(number - 1, _text(above)))

    def _rows(self, start: int, most: int) -> list[bytes]:
        """The whole lines before `start`, of so many bytes at most."""
        above = self._lines[max(0, start - most) : start]
        if start < most:
            above = self._past[-(most - start) :] + above
        rows = above.split(b"\n")[:-1]
        return rows[1:] if len(above) >= most else rows

    def _owner(self, start: int, indent: int, number: int) -> FoundLine | None:
        rows = self._rows(start, _ABOVE)
        for back in range(1, len(rows) + 1):
            row = STAMP.sub(b"", rows[-back])
            if row.strip(_RULES) and indent_of(row) < indent:
                above_it = STAMP.sub(b"", rows[-back - 1]) if back < len(rows) else b""
                owns = _opens(row, above_it)
                return FoundLine(number - back, _text(rows[-back])) if owns else None
        return None

    def _headed(self, start: int, number: int) -> FoundLine | None:
        """The last heading above; each line is looked at once."""
        searched, self._searched = self._searched, number
        at, self._searched_at = self._searched_at, start
        near = 0 <= at <= start < at + _UNDER
        rows = self._lines[at:start].split(b"\n")[:-1] if near else self._rows(start, _UNDER)
        for back in range(1, min(len(rows), number - searched) + 1):
            row = STAMP.sub(b"", rows[-back])
            if row.startswith(_GROUP_END):
                self._heading = None
                return None
            if _heads(row):
                self._heading = FoundLine(number - back, _text(rows[-back]))
                return self._heading
        if number - searched > len(rows):
            self._heading = None
        return self._heading

    def _follow(self, following: _Following, at: int) -> None:
        """Give it the lines from `at` on, as far as they may belong."""
        while True:
            if at >= len(self._lines):
                self._open.append(following)
                return
            end = self._lines.find(b"\n", at)
            end = end if end >= 0 else len(self._lines)
            if not following.take(self._lines[at : min(end, at + _WIDTH)]):
                return
            at = end + 1


class Neighbours:
    """Joins lines that say nothing alone with the error close by."""

    def __init__(self) -> None:
        self._before: FoundLine | None = None
        self._until = 0
        self._leader: Template | None = None
        self._number = 0

    def precede(self, number: int) -> bool:
        """Whether a line that belongs to an error on line `number` came before it."""
        return self._before is not None and number <= self._until

    def lead(self, template: Template, number: int) -> None:
        if self._before is not None and number <= self._until:
            template.accompany(number, self._before)
        self._before = None
        self._leader, self._number = template, number

    def add(self, found: FoundLine, verdict: Judgement) -> None:
        if verdict.after and self._leader and found.number - self._number <= verdict.after:
            self._leader.accompany(self._number, found)
        elif verdict.before:
            self._before, self._until = found, found.number + verdict.before


# Deeper than any line.
_NOWHERE = 1 << 30


def indent_of(row: bytes) -> int:
    return len(row) - len(row.lstrip())


def _opens(row: bytes, above: bytes) -> bool:
    """Whether a row opens a block, and is not the last of a run of rows alike."""
    closed = not above.strip(_RULES) or indent_of(above) > indent_of(row)
    return closed or row.rstrip().endswith((b":", b"{"))


def _heads(row: bytes) -> bool:
    if _HEADING.match(row):
        return True
    row = row.rstrip()
    last = row[-1:]
    ruled = last in _BANNER and row.endswith(last * _BANNER_SIGNS)
    return ruled and bool(last) and len(_LEVEL.sub(b"", row).strip(_RULES)) > 2


def _text(row: bytes) -> str:
    return decode(row[: 4 * MOST_CHARACTERS]).rstrip()[:MOST_CHARACTERS]
