"""A table for human eyes so far: what its columns hold, and the rows that hold what few others do.

It does not know where columns begin, nor where a table ends.
"""

import re
from collections.abc import Collection
from itertools import chain, zip_longest

from stubcli.detect.fields.column import ColumnCounts
from stubcli.detect.fields.crossing import Crossing
from stubcli.detect.fields.facts import CrossedFacts
from stubcli.detect.model import NotableLine
from stubcli.detect.text.layout import ColumnLayout
from stubcli.detect.text.quantities import DATE, Quantities, Row
from stubcli.detect.text.sorts import Sorts
from stubcli.detect.words import clip
from stubcli.value import Value

ODD = 8
_VALUES = 24
# Of a whole, less than so many percent is not far from nothing.
_SHARE = 5
_SELDOM = 6
_ROW = 180
_GAPS = re.compile(r"\s{2,}|\t")
_NUMBERS = ("integer", "number", "size", "percent", "time", DATE)


class LaidColumn(Value):
    """low, high: extremes of numbers, also with units, as written. values: the most frequent
    first, of `distinct`; empty where a column only names things. tails: words that end its cells.
    """

    name: str
    type: str
    filled: int
    empty: int
    low: str | None = None
    high: str | None = None
    values: tuple[tuple[str, int], ...] = ()
    distinct: int = 0
    tails: tuple[tuple[str, int], ...] = ()


class SeldomState(Value):
    """So many rows have a state that is seldom in its column; the first of them, with numbers."""

    column: str
    state: str
    count: int
    rows: tuple[tuple[int, str], ...]


class LaidTable(Value):
    """heading: the line before the header, which stands in line `line`. seldom: states that few
    rows have, those that alarm first. crossed: what columns say of each other.
    """

    heading: str
    line: int
    rows: int
    columns: tuple[LaidColumn, ...]
    seldom: tuple[SeldomState, ...] = ()
    crossed: CrossedFacts | None = None


def _short(row: str) -> str:
    """A row without the blanks that only lay it out."""
    return _GAPS.sub("  ", row.strip())[:_ROW]


class ColumnTally:
    def __init__(self) -> None:
        self.counts, self.sorts, self.quantities = ColumnCounts(), Sorts(), Quantities()

    def add(self, cells: list[str], rows: list[Row], at: int) -> None:
        self.counts.add(cells, at)
        self.sorts.add(cells, rows)
        self.quantities.add(cells, rows)

    def facts(self, name: str) -> LaidColumn:
        known = self.counts.facts()
        low, high, kind = known.low, known.high, known.type or "empty"
        extreme = self.quantities.extreme()
        if extreme is not None:
            family = self.quantities.family
            low, high = extreme.low, extreme.high
            kind = {"%": "percent", "B": "size", "s": "time", DATE: DATE}.get(family, kind)
            kind = "number" if kind == "text" else kind
        values, distinct = self.sorts.ranked(_VALUES)
        if kind in _NUMBERS and (distinct > 6 or low == high):
            values = ()
        return LaidColumn(
            clip(name),
            kind,
            known.filled,
            known.empty,
            low and clip(low, 60),
            high and clip(high, 60),
            values,
            distinct,
            self.sorts.tails() if not values and kind == "text" else (),
        )


class TableTally:
    def __init__(self, layout: ColumnLayout, heading: str, line: int) -> None:
        self.layout, self.heading, self.line = layout, heading, line
        self.rows = 0
        self.columns = [ColumnTally() for _ in layout.names]
        self._crossing = Crossing()

    def add(self, rows: list[tuple[Row, list[str]]]) -> None:
        if not rows:
            return
        places = [row for row, _ in rows]
        by_column = list(zip(*(cells for _, cells in rows), strict=True))
        self._crossing.add(self.layout.names, by_column, [number for number, _ in places])
        for column, cells in zip(self.columns, by_column, strict=True):
            column.add(list(cells), places, self.rows + 1)
        self.rows += len(rows)

    def facts(self, shown: Collection[int] = ()) -> LaidTable:
        """What is known of the table; shown: numbers of rows that stand elsewhere already."""
        named = zip(self.layout.names, self.columns, strict=True)
        columns = tuple(column.facts(name) for name, column in named)
        seldom = tuple(self._seldom(shown))
        crossed = self._crossing.facts()
        return LaidTable(clip(self.heading), self.line, self.rows, columns, seldom, crossed)

    def _seldom(self, shown: Collection[int]) -> list[SeldomState]:
        """The states that few rows have, of columns that hold few of them."""
        found: list[tuple[bool, SeldomState]] = []
        for name, column in zip(self.layout.names, self.columns, strict=True):
            for one in column.sorts.seldom():
                rows = [(number, _short(text)) for number, text in one.rows if number not in shown]
                if rows and (len(rows) == len(one.rows) or one.times > len(one.rows)):
                    state = SeldomState(clip(name, 40), clip(one.value, 40), one.times, tuple(rows))
                    found.append((one.alarming, state))
        found.sort(key=lambda one: (not one[0], one[1].count))
        return [one for _, one in found[:_SELDOM]]

    def odd(self) -> list[NotableLine]:
        """The rows that are odd in a column: the oddest of each column before a second of any."""
        found: list[list[Row]] = []
        for name, column in zip(self.layout.names, self.columns, strict=True):
            far = column.quantities.far_off()
            if "%" in name and column.quantities.highest < _SHARE:
                far = None
            lines = column.sorts.rare() if column.counts.kind in ("text", "") else []
            found.append([*([far] if far else []), *lines])
        shown: dict[int, NotableLine] = {}
        for row in chain.from_iterable(zip_longest(*found)):
            if row is not None:
                shown.setdefault(row[0], NotableLine(row[0], row[1][:199]))
        return list(shown.values())[:ODD]
