"""What a script of SQL puts into its tables, and where it says that something went wrong.

Statements are counted, not the rows that each of them holds; the lines of a COPY are rows.
"""

import re

from stubcli.detect.code.facts import CodeLine, Filled, Remarkable
from stubcli.detect.words import clip

_TABLE = r"((?:[\w.$-]|\"[^\"]{1,80}\"|`[^`]{1,80}`|\[[^\]]{1,80}\]){1,160})"
_INSERT = re.compile(rf"(?:INSERT|REPLACE)(?: +(?:IGNORE|OR +\w+))? +INTO +{_TABLE}", re.IGNORECASE)
_COPY = re.compile(rf"COPY +{_TABLE}.* FROM +stdin\b", re.IGNORECASE)
_ALARM = re.compile(
    r"\s*(?:/\*|--|#).*\b(?:ERRORS?|CORRUPT\w*|FATAL|FAIL(?:ED|URE)|INCOMPLETE|TRUNCATED|ABORTED)\b"
    r"|.*;\s*--.*\b(?i:errors?|failed|corrupt\w*)\b"
)
_TABLES = 200
_SHOWN = 3


class Dump:
    """Fed line by line; counts by table, in the order of the script."""

    def __init__(self) -> None:
        self._inserts: dict[str, int] = {}
        self._copied: dict[str, int] = {}
        self._copying = ""
        self._alarms = 0
        self._lines: list[CodeLine] = []

    def feed(self, number: int, line: str) -> bool:
        """Whether the line is data and no statement."""
        if self._copying:
            if line == "\\.":
                self._copying = ""
            else:
                self._copied[self._copying] = self._copied.get(self._copying, 0) + 1
            return True
        if found := _INSERT.match(line):
            _count(self._inserts, found[1])
        elif (found := _COPY.match(line)) and len(self._copied) < _TABLES:
            self._copying = found[1]
            self._copied.setdefault(self._copying, 0)
        elif _ALARM.match(line):
            self._alarms += 1
            if len(self._lines) < _SHOWN:
                self._lines.append(CodeLine(number, clip(line.strip(), 120)))
        return False

    def filled(self) -> tuple[Filled, ...]:
        names = dict.fromkeys((*self._inserts, *self._copied))
        return tuple(
            Filled(clip(name, 80), self._inserts.get(name, 0), self._copied.get(name))
            for name in names
        )

    def alarms(self) -> tuple[Remarkable, ...]:
        found = Remarkable("alarms", self._alarms, tuple(self._lines))
        return (found,) if self._alarms else ()


def _count(tables: dict[str, int], name: str) -> None:
    if name in tables or len(tables) < _TABLES:
        tables[name] = tables.get(name, 0) + 1
