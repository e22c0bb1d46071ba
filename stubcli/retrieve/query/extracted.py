"""Rows that stand in the lines of a text, written anew for DuckDB, a row a line.

They go to a temporary file without a name, which nothing but this process can open: memory does
not grow with the artifact.
"""

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from json.encoder import encode_basestring as in_json
from typing import IO, Any

from stubcli.detect.table.header import distinct
from stubcli.detect.tabular import NUMBER, TEXT, LineSource, Reader, RowColumn, RowTable, TableRow
from stubcli.detect.words import counted, undecodable
from stubcli.errors import UsageError
from stubcli.retrieve.query import delimited
from stubcli.retrieve.query.engine import Bounds, late
from stubcli.retrieve.query.onefile import URL
from stubcli.retrieve.query.types import quoted
from stubcli.store.artifact import Artifact

LINE_NUMBER = "line_number"
# Rows that are written at once, and their characters.
_BATCH, _BATCH_SIZE = 4000, 1 << 20
_MOST_TABLES = 100
_SHOWN = 8
_OBJECT = 1 << 20
# Columns whose types are found at once: 380 of them took more than 2 GiB.
_TESTED = 20
_UNDECODABLE = re.compile("[\udc80-\udcff]")


@dataclass
class Extracted:
    """The rows of an artifact: data has `size` bytes of JSON, a row a line.

    Of each table, the number of its rows. outside: lines that are in none, the first of them.
    """

    data: IO[bytes]
    size: int = 0
    longest: int = 0
    tables: list[RowTable] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    lines: int = 0
    outside: int = 0
    first: list[int] = field(default_factory=list)
    undecodable: int = 0
    cut: int = 0

    @property
    def main(self) -> int:
        """Of the tables that have no name of their own, if any, the place of the largest."""
        unnamed = [at for at, table in enumerate(self.tables) if not table.name]
        return max(unnamed or range(len(self.tables)), key=lambda at: (self.rows[at], -at))

    def names(self) -> list[str]:
        """The name of each table; none of one that stands alone."""
        alone = sum(not table.name for table in self.tables) == 1
        return [
            table.name or ("" if alone else f"table_{at}")
            for at, table in enumerate(self.tables, 1)
        ]

    def notes(self) -> Iterator[str]:
        if self.outside:
            first = ", ".join(f"{number:,}" for number in self.first)
            more = ", …" if self.outside > len(self.first) else ""
            stand = "stands" if self.outside == 1 else "stand"
            of = f"{self.outside:,} of {counted(self.lines, 'line')}"
            yield f"{of} {stand} outside of the table: {first}{more}"
        if self.cut:
            yield f"{counted(self.cut, 'line')} too long, read in part"
        if self.undecodable:
            yield f"{undecodable(self.undecodable, '')}; shown as \\xNN"


@contextmanager
def temporary() -> Iterator[IO[bytes]]:
    """A file without a name. Raises UsageError where there can be none."""
    try:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - closed below; only its opening may fail so
    except OSError as error:
        raise _no_room(error) from None
    with file:
        yield file


def _no_room(error: OSError) -> UsageError:
    return UsageError(
        f"no room for its rows in a temporary file: {error.strerror}",
        "set TMPDIR to another directory",
    )


