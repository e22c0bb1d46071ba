"""Finds the lines that decide: errors by severity and rarity, and the tools' own outcome lines.

Fed with whole lines in stream order, it keeps a bounded state whatever the stream holds. It
counts no bytes and knows no kind of output.
"""

import re

from stubcli.synopsis.model import NotableLine
from stubcli.synopsis.patterns import WEAK, Judge
from stubcli.synopsis.templates import Found, Template, Templates
from stubcli.text.decode import decode

MOST_LINES = 12
MOST_CHARACTERS = 200
# Python's work for one candidate is about 10 µs; this bounds it to half a second.
EXAMINED = 50_000
SEVERE_EXAMINED = 10_000

_OUTCOME_LINES = 4
_WARNING_LINES = 4
_AROUND = 1600
_ANSI = re.compile(rb"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")
# What runs a command often writes the time before each line of it.
_STAMP = re.compile(rb"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s+")
_WORDS = (b"error", b"fail", b"warn")


class Finder:
    """Takes lines by `feed` (examined one by one) or by `skim` (only the most severe)."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._templates = Templates()
        self.lines = 0
        self._examined = 0
        self._severe = 0
        self.unseen = 0

    def feed(self, lines: bytes, bounded: bool = True, feeds: int | None = None) -> int:
        """Examine whole lines until the bound is reached; the number of bytes that were.

        feeds: the LF bytes in `lines`, where they were counted already.
        """
        search = self._judge.candidate.search
        at, numbered, match = 0, 0, search(lines)
        end_line = None if feeds is None else self.lines + feeds
        while match is not None:
            start, end = _line_around(lines, match.start(), at)
            self.lines += lines.count(b"\n", numbered, start)
            numbered = start
            if bounded and self._examined >= EXAMINED:
                return start
            self._examined += 1
            self._examine(lines[start:end], match.start() - start)
            at = end + 1
            match = search(lines, at) if at < len(lines) else None
        self.lines = self.lines + lines.count(b"\n", numbered) if end_line is None else end_line
        return len(lines)

    def skim(self, lines: bytes) -> None:
        """Look for the most severe in whole lines; of the rest, count the words of alarm."""
        at, numbered = 0, 0
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
        self.lines += lines.count(b"\n", numbered)
        lower = lines.lower()
        self.unseen += sum(lower.count(word) for word in _WORDS)

    def _examine(self, line: bytes, hit: int) -> None:
        low = max(0, hit - _AROUND // 2) if len(line) > _AROUND else 0
        piece = line[low : low + _AROUND]
        # Progress redraws one line with CR: what is shown is the part that holds the match.
        piece = _segment(piece.rstrip(b"\r"), hit - low)
        if b"\x1b" in piece:
            piece = _ANSI.sub(b"", piece)
        rank, outcome = self._judge.rank(_STAMP.sub(b"", piece.strip()))
        if not rank and not outcome:
            return
        found = Found(self.lines + 1, _slice(piece, self._judge))
        self._templates.add(piece, found, rank, outcome)

    def notable(self) -> tuple[NotableLine, ...]:
        return select(self._templates.all())


def select(templates: list[Template]) -> tuple[NotableLine, ...]:
    """The lines worth a place, in line order: outcomes first in right, then by severity."""
    outcomes = sorted((t for t in templates if t.outcome), key=lambda t: -t.last.number)
    ranked = sorted(
        (t for t in templates if t.rank >= WEAK - 1),
        key=lambda t: (-t.rank, t.count, t.first.number),
    )
    chosen: dict[int, tuple[Found, int]] = {}
    for template in outcomes[:_OUTCOME_LINES]:
        _choose(chosen, template.last, template.rank)
    warnings = 0
    for last in (False, True):
        for template in ranked:
            warnings += template.rank < WEAK
            if len(chosen) >= MOST_LINES or (template.rank < WEAK and warnings > _WARNING_LINES):
                break
            if last and template.count > 1:
                _choose(chosen, template.last, template.rank)
            elif not last:
                _choose(chosen, template.first, template.rank)
    return _folded(chosen, templates)


def _choose(chosen: dict[int, tuple[Found, int]], found: Found, rank: int) -> None:
    if found.number not in chosen and len(chosen) < MOST_LINES:
        chosen[found.number] = (found, rank)


def _folded(
    chosen: dict[int, tuple[Found, int]], templates: list[Template]
) -> tuple[NotableLine, ...]:
    more: dict[int, int] = {}
    for template in templates:
        listed = {n for n in (template.first.number, template.last.number) if n in chosen}
        if listed:
            more[min(listed)] = template.count - len(listed)
    return tuple(
        NotableLine(number, found.text, more.get(number, 0), rank)
        for number, (found, rank) in sorted(chosen.items())
    )


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
