"""Diffs: the files, lines added and removed, hunks; renamed, deleted and binary files named."""

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.alike_changes import AlikeChange, AlikeChanges, alike_words
from stubcli.detect.text.changed_files import ChangedFile, file_lines
from stubcli.detect.text.changed_values import ChangedValue, ChangedValues
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import DIFFER, HUNK, NORMAL, ONLY, PART, opened_by, undressed
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode

NAME = "diff"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
_FILES = 400
_NAMES = 20_000
_ONLY = 12
_VALUES = 8
_ALIKE = 16
_LINES = 24
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


class Patch:
    """A file so far."""

    def __init__(self, name: str) -> None:
        self.name, self.note = name, ""
        self.added = self.removed = self.hunks = 0


class DiffReader:
    """Fed line by line. Inside a hunk the header's own counts say how many lines are content."""

    def __init__(self) -> None:
        self._files: list[Patch] = []
        self._names: set[str] = set()
        self.count = 0
        self.added = self.removed = self.hunks = 0
        self.only: dict[str, list[str]] = {}
        self.values = ChangedValues()
        self.alike = AlikeChanges()
        self._number = 0
        self._old = self._new = 0
        self.current = Patch("")
        # Whether the file was named already by the line above its --- and +++.
        self._named = False
        self._context = False

    @property
    def distinct(self) -> int:
        """How many files the patches are of."""
        return len(self._names)

    @property
    def between(self) -> bool:
        """Whether the next line is outside of a hunk."""
        return self._old <= 0 and self._new <= 0

    def line(self, line: bytes) -> None:
        self._number += 1
        line = undressed(line)
        if not self.between:
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
            self._opened_hunk()
            self._part()
            self._old, self._new = int(hunk[1] or 1), int(hunk[2] or 1)
        elif line.startswith((b"> ", b"< ")):
            self._changed(added=line[:1] == b">")
        elif NORMAL.match(line) or line.startswith(b"***************"):
            self._opened_hunk()
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
            if not self._named or not name.endswith(("/" + self.current.name, "/dev/null")):
                self._open(name)
            self.current.note = "binary" if line[:1] == b"B" else "differs"
            return
        part = PART.match(line)
        if part:
            self._open(decode(part[1]))
            return
        for start, note in _NOTES.items():
            if line.startswith(start):
                self.current.note = note

    def changed(self) -> tuple[ChangedFile, ...]:
        return tuple(
            ChangedFile(clip(one.name), one.added, one.removed, one.note) for one in self._files
        )

    def _open(self, name: str) -> None:
        self.count += 1
        self._context = False
        self.current = Patch(name)
        if len(self._names) < _NAMES:
            self._names.add(name)
        if len(self._files) < _FILES:
            self._files.append(self.current)

    def _opened_hunk(self) -> None:
        self.hunks += 1
        self.current.hunks += 1

    def _content(self, line: bytes) -> None:
        first = line[:1]
        if first == b"+":
            self._new -= 1
            self._changed(added=True)
            self.values.added(line[1:], self._number, self.current.name)
            self.alike.added(line[1:], self._number, self.current.name)
        elif first == b"-":
            self._old -= 1
            self._changed(added=False)
            self.values.removed(line[1:])
            self.alike.removed(line[1:], self._number, self.current.name)
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
        self.current.added += added
        self.current.removed += not added


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
    said += file_lines(facts.changed)
    unnamed = facts.files - len(facts.changed)
    return [*said, f"  +{unnamed:,} more files"] if unnamed > 0 else said