class Extraction:
    """Writes the rows of an artifact. Raises UsageError where there is no room for them."""

    def __init__(
        self,
        data: IO[bytes],
        artifact: Artifact,
        reader: Reader,
        bounds: Bounds,
        deadline: float,
    ) -> None:
        self._lines = LineSource(artifact)
        self._reader, self._bounds, self._deadline = reader, bounds, deadline
        self._places: dict[int, int] = {}
        self.found = Extracted(data)

    def ticks(self) -> Iterator[int]:
        """Each percent of the artifact, read."""
        shown = 0
        batch: list[str] = []
        size = 0
        try:
            for row in self._reader(self._lines):
                batch.append(self._written(row))
                size += len(batch[-1])
                if len(batch) >= _BATCH or size > _BATCH_SIZE:
                    self._write(batch)
                    batch, size = [], 0
                    if time.monotonic() > self._deadline:
                        raise late(self._bounds)
                    reached = 100 * self._lines.at // max(1, self._lines.source.size)
                    yield from range(shown, reached)
                    shown = max(shown, reached)
            self._write(batch)
            self.found.data.flush()
        except OSError as error:
            raise _no_room(error) from None
        self.found.lines, self.found.cut = self._lines.number, self._lines.cut

    def _written(self, row: TableRow) -> str:
        place = self._place(row.table) if row.table is not None else None
        if place is None:
            self._outside(row.line)
            return ""
        self.found.rows[place] += 1
        cells = "".join(f',"c{at}":{in_json(cell)}' for at, cell in enumerate(row.cells, 1) if cell)
        return f'{{"t":{place},"n":{row.line}{cells}}}\n'

    def _place(self, table: RowTable) -> int | None:
        """The number of the table; None of one that is too many."""
        place = self._places.get(id(table))
        if place is None and len(self.found.tables) < _MOST_TABLES:
            place = self._places[id(table)] = len(self.found.tables)
            self.found.tables.append(table)
            self.found.rows.append(0)
        return place

    def _outside(self, line: int) -> None:
        self.found.outside += 1
        if len(self.found.first) < _SHOWN:
            self.found.first.append(line)

    def _write(self, batch: list[str]) -> None:
        text = "".join(batch)
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            # In JSON the backslash of \xNN is written twice.
            text, times = _UNDECODABLE.subn(lambda one: f"\\\\x{ord(one[0]) - 0xDC00:02x}", text)
            self.found.undecodable += times
            data = text.encode("utf-8")
        self.found.data.write(data)
        self.found.size += len(data)
        self.found.longest = max(self.found.longest, 6 * max(map(len, batch), default=0))


def views(found: Extracted, connection: Any) -> tuple[str, ...]:
    """A view for each table, and the main one as `artifact`."""
    source = _source(found)
    kinds = _kinds(connection, source, found.tables)
    for at, (table, name) in enumerate(zip(found.tables, found.names(), strict=True)):
        names = distinct([LINE_NUMBER, *(column.name for column in table.columns)])
        cells = [
            f"c{place}{_cast(column, kinds.get((at, place), ''))} AS {quoted(shown)}"
            for place, (column, shown) in enumerate(zip(table.columns, names[1:], strict=True), 1)
        ]
        body = f"SELECT {', '.join([f'n AS {LINE_NUMBER}', *cells])} FROM {source} WHERE t = {at}"
        for view in {name, "artifact" if at == found.main else name} - {""}:
            connection.execute(f"CREATE VIEW {quoted(view)} AS {body}")
    return tuple(found.notes())


def _source(found: Extracted) -> str:
    width = max(len(table.columns) for table in found.tables)
    cells = "".join(f", c{at}: 'VARCHAR'" for at in range(1, width + 1))
    largest = max(_OBJECT, found.longest)
    return (
        f"read_json('{URL}', format = 'newline_delimited', records = true, compression = 'none', "
        f"maximum_object_size = {largest}, columns = {{t: 'INTEGER', n: 'BIGINT'{cells}}})"
    )


def _cast(column: RowColumn, kind: str) -> str:
    """To the type that its cells have; where there are none, kind is empty."""
    if column.kind == TEXT or kind == "VARCHAR":
        return ""
    return f"::{kind or ('DOUBLE' if column.kind == NUMBER else 'VARCHAR')}"


def _kinds(connection: Any, source: str, tables: list[RowTable]) -> dict[tuple[int, int], str]:
    """Of the columns that are no texts, by table and place, the types of what stands in them."""
    places = sorted(
        {
            place
            for table in tables
            for place, column in enumerate(table.columns, 1)
            if column.kind != TEXT
        }
    )
    found: dict[tuple[int, int], str] = {}
    for at in range(0, len(places), _TESTED):
        found |= _kinds_at(connection, source, places[at : at + _TESTED])
    return found


def _kinds_at(connection: Any, source: str, places: list[int]) -> dict[tuple[int, int], str]:
    tests = [[f"count(c{at}) > 0", *delimited.type_tests(f"c{at}")] for at in places]
    asked = ", ".join(test for column in tests for test in column)
    each = len(tests[0])
    rows = connection.execute(f"SELECT t, {asked} FROM {source} GROUP BY t").fetchall()
    return {
        (table, place): delimited.type_of_tests(passed[at + 1 : at + each])
        for table, *passed in rows
        for at, place in zip(range(0, len(passed), each), places, strict=True)
        if passed[at]
    }
