"""Statements that a reader of code wants to know of: where it gives up, and where it is unsafe.

They are counted and quoted; whether they are right is not asked.
"""

import re

from stubcli.detect.code.facts import CodeLine, Remarkable
from stubcli.detect.words import clip

_CLASSES = (
    ("panics", r"\b(?:panic|unreachable|unimplemented|todo|fatalError|preconditionFailure)!?\("),
    ("unsafe", r"\bunsafe\b(?:\s*\{| fn| impl|\.|\()|\beval\(|\bdangerouslySetInnerHTML\b"),
    ("exits", r"\b(?:os\.Exit|sys\.exit|process\.exit|System\.exit|abort|log\.Fatalf?)\("),
    ("remarks", r"\b(?:TODO|FIXME|XXX|HACK)\b"),
)
_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _CLASSES))
_SHOWN = 3


class Statements:
    """The first lines of each class, and how many there are."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._lines: dict[str, list[CodeLine]] = {}

    def feed(self, number: int, line: str) -> None:
        found = _ANY.search(line)
        if found is None or found.lastgroup is None:
            return
        name = found.lastgroup
        self._counts[name] = self._counts.get(name, 0) + 1
        lines = self._lines.setdefault(name, [])
        if len(lines) < _SHOWN:
            lines.append(CodeLine(number, clip(line.strip(), 120)))

    def remarkable(self) -> tuple[Remarkable, ...]:
        return tuple(
            Remarkable(name, self._counts[name], tuple(self._lines[name]))
            for name, _ in _CLASSES
            if name in self._counts
        )
