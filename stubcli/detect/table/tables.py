"""Tables of one stream, counted while their records come: mostly one, or several after another."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stubcli.detect.fields.column import ColumnCounts
from stubcli.detect.fields.crossing import Crossing
from stubcli.detect.table.borders import borders, first_border
from stubcli.detect.table.facts import Further, Outside
from stubcli.detect.table.rows import Places, preamble
from stubcli.detect.table.start import Start, start_of
from stubcli.detect.table.trailer import LOOKED_AT, trailer
from stubcli.detect.words import clip

if TYPE_CHECKING:
    from stubcli.detect.table.pairs import PairColumns

BATCH = 4096
_MOST_COLUMNS = 200
_BETWEEN = 6
# Of tables that follow each other so many are told apart; the last one has all the rest.
_MOST_TABLES = 50
# A table has so many times the rows of all those above it, or the first one is the table.
_OUTWEIGHS = 4
# So many more cells than the header has names a record may have.
_WIDER = 100
# Of a column, so many cells tell whether they may be lists of keys with values.
_TRIED = 24

Row = list[str]
# The lines on which a record begins and ends.
Place = tuple[int, int]


class TableCounts:
    """What was read of one table so far: rows that wait, then counts and columns.

    again: for lines that stand like one of the first lines, byte for byte, that one.
    """

    def __init__(self, again: dict[int, int]) -> None:
        # Rows, their first and last lines, and those first lines that an empty one precedes.
        self.rows: list[Row] = []
        self.at: list[Place] = []
        self.apart: set[int] = set()
        self.start = Start(0, (), -1, 0)
        self.line = self.header_line = self.before = 0
        self.first, self.last = (1, 0), 0
        self.between: list[Outside] = []
        # The lines of the records that may be told of.
        self.places: dict[int, Place] = {}
        self.after: Outside | None = None
        self.columns: list[ColumnCounts] = []
        # The columns, by place, whose cells are lists of keys with values.
        self.pairs: dict[int, PairColumns] | None = None
        self.crossing = Crossing()
        self.count = self.ragged = self.detailed = 0
        self.wide, self.short, self.repeats = Places(), Places(), Places()
        self.widest = 0
        self._again = again
        self._head: Row = []

    def take(self, detailed: bool, *, last: bool, alone: bool) -> "TableCounts | None":
        """Count the rows that wait, but for the last ones: they may stand below the table.

        Returns the table that begins below it, with the rows that are left. last: whether no more
        rows come. alone: whether all rows are of this table, whatever they look like.
        """
        if not self.columns and self.rows:
            above = preamble(row[0] for row in self.rows)
            below = -1 if alone else next(borders(self.rows[above:]), -1)
            below += above if below >= 0 else 0
            if below >= 0:
                return self._cut(below, detailed)
            self._begin()
        most = max(0, len(self.rows) - LOOKED_AT)
        below = -1 if alone else self._border(len(self.rows) if last else most)
        if below >= 0:
            return self._cut(below, detailed)
        self._take(most, detailed)
        self.apart = {line for line in self.apart if self.at and line >= self.at[0][0]}
        return None

    def _border(self, most: int) -> int:
        """The first row up to `most` where another table begins; -1 for none."""
        places = first_border(self.rows, self.start.width, most), self._other_header(most)
        return min((at for at in places if at >= 0), default=-1)

    def _cut(self, below: int, detailed: bool) -> "TableCounts":
        """End before that row; what comes from there on is another table."""
        other = TableCounts(self._again)
        other.rows, other.at = self.rows[below:], self.at[below:]
        other.apart = self.apart
        del self.rows[below:], self.at[below:]
        if not self.columns:
            self._begin()
        self.finish(detailed)
        return other

    def _other_header(self, most: int) -> int:
        """The first row up to `most` that has the names of the header and is written otherwise."""
        if not self._head:
            return -1
        rows = self.rows[:most]
        if self._head not in rows:
            return -1
        for at, row in enumerate(rows):
            if row == self._head:
                line = self.at[at][0]
                if self._again.get(line) != self.header_line:
                    return at
        return -1

    def finish(self, detailed: bool) -> None:
        """Count the rest; the rows below the table are left out."""
        apart = [line in self.apart for line, _ in self.at]
        more = trailer(self.rows, apart, self.columns, self.start.width)
        if more:
            line = self.at[-more][0]
            text = next((" ".join(row) for row in self.rows[-more:] if any(row)), "")
            self.after = Outside(more, line, clip(" ".join(text.split())))
            del self.rows[-more:], self.at[-more:]
        self._take(len(self.rows), detailed)

    def _begin(self) -> None:
        start = self.start = start_of(self.rows)
        self.line = self.at[0][0]
        if start.header_at >= 0:
            self.header_line = self.at[start.header_at][0]
            if start.first == start.header_at + 1:
                self._head = self.rows[start.header_at]
        self.before = start.first if start.header_at < 0 else start.header_at
        if len(self.at) > start.first:
            self.first = self.at[start.first]
        self.last = self.at[start.first - 1][1] if start.first else 0
        self.widest = start.width
        self.columns = [ColumnCounts() for _ in range(min(start.width, _MOST_COLUMNS))]
        del self.rows[: start.first], self.at[: start.first]

    def _take(self, most: int, detailed: bool) -> None:
        width, rows, at = self.start.width, self.rows[:most], self.at[:most]
        del self.rows[:most], self.at[:most]
        if at:
            self.last = at[-1][1]
        if self._head in rows:
            rows, at = self._without_headers(rows, at)
        kept = rows
        numbers: Sequence[int] = range(self.count + 1, self.count + len(rows) + 1)
        if set(map(len, rows)) - {width}:
            self._ragged(rows, at)
            fits = [n for n, row in enumerate(rows) if len(row) == width]
            kept = [rows[n] for n in fits]
            numbers = [self.count + 1 + n for n in fits]
        if not detailed:
            self.crossing.whole = False
        else:
            by_column = list(zip(*kept, strict=True))
            self.crossing.add(self.start.header, by_column, numbers)
            for column, cells in zip(self.columns, by_column, strict=False):
                column.add(cells, self.count + 1, numbers)
            self._add_pairs(by_column, numbers)
            for column in (*self.columns, *(column for _, _, column in self.keyed())):
                for row in column.remembered():
                    if isinstance(row, int) and row > self.count:
                        self.places[row] = at[row - self.count - 1]
            self.detailed += len(kept)
        self.count += len(rows)

    def _add_pairs(self, by_column: list[tuple[str, ...]], numbers: Sequence[int]) -> None:
        """Count the pairs in cells; which columns hold some, the first records decide."""
        if self.pairs is None and by_column:
            self.pairs = pairs_of(by_column[: len(self.columns)])
        for place, columns in (self.pairs or {}).items() if by_column else ():
            columns.add(by_column[place], numbers)

    def keyed(self) -> Iterator[tuple[int, str, ColumnCounts]]:
        """The keys in the cells of a column as columns, with the place of that one."""
        for place, columns in (self.pairs or {}).items():
            yield from ((place, key, column) for key, column in columns.keys.items())

    def _without_headers(self, rows: list[Row], at: list[Place]) -> tuple[list[Row], list[Place]]:
        """The rows without those that are the header again."""
        kept = [n for n, row in enumerate(rows) if row != self._head]
        for n in set(range(len(rows))) - set(kept):
            self.repeats.add(at[n][0])
        return [rows[n] for n in kept], [at[n] for n in kept]

    def _ragged(self, rows: list[Row], at: list[Place]) -> None:
        """Count the rows of another width; lines without a delimiter are told."""
        for row, (line, _) in zip(rows, at, strict=True):
            if len(row) == self.start.width:
                continue
            self.ragged += 1
            if len(row) > self.start.width:
                self.wide.add(line)
                self.widest = max(self.widest, filled(row, self.start.width))
            else:
                self.short.add(line)
            if len(row) == 1 and row[0].strip() and len(self.between) < _BETWEEN:
                self.between.append(Outside(1, line, clip(row[0].strip())))

    @property
    def header_rows(self) -> int:
        return self.start.first - self.start.header_at if self.start.header_at >= 0 else 0

    @property
    def size(self) -> int:
        """All rows, those outside of it too."""
        after = self.after.lines if self.after else 0
        return self.before + self.header_rows + self.count + self.repeats.count + after

    def further(self) -> Further:
        """What is told of it where another one is the table."""
        names = tuple(clip(name.strip(), 60) for name in self.start.header[:_MOST_COLUMNS])
        return Further(self.line, self.last, self.count, self.start.width, names)


def pairs_of(by_column: Sequence[Sequence[str]]) -> "dict[int, PairColumns]":
    """The columns whose cells are lists of keys with values, by place."""
    maybe = [at for at, cells in enumerate(by_column) if sum(map(_may_pair, cells[:_TRIED])) > 1]
    if not maybe:
        return {}
    from stubcli.detect.table.pairs import PairColumns, style_of

    found = ((at, style_of(by_column[at])) for at in maybe)
    return {at: PairColumns(style) for at, style in found if style}


def _may_pair(cell: str) -> bool:
    return any(mark in cell for mark in ("=", ":", '"'))


def filled(row: Row, width: int) -> int:
    """The cells of a row that is too wide, without the empty ones at its end."""
    end = min(len(row), width + _WIDER)
    while end > width and not row[end - 1]:
        end -= 1
    return end


class Tables:
    """All tables of a stream."""

    def __init__(self) -> None:
        self.again: dict[int, int] = {}
        self._tables = [TableCounts(self.again)]

    def add(self, rows: list[Row], at: list[Place], apart: set[int], detailed: bool) -> None:
        """Count these rows, which are those that follow; the lists are empty then.

        at: their lines; apart: the first lines of those that an empty one precedes.
        """
        table = self._tables[-1]
        table.rows += rows
        table.at += at
        table.apart |= apart
        rows.clear()
        at.clear()
        apart.clear()
        if len(table.rows) >= BATCH + LOOKED_AT:
            self._take(detailed, last=False)

    def _take(self, detailed: bool, *, last: bool) -> None:
        while True:
            alone = len(self._tables) >= _MOST_TABLES
            below = self._tables[-1].take(detailed, last=last, alone=alone)
            if not below:
                return
            self._tables.append(below)

    def finish(self, detailed: bool) -> None:
        if self._tables[-1].rows:
            self._take(detailed, last=True)
        self._tables[-1].finish(detailed)

    @property
    def main(self) -> TableCounts:
        """The largest, where it is much larger than all above it, else the first."""
        best, above = self._tables[0], 0
        for table in self._tables:
            if table.count >= _OUTWEIGHS * max(above, 1) and table.count > best.count:
                best = table
            above += table.count
        return best

    def around(self, main: TableCounts) -> tuple[list[TableCounts], list[TableCounts]]:
        """The tables before and after that one."""
        at = self._tables.index(main)
        return self._tables[:at], self._tables[at + 1 :]

    def others(self, main: TableCounts) -> tuple[Further, ...]:
        above, below = self.around(main)
        return tuple(table.further() for table in (*above, *below) if table.count)
