"""Finds the lines that decide: errors by severity and rarity, and the tools' own outcome lines.

Fed with whole lines in stream order, it keeps a bounded state whatever the stream holds. It
counts no bytes and knows no kind of output.
"""

import re
from typing import TYPE_CHECKING

from stubcli.detect.model import NotableLine
from stubcli.detect.notable.judge import Judge, Judgement, is_running
from stubcli.detect.notable.patterns import EVENT, FATAL, LABEL, WARNING, WEAK, WORD
from stubcli.detect.notable.templates import (
    FoundLine,
    Neighbours,
    Template,
    Templates,
    labelled,
    select,
)
from stubcli.detect.reading import displayed
from stubcli.text.characters import decode

if TYPE_CHECKING:
    from re2 import _Regexp

MOST_CHARACTERS = 200
# Python's work for one candidate is 10 to 20 µs; this bounds it to a second.
EXAMINED = 50_000
SEVERE_EXAMINED = 10_000

# A traceback of more lines is left to itself.
_TRACED = 400
_TRACEBACK = b"Traceback (most recent call last)"
_FINAL = re.compile(rb"[\w.$]{1,200}(?:: .*)?$")
_AROUND = 1600
# What runs a command often writes the time before each line of it.
_STAMP = re.compile(rb"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]?")
_WORDS = (b"error", b"fail", b"warn")
_CAUSE = Judgement(FATAL, LABEL)

# How far up, in bytes, an owner is looked for; how many lines below go with a line.
_ABOVE = 4096
_BELOW = 2
# A frame of a source, a rule: they say nothing.
_RULES = b"-=~^|+_*# \t"


