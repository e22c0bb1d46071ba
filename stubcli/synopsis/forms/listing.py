"""Listings of files, as ls -l writes them: entries by type, directories, the largest file."""

import re

from stubcli.synopsis.brief import clip, counted, limited
from stubcli.synopsis.model import Scan, Source
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

NAME = "listing"
_LIMIT = 32 * 1024 * 1024
_ENTRY = re.compile(
    rb"([-dlbcps])[-rwxsStT]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(\d+)\s+(\S+\s+\S+(?:\s+[\d:]+)?)\s+(.*)"
)
_PATH = re.compile(rb"(?:\./|/|[\w.@-]+/)[^\s:]*$")
_TYPES = {b"-": "file", b"d": "directory", b"l": "link"}
_LARGEST = 3


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    entries = sum(1 for line in lines if _ENTRY.match(line[:400]))
    if entries >= 0.5 * len(lines):
        return True
    return sum(1 for line in lines if _PATH.match(line[:400])) >= 0.9 * len(lines)


def is_entry(text: str) -> bool:
    """Whether the line only names a file: a file called error is none."""
    line = text.encode("utf-8", "surrogateescape")
    return bool(_ENTRY.match(line) or _PATH.match(line))


def describe(source: Source, scan: Scan) -> list[str]:
    counts: dict[str, int] = {}
    largest: list[tuple[int, int, str]] = []
    total, directory = 0, b""
    for number, line in enumerate(lines_of(source, _LIMIT), 1):
        entry = _ENTRY.match(line[:600])
        if not entry:
            if line.endswith(b":"):
                directory = line[:-1]
            continue
        name = _TYPES.get(entry[1], "other")
        counts[name] = counts.get(name, 0) + 1
        if entry[1] == b"-":
            size = int(entry[2][:30])
            total += size
            path = (directory + b"/" if directory else b"") + entry[4]
            largest = sorted([*largest, (-size, number, decode(path))])[:_LARGEST]
    if not counts:
        return [f"{counted(scan.lines, 'path')}"]
    words = [
        counted(counts[name], name, "directories" if name == "directory" else "")
        for name in ("file", "directory", "link", "other")
        if name in counts
    ]
    told = [f"{', '.join(words)}; {total:,} bytes in files"]
    told += [
        f"  {-size:,} bytes: {clip(name, 150)} (line {number:,})" for size, number, name in largest
    ]
    return told + list(limited(min(source.size, _LIMIT), source.size))
