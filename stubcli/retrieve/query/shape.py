"""What there is to ask: columns, the tables nested in them, how they refer to each other.

Everything is computed from types and values, in a fixed order; what rests on a name says so, and
how many values agree.
"""

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from stubcli.detect.facts import KindFacts
from stubcli.retrieve.query import nested
from stubcli.retrieve.query.extracted import LINE_NUMBER
from stubcli.retrieve.query.types import Column, Leaf, leaves, quoted

_MOST_ENTITIES = 20
_MOST_LINKS = 20
# Rows whose values are compared, and rows that an example is chosen from.
COMPARED = 100_000
_LOOKED_AT = 10_000
_MOST_CHOICES = 60
_LONGEST_EXAMPLE = 1000
# Numbers that name something are grouped or compared by nobody.
_NAMES = re.compile(r"(?:id|\bline|\bcolumn)$", re.IGNORECASE)
_KEY = re.compile(
    r"(.+?)(?:_(?=[a-zA-Z]+$)|(?=(?:Id|Ids|ID|IDs|Key|Uuid|UUID)$))(ids?|keys?|uuid)$", re.I
)


@dataclass(frozen=True)
class Entity:
    """A table. source is what follows FROM; fields are the scalars of its columns, by path.

    beside: whether its rows stand beside those of the table artifact, and not in them.
    """

    name: str
    source: str
    rows: int
    fields: tuple[Leaf, ...]
    beside: bool = False

    @property
    def sql(self) -> str:
        return f"SELECT * FROM {self.source}"

    @property
    def view(self) -> str:
        """What follows FROM where the views are made already."""
        return quoted(self.name)


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


def schema_of(connection: Any, entities: tuple[Entity, ...], numbers: dict[str, str]) -> Schema:
    """The schema of the view `artifact` and those of the entities. Raises duckdb.Error.

    numbers: columns of text that hold numbers in another notation, and each as a number in SQL.
    """
    columns = nested.columns_of(connection)
    root = _entity(connection, nested.ROOT, nested.ROOT)
    links = _links(connection, (root, *entities))
    examples = _examples(connection, root, entities, numbers)
    return Schema(root.rows, columns, entities, links, examples)


def _entity(connection: Any, name: str, source: str) -> Entity:
    """The entity whose view is made already."""
    view = quoted(name)
    rows = int(connection.execute(f"SELECT count(*) FROM {view}").fetchone()[0])
    columns = nested.columns_of(connection, view)
    return Entity(name, source, rows, tuple(leaf for column in columns for leaf in leaves(column)))


def entities_of(connection: Any, facts: KindFacts) -> tuple[Entity, ...]:
    """The tables beside the view `artifact`, then the lists and maps in it, outer ones first, each
    as a view of its own.

    The last part of its path names it, where no other ends so. Raises duckdb.Error.
    """
    start = nested.outer(connection, facts)
    beside = (name for name in nested.views(connection) if name != nested.ROOT)
    found = [
        replace(_entity(connection, name, quoted(name)), beside=True)
        for name in islice(beside, _MOST_ENTITIES)
    ]
    taken = {nested.ROOT, *(column.name.casefold() for column in start.columns)}
    for table in islice(nested.listed(start), _MOST_ENTITIES):
        last = table.path[-1]
        if len(table.path) > 1 and last.casefold() not in taken:
            table = replace(table, path=(last,))
        taken.add(last.casefold())
        table.create(connection)
        name = table.path[0] if len(table.path) == 1 else table.name
        found.append(_entity(connection, name, table.name))
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
                names = f"{entity.name}.{leaf.path}", f"{other.name}.{key.path}"
                bounded = max(entity.rows, other.rows) > COMPARED
                links.append(Link(*names, found, distinct, bounded))
    return tuple(links)


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
            if leaf.sql and leaf.path.lower() in (key, name.lower()):
                return other, leaf
    return None


def _compared(
    connection: Any, source: tuple[Entity, str], target: tuple[Entity, str]
) -> tuple[int, int]:
    """The distinct values of the source, and how many of them stand in the target."""
    of, values = source
    other, key = target
    row = connection.execute(
        f"WITH s AS (SELECT DISTINCT v FROM (SELECT {values}::VARCHAR AS v FROM {of.view} "
        f"LIMIT {COMPARED}) WHERE v IS NOT NULL), t AS (SELECT DISTINCT {key}::VARCHAR AS v FROM "
        f"(FROM {other.view} LIMIT {COMPARED})) "
        "SELECT count(*), count(*) FILTER (v IN (SELECT v FROM t)) FROM s"
    ).fetchone()
    return int(row[0]), int(row[1])


def _examples(
    connection: Any, root: Entity, entities: tuple[Entity, ...], written: dict[str, str]
) -> tuple[str, ...]:
    """Three questions about the largest table: its groups, its extremes, its rows."""
    inside = (entity for entity in entities if not entity.beside)
    largest = max((root, *inside), key=lambda entity: entity.rows)
    source = largest.source
    fields = [leaf for leaf in largest.fields if leaf.sql and leaf.path != LINE_NUMBER]
    fields = fields[:_MOST_CHOICES]
    examples = []
    if group := _group(connection, largest, fields):
        examples.append(
            f"SELECT {group}, count(*) AS n FROM {source} GROUP BY 1 ORDER BY n DESC, 1"
        )
    numbers = [leaf for leaf in fields if leaf.type.number]
    measures = [leaf for leaf in numbers if not _NAMES.search(leaf.path)]
    cell = next(iter(written.values()), measures[0].sql if measures else "")
    if cell:
        examples.append(f"SELECT min({cell}), max({cell}), avg({cell}) FROM {source}")
    examples.append(f"{largest.sql} LIMIT 5")
    examples = [example for example in examples if len(example) <= _LONGEST_EXAMPLE]
    plain = ("SELECT count(*) AS n FROM artifact", "SUMMARIZE artifact", "DESCRIBE artifact")
    return (*examples, *plain)[:3]


def _group(connection: Any, entity: Entity, fields: list[Leaf]) -> str:
    """The field with the fewest different values, at least two, among the first rows."""
    plain = [leaf for leaf in fields if leaf.type.name in ("VARCHAR", "BOOLEAN", "BIGINT")]
    plain = [leaf for leaf in plain if not (leaf.type.number and _NAMES.search(leaf.path))]
    if not plain:
        return ""
    counts = ", ".join(f"count(DISTINCT {leaf.sql})" for leaf in plain)
    row = connection.execute(
        f"SELECT {counts} FROM (FROM {entity.view} LIMIT {_LOOKED_AT})"
    ).fetchone()
    several = [(count, at) for at, count in enumerate(row) if 2 <= count <= 1000]
    return plain[min(several)[1]].sql if several else ""
