"""What programs write that search files for text: matches by file and by folder, texts that came
again and again. The words in a match are what was searched for, and alarm nobody.
"""

import re
from collections import Counter
from collections.abc import Iterable

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import LEVEL, STAMP
from stubcli.detect.text.match_lines import (
    COUNTED,
    COUNTS,
    HEADED,
    NEARBY,
    NUMBERED,
    NUMBERS,
    UNDER_PATH,
    UNNUMBERED,
    is_path,
    manner_of,
)
from stubcli.detect.text.paths import summed
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, listed
from stubcli.text.characters import decode

NAME = "matches"
_LIMIT = 24 * 1024 * 1024
_MOST = 20_000
_FILES = 40
_TEXTS = 6
_AGAIN = 3
_TEXT = 70
_OTHERS = 10
_LOGGED = 0.5
# What stands between the matches of two files or of two places.
BETWEEN = re.compile(rb"(?:--)?\s*$")


class MatchFacts(FormFacts):
    """matches: in so many files, with nearby lines of context. by_file, by_folder: the most
    first. unmatched: files with none, where counts are listed. texts: lines that came again.
    levels: of matches that are lines of a log. others: lines that are no match.
    """

    matches: int = 0
    files: int = 0
    nearby: int = 0
    by_file: tuple[tuple[str, int], ...] = ()
    by_folder: tuple[tuple[str, int], ...] = ()
    unmatched: int = 0
    texts: tuple[tuple[str, int], ...] = ()
    levels: tuple[tuple[str, int], ...] = ()
    others: int = 0


FACTS = MatchFacts


class _Hits:
    def __init__(self, manner: str) -> None:
        self._manner = manner
        self.files: Counter[bytes] = Counter()
        self.matches = self.nearby = self.unmatched = self.others = self.logged = 0
        self.texts: Counter[bytes] = Counter()
        self.levels: Counter[bytes] = Counter()
        self.notes: list[NotableLine] = []
        self._heading = b""

    def line(self, number: int, line: bytes) -> None:
        if BETWEEN.match(line):
            return
        if self._manner == NUMBERS:
            self._numbered(number, line)
        elif self._manner == HEADED:
            self._headed(number, line)
        elif self._manner == COUNTS:
            match = COUNTED.match(line)
            if match:
                self.unmatched += match[2] == b"0"
                self._hit(match[1], b"", int(match[2]))
            else:
                self._other(number, line)
        else:
            match = UNNUMBERED.match(line)
            if match and is_path(match[1]) and not line.startswith(b"Binary file "):
                self._hit(match[1], match[2])
            else:
                self._other(number, line)

    def _numbered(self, number: int, line: bytes) -> None:
        match = NUMBERED.match(line)
        if match and is_path(match[1]):
            self._hit(match[1], match[3])
            return
        match = NEARBY.match(line)
        if match and is_path(match[1]):
            self.nearby += 1
        else:
            self._other(number, line)

    def _headed(self, number: int, line: bytes) -> None:
        match = UNDER_PATH.match(line)
        if match and self._heading:
            if match[2] == b":":
                self._hit(self._heading, match[3])
            else:
                self.nearby += 1
        elif is_path(line.rstrip()):
            self._heading = line.rstrip()
        else:
            self._other(number, line)

    def _hit(self, path: bytes, text: bytes, times: int = 1) -> None:
        self.matches += times
        if times and (path in self.files or len(self.files) < _MOST):
            self.files[path] += times
        text = text.strip()[:400]
        if text and (text in self.texts or len(self.texts) < _MOST):
            self.texts[text] += 1
        if STAMP.match(text[:60]):
            self.logged += 1
            level = LEVEL.match(text[:200])
            if level:
                self.levels[level[1].upper()] += 1

    def _other(self, number: int, line: bytes) -> None:
        self.others += 1
        if len(self.notes) < _OTHERS:
            self.notes.append(NotableLine(number, decode(line[:190])))


def read(source: ByteSource, scan: Scan) -> FormReading:
    head = [line for line in plain_lines(source, 256 * 1024) if line.strip()]
    hits = _Hits(manner_of(head[:400]) or manner_of(head))
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        hits.line(number, line)
    logged = hits.logged >= _LOGGED * max(1, hits.matches)
    notes = hits.notes
    if hits.others > _OTHERS:
        notes = [hits.notes[0].replace(folded=hits.others - 1)]
    # Of what was found in a log, the level is no word that was searched for.
    found = {line.number: line for line in (*(scan.notable if logged else ()), *notes)}
    notable = tuple(found[number] for number in sorted(found))
    return FormReading(_facts(hits, seen, source.size), notable, instead=True)


def _facts(hits: _Hits, seen: int, size: int) -> MatchFacts:
    folders: Counter[bytes] = Counter()
    for path, times in hits.files.items():
        folder, slash, _ = path.rpartition(b"/")
        folders[folder + slash] += times
    by_folder = summed(folders) if len(folders) > 1 else []
    again = [(text, times) for text, times in hits.texts.items() if times >= _AGAIN]
    return MatchFacts(
        seen,
        size,
        hits.matches,
        len(hits.files),
        hits.nearby,
        _named(hits.files.items(), _FILES),
        tuple((clip(decode(name), 120), times) for name, times in by_folder),
        hits.unmatched,
        _named(again, _TEXTS),
        _named(hits.levels.items(), _TEXTS),
        hits.others,
    )


def _named(items: Iterable[tuple[bytes, int]], most: int) -> tuple[tuple[str, int], ...]:
    ranked = sorted(items, key=lambda item: (-item[1], item[0]))
    return tuple((clip(decode(name), 160), times) for name, times in ranked[:most])


def words(facts: MatchFacts) -> list[str]:
    within = f" in the first {facts.seen:,} of {facts.size:,} bytes"
    said = [
        f"{counted(facts.matches, 'match', 'matches')} in {counted(facts.files, 'file')}"
        + (within if facts.seen < facts.size else "")
        + (f", {counted(facts.unmatched, 'file')} without" if facts.unmatched else "")
        + (f", {counted(facts.nearby, 'line')} of context" if facts.nearby else "")
        + (f", {counted(facts.others, 'other line')}" if facts.others else "")
    ]
    files = [f"{name} {times:,}" for name, times in facts.by_file]
    said.append("by file: " + listed(files, facts.files, 290, 120))
    if facts.by_folder:
        folders = [f"{name or './'} {times:,}" for name, times in facts.by_folder]
        said.append("by folder: " + listed(folders, len(folders), 290, 100))
    if facts.levels:
        said.append("levels: " + ", ".join(f"{name} {times:,}" for name, times in facts.levels))
    if facts.texts:
        said.append("texts that came again:")
        said += [f"  {times:,} × …:{clip(text, _TEXT)}" for text, times in facts.texts]
    return said
