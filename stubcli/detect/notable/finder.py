"""Finds the lines that decide: errors by severity and rarity, and the tools' own outcome lines.

Fed with whole lines in stream order, it keeps a bounded state whatever the stream holds. It
counts no bytes and knows no kind of output.
"""

import re

from stubcli.detect.model import NotableLine
from stubcli.detect.notable.patterns import ERROR, FATAL, WARNING, WEAK, Judge, Judgement
from stubcli.detect.notable.templates import FoundLine, Template, Templates
from stubcli.text.characters import decode

MOST_CHARACTERS = 200
MOST_LINES = 12
# Lines that belong to one of those.
MOST_COMPANY = 6

_OUTCOME_LINES = 4
_WARNING_LINES = 3
# Where errors stand, warnings are background.
_WARNING_LINES_BESIDE_ERRORS = 2
# Python's work for one candidate is about 10 µs; this bounds it to half a second.
EXAMINED = 50_000
SEVERE_EXAMINED = 10_000

# A traceback of more lines is left to itself.
_TRACED = 400
_TRACEBACK = b"Traceback (most recent call last)"
_FINAL = re.compile(rb"[\w.$]{1,200}(?:: .*)?$")
_AROUND = 1600
_ANSI = re.compile(rb"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")
# What runs a command often writes the time before each line of it.
_STAMP = re.compile(rb"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]?")
_WORDS = (b"error", b"fail", b"warn")


