"""The tables for human eyes in the lines of a text, one after the other: where each begins and
ends, and which lines are rows of it. What becomes of the rows is the caller's.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Generic, Protocol, TypeVar

from stubcli.detect.text.layout import ColumnLayout, find, is_capital, is_header, is_rule
from stubcli.detect.text.quantities import Row

# The layout is found on so many rows.
_FIRST = 400
# How near to the first row a line is drawn that stands for its header.
NEAR = 5
_BATCH = 2000


class Collected(Protocol):
    """A table so far: its layout, its heading, and what takes in its rows, with their cells."""

    layout: ColumnLayout
    heading: str
    rows: int

    def add(self, rows: list[tuple[Row, list[str]]]) -> None: ...


_Table = TypeVar("_Table", bound=Collected)


class TableWalk(ABC, Generic[_Table]):
    """Parts the lines into tables: at blank lines, and where another header begins."""

    def __init__(self, opened: Callable[[ColumnLayout, str, int], _Table]) -> None:
        self.tables: list[_Table] = []
        self._opened = opened
        self._table: _Table | None = None
        self._headers: dict[tuple[str, ...], ColumnLayout] = {}
        self._rows: list[Row] = []
        self._ruled = False
        self._batch: list[tuple[Row, list[str]]] = []

    @abstractmethod
    def other(self, row: Row) -> None:
        """A line that is no row of a table."""

    def above(self, rows: list[Row]) -> None:
        """Lines over the header of a table, the last of which is its heading."""

    def drawn(self, number: int, rule: str) -> None:
        """A line that only draws."""

    def seen(self, number: int, text: str) -> None:
        """Any other line that is not blank; the first of a table are seen twice."""

    def goes_on(self, number: int, cells: list[str]) -> None:
        """The row before this line goes on in one of its cells."""

    def line(self, number: int, text: str) -> None:
        if not text.strip():
            self.close()
        elif is_rule(text):
            self._ruled = self._ruled or len(self._rows) < NEAR
            self.drawn(number, text.strip())
        else:
            self.seen(number, text)
            if self._table is None:
                if self._rows and self._begins(text):
                    self.close()
                self._rows.append((number, text))
                if len(self._rows) >= _FIRST:
                    self._begin()
            else:
                self._row((number, text))

    def _begins(self, text: str) -> bool:
        """Whether the line is the header of another table than that of the rows before it."""
        if is_capital(text):
            return not is_capital(self._rows[-1][1])
        first = next((row for _, row in self._rows if is_header(row)), "")
        return first.split()[:1] == text.split()[:1] and first != text and is_header(text)

    def _row(self, row: Row) -> None:
        table = self._table
        if table is None:
            return
        cells = table.layout.cells(row[1])
        if cells == table.layout.names:
            return
        if cells is None and is_header(row[1]) and is_capital(row[1]):
            self.close()
            self._rows.append(row)
            return
        filled = sum(map(bool, cells or ()))
        if cells is not None and filled == 1 and table.rows + len(self._batch) and not cells[0]:
            self.goes_on(row[0], cells)
            return
        if cells is None or filled < min(2, len(cells)):
            self.other(row)
            return
        self._batch.append((row, cells))
        if len(self._batch) >= _BATCH:
            self._flush()

    def _begin(self) -> None:
        """Find the layout of the rows so far, and take them in."""
        rows, self._rows = self._rows, []
        layout = self._as_before(rows, find([text for _, text in rows], self._ruled))
        if layout is None:
            for row in rows:
                self.other(row)
            return
        above = rows[: max(0, layout.header)]
        self.above(above)
        heading = above[-1][1].strip() if above else ""
        line = rows[max(0, layout.header)][0]
        known = next((one for one in self.tables if one.layout.names == layout.names), None)
        if known is None or heading != known.heading:
            known = self._opened(layout, heading, line)
            self.tables.append(known)
        known.layout = layout
        self._table = known
        for number, text in rows[layout.header + 1 :]:
            self.line(number, text)

    def _as_before(self, rows: list[Row], found: ColumnLayout | None) -> ColumnLayout | None:
        """The layout of an earlier table of the same header, where the rows, too few to tell
        columns apart, fit it.
        """
        for at, (_, text) in enumerate(rows[:2]):
            earlier = self._headers.get(tuple(text.split()))
            if earlier is not None and (found is None or found.width < earlier.width):
                behind = rows[at + 1 :]
                fitting = sum(earlier.cells(row) is not None for _, row in behind)
                if fitting >= 0.9 * len(behind):
                    found = copy(earlier)
                    found.header = at
        if found is not None and found.header >= 0 and is_header(rows[found.header][1]):
            self._headers.setdefault(tuple(rows[found.header][1].split()), found)
        return found

    def close(self) -> None:
        """The end of a table."""
        if self._rows:
            self._begin()
        self._flush()
        self._table, self._ruled = None, False

    def _flush(self) -> None:
        if self._table is not None:
            self._table.add(self._batch)
        self._batch = []
