"""Tables for human eyes, their columns laid out by blanks or drawn lines: the values of each
column, and the rows that hold what few others hold. Several may follow each other.
"""

import re

from stubcli.detect.fields.words import crossed_lines
from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.judge import Judge
from stubcli.detect.notable.patterns import WEAK
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.laid_out import ODD, LaidTable, TableTally
from stubcli.detect.text.laid_words import column_lines, seldom_lines
from stubcli.detect.text.quantities import Row
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.table_walk import NEAR, TableWalk
from stubcli.detect.words import clip, counted, listed
from stubcli.text.characters import decode, encode
from stubcli.value import Value

NAME = "table"
_LIMIT = 8 * 1024 * 1024
_TABLES = 40
_DETAILED = 4
_SECTIONS = 8
_OTHERS = 5000
_GAPS = re.compile(r"\s{2,}|\t|[|│]")
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
        line.number: line for line in (*(_with_tabs(source, seen, odd) if tabs else odd), *kept)
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


def _with_tabs(source: ByteSource, seen: int, odd: list[NotableLine]) -> list[NotableLine]:
    """The lines as they stand, so that what is quoted is found."""
    sought = {line.number: line for line in odd}
    return [
        sought[number].replace(text=decode(line[:_TEXT]).rstrip("\r"))
        for number, line in enumerate(plain_lines(source, seen), 1)
        if number in sought
    ]


class _Walk(TableWalk[TableTally]):
    """Keeps the lines that stand alone."""

    def __init__(self) -> None:
        super().__init__(TableTally)
        self.others = 0
        self.other_lines: list[int] = []
        self.sections: list[Banner] = []
        self._above: Row = (0, "")
        self._headed = False
        self._alone: list[NotableLine] = []

    def drawn(self, number: int, rule: str) -> None:
        """A line is drawn: what stands over a plain one, and in no columns, is a heading."""
        above, text = self._above
        plain = len(set(rule)) == 1 and above == number - 1 and not _GAPS.search(text.strip())
        if plain and len(self.sections) < _SECTIONS:
            self.sections.append(Banner(above, clip(text.strip(), 100)))
            self._headed = True

    def seen(self, number: int, text: str) -> None:
        """Whether the line follows a heading that was just found."""
        if self._headed and number <= self._above[0] + NEAR:
            self.sections[-1] = self.sections[-1].replace(below=clip(text.strip(), 100))
        self._headed = False
        self._above = (number, text)

    def other(self, row: Row) -> None:
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
            told = {column.name for column in table.columns if column.values}
            crossed = crossed_lines(table.crossed, "line", told)
            said += [*crossed, *column_lines(table), *seldom_lines(table)]
        else:
            names = [column.name for column in table.columns]
            named = "" if heading else ": " + listed(names, len(names), 150, 30)
            said.append(f"{where}{many_rows}{heading}{named}")
    if facts.sections:
        said.append("headings:")
        said += [f"  {one.line:,}: {one.heading} · {one.below}" for one in facts.sections]
    limits = f" in the first {facts.seen:,} of {facts.size:,} bytes"
    bound = limits if facts.seen < facts.size else ""
    if many or facts.others or bound:
        said.insert(0, f"{counted(facts.rows, 'row')}{many}{bound}{others}")
    return said
