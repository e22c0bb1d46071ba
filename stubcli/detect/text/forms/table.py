"""Tables for human eyes, their columns laid out by blanks or drawn lines: the values of each
column, and the rows that hold what few others hold. Several may follow each other.
"""

import re
from copy import copy

from stubcli.detect.fields.words import crossed_lines
from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.judge import Judge
from stubcli.detect.notable.patterns import WEAK
from stubcli.detect.reading import as_they_stand, plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.laid_out import ODD, LaidColumn, LaidTable, TableTally
from stubcli.detect.text.layout import ColumnLayout, find, is_capital, is_header, is_rule
from stubcli.detect.text.quantities import Row
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, listed
from stubcli.text.characters import decode, encode
from stubcli.value import Value

NAME = "table"
_LIMIT = 8 * 1024 * 1024
# The layout is found on so many rows.
_FIRST = 400
# How near to the first row a line is drawn that stands for its header.
_NEAR = 5
_TABLES = 40
_COLUMNS = 14
_DETAILED = 4
_BATCH = 2000
_SECTIONS = 8
_OTHERS = 5000
_GAPS = re.compile(r"\s{2,}|\t|[|│]")
# Of more values than this, those that came once are not all told.
_MANY = 8
_LONE = 2
_TEXT = 2000


class Banner(Value):
    line: int
    heading: str
    below: str = ""


class LaidOutFacts(FormFacts):
    """rows: of all tables. others: lines that are no row of one. sections: of these, headings over
    a drawn line, and the line that follows it.
    """

    VERSION = 4
    rows: int = 0
    others: int = 0
    sections: tuple[Banner, ...] = ()
    tables: tuple[LaidTable, ...] = ()
    table_count: int = 0


FACTS = LaidOutFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    walk = _Walk()
    seen = reach(source, _LIMIT)
    tabs = False
    for number, line in enumerate(plain_lines(source, seen), 1):
        tabs = tabs or b"\t" in line
        walk.line(number, decode(line[:_TEXT]).rstrip("\r").expandtabs())
    walk.close()
    judge = Judge() if scan.notable else None
    kept = [line for line in scan.notable if judge and not walk.only_names(line, judge)]
    odd = walk.odd()[: 2 * ODD]
    found = {
        line.number: line for line in (*(as_they_stand(source, seen, odd) if tabs else odd), *kept)
    }
    shown = tuple(found[number] for number in sorted(found))
    tables = tuple(table.facts(found) for table in walk.tables[:_TABLES])
    rows = sum(table.rows for table in walk.tables)
    sections = tuple(walk.sections)
    facts = LaidOutFacts(seen, source.size, rows, walk.others, sections, tables, len(walk.tables))
    # Columns without a name may be none.
    named = all(table.layout.named for table in walk.tables)
    others = frozenset(walk.other_lines) if named else None
    return FormReading(facts, shown, instead=True, others=others)


class _Walk:
    """Parts the lines into tables: at blank lines, and where another header begins."""

    def __init__(self) -> None:
        self.tables: list[TableTally] = []
        self.others = 0
        self.other_lines: list[int] = []
        self.sections: list[Banner] = []
        self._above: Row = (0, "")
        self._headed = False
        self._alone: list[NotableLine] = []
        self._table: TableTally | None = None
        self._headers: dict[tuple[str, ...], ColumnLayout] = {}
        self._rows: list[Row] = []
        self._ruled = False
        self._batch: list[tuple[Row, list[str]]] = []

    def line(self, number: int, text: str) -> None:
        if not text.strip():
            self.close()
        elif is_rule(text):
            self._ruled = self._ruled or len(self._rows) < _NEAR
            self._rule(number, text.strip())
        else:
            self._note(number, text)
            if self._table is None:
                if self._rows and self._begins(text):
                    self.close()
                self._rows.append((number, text))
                if len(self._rows) >= _FIRST:
                    self._begin()
            else:
                self._row((number, text))

    def _rule(self, number: int, rule: str) -> None:
        """A line is drawn: what stands over a plain one, and in no columns, is a heading."""
        above, text = self._above
        plain = len(set(rule)) == 1 and above == number - 1 and not _GAPS.search(text.strip())
        if plain and len(self.sections) < _SECTIONS:
            self.sections.append(Banner(above, clip(text.strip(), 100)))
            self._headed = True

    def _note(self, number: int, text: str) -> None:
        """Whether the line follows a heading that was just found."""
        if self._headed and number <= self._above[0] + _NEAR:
            self.sections[-1] = self.sections[-1].replace(below=clip(text.strip(), 100))
        self._headed = False
        self._above = (number, text)

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
            # The row before it goes on.
            return
        if cells is None or filled < min(2, len(cells)):
            self._other(row)
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
                self._other(row)
            return
        above = rows[: max(0, layout.header)]
        heading = above[-1][1].strip() if above else ""
        line = rows[max(0, layout.header)][0]
        known = next((one for one in self.tables if one.layout.names == layout.names), None)
        if known is None or heading != known.heading:
            known = TableTally(layout, heading, line)
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

    def _other(self, row: Row) -> None:
        self.others += 1
        if len(self.other_lines) < _OTHERS:
            self.other_lines.append(row[0])
        if len(self._alone) <= ODD:
            self._alone.append(NotableLine(row[0], row[1][:199]))

    def odd(self) -> list[NotableLine]:
        """Lines unlike all rows where they are few, then rows that are odd in a column."""
        alone = self._alone if self.others <= ODD else []
        return [*alone, *(line for table in self.tables for line in table.odd())]

    def only_names(self, line: NotableLine, judge: Judge) -> bool:
        """Whether an alarming word of a row stands in a column that only names things."""
        for table in self.tables:
            cells = table.layout.cells(line.text) if line.number > table.line else None
            if cells is not None:
                kept = zip(table.columns, cells, strict=True)
                said = [cell for column, cell in kept if column.sorts.few()]
                return judge.rank(encode("  ".join(said))) < WEAK
        return False


