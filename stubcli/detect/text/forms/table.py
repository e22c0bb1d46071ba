"""Tables for human eyes, their columns aligned by spaces: rows, the values of each column, and the
rows that hold a value which few others hold.
"""

import re
from collections import Counter

from stubcli.detect.fields.column import ColumnCounts
from stubcli.detect.fields.facts import ColumnFacts
from stubcli.detect.fields.words import column_words
from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.notable.patterns import WEAK, Judge
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import cells, is_ruler
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode, encode

NAME = "table"
_BOM = "\ufeff"
_LIMIT = 4 * 1024 * 1024
_DIGITS = re.compile(r"\d+")
_COLUMNS = 10
_BATCH = 2000
# A column of more values than this names things; of fewer, it sorts them.
_SORTS = 40
_RARE_AMONG = 50
_RARE = 6


class LaidOutFacts(FormFacts):
    """others: rows of other widths, of all `rows`. names and columns belong to each other."""

    rows: int = 0
    width: int = 0
    others: int = 0
    names: tuple[str, ...] = ()
    columns: tuple[ColumnFacts, ...] = ()


FACTS = LaidOutFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    table = _LaidOut()
    batch: list[tuple[int, bytes]] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if not is_ruler(line):
            batch.append((number, line))
        if len(batch) == _BATCH:
            table.add(batch)
            batch = []
    table.add(batch)
    judge = Judge() if scan.notable else None
    kept = tuple(line for line in scan.notable if judge and not table.only_names(line.text, judge))
    rare = tuple(line for line in table.rare() if line.number not in {one.number for one in kept})
    return FormReading(table.facts(seen, source.size), (*kept, *rare), instead=True)


def words(facts: LaidOutFacts) -> list[str]:
    others = f", {facts.others:,} of other widths" if facts.others else ""
    said = [f"{counted(facts.rows, 'row')} of {facts.width} columns{others}"]
    plain: list[str] = []
    for name, column in zip(facts.names, facts.columns, strict=True):
        named = column_words(column)
        if named == "text" or column.more > _SORTS // 4:
            plain.append(name)
        elif len(said) <= _COLUMNS:
            said.append(f"  {clip(name, 40)}: {named}")
    if plain:
        said.append("  names and free text: " + listed(plain, len(plain), 200, 40))
    return [*said, *limited(facts.seen, facts.size)]


class _Sorts:
    """The values of one column with their digits masked, while they are few."""

    def __init__(self) -> None:
        self.counts: Counter[str] | None = Counter()
        self._first: dict[str, list[NotableLine]] = {}

    def add(self, cell: str, number: int, line: bytes) -> None:
        if self.counts is None:
            return
        value = _DIGITS.sub("0", cell)
        self.counts[value] += 1
        if self.counts[value] <= 2:
            self._first.setdefault(value, []).append(NotableLine(number, decode(line[:199])))
        if len(self.counts) > _SORTS:
            self.counts = None

    def rare(self) -> list[NotableLine]:
        counts = self.counts or Counter()
        total = sum(counts.values())
        few = max(2, total // 500)
        values = [value for value, count in counts.items() if count <= few]
        often = total - sum(counts[value] for value in values)
        if total < _RARE_AMONG or len(values) > _RARE or often < 0.95 * total:
            return []
        return [line for value in values for line in self._first[value]]


class _LaidOut:
    def __init__(self) -> None:
        self._width = self._rows = self._other = 0
        self._names: list[str] = []
        self._columns: list[ColumnCounts] = []
        self._sorts: list[_Sorts] = []
        self._odd: list[NotableLine] = []

    def add(self, batch: list[tuple[int, bytes]]) -> None:
        rows = [
            (number, line, cells(decode(line[:2000]).replace(_BOM, ""))) for number, line in batch
        ]
        if not self._width and rows:
            rows = self._start(rows)
        kept = [row for row in rows if len(row[2]) == self._width]
        at = self._rows + 1
        if self._columns:
            # A row of another width has a first cell all the same.
            self._columns[0].add([row[2][0] for row in rows if len(row[2]) > 1], at)
        by_column = zip(*(row[2] for row in kept), strict=True)
        for index, values in enumerate(by_column):
            if index:
                self._columns[index].add(values, at)
        for number, line, row in kept:
            for sorts, cell in zip(self._sorts, row, strict=True):
                sorts.add(cell, number, line)
        self._rows += len(rows)
        self._other += len(rows) - len(kept)
        odd = [row for row in rows if len(row[2]) != self._width and any(row[2])]
        self._odd += [NotableLine(number, decode(line[:199])) for number, line, _ in odd[:_RARE]]

    def _start(
        self, rows: list[tuple[int, bytes, list[str]]]
    ) -> list[tuple[int, bytes, list[str]]]:
        """Find the width and the header; the rows without what stands before them."""
        self._width = Counter(len(row[2]) for row in rows).most_common(1)[0][0]
        self._columns = [ColumnCounts() for _ in range(self._width)]
        self._sorts = [_Sorts() for _ in range(self._width)]
        header = next((at for at, row in enumerate(rows[:8]) if len(row[2]) == self._width), 0)
        below = [row[2] for row in rows[header + 1 :] if len(row[2]) == self._width]
        # A row whose cells come again below it is the first one of data.
        again = sum(row[0] == rows[header][2][0] for row in below) > len(below) // 2
        if again or any(cell[:1].isdigit() for cell in rows[header][2]) or header > 0:
            self._names = [f"column {at}" for at in range(1, self._width + 1)]
            return rows[header:]
        self._names = rows[header][2]
        return rows[header + 1 :]

    def facts(self, seen: int, size: int) -> LaidOutFacts:
        return LaidOutFacts(
            seen,
            size,
            self._rows,
            self._width,
            self._other,
            tuple(map(clip, self._names)),
            tuple(column.facts() for column in self._columns),
        )

    def only_names(self, text: str, judge: Judge) -> bool:
        """Whether an alarming word of a row stands in a column that only names things."""
        row = cells(text)
        if len(row) != self._width:
            return False
        said = [cell for sorts, cell in zip(self._sorts, row, strict=True) if sorts.counts]
        return judge.rank(encode("  ".join(said))) < WEAK

    def rare(self) -> list[NotableLine]:
        # Where all others are of one width, the cell that one lacks says something.
        few = self._rows >= _RARE_AMONG and self._other <= _RARE
        shown = {line.number: line for line in self._odd} if few else {}
        for sorts in self._sorts:
            for line in sorts.rare():
                shown.setdefault(line.number, line)
        return [shown[number] for number in sorted(shown)][:_RARE]
