"""Objects at one path of many records: their members, at any depth.

Lists of objects and maps below are records of their own; each has a group in the tree.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stubcli.detect.fields.field import Field
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.values import KINDS, SHORT, Number, is_map, pairs_of, text_of

if TYPE_CHECKING:
    from stubcli.detect.fields.holder import Gathered, Holder

# Of one object; more are names, or a table too wide to tell.
FIELDS = 60
_DEPTH = 12


class NestedField(Field):
    """A field whose objects and arrays are looked into.

    below: the members of its objects. items: values of its arrays. group: where those are records.
    """

    def __init__(self) -> None:
        super().__init__()
        self.below: Members | None = None
        # Whether some of its lists have no keys with values.
        self.closed = False
        self.items: NestedField | None = None
        self.group: Gathered | None = None


class Members:
    """What the objects at `path` have in common."""

    def __init__(self, tree: "Holder", path: str = "", depth: int = 0) -> None:
        self.tree = tree
        self.path = path
        self.depth = depth
        self.objects = 0
        self.fields: dict[str, NestedField] = {}
        self._first: Row = 0

    def add(self, value: dict[str, Any], row: Row) -> bool:
        """Count an object; whether something in it is new.

        Members are values of JSON with their numbers as texts; an int is a number of elements that
        are not looked into.
        """
        fields = self.fields
        if not self.objects:
            self._first = row
        new = False
        seen = 0
        for key, child in value.items():
            field = fields.get(key)
            if field is None:
                if len(fields) >= FIELDS or not self.tree.takes_field():
                    continue
                field = fields[key] = NestedField()
                field.missing = self._first if self.objects else None
            seen += 1
            new |= self._take(field, key, child, row)
        self.objects += 1
        self.tree.looked += seen + 1
        if seen < len(fields):
            new |= self._miss(value, row)
        return new

    def _miss(self, value: dict[str, Any], row: Row) -> bool:
        new = False
        for key, field in self.fields.items():
            if field.missing is None and key not in value:
                field.missing = row
                new = True
        return new

    def _take(self, field: NestedField, key: str, value: Any, row: Row) -> bool:
        kind = type(value)
        if kind is str or kind is Number:
            return field.add(KINDS[kind], value, row)
        if kind is dict:
            new = field.add_length("object", len(value), row)
            return self._object(field, key, value, row) or new
        if kind is list:
            new = field.add_length("array", len(value), row)
            return self._list(field, f"{self.path}.{key}", value, row) or new
        if kind is int:
            return field.add_length("elements", value, row)
        return add_scalar(field, value, row)

    def _object(self, field: NestedField, key: str, value: dict[str, Any], row: Row) -> bool:
        if field.group is None and field.below is None:
            path = f"{self.path}.{key}"
            if is_map(value):
                field.group = self.tree.map_at(path)
            elif self.depth < _DEPTH:
                field.below = Members(self.tree, path, self.depth + 1)
        if field.below is not None:
            return field.below.add(value, row)
        if field.group is not None:
            for name, child in value.items():
                field.group.add(child, "", (row, name))
        return False

    def _list(
        self, field: NestedField, path: str, value: list[Any], row: Row, depth: int = 0
    ) -> bool:
        """Objects become records of their own; scalars, of lists in lists too, are counted."""
        if dict in map(type, value[:8]):
            if field.group is None:
                field.group = self.tree.list_at(path)
            fresh = [field.group.add(item, "", (row, at)) for at, item in enumerate(value)]
            new = any(fresh) and len(value) <= SHORT
            return self._pairs(field, path, value, row) or new
        self.tree.looked += len(value)
        if field.items is None:
            if not self.tree.takes_field():
                return False
            field.items = NestedField()
        new = False
        for at, item in enumerate(value):
            if isinstance(item, list):
                field.items.add_length("array", len(item), (row, at))
                if depth < 4:
                    self._list(field.items, f"{path}[]", item, (row, at), depth + 1)
            elif not isinstance(item, dict):
                new |= add_scalar(field.items, item, (row, at))
        return new

    def _pairs(self, field: NestedField, path: str, value: list[Any], row: Row) -> bool:
        """Of a short list of keys with values each key is a field, as long as they come again."""
        if field.closed or self.depth >= _DEPTH:
            return False
        found = pairs_of(value)
        known = field.below
        again = known is None or known.fields.keys() & found.keys()
        if not found or not again:
            field.below, field.closed = None, True
            return False
        if known is None:
            known = field.below = Members(self.tree, path, self.depth + 1)
        return known.add(found, row)

    def add_list(self, field: NestedField, value: list[Any], row: Row) -> bool:
        """The items of a list that is a record itself."""
        return self._list(field, self.path, value, row)

    def flat(self) -> Iterator[tuple[str, Field, int]]:
        """Every field in order, with its path below here and the number of its objects."""
        for key, field in self.fields.items():
            yield key, field, self.objects
            if field.below is not None:
                for name, below, rows in field.below.flat():
                    yield f"{key}.{name}", below, rows
            inner, path = field.items, key
            while inner is not None:
                path += "[]"
                yield path, inner, inner.present
                inner = inner.items


def add_scalar(field: Field, value: Any, row: Row) -> bool:
    """Count a value that is neither an object nor an array."""
    if value is None:
        return field.add("null", "", row)
    kind = KINDS[type(value)]
    return field.add_type(kind, row) if kind == "text" else field.add(kind, text_of(value), row)
