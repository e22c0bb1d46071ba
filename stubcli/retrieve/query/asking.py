"""A statement asked of an artifact: the rows of one page, every value as exact text.

Values leave DuckDB as text of its own: as Python objects times lost their nanoseconds, intervals
their months.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import stubcli.debug as debug
from stubcli.advice import Advice
from stubcli.detect import tabular
from stubcli.detect.facts import KindFacts
from stubcli.detect.table.facts import TableFacts
from stubcli.errors import StubError, UsageError
from stubcli.retrieve.query import delimited, named
from stubcli.retrieve.query.engine import (
    Bounds,
    Engine,
    Statement,
    Unbound,
    Unfit,
    Unreadable,
    check_installed,
    checked,
    within,
)
from stubcli.retrieve.query.extracted import Extraction, temporary, views
from stubcli.retrieve.query.onefile import ArtifactFile
from stubcli.retrieve.query.shape import Schema, entities_of, schema_of
from stubcli.retrieve.query.types import Column, type_of
from stubcli.retrieve.query.ways import Way, no_table, notes_of, ways
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
    """Who asks of which artifact, within which bounds. facts: what is known of it. watch shows the
    percents as they come.
    """

    artifact: Artifact
    facts: KindFacts
    bounds: Bounds
    watch: Callable[[Iterator[int]], Iterable[int]]

    def answer(self, sql: str, *, skip: int, limit: int) -> Answer:
        """At most `limit` rows from `skip` on. Raises StubError."""

        def prepare(connection: Any) -> Callable[[], tuple[Any, ...]]:
            statement = checked(connection, named.resolved(connection, sql, self.facts))
            return partial(_page, connection, statement, skip, limit)

        (columns, rows, total), notes = self.ask(prepare)
        return Answer(columns, rows, total, skip, notes)

    def schema(self) -> Schema:
        """What there is to ask. Raises StubError."""
        facts = self.facts
        commas = delimited.decimal_commas(facts) if isinstance(facts, TableFacts) else {}

        def prepare(connection: Any) -> Callable[[], Schema]:
            entities = entities_of(connection, facts)
            return partial(schema_of, connection, entities, commas)

        schema, notes = self.ask(prepare, thorough=True)
        return replace(schema, notes=notes)

    def ask(
        self, prepare: Callable[[Any], Callable[[], _Found]], *, thorough: bool = False
    ) -> tuple[_Found, tuple[str, ...]]:
        """What is found in the view `artifact` of a connection, and the notes of the reading.

        prepare: may make more views, and gives what looks, in a transaction that only reads.

        The way to read is the first in which all records can be read, for whatever is asked. Every
        byte of the artifact was verified. Raises StubError.
        """
        run = _Question(self, time.monotonic() + self.bounds.seconds)
        with run.ways(thorough) as each:
            for way in each:
                try:
                    found, notes = run.through(way, prepare)
                except Unfit as unfit:
                    # Types that hold for all records were not to blame.
                    if way.whole:
                        raise UsageError(str(unfit), "give it another type, or TRY_CAST") from None
                    continue
                except Unreadable as unreadable:
                    run.failed(str(unreadable))
                    continue
                except Unbound as unbound:
                    if not way.whole:
                        continue
                    raise run.explained(unbound) from None
                run.file.finish()
                return found, (*notes_of(self.facts), *run.with_reason(way, notes))
        raise UsageError(
            f"it cannot be read as a table: {run.why}",
            Advice("read", self.artifact.record.reference.short),
        )


class _Question:
    """One question on its way through the ways, with the reason why the last one failed."""

    def __init__(self, asker: Asker, deadline: float) -> None:
        self.file = ArtifactFile(asker.artifact)
        self.why = ""
        self._asker, self._deadline = asker, deadline

    @contextmanager
    def ways(self, thorough: bool) -> Iterator[Iterator[Way]]:
        """The ways to read the artifact, in order. Raises UsageError where it holds no table."""
        asker = self._asker
        reader = tabular.reader(asker.facts)
        if reader is None:
            yield ways(self.file, asker.facts, thorough=thorough)
            return
        check_installed()
        with temporary() as data:
            extraction = Extraction(data, asker.artifact, reader, asker.bounds, self._deadline)
            for _ in asker.watch(extraction.ticks()):
                pass
            found = extraction.found
            if not found.tables:
                raise no_table(asker.facts, asker.artifact.record.reference.short)
            self.file.show_instead(found.data, found.size)
            yield iter((Way(partial(views, found)),))

    def through(
        self, way: Way, prepare: Callable[[Any], Callable[[], _Found]]
    ) -> tuple[_Found, tuple[str, ...]]:
        asker = self._asker
        with Engine(self.file, asker.bounds, self._deadline, asker.watch) as engine:
            return engine.run(partial(_opened, way, prepare))

    def failed(self, reason: str) -> None:
        debug.note(f"query: {reason}")
        self.why = reason

    def with_reason(self, way: Way, notes: tuple[str, ...]) -> tuple[str, ...]:
        """The notes; where there are no columns, also why."""
        return tuple(f"{note}: {self.why}" for note in notes) if not way.columns else notes

    def explained(self, unbound: Unbound) -> StubError:
        """The error of a name that is not there, with the reason where no name is."""
        if not self.why:
            return unbound
        return UsageError(f"{unbound.message} ({self.why})", unbound.hint)


def _opened(
    way: Way, prepare: Callable[[Any], Callable[[], _Found]], connection: Any
) -> tuple[_Found, tuple[str, ...]]:
    notes = way.make(connection) or ()
    look = prepare(connection)
    connection.execute("BEGIN TRANSACTION READ ONLY")
    return look(), notes


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
