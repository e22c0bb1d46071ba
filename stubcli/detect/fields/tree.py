"""What a document holds, at any depth: lists and maps of records, and single values by path.

Shared by the formats whose values nest. Memory is bounded: so many groups, fields and paths.
"""

from collections.abc import Iterator
from typing import Any

from stubcli.detect.fields.facts import ItemsFacts
from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.values import Number, is_map, kind_of, names_of, naming, text_of

_GROUPS = 60
_FIELDS = 2000
_SINGLES = 60
_BLOCKS = 4
# Fields of the first block, the second …
_ROOM = (14, 8, 6, 5)
_DEPTH = 12
# After so many values they are no longer looked into, 1 s.
LOOKED = 700_000


class Tree:
    """Groups of records by path. `singles` are values that stand outside of all records."""

    def __init__(self) -> None:
        self.lists: dict[str, RecordGroup] = {}
        self.maps: dict[str, RecordGroup] = {}
        # Type and text by path.
        self.singles: dict[str, tuple[str, str]] = {}
        self.looked = 0
        self.samples = 0
        # Whether the strings of the value that is added stand in it as they read, without escapes.
        self.unescaped = False
        # The outermost record that is being added.
        self.record: Any = None
        self._fields = 0

    def owner(self) -> str:
        """What the record is called that is being added; "" where it has no name."""
        return next((text for _, text in naming(names_of(self.record))), "")

    def takes_field(self) -> bool:
        """Whether there is room for one more field."""
        self._fields += 1
        return self._fields <= _FIELDS

    def list_at(self, path: str) -> RecordGroup:
        """The group of the items of the lists at that path."""
        return self._group(self.lists, path, f"{path}[]", "item")

    def map_at(self, path: str) -> RecordGroup:
        """The group of the members of the maps at that path."""
        return self._group(self.maps, path, f"{path}.*" if path else "*", "key")

    def _group(
        self, groups: dict[str, RecordGroup], path: str, inside: str, word: str
    ) -> RecordGroup:
        if path not in groups and len(self.lists) + len(self.maps) >= _GROUPS:
            return RecordGroup(word, self, inside)
        return groups.setdefault(path, RecordGroup(word, self, inside))

    def value(self, value: Any, path: str, depth: int = 0, source: str = "") -> None:
        """A value outside of all records; `source` holds it as it was written."""
        if isinstance(value, list):
            self.items(value, path)
        elif isinstance(value, dict):
            self.members(value, path, depth, source)
        elif len(self.singles) < _SINGLES and "[]" not in path:
            self.singles[path] = (kind_of(value), _written(value, source))

    def members(self, value: dict[str, Any], path: str, depth: int, source: str = "") -> None:
        """The members of an object: records of a map, or values with paths of their own."""
        if is_map(value) or path in self.maps:
            group = self.map_at(path)
            for key, child in value.items():
                group.add(child, "", key)
        elif depth < _DEPTH:
            for key, child in value.items():
                self.value(child, below(path, key), depth + 1, source)

    def items(self, value: list[Any], path: str) -> None:
        """The items of a list."""
        group = self.list_at(path)
        for item in value:
            group.add(item, "", group.count)


def blocks(tree: Tree) -> tuple[tuple[ItemsFacts, ...], tuple[tuple[str, int], ...]]:
    """The groups that say most, and the paths of the others with their number of records.

    Outer ones first, unless they only wrap many records that are inside.
    """
    found = [(p, group) for p, group in tree.lists.items() if group.count > group.unseen]
    found += [(path, group) for path, group in tree.maps.items() if group.count]
    found.sort(key=lambda one: (-one[1].count / 4 ** nesting(one[0]), nesting(one[0])))
    for at, (path, group) in enumerate(found[:_BLOCKS]):
        above = any(path.startswith(f"{outer}[]") for outer, _ in found[:at])
        group.inner = () if above else tuple(_inner(path, found[_BLOCKS:]))
    shown = tuple(
        group.facts(exact(path, tree), room)
        for (path, group), room in zip(found, _ROOM, strict=False)
    )
    return shown, tuple((exact(path, tree), group.count) for path, group in found[_BLOCKS:])


def _inner(path: str, groups: list[tuple[str, RecordGroup]]) -> Iterator[tuple[str, RecordGroup]]:
    """Those of the groups whose records are inside of the records at that path."""
    above = f"{path}[]."
    return ((name.removeprefix(above), one) for name, one in groups if name.startswith(above))


def nesting(path: str) -> int:
    """In how many lists and maps a path lies."""
    return path.count("[]") + path.count(".*")


def exact(path: str, tree: Tree) -> str:
    """The path, with the place in each list that has one item only."""
    parts = path.split("[]")
    found = parts[0]
    for at, part in enumerate(parts[1:]):
        group = tree.lists.get("[]".join(parts[: at + 1]))
        found += ("[0]" if group is not None and group.count == 1 else "[]") + part
    return found


def below(path: str, key: str) -> str:
    """The path of a member."""
    return f"{path}.{key}" if path else key


def _written(value: Any, source: str) -> str:
    """A scalar as it stands in the source: a string in its quotes, if it has any there."""
    if isinstance(value, str) and not isinstance(value, Number):
        return f'"{value}"' if f'"{value}"' in source else value
    return text_of(value) or "null"
