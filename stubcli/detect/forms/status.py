"""What git status writes: its groups counted, with the files of small ones named."""

import re
from collections import Counter
from dataclasses import dataclass, field

from stubcli.detect.brief import clip, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source
from stubcli.text.decode import decode

NAME = "git-status"
_LIMIT = 16 * 1024 * 1024
_BEGIN = re.compile(rb"(?:# )?(?:On branch |HEAD detached |Not currently on any branch|rebase in )")
_HEADING = re.compile(rb"([A-Z][\w ,'-]{5,60}):$")
_SHORT = re.compile(rb"([ MADRCUT][MDAUT ]|\?\?|!!) (\S.*)")
_CODES = {b"??": "untracked", b"!!": "ignored"}
_CONFLICTS = (b"DD", b"AU", b"UD", b"UA", b"DU", b"AA", b"UU")
_ENTRY = re.compile(rb"\t(?:([a-z][a-z ]{2,20}):\s+)?(.+)")
_NAMED = 8
_FOLDERS = 4


@dataclass
class _Section:
    name: str
    count: int = 0
    named: list[str] = field(default_factory=list)
    folders: Counter[str] = field(default_factory=Counter)


def holds(lines: list[bytes]) -> bool:
    short = sum(1 for line in lines if line[:2].strip() and _SHORT.match(line))
    if short >= 5 and short >= 0.95 * len(lines):
        return True
    if not any(_BEGIN.match(line) for line in lines[:5]):
        return False
    entries = sum(1 for line in lines if _ENTRY.match(line))
    return entries >= 1 and any(_HEADING.match(line) for line in lines)


def describe(source: Source, scan: Scan) -> Described:
    told: list[str] = []
    sections: list[_Section] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        heading = _HEADING.match(line)
        entry = _ENTRY.match(line[:1000])
        if heading:
            sections.append(_Section(decode(heading[1])))
        elif entry and sections:
            note = decode(entry[1]) + ": " if entry[1] else ""
            _add(sections[-1], decode(entry[2]), note)
        elif number <= 6 and line and not line.startswith((b" ", b"\t")) and not _SHORT.match(line):
            told.append(clip(decode(line), 150))
    sections += _short(source) if not sections else []
    for section in sections:
        told.append(f"{section.name}: {section.count:,}")
        told += _files(section)
    # Its hints say what can be done and hold words of alarm.
    told += limited(seen, source.size)
    return Described(told, instead=True)


def _short(source: Source) -> list[_Section]:
    """The groups of the short format: by the two letters before each file, conflicts first."""
    found: dict[bytes, _Section] = {}
    seen = reach(source, _LIMIT)
    for line in lines_of(source, seen):
        match = _SHORT.match(line[:1000])
        if match and line[:2].strip():
            code = match[1]
            name = _CODES.get(code, "conflict" if code in _CONFLICTS else "changed")
            section = found.setdefault(code, _Section(f"{name} ({decode(code)})"))
            _add(section, decode(match[2]), "")
    order = sorted(found, key=lambda code: (code not in _CONFLICTS, code in _CODES))
    return [found[code] for code in order]


def _add(section: _Section, path: str, note: str) -> None:
    section.count += 1
    folder = path.rpartition("/")[0]
    section.folders[folder + "/" if folder else "./"] += 1
    if len(section.named) < _NAMED:
        section.named.append(note + path)


def _files(section: _Section) -> list[str]:
    if section.count <= _NAMED:
        return [f"  {clip(name, 150)}" for name in section.named]
    ranked = sorted(section.folders.items(), key=lambda item: (-item[1], item[0]))
    return [
        "  " + listed((f"{name} {n:,}" for name, n in ranked[:_FOLDERS]), len(ranked), 290, 100)
    ]