class Finder:
    """Takes lines by `feed` (examined one by one) or by `skim` (only the most severe)."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._templates = Templates()
        self._neighbours = Neighbours()
        self._surroundings = _Surroundings()
        self._traced = 0
        self._frame: FoundLine | None = None
        self.lines = 0
        self._examined = 0
        self._severe = 0
        self.unseen = 0

    def feed(
        self, lines: bytes, bounded: bool = True, feeds: int | None = None, plain: bool = False
    ) -> int:
        """Examine whole lines until the bound is reached; the number of bytes that were.

        feeds: the LF bytes in `lines`, where they were counted already. plain: whether they are
        known to be displayed as they are.
        """
        shown = lines if plain else displayed(lines)
        end_line = None if feeds is None else self.lines + feeds
        most = EXAMINED - self._examined if bounded else len(shown)
        done, examined = self._walk(shown, self._judge.candidate, most, end_line)
        self._examined += examined
        if done < len(shown):
            return done if shown is lines else _same_place(lines, shown, done)
        return len(lines)

    def skim(self, lines: bytes, plain: bool = False) -> None:
        """Look for the most severe in whole lines; of the rest, count the words of alarm."""
        lines = lines if plain else displayed(lines)
        most = SEVERE_EXAMINED - self._severe
        done, examined = self._walk(lines, self._judge.severe, most, None)
        self._severe += examined
        self.lines += lines.count(b"\n", done)
        lower = lines.lower()
        self.unseen += sum(lower.count(word) for word in _WORDS)

    def _walk(
        self, lines: bytes, pattern: "_Regexp", most: int, end_line: int | None
    ) -> tuple[int, int]:
        """Examine at most so many lines in which the pattern is; where it ended, and how many.

        `self.lines` counts those up to there; end_line: how many there are at the end, if known.
        """
        self._surroundings.enter(lines)
        examined = 0
        at = numbered = self._trace(lines, 0)
        match = pattern.search(lines, at) if at < len(lines) else None
        while match is not None and examined < most:
            start, end = _line_around(lines, match.start(), at)
            self.lines += lines.count(b"\n", numbered, start)
            numbered = start
            examined += 1
            self._examine(lines, start, end, match.start() - start)
            at = end + 1
            if self._traced:
                self.lines += lines.count(b"\n", start, at)
                at = numbered = self._trace(lines, at)
            match = pattern.search(lines, at) if at < len(lines) else None
        done = len(lines) if match is None else _line_around(lines, match.start(), at)[0]
        if match is None and end_line is not None:
            self.lines = end_line
        else:
            self.lines += lines.count(b"\n", numbered, done)
        self._surroundings.leave(lines, done)
        return done, examined

    def _trace(self, lines: bytes, at: int) -> int:
        """Follow a traceback through its frames to the line that ends it; where to go on.

        `lines.count` up to there is in `self.lines`. Frames quote the source, and are no messages.
        """
        while self._traced and at < len(lines):
            end = lines.find(b"\n", at)
            end = len(lines) if end < 0 else end
            line = _STAMP.sub(b"", lines[at : min(end, at + _AROUND)].rstrip(b"\r"))
            framed = line.startswith((b"  ", b"\t"))
            self._traced = self._traced - 1 if framed else 0
            if framed:
                if line.startswith(b"  File "):
                    self._frame = FoundLine(self.lines + 1, _slice(line, self._judge))
            elif _FINAL.match(line):
                self._ended(line)
            else:
                return at
            self.lines += end < len(lines)
            at = end + 1
        return min(at, len(lines))

    def _ended(self, line: bytes) -> None:
        found = FoundLine(self.lines + 1, _slice(line, self._judge))
        template = self._templates.add(line, found, _CAUSE, FATAL)
        if self._frame is not None:
            template.accompany(found.number, self._frame)
        self._frame = None

    def _examine(self, lines: bytes, start: int, end: int, hit: int) -> None:
        low = start + (max(0, hit - _AROUND // 2) if end - start > _AROUND else 0)
        piece = lines[low : min(end, low + _AROUND)].rstrip()
        stamp = _STAMP.match(piece)
        bare = piece[stamp.end() :] if stamp else piece
        if bare.startswith(_TRACEBACK):
            self._traced = _TRACED
            return
        verdict = self._judge.verdict(bare.strip(), bool(stamp), bare[:1].isspace())
        if not verdict.rank and not verdict.outcome and not (verdict.before or verdict.after):
            return
        if verdict.place == EVENT and is_running(self._surroundings.above(start)):
            verdict = verdict._replace(place=WORD, rank=min(verdict.rank, WEAK))
        found = FoundLine(self.lines + 1, _slice(piece, self._judge))
        rank = verdict.rank
        if verdict.foreign and not self._neighbours.precede(found.number):
            rank = WEAK
        if rank or verdict.outcome:
            merging = rank <= WARNING and not verdict.outcome
            template = self._templates.add(piece, found, verdict, rank, merging)
            if rank >= WEAK:
                self._neighbours.lead(template, found.number)
                self._surroundings.see(template, found.number, start, end)
        self._neighbours.add(found, verdict)

    def notable(self) -> tuple[NotableLine, ...]:
        return select(self._templates.all(), self.lines)

    def beside(self, origin: int) -> tuple[NotableLine, ...]:
        """Of the lines that decide, those that may stand beside data, of that origin at least."""
        return select(labelled(self._templates.all(), origin), self.lines)


class _Surroundings:
    """What stands around a deciding line: the nearest less indented line above, which owns it, and
    what it goes on with below, whatever the pieces in which the lines come.

    `enter` a piece of lines, `see` the deciding ones in it, `leave` it.
    """

    def __init__(self) -> None:
        self._past = b""
        self._lines = b""
        self._open: list[tuple[Template, int, int, int]] = []

    def enter(self, lines: bytes) -> None:
        self._lines = lines
        waiting, self._open = self._open, []
        for template, of, indent, below in waiting:
            self._follow(template, of, indent, below, 0)

    def see(self, template: Template, number: int, start: int, end: int) -> None:
        """A line of `template` stands at start..end of the piece."""
        if not template.keeps(number):
            return
        line = self._lines[start:end]
        indent = _indent(line)
        owner = self._owner(start, indent, number) if indent else None
        if owner is not None:
            template.surround(number, owner)
        # What ends so announces the next line.
        if line.rstrip().endswith(b":"):
            indent = -1
        elif _indent(self.above(start)) > indent:
            # What is indented here goes on with something else.
            return
        self._follow(template, number, indent, 0, end + 1)

    def leave(self, lines: bytes, done: int) -> None:
        if done >= _ABOVE:
            self._past = lines[done - _ABOVE : done]
        else:
            self._past = (self._past + lines[:done])[-_ABOVE:]
        self._lines = b""

    def above(self, start: int) -> bytes:
        """The line above, or what is left of it."""
        if start:
            return self._lines[self._lines.rfind(b"\n", 0, start - 1) + 1 : start]
        return self._past[self._past.rfind(b"\n", 0, -1) + 1 :]

    def _owner(self, start: int, indent: int, number: int) -> FoundLine | None:
        above = self._lines[max(0, start - _ABOVE) : start]
        if start < _ABOVE:
            above = self._past[-(_ABOVE - start) :] + above
        rows = above.split(b"\n")[:-1]
        if len(above) >= _ABOVE:
            rows = rows[1:]
        for back in range(1, len(rows) + 1):
            row = rows[-back]
            if row.strip(_RULES) and _indent(row) < indent:
                above_it = rows[-back - 1] if back < len(rows) else b""
                owns = _opens(row, above_it)
                return FoundLine(number - back, _text(row)) if owns else None
        return None

    def _follow(self, template: Template, number: int, indent: int, below: int, at: int) -> None:
        """Keep what the line goes on with, from `at` on, when `below` lines of it are kept."""
        while below < _BELOW:
            if at >= len(self._lines):
                self._open.append((template, number, indent, below))
                return
            end = self._lines.find(b"\n", at)
            row = self._lines[at : end if end >= 0 else len(self._lines)]
            if not row.strip(_RULES) or _indent(row) <= indent:
                return
            below += 1
            template.surround(number, FoundLine(number + below, _text(row)))
            at = end + 1 if end >= 0 else len(self._lines)
            indent = max(indent, 0)


def _indent(row: bytes) -> int:
    return len(row) - len(row.lstrip())


def _opens(row: bytes, above: bytes) -> bool:
    """Whether a row opens a block, and is not the last of a run of rows alike."""
    closed = not above.strip(_RULES) or _indent(above) > _indent(row)
    return closed or row.rstrip().endswith((b":", b"{"))


def _text(row: bytes) -> str:
    return decode(row[: 4 * MOST_CHARACTERS]).rstrip()[:MOST_CHARACTERS]


def _line_around(lines: bytes, hit: int, at: int) -> tuple[int, int]:
    start = lines.rfind(b"\n", at, hit) + 1 or at
    end = lines.find(b"\n", hit)
    return start, len(lines) if end < 0 else end


def _same_place(lines: bytes, shown: bytes, done: int) -> int:
    """Where in `lines` the line begins that begins at `done` in what is shown of them."""
    if done == len(shown):
        return len(lines)
    place = 0
    for _ in range(shown.count(b"\n", 0, done)):
        place = lines.index(b"\n", place) + 1
    return place


def _slice(piece: bytes, judge: Judge) -> str:
    text = decode(piece)
    if len(text) <= MOST_CHARACTERS:
        return text.rstrip()
    match = judge.candidate.search(piece)
    hit = len(decode(piece[: match.start()])) if match else 0
    start = 0 if hit < MOST_CHARACTERS - 60 else hit - 60
    return text[start : start + MOST_CHARACTERS]
