"""What XML elements of one path have in common, and which of them differ.

An element becomes a record of its attributes, its children's text and their attributes. It is
fed with the events of a parser and keeps where in the stream an element stands, not its text.
"""

from dataclasses import dataclass, field

from stubcli.detect.fields.column import shape
from stubcli.detect.fields.facts import Row
from stubcli.detect.fields.items import Number, RecordGroup

_PATHS = 20
_LEAST = 20
_TEXT = 200
# Records are children of the root or theirs.
_LEVELS = (2, 3)


@dataclass
class _Open:
    path: str
    start: int
    value: dict[str, str] = field(default_factory=dict)


class XmlRecords:
    """Elements by path."""

    def __init__(self) -> None:
        self.groups: dict[str, RecordGroup] = {}
        self.places: dict[tuple[str, Row], tuple[int, int]] = {}
        self._open: list[_Open] = []
        self._name = ""
        self._text = ""

    def start(self, level: int, path: str, name: str, attributes: dict[str, str], at: int) -> None:
        """An element begins; level is 1 for the root."""
        for record in self._open:
            if level == record.path.count("/") + 2 and len(record.value) < 40:
                for key, value in attributes.items():
                    record.value[f"{name}@{key}"] = value
        self._name, self._text = name, ""
        if level in _LEVELS:
            opened = _Open(path, at)
            opened.value.update({f"@{key}": value for key, value in attributes.items()})
            self._open.append(opened)

    def text(self, data: str) -> None:
        if len(self._text) < _TEXT:
            self._text += data

    def end(self, level: int, name: str, at: int) -> None:
        """An element ends at the byte `at` or a little later."""
        text = self._text.strip()
        if text and name == self._name:
            for record in self._open:
                if level == record.path.count("/") + 2 and len(record.value) < 40:
                    record.value.setdefault(name, text[:_TEXT])
        self._text = ""
        if level in _LEVELS and self._open:
            self._add(self._open.pop(), at)

    def _add(self, record: _Open, end: int) -> None:
        if record.path not in self.groups:
            if len(self.groups) >= _PATHS:
                return
            self.groups[record.path] = RecordGroup("number")
        items = self.groups[record.path]
        value = {
            key: Number(text) if shape(text) in ("integer", "number") else text
            for key, text in record.value.items()
        }
        row = items.count + 1
        if items.add(value, "", row) and len(self.places) < 3000:
            self.places[record.path, row] = (record.start, end)

    def main(self) -> tuple[str, RecordGroup] | None:
        """The path whose elements are the records of the document."""
        found = [item for item in self.groups.items() if item[1].count >= _LEAST]
        return max(found, key=lambda item: (item[1].count, -item[0].count("/")), default=None)
