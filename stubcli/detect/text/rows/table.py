"""Rows of tables for human eyes, under the names of their columns."""

from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowColumn, RowTable, TableRow
from stubcli.detect.text.layout import ColumnLayout
from stubcli.detect.text.quantities import Row
from stubcli.detect.text.table_walk import TableWalk
from stubcli.text.characters import decode

# Longer lines are no rows: some thousand are held at once.
_LONGEST = 64 * 1024


def rows(lines: LineSource) -> Iterator[TableRow]:
    walk = _RowWalk()
    for number, line in lines:
        if len(line) > _LONGEST:
            yield TableRow(number)
            continue
        walk.line(number, decode(line).expandtabs())
        if walk.found:
            yield from walk.found
            walk.found.clear()
    walk.close()
    yield from walk.found


class _Rows:
    """The rows of one table, handed on as they come."""

    def __init__(self, layout: ColumnLayout, heading: str, found: list[TableRow]) -> None:
        self.layout, self.heading, self.rows = layout, heading, 0
        self._table, self._found = RowTable("", *map(RowColumn, layout.names)), found

    def add(self, rows: list[tuple[Row, list[str]]]) -> None:
        self.rows += len(rows)
        self._found += [TableRow(number, self._table, cells) for (number, _), cells in rows]


class _RowWalk(TableWalk[_Rows]):
    def __init__(self) -> None:
        super().__init__(lambda layout, heading, _: _Rows(layout, heading, self.found))
        self.found: list[TableRow] = []

    def other(self, row: Row) -> None:
        self.found.append(TableRow(row[0]))

    def goes_on(self, number: int, cells: list[str]) -> None:
        if not self._batch:
            self.found.append(TableRow(number))
            return
        last = self._batch[-1][1]
        for at, cell in enumerate(cells):
            last[at] = "\n".join(filter(None, (last[at], cell)))

    def above(self, rows: list[Row]) -> None:
        self.found += [TableRow(number) for number, _ in rows]
