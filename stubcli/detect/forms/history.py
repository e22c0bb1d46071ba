"""What git log writes: commits, authors, the span of dates."""

import re
from collections import Counter

from stubcli.detect.brief import counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.diff import Reading
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.text.decode import decode

NAME = "git-log"
_LIMIT = 24 * 1024 * 1024
_COMMIT = re.compile(rb"commit [0-9a-f]{7,64}\b")
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


def holds(lines: list[bytes]) -> bool:
    commits = sum(1 for line in lines if _COMMIT.match(line))
    authors = sum(line.startswith(b"Author: ") for line in lines)
    return commits >= 2 and authors >= 2 and lines[0].startswith(b"commit ")


def describe(source: Source, scan: Scan) -> Described:
    commits, largest = 0, (0, 0, b"")
    authors: Counter[str] = Counter()
    dates: list[str] = []
    noted: list[NotableLine] = []
    tags: list[str] = []
    reverts = merges = 0
    patches = Reading()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        if patches.count or line.startswith(b"diff --"):
            patches.line(line)
        if line.startswith(b"commit ") and _COMMIT.match(line):
            commits += 1
            tagged = _TAGGED.match(line[:400])
            if tagged:
                tags.append(decode(tagged[1]))
        elif line.startswith(b"Author: "):
            name = decode(line[8:200]).split(" <")[0].strip()
            if len(authors) < _AUTHORS or name in authors:
                authors[name] += 1
        elif line.startswith((b"Date: ", b"AuthorDate: ")):
            dates = [*dates[:1], decode(line.split(b":", 1)[1][:60]).strip()]
        elif line.startswith(b"Merge: "):
            merges += 1
        elif line.startswith(b"    "):
            if SUBJECT.match(line):
                revert = line[4:10].lower() == b"revert"
                reverts += revert
                noted = _kept(noted, NotableLine(number, decode(line[:180]), 0, revert))
        elif line.startswith(b" ") and b"|" in line:
            stat = _STAT.match(line[:400])
            if stat and int(stat[2]) > largest[0]:
                largest = (int(stat[2]), number, line.strip())
    words = [counted(commits, "commit"), *([counted(merges, "merge")] if merges else [])]
    told = [", ".join([*words, *([counted(reverts, "revert")] if reverts else [])])]
    if dates:
        told.append(f"dates: {dates[-1]} to {dates[0]} (last to first in the output)")
    ranked = sorted(authors.items(), key=lambda item: (-item[1], item[0]))
    told.append("authors: " + listed((f"{name} {n:,}" for name, n in ranked), len(ranked), 290, 60))
    if patches.count:
        many = f"{counted(patches.count, 'file')} in patches"
        told.append(f"{many}, +{patches.added:,} −{patches.removed:,}")
    if tags:
        told.append("tags: " + listed(tags, len(tags), 200, 40))
    if largest[0]:
        told.append(f"largest change: {decode(largest[2])[:150]} (line {largest[1]:,})")
    told += limited(seen, source.size)
    return Described(told, tuple(noted), instead=True)


def _kept(noted: list[NotableLine], line: NotableLine) -> list[NotableLine]:
    """The first so many, a revert before what is none."""
    noted = [*noted, line]
    if len(noted) > _NOTED:
        least = min(noted, key=lambda one: (one.rank, -one.number))
        noted.remove(least)
    return noted
