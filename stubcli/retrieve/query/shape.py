"""What there is to ask: columns, the tables nested in them, how they refer to each other.

Everything is computed from types and values, in a fixed order; what rests on a name says so, and
how many values agree.
"""

import re
from dataclasses import dataclass
from typing import Any

from stubcli.retrieve.query.types import Column, Leaf, Type, leaves, quoted, type_of

_MOST_ENTITIES = 20
_MOST_LINKS = 20
# Rows whose values are compared, and rows that an example is chosen from.
COMPARED = 100_000
_LOOKED_AT = 10_000
_MOST_CHOICES = 60
_LONGEST_EXAMPLE = 1000
_KEY = re.compile(
    r"(.+?)(?:_(?=[a-zA-Z]+$)|(?=(?:Id|Ids|ID|IDs|Key|Uuid|UUID)$))(ids?|keys?|uuid)$", re.I
)


@dataclass(frozen=True)
class Entity:
    """Objects of one sort. source is what follows FROM; fields are its scalars, by path."""

    name: str
    source: str
    rows: int
    fields: tuple[Leaf, ...]

    @property
    def sql(self) -> str:
        return f"SELECT item.* FROM {self.source}"


@dataclass(frozen=True)
class Link:
    """`found` of the `distinct` values of one field stand in another one."""

    source: str
    target: str
    found: int
    distinct: int
    bounded: bool


@dataclass(frozen=True)
class Schema:
    """rows and columns of the table artifact; entities are the tables nested in it; examples are
    statements that can be asked; notes are those of every answer."""

    rows: int
    columns: tuple[Column, ...]
    entities: tuple[Entity, ...]
    links: tuple[Link, ...]
    examples: tuple[str, ...]
    notes: tuple[str, ...] = ()


def schema_of(connection: Any, numbers: dict[str, str]) -> Schema:
    """The schema of the view `artifact`. Raises duckdb.Error.

    numbers: columns of text that hold numbers in another notation, and each as a number in SQL.
    """
    found = connection.sql("SELECT * FROM artifact LIMIT 0")
    columns = tuple(
        Column(str(name), type_of(kind))
        for name, kind in zip(found.columns, found.types, strict=True)
    )
    own = tuple(leaf for column in columns for leaf in leaves(column))
    root = Entity("artifact", "artifact", _count(connection, "artifact"), own)
    entities = _entities(connection, columns)
    links = _links(connection, (root, *entities))
    examples = _examples(connection, root, entities, numbers)
    return Schema(root.rows, columns, entities, links, examples)


def _count(connection: Any, source: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0])


def _entities(connection: Any, columns: tuple[Column, ...]) -> tuple[Entity, ...]:
    """Lists and maps of objects, outer ones first."""
    found: list[Entity] = []
    waiting = [(c.name, c.name, quoted(c.name), c.type, "artifact") for c in columns]
    while waiting and len(found) < _MOST_ENTITIES:
        name, path, sql, kind, source = waiting.pop(0)
        if kind.shape == "struct":
            waiting += [
                (inner, f"{path}.{inner}", f"{sql}.{quoted(inner)}", one, source)
                for inner, one in kind.fields
            ]
        elif kind.shape in ("list", "map"):
            entries = sql if kind.shape == "list" else f"map_entries({sql})"
            item = kind.fields[0][1]
            if item.shape in ("list", "map") or (kind.shape == "map" and item.shape != "struct"):
                continue
            if kind.shape == "map":
                item = Type("", "struct", (("key", Type("VARCHAR", "scalar")), ("value", item)))
            inside = f"(SELECT unnest({entries}) AS item FROM {source})"
            if item.shape != "struct":
                continue
            taken = {entity.name for entity in found}
            fields = tuple(
                leaf for leaf in leaves(Column("item", item)) if leaf.path.startswith("item.")
            )
            label = path if name in taken else name
            found.append(Entity(label, inside, _count(connection, inside), fields))
            waiting.append((label, path, "item", item, inside))
    return tuple(found)


