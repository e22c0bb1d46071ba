"""Diffs: the files, lines added and removed, hunks; renamed, deleted and binary files named."""

from collections.abc import Iterator

from stubcli.detect.model import ByteSource, Scan, Value
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import HUNK
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode

NAME = "diff"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
_FILES = 400
# So many files have a line of their own; beyond, several stand on one.
_LINES = 24
_ROOM = 2000
_WIDE = 280
_NOTES = {
    b"new file mode": "new",
    b"deleted file mode": "deleted",
    b"rename to": "renamed",
    b"copy to": "copied",
    b"Binary files": "binary",
    b"GIT binary patch": "binary",
}


class ChangedFile(Value):
    """A file, the lines that it gained and lost, and whether it is new, deleted, renamed, …"""

    name: str
    added: int
    removed: int
    note: str = ""


class DiffFacts(FormFacts):
    """changed: the first of `files` files."""

    files: int = 0
    added: int = 0
    removed: int = 0
    hunks: int = 0
    changed: tuple[ChangedFile, ...] = ()


FACTS = DiffFacts


class _Patch:
    """A file so far."""

    def __init__(self, name: str) -> None:
        self.name, self.note, self.added, self.removed = name, "", 0, 0


class DiffReader:
    """Fed line by line. Inside a hunk the header's own counts say how many lines are content."""

    def __init__(self) -> None:
        self._files: list[_Patch] = []
        self.count = 0
        self.added = self.removed = self.hunks = 0
        self._old = self._new = 0
        self._current = _Patch("")

    def line(self, line: bytes) -> None:
        if self._old > 0 or self._new > 0:
            self._content(line)
        elif line.startswith((b"diff --git ", b"diff --cc ")):
            self._open(decode(line[10:]).rpartition(" b/")[2].strip())
        elif line.startswith(b"+++ ") and (not self._current.name or self._current.added):
            self._open(decode(line[4:]).split("\t")[0].removeprefix("b/"))
        elif line.startswith(b"@@"):
            hunk = HUNK.match(line)
            if hunk:
                self.hunks += 1
                self._old, self._new = int(hunk[1] or 1), int(hunk[2] or 1)
        else:
            for start, note in _NOTES.items():
                if line.startswith(start):
                    self._current.note = note

    def changed(self) -> tuple[ChangedFile, ...]:
        return tuple(
            ChangedFile(clip(one.name), one.added, one.removed, one.note) for one in self._files
        )

    def _open(self, name: str) -> None:
        self.count += 1
        self._current = _Patch(name)
        if len(self._files) < _FILES:
            self._files.append(self._current)

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


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = DiffReader()
    seen = reach(source, _LIMIT)
    for line in plain_lines(source, seen):
        found.line(line)
    facts = DiffFacts(
        seen, source.size, found.count, found.added, found.removed, found.hunks, found.changed()
    )
    return FormReading(facts)


def words(facts: DiffFacts) -> list[str]:
    many = f"{counted(facts.files, 'file')} changed, +{facts.added:,} −{facts.removed:,}"
    said = [f"{many}, {counted(facts.hunks, 'hunk')}", *limited(facts.seen, facts.size)]
    if len(facts.changed) <= _LINES:
        said += [f"  {clip(file.name, 120)} {_numbers(file)}" for file in facts.changed]
    else:
        said += _together(facts.changed)
    unnamed = facts.files - len(facts.changed)
    return [*said, f"  +{unnamed:,} more files"] if unnamed > 0 else said


def _numbers(file: ChangedFile) -> str:
    numbers = f"+{file.added:,} −{file.removed:,}"
    return f"{numbers} {file.note}" if file.note else numbers


def _together(files: tuple[ChangedFile, ...]) -> list[str]:
    """What is new, gone, moved or binary first; of the rest, what changed by as many lines is said
    together, largest change first.
    """
    noted = [file for file in files if file.note]
    said = [f"  {clip(file.name, 100)} {_numbers(file)}" for file in noted[:_LINES]]
    alike: dict[tuple[int, int], list[str]] = {}
    for file in files:
        if not file.note:
            alike.setdefault((file.added, file.removed), []).append(clip(file.name, 100))
    left = len(noted[_LINES:])
    room = _ROOM - sum(map(len, said))
    for (added, removed), names in sorted(alike.items(), key=lambda item: -sum(item[0])):
        each = " each" if len(names) > 1 else ""
        for line, count in _packed(f"  +{added:,} −{removed:,}{each}:", names):
            room -= len(line)
            if room < 0:
                left += count
            else:
                said.append(line)
    return [*said, f"  +{counted(left, 'more file')}"] if left else said


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
