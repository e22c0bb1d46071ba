"""What git log writes: commits, authors, the span of dates."""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.forms.diff import DiffReader
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import COMMIT, ungraphed
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "git-log"
QUOTES = True
_LIMIT = 24 * 1024 * 1024
_STAT = re.compile(rb" (\S.{0,300}?)\s+\|\s+(\d{1,9}) [-+]*")
_AUTHORS = 2000
# Subjects that tell more than that something was done.
SUBJECT = re.compile(
    rb"    (?:Revert\b|Reapply\b|Merge (?:branch|pull|tag|remote|commit)|Release\b|hotfix\b|"
    rb"\w+(?:\([^)]*\))?!: |v?\d+\.\d+\.\d+\b)",
    re.IGNORECASE,
)
_TAGGED = re.compile(rb"commit [0-9a-f]{7,64} .*\btag: ([^,)\s]+)")
_NOTED = 8
_SHOWN = 60
_SUBJECTS = 24


class HistoryFacts(FormFacts):
    """dates: of the last and of the first commit in the output. authors: the most frequent, of
    author_count. patches: of so many files. subjects: the
    first of the commits. tags: the first, of tag_count. largest: the change of
    most lines as it stands in line largest_line; 0 where there is none.
    """

    commits: int = 0
    merges: int = 0
    reverts: int = 0
    dates: tuple[str, ...] = ()
    authors: tuple[tuple[str, int], ...] = ()
    author_count: int = 0
    patches: int = 0
    files: int = 0
    subjects: tuple[Heading, ...] = ()
    added: int = 0
    removed: int = 0
    tags: tuple[str, ...] = ()
    tag_count: int = 0
    largest: str = ""
    largest_line: int = 0


FACTS = HistoryFacts


class _HistoryWalk:
    """One pass over the lines."""

    def __init__(self) -> None:
        self.commits = self.merges = self.reverts = 0
        self.authors: Counter[str] = Counter()
        self.dates: list[str] = []
        self.noted: list[NotableLine] = []
        self.subjects: list[Heading] = []
        self._expecting = False
        self.tags: list[str] = []
        self.patches = DiffReader()
        self.largest = (0, 0, b"")

    def line(self, number: int, line: bytes) -> None:
        if self.patches.count or line.startswith(b"diff --"):
            self.patches.line(line)
        if line.startswith(b"commit ") and COMMIT.match(line):
            self.commits += 1
            self._expecting = True
            tagged = _TAGGED.match(line[:400])
            self.tags += [decode(tagged[1])] if tagged else []
        elif line.startswith(b"Author: "):
            name = decode(line[8:200]).split(" <")[0].strip()
            if len(self.authors) < _AUTHORS or name in self.authors:
                self.authors[name] += 1
        elif line.startswith((b"Date: ", b"AuthorDate: ")):
            date = decode(line.split(b":", 1)[1][:60]).strip()
            self.dates = [*self.dates[:1], date]
        elif line.startswith(b"Merge: "):
            self.merges += 1
        elif line.startswith(b"    "):
            self._subject(number, line)
        elif line.startswith(b" ") and b"|" in line:
            stat = _STAT.match(line[:400])
            if stat and int(stat[2]) > self.largest[0]:
                self.largest = (int(stat[2]), number, line.strip())

    def _subject(self, number: int, line: bytes) -> None:
        """Keep the first line of a message; of those that tell more, a revert before others."""
        listed = False
        if self._expecting and line.strip():
            self._expecting = False
            if listed := len(self.subjects) < _SUBJECTS:
                self.subjects.append(Heading(number, clip(decode(line[:300]).strip(), 120)))
        revert = line[4:10].lower() == b"revert"
        if not SUBJECT.match(line) or (listed and not revert):
            return
        self.reverts += revert
        self.noted.append(NotableLine(number, decode(line[:180]), 0, int(revert)))
        if len(self.noted) > _NOTED:
            self.noted.remove(min(self.noted, key=lambda one: (one.rank, -one.number)))


def read(source: ByteSource, scan: Scan) -> FormReading:
    walk = _HistoryWalk()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        walk.line(number, ungraphed(line))
    ranked = sorted(walk.authors.items(), key=lambda item: (-item[1], item[0]))
    _, largest_line, largest = walk.largest
    facts = HistoryFacts(
        seen=seen,
        size=source.size,
        commits=walk.commits,
        merges=walk.merges,
        reverts=walk.reverts,
        dates=tuple(reversed(walk.dates)),
        authors=tuple(ranked[:_SHOWN]),
        author_count=len(ranked),
        patches=walk.patches.count,
        files=walk.patches.distinct,
        subjects=tuple(walk.subjects),
        added=walk.patches.added,
        removed=walk.patches.removed,
        tags=tuple(map(clip, walk.tags[:_SHOWN])),
        tag_count=len(walk.tags),
        largest=decode(largest)[:150],
        largest_line=largest_line,
    )
    return FormReading(facts, tuple(walk.noted), instead=True)


def words(facts: HistoryFacts) -> list[str]:
    counts = [counted(facts.commits, "commit")]
    counts += [counted(facts.merges, "merge")] if facts.merges else []
    counts += [counted(facts.reverts, "revert")] if facts.reverts else []
    said = [", ".join(counts)]
    if facts.dates:
        span = f"{facts.dates[0]} to {facts.dates[-1]}"
        said.append(f"dates: {span} (last to first in the output)")
    authors = (f"{name} {number:,}" for name, number in facts.authors)
    said.append("authors: " + listed(authors, facts.author_count, 290, 60))
    if facts.patches:
        patches = counted(facts.patches, "patch", "patches")
        many = f"{counted(facts.files, 'file')} in {patches}"
        said.append(f"{many}, +{facts.added:,} −{facts.removed:,}")
    if facts.tags:
        said.append("tags: " + listed(facts.tags, facts.tag_count, 200, 40))
    if facts.largest_line:
        said.append(f"largest change: {facts.largest} (line {facts.largest_line:,})")
    said += limited(facts.seen, facts.size)
    shown = len(facts.subjects)
    said.append(f"subjects, the first {shown:,}:" if shown < facts.commits else "subjects:")
    return said + [f"  {one.line:,}: {clip(one.text, 100)}" for one in facts.subjects]
