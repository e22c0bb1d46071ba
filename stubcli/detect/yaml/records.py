"""What YAML records have in common: the items of a list, or the documents of a stream.

A record is fed line by line and held as paths with scalar values, until the next one begins.
Records of one `kind` are compared with each other. It finds no borders itself.
"""

import re

from stubcli.detect.fields.facts import FieldFacts
from stubcli.detect.fields.items import Number, RecordGroup
from stubcli.detect.words import clip
from stubcli.detect.yaml.facts import DifferingRecord

_LINE = re.compile(r"( *)((?:- +)*)(?:(\"[^\"]*\"|'[^']*'|[^\s#:\"'][^:#]{0,80}?):(?: +(.*))?$)?")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?$")
_PATHS = 50
_GROUPS = 12
_SHOWN_GROUPS = 4
_SHOWN_FIELDS = 6
_SAME = 4
_SHOWN = 7
_NAMING = ("metadata.name", "name", "id", "key", "title")


class YamlRecords:
    """Groups of records by their kind."""

    def __init__(self, row_word: str) -> None:
        self._row_word = row_word
        self._groups: dict[str, RecordGroup] = {}
        self._samples: dict[tuple[str, int], dict[str, str]] = {}
        self._flat: dict[str, str] = {}
        self._stack: list[tuple[int, str]] = []
        self._row = 0

    def begin(self) -> None:
        """What was fed since the last call is one record."""
        if self._flat:
            self._row += 1
            kind = self._flat.get("kind", "")
            if kind not in self._groups and len(self._groups) >= _GROUPS:
                kind = ""
            items = self._groups.setdefault(kind, RecordGroup(self._row_word))
            value = {
                path: Number(text) if _NUMBER.match(text) else text
                for path, text in self._flat.items()
            }
            if items.add(value, "", self._row) and len(self._samples) < 2000:
                self._samples[kind, self._row] = self._flat
        self._flat, self._stack = {}, []

    def feed(self, line: str) -> None:
        """A line of the record: its key, and its value where that is a scalar."""
        found = _LINE.match(line)
        if found is None or found[3] is None:
            return
        indent = len(found[1]) + len(found[2])
        stack = self._stack
        while stack and stack[-1][0] >= indent:
            stack.pop()
        key = found[3].strip("\"'")
        path = f"{stack[-1][1]}.{key}" if stack else key
        value = (found[4] or "").strip()
        if not value or value[0] in "&#!|>":
            if len(stack) < 12:
                stack.append((indent, path))
        elif len(self._flat) < _PATHS:
            self._scalar(path, value.strip("\"'") or value)

    def _scalar(self, path: str, value: str) -> None:
        # Of equal paths, the entries of a list, the first few are told apart.
        name, nth = path, 1
        while name in self._flat and nth < _SAME:
            nth += 1
            name = f"{path} ({nth})"
        self._flat[name] = value[:200]

    def facts(self) -> tuple[tuple[DifferingRecord, ...], tuple[FieldFacts, ...]]:
        """The records that differ, and fields of few values that those of the main kind have."""
        self.begin()
        differing: list[DifferingRecord] = []
        ranked = sorted(self._groups.items(), key=lambda item: -item[1].count)
        for kind, items in ranked[:_SHOWN_GROUPS]:
            for row, names in items.rarest():
                flat = self._samples.get((kind, int(row)))
                if flat:
                    differing.append(DifferingRecord(int(row), _shown(flat, names)))
        fields: list[FieldFacts] = []
        for _, items in ranked[:1]:
            few = [
                (name, field)
                for name, field in items.fields.items()
                if items.count >= 8 and field.few()
            ]
            fields = [field.facts(name, items.count) for name, field in few[:_SHOWN_FIELDS]]
        return tuple(differing), tuple(fields)


def _shown(flat: dict[str, str], names: list[str]) -> tuple[tuple[str, str], ...]:
    """What names the record, and in what it differs."""
    naming = [name for name in _NAMING if name in flat][:1]
    shown = naming + [name for name in names if name in flat and name not in naming]
    return tuple((clip(name), clip(flat[name])) for name in shown[:_SHOWN])
