"""What git log writes: commits, authors, the span of dates."""

import re
from collections import Counter

from stubcli.synopsis.brief import counted, limited, listed
from stubcli.synopsis.model import Scan, Source
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

NAME = "git-log"
_LIMIT = 64 * 1024 * 1024
_COMMIT = re.compile(rb"commit [0-9a-f]{7,64}\b")
_STAT = re.compile(rb" (\S.{0,300}?)\s+\|\s+(\d{1,9}) [-+]*")
_AUTHORS = 2000


def holds(lines: list[bytes]) -> bool:
    commits = sum(1 for line in lines if _COMMIT.match(line))
    authors = sum(line.startswith(b"Author: ") for line in lines)
    return commits >= 2 and authors >= 2 and lines[0].startswith(b"commit ")


def describe(source: Source, scan: Scan) -> list[str]:
    commits, largest = 0, (0, 0, b"")
    authors: Counter[str] = Counter()
    dates: list[str] = []
    for number, line in enumerate(lines_of(source, _LIMIT), 1):
        if _COMMIT.match(line):
            commits += 1
        elif line.startswith(b"Author: "):
            name = decode(line[8:200]).split(" <")[0].strip()
            if len(authors) < _AUTHORS or name in authors:
                authors[name] += 1
        elif line.startswith((b"Date: ", b"AuthorDate: ")):
            dates = [*dates[:1], decode(line.split(b":", 1)[1][:60]).strip()]
        elif line.startswith(b" "):
            stat = _STAT.match(line[:400])
            if stat and int(stat[2]) > largest[0]:
                largest = (int(stat[2]), number, line.strip())
    told = [counted(commits, "commit")]
    if dates:
        told.append(f"dates: {dates[-1]} to {dates[0]} (last to first in the output)")
    ranked = sorted(authors.items(), key=lambda item: (-item[1], item[0]))
    told.append("authors: " + listed((f"{name} {n:,}" for name, n in ranked), len(ranked), 290, 60))
    if largest[0]:
        told.append(f"largest change: {decode(largest[2])[:150]} (line {largest[1]:,})")
    return told + list(limited(min(source.size, _LIMIT), source.size))
