"""Tables for human eyes, their columns aligned by spaces: rows, the values of each column, and the
rows that hold a value which few others hold.
"""

import re
from collections import Counter

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.kinds.columns import Column
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.detect.patterns import WEAK, Judge
from stubcli.text.decode import decode, encode

NAME = "table"
_LIMIT = 4 * 1024 * 1024
_GAP = re.compile(r"\s{2,}|\t")
_BAR = re.compile(r" *\| *")
_MORE = re.compile(r"\+([\d,]+) more values$")
_DIGITS = re.compile(r"\d+")
_COLUMNS = 10
_BATCH = 2000
# A column of more values than this names things; of fewer, it sorts them.
_SORTS = 40
_RARE_AMONG = 50
_RARE = 6


def _cells(line: bytes) -> list[str]:
    return _split(decode(line[:2000]))


def _split(text: str) -> list[str]:
    text = text.strip()
    # As psql and mysql draw it; others leave two spaces or more between columns.
    return _BAR.split(text.strip("| ")) if " | " in text else _GAP.split(text)


def _ruler(line: bytes) -> bool:
    return not line.strip(b" \t\r-+=|")


def _upper(line: bytes) -> bool:
    """A first line of capitals, as kubectl, docker and ps write it."""
    words = line.split()
    return len(words) >= 3 and all(word[:1].isupper() and word.isupper() for word in words)


def holds(lines: list[bytes]) -> bool:
    lines = [line for line in lines if not _ruler(line)]
    if len(lines) < 5:
        return False
    widths = Counter(len(_cells(line)) for line in lines)
    width, times = widths.most_common(1)[0]
    return width >= 3 and times >= (0.5 if _upper(lines[0]) else 0.8) * len(lines)


def describe(source: Source, scan: Scan) -> Described:
    table = _Table()
    batch: list[tuple[int, bytes]] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        if not _ruler(line):
            batch.append((number, line))
        if len(batch) == _BATCH:
            table.add(batch)
            batch = []
    table.add(batch)
    told = [*table.told(), *limited(seen, source.size)]
    judge = Judge() if scan.notable else None
    kept = tuple(line for line in scan.notable if judge and not table.only_names(line.text, judge))
    rare = tuple(line for line in table.rare() if line.number not in {one.number for one in kept})
    return Described(told, (*kept, *rare), instead=True)


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


class _Table:
    def __init__(self) -> None:
        self._width = self._rows = self._other = 0
        self._names: list[str] = []
        self._columns: list[Column] = []
        self._sorts: list[_Sorts] = []
        self._odd: list[NotableLine] = []

    def add(self, batch: list[tuple[int, bytes]]) -> None:
        rows = [(number, line, _cells(line)) for number, line in batch]
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
        for number, line, cells in kept:
            for sorts, cell in zip(self._sorts, cells, strict=True):
                sorts.add(cell, number, line)
        self._rows += len(rows)
        self._other += len(rows) - len(kept)
        odd = [row for row in rows if len(row[2]) != self._width and len(row[2]) > 1]
        self._odd += [NotableLine(number, decode(line[:199])) for number, line, _ in odd[:_RARE]]

    def _start(
        self, rows: list[tuple[int, bytes, list[str]]]
    ) -> list[tuple[int, bytes, list[str]]]:
        """Find the width and the header; the rows without what stands before them."""
        self._width = Counter(len(row[2]) for row in rows).most_common(1)[0][0]
        self._columns = [Column() for _ in range(self._width)]
        self._sorts = [_Sorts() for _ in range(self._width)]
        header = next((at for at, row in enumerate(rows[:8]) if len(row[2]) == self._width), 0)
        if any(cell[:1].isdigit() for cell in rows[header][2]) or header > 0:
            self._names = [f"column {at}" for at in range(1, self._width + 1)]
            return rows[header:]
        self._names = rows[header][2]
        return rows[header + 1 :]

    def told(self) -> list[str]:
        others = f", {self._other:,} of other widths" if self._other else ""
        told = [f"{counted(self._rows, 'row')} of {self._width} columns{others}"]
        plain: list[str] = []
        for name, column in zip(self._names, self._columns, strict=True):
            said = column.told()
            many = _MORE.search(said)
            if said == "text" or (many and int(many[1].replace(",", "")) > _SORTS // 4):
                plain.append(name)
            elif len(told) <= _COLUMNS:
                told.append(f"  {clip(name, 40)}: {said}")
        if plain:
            told.append("  names and free text: " + listed(plain, len(plain), 200, 40))
        return told

    def only_names(self, text: str, judge: Judge) -> bool:
        """Whether an alarming word of a row stands in a column that only names things."""
        cells = _split(text)
        if len(cells) != self._width:
            return False
        said = [cell for sorts, cell in zip(self._sorts, cells, strict=True) if sorts.counts]
        return judge.rank(encode("  ".join(said))) < WEAK

    def rare(self) -> list[NotableLine]:
        # Where all others are of one width, the cell that one lacks says something.
        few = self._rows >= _RARE_AMONG and self._other <= _RARE // 2
        told = {line.number: line for line in self._odd} if few else {}
        for sorts in self._sorts:
            for line in sorts.rare():
                told.setdefault(line.number, line)
        return [told[number] for number in sorted(told)][:_RARE]