def words(facts: LaidOutFacts) -> list[str]:
    within = f" in the first {facts.seen:,} of {facts.size:,} bytes"
    others = f", {counted(facts.others, 'other line')}" if facts.others else ""
    many = f" in {facts.table_count:,} tables" if facts.table_count > 1 else ""
    said: list[str] = []
    largest = sorted(facts.tables, key=lambda table: -table.rows)[:_DETAILED]
    for table in facts.tables:
        where = f"line {table.line:,}: " if facts.table_count > 1 else ""
        heading = f" under “{clip(table.heading, 80)}”" if table.heading else ""
        many_rows = counted(table.rows, "row")
        if table in largest and (table.rows or not said):
            said.append(f"{where}{many_rows} of {len(table.columns)} columns{heading}")
            said += crossed_lines(
                table.crossed, "line", {column.name for column in table.columns if column.values}
            )
            said += [*column_lines(table), *seldom_lines(table)]
        else:
            names = (column.name for column in table.columns)
            named = "" if heading else ": " + listed(names, len(table.columns), 150, 30)
            said.append(f"{where}{many_rows}{heading}{named}")
    if facts.sections:
        headings = (f"{one.line:,}: {one.heading} · {one.below}" for one in facts.sections)
        said += ["headings:", *(f"  {heading}" for heading in headings)]
    if many or facts.others or facts.seen < facts.size:
        bound = within if facts.seen < facts.size else ""
        said.insert(0, f"{counted(facts.rows, 'row')}{many}{bound}{others}")
    return said


def seldom_lines(table: LaidTable) -> list[str]:
    """The first rows of the states that few rows have: two, where they are those that alarm."""
    said = []
    for one in table.seldom:
        where = f"{one.column} {one.state}" if one.column else one.state
        many = f" ({one.count:,}, first)" if one.count > 1 else ""
        number, text = one.rows[0]
        said.append(f"  {where}{many}: line {number:,}: {text}")
    return said


def column_lines(table: LaidTable) -> list[str]:
    said: list[str] = []
    plain: list[str] = []
    for column in table.columns:
        named = _column(column)
        if named and len(said) < _COLUMNS:
            said.append(f"  {clip(column.name, 40) or '(no name)'}: {named}")
        else:
            plain.append(column.name or "(no name)")
    if plain:
        said.append("  names and free text: " + listed(plain, len(plain), 200, 40))
    return said


def _column(column: LaidColumn) -> str:
    parts = []
    if column.low is not None and column.high is not None:
        same = column.low == column.high
        span = f"all {column.low}" if same else f"{column.low}–{column.high}"
        parts.append(f"{column.type} {span}")
    if column.empty and column.filled:
        parts.append(f"{column.empty:,} empty")
    if column.values:
        # What stands once among many names something.
        often = sum(times > 1 for _, times in column.values)
        most = often + _LONE if column.distinct > _MANY else len(column.values)
        values = (f"{clip(text, 34)} {times:,}" for text, times in column.values[:most])
        parts.append(listed(values, column.distinct, 200, 40))
    elif column.tails:
        parts.append("ends in " + ", ".join(f"{text} {n:,}" for text, n in column.tails))
    elif not column.filled:
        parts.append("empty")
    return ", ".join(parts)
