"""The outline of source code: its symbols, those that are least indented first.

Of as deep ones that are too many, those that others may use come first. Where it is not known what
a symbol looks like, it is a line that further indented ones follow.
"""

import re

from stubcli.detect.code.facts import CodeLine
from stubcli.detect.code.languages import Patterns
from stubcli.detect.words import clip

MOST = 40
_LEVELS = 40
# Characters of all symbols together; each has its part of them, and so many at least and at most.
_ROOM = 2000
_SHORTEST, _LONGEST = 50, 90
_TAB = 4
# A bracket alone opens nothing that has a name; a comment is no symbol.
_NAMED = re.compile(r"[^\w\s]{0,3}\w")
_COMMENT = re.compile(r"//|/?\*|--|;|#(?!\w)|%|\"\"\"|'''")


class Outline:
    """Fed line by line; keeps the first symbols of each indentation."""

    def __init__(self, patterns: Patterns) -> None:
        self._symbol = re.compile(patterns.symbols) if patterns.symbols else None
        self._private = re.compile(patterns.private)
        # By indentation, public ones before the others.
        self._levels: dict[tuple[int, bool], list[CodeLine]] = {}
        self._before: tuple[int, int, str] | None = None
        self.count = 0

    def feed(self, number: int, line: str) -> None:
        if self._symbol:
            if self._symbol.match(line):
                self._add(number, _indent(line), line)
        elif text := line.strip():
            indent, before = _indent(line), self._before
            if before and indent > before[1] and _NAMED.match(before[2]):
                self._add(*before)
            # A bracket on a line of its own belongs to the line before.
            if len(text) > 1 and not _COMMENT.match(text):
                self._before = (number, indent, text)

    def _add(self, number: int, indent: int, line: str) -> None:
        self.count += 1
        private = bool(self._symbol and self._private.match(line))
        level = self._levels.setdefault((min(indent, _LEVELS), private), [])
        if len(level) < MOST:
            level.append(CodeLine(number, clip(line.strip(), _LONGEST), indent > 0))

    def lines(self) -> tuple[CodeLine, ...]:
        """At most MOST symbols in their order; of the last that have room, the first."""
        found: list[CodeLine] = []
        for level in sorted(self._levels):
            found += self._levels[level][: MOST - len(found)]
        most = max(_SHORTEST, min(_LONGEST, _ROOM // max(1, len(found))))
        found.sort(key=lambda one: one.line)
        return tuple(one.replace(text=clip(one.text, most)) for one in found)


def _indent(line: str) -> int:
    space = line[: len(line) - len(line.lstrip())]
    return len(space.expandtabs(_TAB))
