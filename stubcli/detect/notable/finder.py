"""Finds the lines that decide: errors by severity and rarity, and the tools' own outcome lines.

Fed with whole lines in stream order, it keeps a bounded state whatever the stream holds. It
counts no bytes and knows no kind of output.
"""

import re
from typing import TYPE_CHECKING

from stubcli.detect.model import NotableLine
from stubcli.detect.notable.company import MOST_CHARACTERS, STAMP, Neighbours, Surroundings, is_own
from stubcli.detect.notable.judge import Judge, Judgement, is_running
from stubcli.detect.notable.patterns import EVENT, FATAL, LABEL, WARNING, WEAK, WORD
from stubcli.detect.notable.templates import (
    FoundLine,
    Templates,
    labelled,
    select,
)
from stubcli.detect.reading import displayed
from stubcli.text.characters import decode, encode

if TYPE_CHECKING:
    from re2 import _Regexp

# Python's work for one candidate is 10 to 20 µs; this bounds it to a second.
EXAMINED = 50_000
SEVERE_EXAMINED = 10_000

# A traceback of more lines is left to itself.
_TRACED = 400
_TRACEBACK = b"Traceback (most recent call last)"
_FINAL = re.compile(rb"[\w.$]{1,200}(?:: .*)?$")
_AROUND = 1600
_LONG = 10
# Times and numbers of processes that stand before what a line says.
_NUMBERED = re.compile(r"[\d:.,/+TZ-]+(?:\s+[\d:.,/+TZ-]+)+(?=\s)")
# Of fields in one line, those that say why, the most telling first; so much stands before them.
_FIELDS = ("stderr", "error", "reason", "cause", "msg", "message", "detail", "details")
_WHY = re.compile(rf'"({"|".join(_FIELDS)})": ?"((?:[^"\\]|\\.){{4,800}})')
_BEGINS = 40
# Of a line that is cut before its word of alarm, so much leads to that.
_LED = 60
_WORDS = (b"error", b"fail", b"warn")
_CAUSE = Judgement(FATAL, LABEL)


class Finder:
    """Takes lines by `feed` (examined one by one) or by `skim` (only the most severe)."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._templates = Templates()
        self._neighbours = Neighbours()
        self._surroundings = Surroundings()
        self._traced = 0
        self._frame: FoundLine | None = None
        self._frame_is_own = False
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
            line = STAMP.sub(b"", lines[at : min(end, at + _AROUND)].rstrip(b"\r"))
            framed = line.startswith((b"  ", b"\t"))
            self._traced = self._traced - 1 if framed else 0
            if framed:
                if line.startswith(b"  File "):
                    self._framed(line)
            elif _FINAL.match(line):
                self._ended(line)
            else:
                return at
            self.lines += end < len(lines)
            at = end + 1
        return min(at, len(lines))

    def _framed(self, line: bytes) -> None:
        """Keep the last frame of the application's own; of a stack that has none, the last."""
        own = is_own(line)
        if own or not self._frame_is_own:
            self._frame = FoundLine(self.lines + 1, _slice(line, self._judge))
            self._frame_is_own = own

    def _ended(self, line: bytes) -> None:
        found = FoundLine(self.lines + 1, _slice(line, self._judge))
        template = self._templates.add(line, found, _CAUSE, FATAL)
        if self._frame is not None:
            template.accompany(found.number, self._frame)
        self._frame, self._frame_is_own = None, False

    def _examine(self, lines: bytes, start: int, end: int, hit: int) -> None:
        low = start + (max(0, hit - _AROUND // 2) if end - start > _AROUND else 0)
        piece = lines[low : min(end, low + _AROUND)].rstrip()
        stamp = STAMP.match(piece)
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
            merging = not verdict.outcome and (rank <= WARNING or _is_long(rank, piece))
            template = self._templates.add(piece, found, verdict, rank, merging)
            if rank >= WEAK:
                self._neighbours.lead(template, found.number)
            if rank >= WARNING:
                self._surroundings.see(template, found.number, start, end)
        self._neighbours.add(found, verdict)

    def notable(self) -> tuple[NotableLine, ...]:
        return select(self._templates.all(), self.lines)

    def outcomes(self) -> tuple[NotableLine, ...]:
        """The lines by which tools say how it ended."""
        return select([one for one in self._templates.all() if one.outcome], self.lines)

    def beside(self, origin: int) -> tuple[NotableLine, ...]:
        """Of the lines that decide, those that may stand beside data, of that origin at least."""
        return select(labelled(self._templates.all(), origin), self.lines)


def _is_long(rank: int, line: bytes) -> bool:
    """Whether a line without a label is so long that a word or two do not tell it from another."""
    return rank == WEAK and len(line.split()) >= _LONG


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
    header = _NUMBERED.match(text)
    if header and len(text) - header.end() < MOST_CHARACTERS:
        return f"…{text[header.end() :]}".rstrip()
    said = _said(text)
    if said is not None and said.start() > _BEGINS:
        return f"{text[:_BEGINS]} … {_message(text, said, judge)}"[:MOST_CHARACTERS]
    match = judge.candidate.search(piece)
    hit = len(decode(piece[: match.start()])) if match else 0
    if hit < MOST_CHARACTERS - _LED:
        return text[:MOST_CHARACTERS]
    begun = text[:_BEGINS].rpartition(" ")[0] or text[:_BEGINS]
    start = hit - _LED
    start += text[start:hit].find(" ") + 1
    return f"{begun} … {text[start:]}"[:MOST_CHARACTERS]


def _said(text: str) -> re.Match[str] | None:
    """Of the fields that stand in a line, the one that says why."""
    found = {match[1]: match for match in reversed(list(_WHY.finditer(text)))}
    return next((found[name] for name in _FIELDS if name in found), None)


def _message(text: str, said: re.Match[str], judge: Judge) -> str:
    """The field from its name on; of a long one, what is alarming in it."""
    room = MOST_CHARACTERS - _BEGINS - 3
    value = text[said.start() :]
    if len(said[0]) <= room:
        return value
    whole = encode(said[2])
    hits = [match.start() for match in judge.candidate.finditer(whole)]
    fitting = [hit for hit in hits if len(whole) - hit <= room and hits[0]] or hits[:1]
    return decode(whole[fitting[0] :]) if fitting else value
