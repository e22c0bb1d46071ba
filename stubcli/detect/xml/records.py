"""What XML elements of one path have in common, and which of them differ, at any depth.

An element becomes a record of its attributes, its children's text and their attributes. It is
fed with the events of a parser and keeps where in the stream an element stands, not its text.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from stubcli.detect.fields.column import shape
from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.tree import LOOKED, Tree
from stubcli.detect.fields.values import NAMING, Number, naming

_PATHS = 60
_LEAST = 8
_TEXT = 200
_MEMBERS = 40
_PLACES = 3000
_SINGLES = 60


@dataclass
class _Open:
    path: str
    start: int
    line: int
    # Where the elements begin that it is inside of, but for the root.
    outer: tuple[int, ...] = ()
    value: dict[str, Any] = field(default_factory=dict)
    # Its attributes, and the children that are names.
    names: dict[str, str] = field(default_factory=dict)


class XmlPlace(NamedTuple):
    """Where in the stream an element begins and ends, its line, and where those around it begin.

    owner: what the nearest one around it is called that has a name, but for the root.
    """

    start: int
    end: int
    line: int
    outer: tuple[int, ...]
    owner: str = ""


class XmlRecords:
    """Elements by path; `texts` are those of the first elements that have no children."""

    def __init__(self) -> None:
        self.groups: dict[str, RecordGroup] = {}
        self.places: dict[tuple[str, Row], XmlPlace] = {}
        self.texts: dict[str, str] = {}
        self._tree = Tree()
        self._open: list[_Open] = []
        self._text = ""
        self._leaf = False

    @property
    def full(self) -> bool:
        """Whether so much was looked at that it takes no more."""
        return self._tree.looked > LOOKED

    def start(self, path: str, name: str, attributes: dict[str, str], at: int, line: int) -> None:
        """An element begins."""
        if self._open:
            _count_in(self._open[-1].value, name, attributes)
        self._text, self._leaf = "", True
        above = self._open[-1] if self._open else None
        outer = (*above.outer, above.start) if above and len(self._open) > 1 else ()
        opened = _Open(path, at, line, outer)
        opened.names.update(attributes)
        if above and (called := next(iter(attributes.values()), "")):
            _name(above, name, called)
        opened.value.update({f"@{key}": _typed(value) for key, value in attributes.items()})
        self._open.append(opened)

    def text(self, data: str) -> None:
        if len(self._text) < _TEXT:
            self._text += data

    def end(self, name: str, at: int) -> None:
        """The element ends with the tag at byte `at`, or before it."""
        if not self._open:
            return
        record = self._open.pop()
        text = self._text.strip()[:_TEXT]
        if self._leaf and text:
            if self._open and self._open[-1].value.get(name) == {}:
                self._open[-1].value[name] = _typed(text)
            if record.value:
                record.value["text"] = _typed(text)
            if len(self.texts) < _SINGLES:
                self.texts.setdefault(record.path, text)
            if self._open:
                _name(self._open[-1], name, text)
        self._text, self._leaf = "", False
        if record.value:
            self._add(record, at)

    def _add(self, record: _Open, end: int) -> None:
        group = self.groups.get(record.path)
        if group is None:
            if len(self.groups) >= _PATHS:
                return
            group = self.groups[record.path] = RecordGroup("number", self._tree)
        row = group.count + 1
        if group.add(record.value, "", row) and len(self.places) < _PLACES:
            place = XmlPlace(record.start, end, record.line, record.outer, self._owner())
            self.places[record.path, row] = place

    def _owner(self) -> str:
        around = (naming(tuple(one.names.items())) for one in reversed(self._open[1:]))
        return next((found[0][1] for found in around if found), "")

    def main(self) -> list[tuple[str, RecordGroup]]:
        """The paths whose elements are the records of the document, the most telling first."""
        found = [item for item in self.groups.items() if item[1].count >= _LEAST]
        # What holds others says what they are: an outer one that is nearly as frequent comes first.
        found.sort(key=lambda item: (-item[1].count / 2 ** item[0].count("/"), item[0].count("/")))
        odd = [item for item in found if item[1].differ()]
        return [*odd, *(item for item in found if item not in odd)]


def _count_in(parent: dict[str, Any], name: str, attributes: dict[str, str]) -> None:
    """A child and its attributes join those of its parent; of one that comes again, how often."""
    if name in parent:
        times = parent[name] + 1 if isinstance(parent[name], int) else 2
        for key in (name, *(f"{name}@{key}" for key in attributes)):
            parent[key] = times
    elif len(parent) < _MEMBERS:
        parent[name] = {}
        parent.update({f"{name}@{key}": _typed(value) for key, value in attributes.items()})


def _name(parent: _Open, name: str, text: str) -> None:
    """A child that is a name of its parent by what it is called itself: the first of them is."""
    local = name.rpartition(":")[2].lower()
    if local in NAMING:
        parent.names.setdefault(local, text)


def _typed(text: str) -> str:
    return Number(text) if shape(text) in ("integer", "number") else text
