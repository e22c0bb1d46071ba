"""One column of a table, fed with many cells at a time: type, empties, extremes, frequent values.

Cells are source text and are shown as they stand (10:00 is not 600, 007 is not 7). It knows no
delimiter and no header.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from heapq import nlargest, nsmallest

from stubcli.detect.fields.extremes import Extremes
from stubcli.detect.fields.facts import ColumnFacts, Count
from stubcli.detect.fields.measure import measured
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.fields.seen import FEW, MANY, Odd, Seen, few_of
from stubcli.detect.fields.sentences import Sentences, top_of
from stubcli.detect.words import clip

_DISTINCT = 1000
_TOP = 4
# Numbers of so few values are counted like words.
_ENUMERATED = 12
_NUMBERS = ("integer", "number", "decimal comma")
_MEASURES = ("date", "size", "rate", "duration", "share", "money")
# Of dates, so many ends of each batch are compared, and one in so many of the rest.
_ENDS = 4
_EACH = 64
_LONGEST_NUMBER = 400
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$")
# Dates of one length and without a zone: their order is that of their texts.
_ALIKE = re.compile(
    r"(?:\d{4}-\d\d-\d\d(?:\n|$))+|(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?(?:\n|$))+"
)
_DAY = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}$")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$")
_INTEGER = re.compile(r"[+-]?\d+$")
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$")
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$")


RowOf = Callable[[int], Row]


def shape(cell: str) -> str:
    """The type that one cell alone suggests."""
    if len(cell) > _LONGEST_NUMBER:
        return "text"
    for name, pattern in (
        ("integer", _INTEGER),
        ("number", _PLAIN),
        ("date", _ISO),
        ("day", _DAY),
        ("clock", _CLOCK),
        ("decimal comma", _COMMA),
    ):
        if pattern.match(cell):
            return name
    return "text" if cell else "empty"


class ColumnCounts:
    """Running facts; the first cells decide the type that the later ones are held against."""

    def __init__(self) -> None:
        self.kind = ""
        self.filled = 0
        self.empty = 0
        self.other = 0
        self._other_at: tuple[Row, str] | None = None
        self._empty_at: Row | None = None
        self._ends = Extremes()
        self._values: Counter[str] | None = Counter()
        self._first_seen: dict[str, Row] = {}
        self._sentences = Sentences()

    def add(self, cells: Sequence[str], row: int, rows: Sequence[int] | None = None) -> None:
        """Count cells of the records from `row` on, or of those with the numbers `rows`."""
        filled = cells
        row_of: RowOf = (rows or range(row, row + len(cells))).__getitem__
        if not all(cells):
            places = [at for at, cell in enumerate(cells) if cell]
            filled = [cells[at] for at in places]
            if self._empty_at is None:
                self._empty_at = row_of(cells.index(""))
            whole, row_of = row_of, lambda at: whole(places[at])
        self.empty += len(cells) - len(filled)
        if not filled:
            return
        if not self.kind:
            self.kind = _type_of(filled)
        self.filled += len(filled)
        if self.kind in _NUMBERS:
            self._numbers(filled, row_of)
        elif self.kind in _MEASURES:
            self._measures(filled, row_of)
        self._count(filled, row_of)

    def _numbers(self, filled: Sequence[str], row_of: RowOf) -> None:
        convert = _comma if self.kind == "decimal comma" else _exact
        values = _converted(filled, convert)
        if values is None:
            filled, values, row_of = self._sorted_out(filled, row_of, convert)
            if not filled:
                return
        if self.kind == "integer" and any("." in cell for cell in filled):
            self.kind = "number"
        self._ends.add_many(values, filled, row_of)

    def _measures(self, filled: Sequence[str], row_of: RowOf) -> None:
        """Sizes, durations and dates; dates that are written alike have their order as texts."""
        if self.kind == "date" and _ALIKE.fullmatch("\n".join(filled)):
            some = {*nlargest(_ENDS, range(len(filled)), key=filled.__getitem__)}
            some |= {*nsmallest(_ENDS, range(len(filled)), key=filled.__getitem__)}
            at = sorted(some | {*range(0, len(filled), _EACH)})
        else:
            at = list(range(len(filled)))
        texts = [filled[place] for place in at]
        kept, values, kept_row = self._sorted_out(texts, lambda n: row_of(at[n]), self._measured)
        if kept:
            self._ends.add_many(values, kept, kept_row)
        self._ends.count += len(filled) - len(at)

    def _measured(self, cell: str) -> float:
        found = measured(cell)
        if found is None or found[0] != self.kind:
            raise ValueError(cell)
        return found[1]

    def _sorted_out(
        self, filled: Sequence[str], row_of: RowOf, convert: Callable[[str], Decimal | float]
    ) -> tuple[list[str], list[Decimal | float], RowOf]:
        """The cells of the column's type and their values; the others are counted."""
        known: dict[str, Decimal | float] = {}
        for cell in set(filled):
            with suppress(ValueError, ArithmeticError):
                known[cell] = convert(cell)
        places = [at for at, cell in enumerate(filled) if cell in known]
        if len(places) < len(filled):
            self.other += len(filled) - len(places)
            first = next(at for at, cell in enumerate(filled) if cell not in known)
            self._other_at = self._other_at or (row_of(first), filled[first])
        kept = [filled[at] for at in places]
        return kept, [known[cell] for cell in kept], lambda at: row_of(places[at])

    def _count(self, filled: Sequence[str], row_of: RowOf) -> None:
        if self._sentences.open:
            self._sentences.add_many(filled, row_of)
        values = self._values
        if values is None:
            return
        for cell in sorted(set(filled) - values.keys()) if len(values) < FEW else ():
            self._first_seen[cell] = row_of(filled.index(cell))
            if len(self._first_seen) > FEW:
                break
        values.update(filled)
        if len(values) > _DISTINCT or max(map(len, filled)) > 2000:
            self._values = None
            self._first_seen.clear()

    def facts(self) -> ColumnFacts:
        ends, largest = self._ends.ends, self._ends.largest
        outliers, rest = self._ends.outliers()
        other_record, other_text = self._other_at or (0, "")
        top, more = self._top()
        said = self._sentences.ranked() if self.kind == "text" and not top else []
        if said:
            top, more = top_of(said)
        return ColumnFacts(
            self.kind,
            self.filled,
            self.empty,
            ends[0] if ends else None,
            ends[1] if ends else None,
            self.other,
            int(other_record) if isinstance(other_record, int) else 0,
            clip(other_text),
            top,
            more,
            outliers,
            rest,
            len(self._values) if self._values is not None else None,
            bool(said),
            0 if self._sentences.whole else self._sentences.looked,
            None if largest is None else place_of(largest),
        )

    def _top(self) -> tuple[tuple[Count, ...], int]:
        """The values worth naming, and how many others there are."""
        values = self._values
        if not values or len(values) * 5 > values.total():
            return (), 0
        if self.kind not in ("text", "clock") and not (1 < len(values) <= _ENUMERATED):
            return (), 0
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        shown = ranked[:_TOP] + [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        top = (
            Count(clip(text), times, self._row_of(text) if times <= 2 else None)
            for text, times in shown
        )
        return tuple(top), len(ranked) - len(shown)

    def _row_of(self, text: str) -> int | str | None:
        row = self._first_seen.get(text)
        return None if row is None else place_of(row)

    def remembered(self) -> Iterator[Row]:
        """The records that may be told of."""
        yield from self._first_seen.values()
        yield from self._ends.kept()
        for at in (self._empty_at, self._other_at and self._other_at[0]):
            if at is not None:
                yield at

    def rare(self, rows: int) -> Iterator[Odd]:
        """What few of the `rows` records have."""
        most = few_of(rows)
        if rows < MANY or not self.filled:
            return
        if self.empty and self.empty <= most and self._empty_at is not None:
            yield Odd(self._empty_at, self.empty, None)
        elif self.filled <= most and self._first_seen:
            yield Odd(next(iter(self._first_seen.values())), self.filled)
        if 0 < self.other <= most and self._other_at:
            yield Odd(self._other_at[0], self.other, self._other_at[1])
        seen = Seen(_DISTINCT)
        for text, row in self._first_seen.items() if self._values else ():
            seen.add_many(text, self._values[text] if self._values else 0, row)
        if self._values is not None and len(self._values) == len(seen.values):
            yield from (Odd(row, times, text) for text, times, row in seen.rare(most))
        places = self._ends.places()
        yield from (Odd(row, len(places), text) for row, text in places)

    @property
    def present(self) -> int:
        return self.filled


def _type_of(cells: Sequence[str]) -> str:
    found = Counter(shape(cell) for cell in cells[:1000])
    if found["number"] and found["integer"]:
        found["number"] += found.pop("integer")
    if found["decimal comma"] and found["integer"]:
        found["decimal comma"] += found.pop("integer")
    kind, times = found.most_common(1)[0]
    if times * 10 < 9 * found.total():
        return "text"
    if kind == "day" and _measure_of(cells[:50]) == "date":
        return "date"
    return _measure_of(cells[:50]) if kind == "text" else kind


def _measure_of(cells: Sequence[str]) -> str:
    """What the texts measure; "text" where they measure nothing, or not all the same."""
    found = Counter(one[0] for one in map(measured, cells) if one is not None)
    kind, times = found.most_common(1)[0] if found else ("text", 0)
    return kind if times * 10 >= 9 * len(cells) and kind in _MEASURES else "text"


def _converted(
    cells: Sequence[str], convert: Callable[[str], Decimal]
) -> Sequence[Decimal | float] | None:
    """All cells as comparable values, or None where one of them is no number."""
    try:
        if convert is _exact and max(map(len, cells)) < 16:
            values = list(map(float, cells))
            return (
                values if all(value - value == 0 for value in (min(values), max(values))) else None
            )
        return list(map(convert, cells))
    except (ValueError, ArithmeticError):
        return None


def _exact(cell: str) -> Decimal:
    if len(cell) > _LONGEST_NUMBER:
        raise ValueError("too long to compare")
    value = Decimal(cell)
    if not value.is_finite():
        raise InvalidOperation
    return value


def _comma(cell: str) -> Decimal:
    return _exact(cell.replace(".", "").replace(",", "."))


def is_typed(cells: Iterable[str]) -> bool:
    """Whether nearly all of the cells that are not empty have a type."""
    shapes = [shape(cell) for cell in cells if cell]
    return bool(shapes) and sum(each != "text" for each in shapes) >= 0.9 * len(shapes)
