"""Diffs: the files, lines added and removed, hunks; renamed, deleted and binary files named."""

from collections.abc import Iterator

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.alike_changes import AlikeChange, AlikeChanges, alike_words
from stubcli.detect.text.changed_values import ChangedValue, ChangedValues
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import DIFFER, HUNK, NORMAL, ONLY, PART, opened_by, undressed
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "diff"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
_FILES = 400
_NAMES = 20_000
_ONLY = 12
_VALUES = 8
_ALIKE = 16
# So many files have a line of their own; beyond, several stand on one.
_LINES = 24
_ROOM = 2000
_WIDE = 280
_CONTENT = (" ", "+", "-", "<", ">", "!", "\t")
_NOTES = {
    b"new file mode": "new",
    b"deleted file mode": "deleted",
    b"rename to": "renamed",
    b"copy to": "copied",
    b"Binary files": "binary",
    b"GIT binary patch": "binary",
    b"new mode ": "mode changed",
}


class ChangedFile(Value):
    """A file, the lines that it gained and lost, and whether it is new, deleted, renamed, …"""

    name: str
    added: int
    removed: int
    note: str = ""


class DiffFacts(FormFacts):
    """changed: the first of `files` files. only: folders with how many names stand in them alone,
    the first of those named. values: of `value_count`, the constants that changed. alike: of
    `alike_count`, changes, where many come again, and those that do not first.
    """

    VERSION = 4
    files: int = 0
    added: int = 0
    removed: int = 0
    hunks: int = 0
    changed: tuple[ChangedFile, ...] = ()
    only: tuple[tuple[str, int, str], ...] = ()
    values: tuple[ChangedValue, ...] = ()
    value_count: int = 0
    alike: tuple[AlikeChange, ...] = ()
    alike_count: int = 0


FACTS = DiffFacts


class _Patch:
    """A file so far."""

    def __init__(self, name: str) -> None:
        self.name, self.note, self.added, self.removed = name, "", 0, 0


