"""Nested lists and maps as tables of their own: FROM items, FROM items.spec.containers.

A path leads through objects by their keys and through lists and maps on its way by itself. Each
becomes a view, so that its items are rows and their keys columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stubcli.detect.facts import KindFacts
from stubcli.detect.json.facts import JsonFacts
from stubcli.retrieve.query.types import Column, Type, quoted, type_of

ROOT = "artifact"
_JSON = Type("JSON", "scalar")
_VARCHAR = Type("VARCHAR", "scalar")
# Of a value of any type, its items; what is no list may count for itself.
_ITEMS = "CASE json_type({0}) WHEN 'ARRAY' THEN {0}::JSON[] {1} END"
_OR_ITSELF = "WHEN 'OBJECT' THEN [{0}]"

Path = tuple[str, ...]


@dataclass(frozen=True)
class Nested:
    """Values below the table artifact. path: keys; source: what follows FROM, whose column `item`
    is one of them, of the type item.
    """

    path: Path
    source: str
    item: Type

    @property
    def name(self) -> str:
        """How the path is written behind FROM."""
        return ".".join(map(quoted, self.path))

    @property
    def view(self) -> str:
        """The name of its view, as SQL has it."""
        return quoted(self.path[0] if len(self.path) == 1 else self.name)

    def create(self, connection: Any) -> None:
        columns = "item.*" if self.item.shape == "struct" else "item"
        body = f"SELECT {columns} FROM {self.source}"
        connection.execute(f"CREATE OR REPLACE VIEW {self.view} AS {body}")


@dataclass(frozen=True)
class Outer:
    """What a path begins at. lists: paths that lead to lists, dots between their keys; maps: to
    objects whose keys are names of records; where those are few, DuckDB takes them for columns.
    """

    columns: tuple[Column, ...]
    lists: frozenset[str] = frozenset()
    maps: frozenset[str] = frozenset()

    def places(self) -> "list[_Place]":
        return [
            _Place((column.name,), quoted(column.name), self._meant((column.name,), column.type))
            for column in self.columns
        ]

    def inner(self, place: "_Place") -> "list[_Place]":
        """What the keys of an object lead to."""
        fields = place.kind.fields if place.kind.shape == "struct" else ()
        found = []
        for key, kind in fields:
            path = (*place.path, key)
            sql = f"{place.sql}.{quoted(key)}"
            found.append(_Place(path, sql, self._meant(path, kind), place.source))
        return found

    def _meant(self, path: Path, kind: Type) -> Type:
        if kind.shape != "struct" or ".".join(path) not in self.maps:
            return kind
        value = merged([inner for _, inner in kind.fields])
        return Type(f"MAP(VARCHAR, {written(value)})", "keyed", (("", value),))


@dataclass(frozen=True)
class _Place:
    """A value on the way: how SQL writes it in what follows FROM. Its kind has the shape keyed
    where DuckDB has an object and a map is meant.
    """

    path: Path
    sql: str
    kind: Type
    source: str = ROOT

    @property
    def holds_items(self) -> bool:
        return self.kind.shape in ("list", "map", "keyed")

    def unfolded(self, *, lists_only: bool = False) -> "_Place":
        """The items of a list or a map, one a row; of anything else, itself."""
        kind, sql = self.kind, self.sql
        if kind.shape == "list":
            return self._items(sql, kind.fields[0][1])
        if kind.shape in ("map", "keyed"):
            entry = Type("", "struct", (("key", _VARCHAR), ("value", kind.fields[0][1])))
            if kind.shape == "map":
                return self._items(f"map_entries({sql})", entry)
            entries = f"map_entries(to_json({sql})::{kind.name})"
            # What another record of a list has is no key of this one.
            there = "" if self.source == ROOT else " WHERE item.value IS NOT NULL"
            unnested = f"(SELECT unnest({entries}) AS item FROM {self.source})"
            return _Place(self.path, "item", entry, f"(FROM {unnested}{there})")
        if kind == _JSON:
            itself = "" if lists_only else _OR_ITSELF.format(sql)
            return self._items(_ITEMS.format(sql, itself), _JSON)
        return self

    def _items(self, items: str, kind: Type) -> "_Place":
        return _Place(
            self.path, "item", kind, f"(SELECT unnest({items}) AS item FROM {self.source})"
        )

    def through(self, key: str) -> "_Place":
        """What holds the key: the value itself, or each of the items that it holds."""
        at = self
        while at.holds_items:
            is_list = at.kind.shape == "list"
            at = at.unfolded()
            if not is_list and key.casefold() not in ("key", "value"):
                at = _Place(at.path, "item.value", at.kind.fields[1][1], at.source)
        return at.unfolded() if at.kind == _JSON else at


def merged(kinds: list[Type]) -> Type:
    """A type that holds values of each of the types: JSON where they have little in common."""
    different = list(dict.fromkeys(kind for kind in kinds if kind != _JSON))
    if len(different) == 1 and different[0].shape != "keyed":
        return different[0]
    if not kinds or {kind.shape for kind in kinds} != {"struct"}:
        return _JSON
    fields: dict[str, list[Type]] = {}
    for kind in kinds:
        for name, inner in kind.fields:
            fields.setdefault(name, []).append(inner)
    return Type("", "struct", tuple((name, merged(inner)) for name, inner in fields.items()))


def written(kind: Type) -> str:
    """The type in SQL."""
    inner = [(name, written(one)) for name, one in kind.fields]
    if kind.shape == "struct":
        return f"STRUCT({', '.join(f'{quoted(name)} {one}' for name, one in inner)})"
    if kind.shape == "list":
        return f"{inner[0][1]}[]"
    return f"MAP(VARCHAR, {inner[0][1]})" if kind.shape == "map" else kind.name


def outer(connection: Any, facts: KindFacts) -> Outer:
    groups = facts.groups if isinstance(facts, JsonFacts) else ()
    paths = [(one.word, one.path.replace("[]", "")) for one in groups]
    lists, maps = (frozenset(path for of, path in paths if of == word) for word in ("item", "key"))
    return Outer(columns_of(connection), lists, maps)


def columns_of(connection: Any, source: str = ROOT) -> tuple[Column, ...]:
    found = connection.sql(f"SELECT * FROM {source} LIMIT 0")
    pairs = zip(found.columns, found.types, strict=True)
    return tuple(Column(str(name), type_of(kind)) for name, kind in pairs)


def views(connection: Any) -> list[str]:
    """The tables that there are already, in the order in which they were made."""
    find = "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_oid"
    return [str(row[0]) for row in connection.execute(find).fetchall()]


def resolve(start: Outer, path: Path) -> Nested | None:
    """The table that a path leads to; None where it leads to none.

    The last part of a path alone means the first one of `listed` that ends so.
    """
    at = _named(start.places(), path[0])
    if at is None:
        ends = (one for one in listed(start) if (one.path[-1],) == path)
        found = next(ends, None)
        return found and Nested(path, found.source, found.item)
    for key in path[1:]:
        at = at.through(key)
        if at.kind == _JSON:
            step = f"json_extract({at.sql}, {_text('$.' + _quoted_key(key))})"
            at = _Place((*at.path, key), step, _JSON, at.source)
        elif (found_at := _named(start.inner(at), key)) is not None:
            at = found_at
        else:
            return None
    if at.kind.shape == "scalar" and at.kind != _JSON:
        return None
    end = at.unfolded(lists_only=".".join(at.path) in start.lists)
    if end is at:
        return Nested(path, f"(SELECT {at.sql} AS item FROM {at.source})", at.kind)
    return Nested(path, end.source, end.kind)


def _named(places: list[_Place], key: str) -> _Place | None:
    """The place of that name; SQL folds case."""
    alike = [place for place in places if place.path[-1].casefold() == key.casefold()]
    return next((one for one in alike if one.path[-1] == key), alike[0] if alike else None)


def listed(start: Outer) -> Iterator[Nested]:
    """Lists of anything and maps of objects, outer ones first."""
    waiting = start.places()
    while waiting:
        at = waiting.pop(0)
        is_map = at.holds_items and at.kind.shape != "list"
        if at.kind.shape == "list" or (is_map and at.kind.fields[0][1].shape == "struct"):
            at = at.unfolded()
            yield Nested(at.path, at.source, at.kind)
            if is_map:
                at = _Place(at.path, "item.value", at.kind.fields[1][1], at.source)
        waiting += start.inner(at)


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted_key(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