class Finder:
    """Takes lines by `feed` (examined one by one) or by `skim` (only the most severe)."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._templates = Templates()
        self._neighbours = _Neighbours()
        self._traced = 0
        self._frame: FoundLine | None = None
        self.lines = 0
        self._examined = 0
        self._severe = 0
        self.unseen = 0

    def feed(self, lines: bytes, bounded: bool = True, feeds: int | None = None) -> int:
        """Examine whole lines until the bound is reached; the number of bytes that were.

        feeds: the LF bytes in `lines`, where they were counted already.
        """
        search = self._judge.candidate.search
        end_line = None if feeds is None else self.lines + feeds
        at = numbered = self._trace(lines, 0)
        match = search(lines, at) if at < len(lines) else None
        while match is not None:
            start, end = _line_around(lines, match.start(), at)
            self.lines += lines.count(b"\n", numbered, start)
            numbered = start
            if bounded and self._examined >= EXAMINED:
                return start
            self._examined += 1
            self._examine(lines[start:end], match.start() - start)
            at = end + 1
            if self._traced:
                self.lines += lines.count(b"\n", start, at)
                at = numbered = self._trace(lines, at)
            match = search(lines, at) if at < len(lines) else None
        self.lines = self.lines + lines.count(b"\n", numbered) if end_line is None else end_line
        return len(lines)

    def skim(self, lines: bytes) -> None:
        """Look for the most severe in whole lines; of the rest, count the words of alarm."""
        at = numbered = self._trace(lines, 0)
        while self._severe < SEVERE_EXAMINED and at < len(lines):
            match = self._judge.severe.search(lines, at)
            if match is None:
                break
            start, end = _line_around(lines, match.start(), at)
            self.lines += lines.count(b"\n", numbered, start)
            numbered = start
            self._severe += 1
            self._examine(lines[start:end], match.start() - start)
            at = end + 1
            if self._traced:
                self.lines += lines.count(b"\n", start, at)
                at = numbered = self._trace(lines, at)
        self.lines += lines.count(b"\n", numbered)
        lower = lines.lower()
        self.unseen += sum(lower.count(word) for word in _WORDS)

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
        template = self._templates.add(line, found, FATAL, False)
        if self._frame is not None:
            template.accompany(found.number, self._frame)
        self._frame = None

    def _examine(self, line: bytes, hit: int) -> None:
        low = max(0, hit - _AROUND // 2) if len(line) > _AROUND else 0
        piece = line[low : low + _AROUND]
        # Progress redraws one line with CR: what is shown is the part that holds the match.
        piece = _segment(piece.rstrip(b"\r"), hit - low)
        if b"\x1b" in piece:
            piece = _ANSI.sub(b"", piece)
        bare = _STAMP.sub(b"", piece.strip())
        if bare.startswith(_TRACEBACK):
            self._traced = _TRACED
            return
        verdict = self._judge.verdict(bare.strip())
        if not verdict.rank and not verdict.outcome and not (verdict.before or verdict.after):
            return
        found = FoundLine(self.lines + 1, _slice(piece, self._judge))
        rank = verdict.rank
        if verdict.foreign and not self._neighbours.precede(found.number):
            rank = WEAK
        if rank or verdict.outcome:
            merging = rank <= WARNING and not verdict.outcome
            template = self._templates.add(piece, found, rank, verdict.outcome, merging)
            if rank >= WEAK:
                self._neighbours.lead(template, found.number)
        self._neighbours.add(found, verdict)

    def notable(self) -> tuple[NotableLine, ...]:
        templates = self._templates.all()
        if not templates:
            return ()

        return select(templates)


class _Neighbours:
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


def _line_around(lines: bytes, hit: int, at: int) -> tuple[int, int]:
    start = lines.rfind(b"\n", at, hit) + 1 or at
    end = lines.find(b"\n", hit)
    return start, len(lines) if end < 0 else end


def _segment(piece: bytes, hit: int) -> bytes:
    if b"\r" not in piece:
        return piece
    start = piece.rfind(b"\r", 0, max(0, hit)) + 1
    end = piece.find(b"\r", max(0, hit))
    return piece[start:] if end < 0 else piece[start:end]


def _slice(piece: bytes, judge: Judge) -> str:
    text = decode(piece)
    if len(text) <= MOST_CHARACTERS:
        return text.rstrip()
    match = judge.candidate.search(piece)
    hit = len(decode(piece[: match.start()])) if match else 0
    start = 0 if hit < MOST_CHARACTERS - 60 else hit - 60
    return text[start : start + MOST_CHARACTERS]


def select(templates: list[Template]) -> tuple[NotableLine, ...]:
    """Outcomes first in right, then by severity, rarity and place."""
    chosen = _Chosen()
    outcomes = sorted((t for t in templates if t.outcome), key=lambda t: -t.last.number)
    for template in outcomes[:_OUTCOME_LINES]:
        chosen.add(template.last, template)
    ranked = sorted(
        (t for t in templates if t.rank >= WEAK - 1),
        key=lambda t: (-t.rank, t.count, t.first.number),
    )
    grave = [t for t in ranked if t.rank >= WEAK]
    errors = any(t.rank >= ERROR for t in grave)
    most = _WARNING_LINES_BESIDE_ERRORS if errors else _WARNING_LINES
    warnings = [t for t in ranked if t.rank < WEAK][:most]
    for template in grave + warnings:
        chosen.add(template.first, template)
    for template in grave:
        # A small group is shown in full; of a large one, how it ended.
        if template.count <= len(template.kept) + 1 and template.rank >= ERROR:
            for found in template.kept[1:]:
                chosen.add(found, template)
        if template.count > 1:
            chosen.add(template.last, template)
    for template in warnings:
        if template.count > 1 and not errors:
            chosen.add(template.last, template)
    return chosen.lines()


class _Chosen:
    def __init__(self) -> None:
        self._lines: dict[int, tuple[FoundLine, Template | None]] = {}
        self._mains = self._company = 0

    def add(self, found: FoundLine, template: Template) -> None:
        if found.number in self._lines or self._mains >= MOST_LINES:
            return
        self._mains += 1
        self._lines[found.number] = (found, template)
        for other in template.company.get(found.number, ()):
            if other.number not in self._lines and self._company < MOST_COMPANY:
                self._company += 1
                self._lines[other.number] = (other, None)

    def lines(self) -> tuple[NotableLine, ...]:
        listed: dict[int, int] = {}
        for _, template in self._lines.values():
            listed[id(template)] = listed.get(id(template), 0) + 1
        found_lines = []
        for number, (found, template) in sorted(self._lines.items()):
            folded = rank = 0
            if template is not None:
                rank = template.rank
                # What is not listed is counted once, with the first that is.
                folded = template.count - listed.pop(id(template), template.count)
            found_lines.append(NotableLine(number, found.text, folded, rank))
        return tuple(found_lines)
