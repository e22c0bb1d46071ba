"""What git status writes: its groups counted, with the files of small ones named."""

from collections import Counter
from dataclasses import dataclass, field

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import STATUS_ENTRY, STATUS_HEADING, STATUS_SHORT
from stubcli.detect.words import clip, limited, listed
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "git-status"
_LIMIT = 16 * 1024 * 1024
_CODES = {b"??": "untracked", b"!!": "ignored"}
_CONFLICTS = (b"DD", b"AU", b"UD", b"UA", b"DU", b"AA", b"UU")
_NAMED = 8
_FOLDERS = 4
_SECTIONS = 60


class PathGroup(Value):
    """Files of one state. named: the first of them. folders: the largest, with their files, of
    folder_count.
    """

    name: str
    count: int
    named: tuple[str, ...]
    folders: tuple[tuple[str, int], ...]
    folder_count: int


class StatusFacts(FormFacts):
    """lines: what stands before the groups, such as the branch."""

    lines: tuple[str, ...] = ()
    groups: tuple[PathGroup, ...] = ()


FACTS = StatusFacts


@dataclass
class _Section:
    name: str
    count: int = 0
    named: list[str] = field(default_factory=list)
    folders: Counter[str] = field(default_factory=Counter)

    def add(self, path: str, note: str) -> None:
        self.count += 1
        folder = path.rpartition("/")[0]
        self.folders[folder + "/" if folder else "./"] += 1
        if len(self.named) < _NAMED:
            self.named.append(note + path)

    def group(self) -> PathGroup:
        ranked = sorted(self.folders.items(), key=lambda item: (-item[1], item[0]))
        return PathGroup(
            clip(self.name),
            self.count,
            tuple(map(clip, self.named)),
            tuple((clip(name), number) for name, number in ranked[:_FOLDERS]),
            len(ranked),
        )


def read(source: ByteSource, scan: Scan) -> FormReading:
    before: list[str] = []
    sections: list[_Section] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        heading = STATUS_HEADING.match(line)
        entry = STATUS_ENTRY.match(line[:1000])
        if heading:
            sections.append(_Section(decode(heading[1])))
        elif entry and sections:
            note = decode(entry[1]) + ": " if entry[1] else ""
            sections[-1].add(decode(entry[2]), note)
        elif number <= 6 and _stands_alone(line):
            before.append(clip(decode(line), 150))
    sections += _short(source) if not sections else []
    groups = tuple(section.group() for section in sections[:_SECTIONS])
    # Its hints say what can be done and hold words of alarm.
    return FormReading(StatusFacts(seen, source.size, tuple(before), groups), instead=True)


def _stands_alone(line: bytes) -> bool:
    return bool(line) and not line.startswith((b" ", b"\t")) and not STATUS_SHORT.match(line)


def _short(source: ByteSource) -> list[_Section]:
    """The groups of the short format: by the two letters before each file, conflicts first."""
    found: dict[bytes, _Section] = {}
    seen = reach(source, _LIMIT)
    for line in plain_lines(source, seen):
        match = STATUS_SHORT.match(line[:1000])
        if match and line[:2].strip():
            code = match[1]
            name = _CODES.get(code, "conflict" if code in _CONFLICTS else "changed")
            section = found.setdefault(code, _Section(f"{name} ({decode(code)})"))
            section.add(decode(match[2]), "")
    order = sorted(found, key=lambda code: (code not in _CONFLICTS, code in _CODES))
    return [found[code] for code in order]


def words(facts: StatusFacts) -> list[str]:
    said = list(facts.lines)
    for group in facts.groups:
        said += [f"{group.name}: {group.count:,}", *_files(group)]
    return [*said, *limited(facts.seen, facts.size)]


def _files(group: PathGroup) -> list[str]:
    if group.count <= _NAMED:
        return [f"  {clip(name, 150)}" for name in group.named]
    folders = (f"{name} {number:,}" for name, number in group.folders)
    return ["  " + listed(folders, group.folder_count, 290, 100)]