class DiffReader:
    """Fed line by line. Inside a hunk the header's own counts say how many lines are content."""

    def __init__(self) -> None:
        self._files: list[_Patch] = []
        self._names: set[str] = set()
        self.count = 0
        self.added = self.removed = self.hunks = 0
        self.only: dict[str, list[str]] = {}
        self.values = ChangedValues()
        self.alike = AlikeChanges()
        self._number = 0
        self._old = self._new = 0
        self._current = _Patch("")
        # Whether the file was named already by the line above its --- and +++.
        self._named = False
        self._context = False

    @property
    def distinct(self) -> int:
        """How many files the patches are of."""
        return len(self._names)

    def line(self, line: bytes) -> None:
        self._number += 1
        line = undressed(line)
        if self._old > 0 or self._new > 0:
            self._content(line)
        elif line.startswith((b"diff --git ", b"diff --cc ", b"diff -", b"Index: ")):
            self._open(opened_by(line))
            self._named = True
        elif line.startswith((b"+++ ", b"*** ")) and not line.endswith(b" ****"):
            self._context = line[:1] == b"*"
            if not self._named:
                self._open(decode(line[4:]).split("\t")[0].removeprefix("b/"))
            self._named = False
        else:
            self._between(line)

    def _between(self, line: bytes) -> None:
        """A line outside of a hunk: what opens one, what says how a file changed."""
        hunk = HUNK.match(line) if line.startswith(b"@@") else None
        if hunk:
            self.hunks += 1
            self._part()
            self._old, self._new = int(hunk[1] or 1), int(hunk[2] or 1)
        elif line.startswith((b"> ", b"< ")):
            self._changed(added=line[:1] == b">")
        elif NORMAL.match(line) or line.startswith(b"***************"):
            self.hunks += 1
        elif self._context and line[:2] in (b"! ", b"+ ", b"- "):
            self._changed(added=line[:1] == b"+" or (line[:1] == b"!" and self._after))
        elif line.startswith(b"--- ") and line.endswith(b" ----"):
            self._after = True
        elif line.startswith(b"*** ") and line.endswith(b" ****"):
            self._after = False
        else:
            self._noted(line)

    _after = False

    def _noted(self, line: bytes) -> None:
        alone = ONLY.match(line)
        if alone:
            self.only.setdefault(decode(alone[1]), []).append(decode(alone[2]))
            return
        differing = DIFFER.match(line)
        if differing:
            name = decode(differing[2])
            # Of git, a line above names the file already, of diff -r none does.
            if not self._named or not name.endswith(("/" + self._current.name, "/dev/null")):
                self._open(name)
            self._current.note = "binary" if line[:1] == b"B" else "differs"
            return
        part = PART.match(line)
        if part:
            self._open(decode(part[1]))
            return
        for start, note in _NOTES.items():
            if line.startswith(start):
                self._current.note = note

    def changed(self) -> tuple[ChangedFile, ...]:
        return tuple(
            ChangedFile(clip(one.name), one.added, one.removed, one.note) for one in self._files
        )

    def _open(self, name: str) -> None:
        self.count += 1
        self._context = False
        self._current = _Patch(name)
        if len(self._names) < _NAMES:
            self._names.add(name)
        if len(self._files) < _FILES:
            self._files.append(self._current)

    def _content(self, line: bytes) -> None:
        first = line[:1]
        if first == b"+":
            self._new -= 1
            self._changed(added=True)
            self.values.added(line[1:], self._number, self._current.name)
            self.alike.added(line[1:], self._number, self._current.name)
        elif first == b"-":
            self._old -= 1
            self._changed(added=False)
            self.values.removed(line[1:])
            self.alike.removed(line[1:], self._number, self._current.name)
        elif first != b"\\":
            self._part()
            self._old -= 1
            self._new -= 1

    def _part(self) -> None:
        """What changed before this line is another change than what follows."""
        self.values.end()
        self.alike.end()

    def _changed(self, *, added: bool) -> None:
        self.added += added
        self.removed += not added
        self._current.added += added
        self._current.removed += not added


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = DiffReader()
    seen = reach(source, _LIMIT)
    for line in plain_lines(source, seen):
        found.line(line)
    alike, alike_count = found.alike.told(_ALIKE)
    only = sorted(found.only.items(), key=lambda item: (-len(item[1]), item[0]))
    facts = DiffFacts(
        seen,
        source.size,
        found.count or 1,
        found.added,
        found.removed,
        found.hunks,
        found.changed(),
        tuple(
            (clip(folder), len(names), clip(", ".join(names[:_ONLY]), 200))
            for folder, names in only[:_LINES]
        ),
        found.values.rarest(_VALUES),
        found.values.count,
        alike,
        alike_count,
    )
    # Lines of a source that changed say nothing of what happened.
    kept = tuple(line for line in scan.notable if line.text[:1] not in _CONTENT)
    return FormReading(facts, kept, instead=True)


def words(facts: DiffFacts) -> list[str]:
    many = f"{counted(facts.files, 'file')} changed, {counted(facts.hunks, 'hunk')}"
    said = [f"{many}, +{facts.added:,} −{facts.removed:,} lines", *limited(facts.seen, facts.size)]
    said += [
        f"  only in {clip(folder, 80)}: {counted(number, 'name')}: {clip(names, 150)}"
        for folder, number, names in facts.only
    ]
    if facts.alike:
        said += alike_words(facts.alike, facts.alike_count)
    elif facts.values:
        some = facts.value_count > len(facts.values)
        first = f", {len(facts.values)} of them" if some else ""
        said.append(f"{counted(facts.value_count, 'changed value')}{first}:")
        said += [
            f"  {clip(one.file, 60)}, line {one.line:,}: {one.said} (was {one.old})"
            for one in facts.values
        ]
    if len(facts.changed) <= _LINES:
        largest = sorted(facts.changed, key=lambda file: -(file.added + file.removed))
        said += [f"  {clip(file.name, 120)} {_numbers(file)}" for file in largest]
    else:
        said += _together(facts.changed)
    unnamed = facts.files - len(facts.changed)
    return [*said, f"  +{unnamed:,} more files"] if unnamed > 0 else said


def _numbers(file: ChangedFile) -> str:
    numbers = f"+{file.added:,} −{file.removed:,}" if file.added or file.removed else ""
    return f"{numbers} {file.note}".strip()


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