def _links(connection: Any, entities: tuple[Entity, ...]) -> tuple[Link, ...]:
    links: list[Link] = []
    for entity in entities:
        for leaf in entity.fields:
            target = _target(entity, _short(leaf), entities)
            values = _values(leaf)
            if target is None or not values or len(links) >= _MOST_LINKS:
                continue
            other, key = target
            if other is entity and key is leaf:
                continue
            distinct, found = _compared(connection, (entity, values), (other, key.sql))
            if found:
                names = f"{entity.name}.{_inner(leaf)}", f"{other.name}.{_inner(key)}"
                bounded = max(entity.rows, other.rows) > COMPARED
                links.append(Link(*names, found, distinct, bounded))
    return tuple(links)


def _inner(leaf: Leaf) -> str:
    return leaf.path.removeprefix("item.")


def _short(leaf: Leaf) -> str:
    return leaf.path.removesuffix("[]").rpartition(".")[2]


def _values(leaf: Leaf) -> str:
    """The leaf's values in SQL; those of a list of scalars one by one."""
    if leaf.sql:
        return leaf.sql
    return f"unnest({leaf.outer})" if leaf.outer else ""


def _target(entity: Entity, name: str, entities: tuple[Entity, ...]) -> tuple[Entity, Leaf] | None:
    """What a name such as user_id, userId or member_ids points at, judged by names alone."""
    match = _KEY.fullmatch(name)
    if match is None:
        return None
    stem, key = match[1].rstrip("_").lower(), match[2].lower().removesuffix("s")
    plurals = {stem, f"{stem}s", f"{stem}es", f"{stem[:-1]}ies"}
    for other in entities:
        itself = other is entity and stem == "parent"
        if not itself and (other.name.lower() not in plurals or other.name == "artifact"):
            continue
        for leaf in other.fields:
            if leaf.sql and _inner(leaf).lower() in (key, name.lower()):
                return other, leaf
    return None


def _compared(
    connection: Any, source: tuple[Entity, str], target: tuple[Entity, str]
) -> tuple[int, int]:
    """The distinct values of the source, and how many of them stand in the target."""
    of, values = source
    other, key = target
    row = connection.execute(
        f"WITH s AS (SELECT DISTINCT v FROM (SELECT {values}::VARCHAR AS v FROM {of.source} "
        f"LIMIT {COMPARED}) WHERE v IS NOT NULL), t AS (SELECT DISTINCT {key}::VARCHAR AS v FROM "
        f"(FROM {other.source} LIMIT {COMPARED})) "
        "SELECT count(*), count(*) FILTER (v IN (SELECT v FROM t)) FROM s"
    ).fetchone()
    return int(row[0]), int(row[1])


def _examples(
    connection: Any, root: Entity, entities: tuple[Entity, ...], written: dict[str, str]
) -> tuple[str, ...]:
    """Three questions about the largest table: its groups, its extremes, its rows."""
    largest = max((root, *entities), key=lambda entity: entity.rows)
    source = largest.source
    fields = [leaf for leaf in largest.fields if leaf.sql][:_MOST_CHOICES]
    examples = []
    if group := _group(connection, source, fields):
        examples.append(
            f"SELECT {group}, count(*) AS n FROM {source} GROUP BY 1 ORDER BY n DESC, 1"
        )
    numbers = [leaf for leaf in fields if leaf.type.number]
    measures = [leaf for leaf in numbers if not re.search(r"id$", leaf.path, re.I)] or numbers
    cell = next(iter(written.values()), measures[0].sql if measures else "")
    if cell:
        examples.append(f"SELECT min({cell}), max({cell}), avg({cell}) FROM {source}")
    examples.append(
        f"SELECT * FROM {source} LIMIT 5" if largest is root else f"{largest.sql} LIMIT 5"
    )
    examples = [example for example in examples if len(example) <= _LONGEST_EXAMPLE]
    plain = ("SELECT count(*) AS n FROM artifact", "SUMMARIZE artifact", "DESCRIBE artifact")
    return (*examples, *plain)[:3]


def _group(connection: Any, source: str, fields: list[Leaf]) -> str:
    """The field with the fewest different values, at least two, among the first rows."""
    plain = [leaf for leaf in fields if leaf.type.name in ("VARCHAR", "BOOLEAN", "BIGINT")]
    if not plain:
        return ""
    counts = ", ".join(f"count(DISTINCT {leaf.sql})" for leaf in plain)
    row = connection.execute(f"SELECT {counts} FROM (FROM {source} LIMIT {_LOOKED_AT})").fetchone()
    several = [(count, at) for at, count in enumerate(row) if 2 <= count <= 1000]
    return plain[min(several)[1]].sql if several else ""
