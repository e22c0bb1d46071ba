"""Listings of files, as ls -l, find or md5sum write them: entries by type, directories, the
largest file; paths by folder, with or without their checksums.
"""

import re
from collections import Counter

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.text.decode import decode

NAME = "listing"
_LIMIT = 12 * 1024 * 1024
_ENTRY = re.compile(
    rb"([-dlbcps])([-rwxsStT]{9})[.+@]?\s+\d+\s+\S+\s+\S+\s+(\d+)\s+(\S+\s+\S+(?:\s+[\d:]+)?)\s+(.*)"
)
_PATH = re.compile(rb"(?:\./|/|[\w.@-]+/)[^\s:]*$")
# A checksum before a name, as md5sum, sha256sum and their like write it, or behind it, as BSD does.
_SUM = re.compile(rb"\\?[0-9a-f]{32,128} [ *](?=\S)")
_SUM_BEHIND = re.compile(rb"[A-Z][A-Z0-9/-]{1,11} \((.+)\) = [0-9a-f]{32,128}$")
_TYPES = {b"-": "file", b"d": "directory", b"l": "link"}
_LARGEST = 3
_ODD = 8
_ODD_EACH = 2
_SORTS = 500


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    entries = sum(1 for line in lines if _ENTRY.match(line[:400]))
    if entries >= 0.5 * len(lines):
        return True
    return sum(1 for line in lines if _named_file(line[:400])) >= 0.9 * len(lines)


def is_entry(text: str) -> bool:
    """Whether the line only names a file: a file called error is none."""
    line = text.encode("utf-8", "surrogateescape")
    return bool(_ENTRY.match(line) or _named_file(line))


def _named_file(line: bytes) -> bytes:
    """The path that the line consists of, but for a checksum; empty where it says anything else."""
    # A name of one word or with spaces is no path anywhere else.
    checksum = _SUM.match(line)
    if checksum:
        return line[checksum.end() :]
    behind = _SUM_BEHIND.match(line) if line[:1].isupper() else None
    if behind:
        return behind[1]
    return line if _PATH.match(line) else b""


def describe(source: Source, scan: Scan) -> Described:
    counts: dict[str, int] = {}
    largest: list[tuple[int, int, str]] = []
    odd = _Odd()
    total, directory = 0, b""
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        entry = _ENTRY.match(line[:600])
        if not entry:
            if line.endswith(b":"):
                directory = line[:-1]
            continue
        name = _TYPES.get(entry[1], "other")
        counts[name] = counts.get(name, 0) + 1
        odd.see(number, line, entry)
        if entry[1] == b"-":
            size = int(entry[3][:30])
            total += size
            path = (directory + b"/" if directory else b"") + entry[5]
            largest = sorted([*largest, (-size, number, decode(path))])[:_LARGEST]
    if not counts:
        return _paths(source, scan)
    words = [
        counted(counts[name], name, "directories" if name == "directory" else "")
        for name in ("file", "directory", "link", "other")
        if name in counts
    ]
    told = [f"{', '.join(words)}; {total:,} bytes in files"]
    told += [
        f"  {-size:,} bytes: {clip(name, 150)} (line {number:,})" for size, number, name in largest
    ]
    told += limited(seen, source.size)
    found = {line.number: line for line in (*_named(scan), *odd.lines())}
    return Described(told, tuple(found[number] for number in sorted(found)), instead=True)


def _paths(source: Source, scan: Scan) -> Described:
    """Names of files one a line, as find and rsync write them; what is none stands out."""
    folders: Counter[str] = Counter()
    others: list[NotableLine] = []
    paths = rest = 0
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        path = _named_file(line[:1000])
        if path:
            paths += 1
            parts = path.lstrip(b"./").split(b"/")
            folder = decode(b"/".join(parts[: min(2, len(parts) - 1)]))
            if folder in folders or len(folders) < _SORTS:
                folders[folder] += 1
        elif line.strip():
            rest += 1
            if len(others) < _ODD:
                others.append(NotableLine(number, decode(line[:190])))
    told = [f"{counted(paths, 'path')}, {counted(rest, 'other line')}"]
    ranked = sorted(folders.items(), key=lambda item: (-item[1], item[0]))
    told.append(
        "folders: " + listed((f"{name}/ {n:,}" for name, n in ranked), len(ranked), 200, 60)
    )
    told += limited(seen, source.size)
    named = _named(scan)
    told_already = {line.number for line in named}
    others = [line for line in others if line.number not in told_already and rest <= _ODD]
    return Described(told, tuple(sorted((*named, *others), key=_number)), instead=True)


def _number(line: NotableLine) -> int:
    return line.number


def _named(scan: Scan) -> tuple[NotableLine, ...]:
    """What the scan found, but for lines that only name a file: one called error is none."""
    return tuple(line for line in scan.notable if not is_entry(line.text))


class _Odd:
    """Entries of a sort that few others are of: modes that let everyone write or lend rights,
    links, devices, owners.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, bytes], list[NotableLine]] = {}
        self._counts: dict[tuple[str, bytes], int] = {}
        self._total = 0

    def see(self, number: int, line: bytes, entry: re.Match[bytes]) -> None:
        self._total += 1
        mode = entry[2]
        sorts = [("owner", b" ".join(line[:200].split(None, 4)[2:4]))]
        if entry[1] not in b"-d":
            sorts.append(("type", entry[1]))
        if entry[1] != b"l":
            sorts += [("world", b"w")] if mode[7:8] == b"w" and mode[8:9] not in b"tT" else []
            sorts += [("rights", b"s")] if b"s" in mode or b"S" in mode else []
        for sort in sorts:
            count = self._counts.get(sort, 0)
            if count or len(self._counts) < _SORTS:
                self._counts[sort] = count + 1
                if count < _ODD_EACH:
                    text = decode(line[:190])
                    self._found.setdefault(sort, []).append(NotableLine(number, text))

    def lines(self) -> list[NotableLine]:
        few = max(2, self._total // 100)
        told: dict[int, NotableLine] = {}
        for sort, lines in self._found.items():
            always = sort[0] in ("world", "rights")
            if always or self._counts[sort] <= few:
                for line in lines:
                    told.setdefault(line.number, line)
        return [told[number] for number in sorted(told)][:_ODD]
