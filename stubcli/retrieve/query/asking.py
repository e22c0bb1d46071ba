"""A statement asked of an artifact: the rows of one page, every value as exact text.

Values leave DuckDB as text of its own: as Python objects times lost their nanoseconds, intervals
their months.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from stubcli.errors import UsageError
from stubcli.retrieve.query.engine import (
    Bounds,
    Engine,
    Statement,
    Unbound,
    Unreadable,
    checked,
    within,
)
from stubcli.retrieve.query.shelf import Shelf
from stubcli.retrieve.query.types import Column, type_of
from stubcli.retrieve.query.ways import Kind, Way, ways
from stubcli.store.artifact import Artifact

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Answer:
    """Rows `skip` to skip + len(rows) of `total`. A cell is the value as text, None for NULL; of a
    nested value it is JSON. notes say what of the artifact is no row, or not as it was."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | None, ...], ...]
    total: int
    skip: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Asker:
    """Who asks of which artifact, within which bounds. watch shows the percents as they come."""

    artifact: Artifact
    kind: Kind
    bounds: Bounds
    watch: Callable[[Iterator[int]], Iterable[int]]

    def ask(
        self, work: Callable[[Any], _Found], *, thorough: bool = False
    ) -> tuple[_Found, tuple[str, ...]]:
        """What `work` finds in the view `artifact` of a connection, and the notes of the reading.

        Every byte of the artifact was verified. Raises StubError.
        """
        deadline = time.monotonic() + self.bounds.seconds
        shelf = Shelf(self.artifact)
        why = ""
        for way in ways(shelf, self.kind, thorough=thorough):
            with Engine(shelf, self.bounds, deadline, self.watch) as engine:
                try:
                    found = engine.run(partial(_opened, way, work))
                except Unreadable as unreadable:
                    why = why or str(unreadable)
                    continue
                except Unbound:
                    if way.sure:
                        raise
                    continue
            shelf.finish()
            return found
        raise UsageError(f"it cannot be read as a table: {why}", f"stub read {self.kind.reference}")

    def answer(self, sql: str, *, skip: int, limit: int) -> Answer:
        """At most `limit` rows from `skip` on. Raises StubError."""

        def work(connection: Any) -> tuple[Any, ...]:
            return _page(connection, checked(connection, sql), skip, limit)

        (columns, rows, total), notes = self.ask(work)
        return Answer(columns, rows, total, skip, notes)


def _opened(
    way: Way, work: Callable[[Any], _Found], connection: Any
) -> tuple[_Found, tuple[str, ...]]:
    notes = way.make(connection)
    connection.execute("BEGIN TRANSACTION READ ONLY")
    return work(connection), notes


def _page(connection: Any, statement: Statement, skip: int, limit: int) -> tuple[Any, ...]:
    source = within(statement)
    if statement.prefix:
        lines = connection.execute(f"{statement.prefix} SELECT * FROM {source}").fetchall()
        plan = tuple((line,) for row in lines for line in str(row[-1]).split("\n"))
        column = type_of(connection.sql("SELECT ''").types[0])
        return (Column("plan", column),), plan[skip : skip + limit], len(plan)
    described = connection.sql(f"SELECT * FROM {source} LIMIT 0")
    columns = tuple(
        Column(str(name), type_of(kind))
        for name, kind in zip(described.columns, described.types, strict=True)
    )
    places = [f"c{place}" for place in range(len(columns))]
    cells = ", ".join(
        f"to_json({place})::VARCHAR" if column.type.nested else f"{place}::VARCHAR"
        for place, column in zip(places, columns, strict=True)
    )
    page = f"SELECT {cells} FROM {source} AS asked({', '.join(places)})"
    rows = connection.execute(f"{page} LIMIT {limit + 1} OFFSET {skip}").fetchall()
    total = skip + len(rows)
    if len(rows) > limit or (skip and not rows):
        total = connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0]
    return columns, tuple(rows[:limit]), total
