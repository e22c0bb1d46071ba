"""Diffs: the files, lines added and removed, hunks; renamed, deleted and binary files named."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.detect.brief import clip, counted, limited
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source
from stubcli.text.decode import decode

NAME = "diff"
_LIMIT = 16 * 1024 * 1024
_FILES = 400
# So many files have a line of their own; beyond, several stand on one.
_LINES = 24
_ROOM = 2000
_WIDE = 280
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_NOTES = {
    b"new file mode": "new",
    b"deleted file mode": "deleted",
    b"rename to": "renamed",
    b"copy to": "copied",
    b"Binary files": "binary",
    b"GIT binary patch": "binary",
}


def holds(lines: list[bytes]) -> bool:
    hunks = sum(1 for line in lines if _HUNK.match(line))
    git = sum(line.startswith(b"diff --git ") for line in lines)
    files = sum(line.startswith((b"--- ", b"+++ ")) for line in lines)
    return bool((hunks and (files or git)) or git > 1)


@dataclass
class _File:
    name: str
    note: str = ""
    added: int = 0
    removed: int = 0


class Reading:
    """Inside a hunk the header's own counts say how many lines are content."""

    def __init__(self) -> None:
        self.files: list[_File] = []
        self.count = 0
        self.added = self.removed = self.hunks = 0
        self._old = self._new = 0
        self._current = _File("")

    def line(self, line: bytes) -> None:
        if self._old > 0 or self._new > 0:
            self._content(line)
        elif line.startswith((b"diff --git ", b"diff --cc ")):
            self._open(decode(line[10:]).rpartition(" b/")[2].strip())
        elif line.startswith(b"+++ ") and (not self._current.name or self._current.added):
            self._open(decode(line[4:]).split("\t")[0].removeprefix("b/"))
        elif line.startswith(b"@@"):
            hunk = _HUNK.match(line)
            if hunk:
                self.hunks += 1
                self._old, self._new = int(hunk[1] or 1), int(hunk[2] or 1)
        else:
            for start, note in _NOTES.items():
                if line.startswith(start):
                    self._current.note = note

    def _open(self, name: str) -> None:
        self.count += 1
        self._current = _File(name)
        if len(self.files) < _FILES:
            self.files.append(self._current)

    def _content(self, line: bytes) -> None:
        first = line[:1]
        if first == b"+":
            self._new -= 1
            self.added += 1
            self._current.added += 1
        elif first == b"-":
            self._old -= 1
            self.removed += 1
            self._current.removed += 1
        elif first != b"\\":
            self._old -= 1
            self._new -= 1


def describe(source: Source, scan: Scan) -> Described:
    reading = Reading()
    seen = reach(source, _LIMIT)
    for line in lines_of(source, seen):
        reading.line(line)
    many = f"{counted(reading.count, 'file')} changed, +{reading.added:,} −{reading.removed:,}"
    told = [f"{many}, {counted(reading.hunks, 'hunk')}"]
    told += limited(seen, source.size)
    if len(reading.files) <= _LINES:
        told += [f"  {clip(file.name, 120)} {_numbers(file)}" for file in reading.files]
    else:
        told += _together(reading.files)
    unnamed = reading.count - len(reading.files)
    return Described([*told, f"  +{unnamed:,} more files"] if unnamed > 0 else told)


def _numbers(file: _File) -> str:
    numbers = f"+{file.added:,} −{file.removed:,}"
    return f"{numbers} {file.note}" if file.note else numbers


def _together(files: list[_File]) -> list[str]:
    """What is new, gone, moved or binary first; of the rest, what changed by as many lines is told
    together, largest change first.
    """
    noted = [file for file in files if file.note]
    told = [f"  {clip(file.name, 100)} {_numbers(file)}" for file in noted[:_LINES]]
    alike: dict[tuple[int, int], list[str]] = {}
    for file in files:
        if not file.note:
            alike.setdefault((file.added, file.removed), []).append(clip(file.name, 100))
    left = len(noted[_LINES:])
    room = _ROOM - sum(map(len, told))
    for (added, removed), names in sorted(alike.items(), key=lambda item: -sum(item[0])):
        each = " each" if len(names) > 1 else ""
        for line, count in _packed(f"  +{added:,} −{removed:,}{each}:", names):
            room -= len(line)
            if room < 0:
                left += count
            else:
                told.append(line)
    return [*told, f"  +{counted(left, 'more file')}"] if left else told


def _packed(start: str, names: list[str]) -> Iterator[tuple[str, int]]:
    """The names as lines that begin alike, and how many of them each holds."""
    line, count = start, 0
    for name in names:
        if count and len(line) + len(name) > _WIDE:
            yield line, count
            line, count = start, 0
        line, count = f"{line} {name}", count + 1
    if count:
        yield line, count
