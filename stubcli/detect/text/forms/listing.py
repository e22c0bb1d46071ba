"""Listings of files, as ls -l, find or md5sum write them: entries by type, directories, the
largest file; paths by folder, with or without their checksums.
"""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan, Value
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import ENTRY, named_file
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "listing"
_LIMIT = 12 * 1024 * 1024
_TYPES = {b"-": "file", b"d": "directory", b"l": "link"}
_LARGEST = 3
_FOLDERS = 40
_ODD = 8
_ODD_EACH = 2
_SORTS = 500


class SizedFile(Value):
    path: str
    size: int
    line: int


class ListingFacts(FormFacts):
    """types: file, directory, link and other with their entries; empty where only paths are
    listed: so many of them, by folder, and lines that are none. total: bytes in files.
    """

    types: tuple[tuple[str, int], ...] = ()
    total: int = 0
    largest: tuple[SizedFile, ...] = ()
    paths: int = 0
    others: int = 0
    folders: tuple[tuple[str, int], ...] = ()
    folder_count: int = 0


FACTS = ListingFacts


def is_entry(text: str) -> bool:
    """Whether the line only names a file: a file called error is none."""
    line = text.encode("utf-8", "surrogateescape")
    return bool(ENTRY.match(line) or named_file(line))


def read(source: ByteSource, scan: Scan) -> FormReading:
    counts: dict[str, int] = {}
    largest: list[tuple[int, int, str]] = []
    odd = _Odd()
    total, directory = 0, b""
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        entry = ENTRY.match(line[:600])
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
    facts = ListingFacts(
        seen,
        source.size,
        tuple((name, counts[name]) for name in (*_TYPES.values(), "other") if name in counts),
        total,
        tuple(SizedFile(clip(path), -size, number) for size, number, path in largest),
    )
    found = {line.number: line for line in (*_messages(scan), *odd.lines())}
    return FormReading(facts, tuple(found[number] for number in sorted(found)), instead=True)


def _paths(source: ByteSource, scan: Scan) -> FormReading:
    """Names of files one a line, as find and rsync write them; what is none stands out."""
    folders: Counter[str] = Counter()
    others: list[NotableLine] = []
    paths = rest = 0
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        path = named_file(line[:1000])
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
    ranked = sorted(folders.items(), key=lambda item: (-item[1], item[0]))
    facts = ListingFacts(
        seen=seen,
        size=source.size,
        paths=paths,
        others=rest,
        folders=tuple((clip(name), number) for name, number in ranked[:_FOLDERS]),
        folder_count=len(ranked),
    )
    messages = _messages(scan)
    already = {line.number for line in messages}
    others = [line for line in others if line.number not in already and rest <= _ODD]
    shown = sorted((*messages, *others), key=lambda line: line.number)
    return FormReading(facts, tuple(shown), instead=True)


def words(facts: ListingFacts) -> list[str]:
    if not facts.types:
        folders = (f"{name}/ {number:,}" for name, number in facts.folders)
        return [
            f"{counted(facts.paths, 'path')}, {counted(facts.others, 'other line')}",
            "folders: " + listed(folders, facts.folder_count, 200, 60),
            *limited(facts.seen, facts.size),
        ]
    types = (
        counted(number, name, "directories" if name == "directory" else "")
        for name, number in facts.types
    )
    return [
        f"{', '.join(types)}; {facts.total:,} bytes in files",
        *(
            f"  {one.size:,} bytes: {clip(one.path, 150)} (line {one.line:,})"
            for one in facts.largest
        ),
        *limited(facts.seen, facts.size),
    ]


def _messages(scan: Scan) -> tuple[NotableLine, ...]:
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
        shown: dict[int, NotableLine] = {}
        for sort, lines in self._found.items():
            always = sort[0] in ("world", "rights")
            if always or self._counts[sort] <= few:
                for line in lines:
                    shown.setdefault(line.number, line)
        return [shown[number] for number in sorted(shown)][:_ODD]
