"""One column of a table, fed with many cells at a time: type, empties, extremes, frequent values.

Cells are source text and are shown as they stand (10:00 is not 600, 007 is not 7). It knows no
delimiter and no header.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, InvalidOperation

from stubcli.detect.fields.facts import ColumnFacts, Count
from stubcli.detect.words import clip

_DISTINCT = 1000
_FEW = 24
_TOP = 4
_LONGEST_NUMBER = 400
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$")
_DAY = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}$")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$")
_INTEGER = re.compile(r"[+-]?\d+$")
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$")
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$")


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
        self._other_at: tuple[int, str] | None = None
        self._low: tuple[Decimal, str] | None = None
        self._high: tuple[Decimal, str] | None = None
        self._span: tuple[str, str] | None = None
        self._values: Counter[str] | None = Counter()
        self._first_seen: dict[str, int] = {}

    def add(self, cells: Sequence[str], row: int) -> None:
        filled = [cell for cell in cells if cell]
        self.empty += len(cells) - len(filled)
        if not filled:
            return
        if not self.kind:
            self.kind = _type_of(filled)
        self.filled += len(filled)
        if self.kind in ("integer", "number", "decimal comma"):
            self._numbers(filled, cells, row)
        elif self.kind == "date":
            low, high = min(filled), max(filled)
            if self._span:
                low, high = min(low, self._span[0]), max(high, self._span[1])
            self._span = (low, high)
        self._count(filled, cells, row)

    def _numbers(self, filled: list[str], cells: Sequence[str], row: int) -> None:
        convert = _comma if self.kind == "decimal comma" else _exact
        values = _converted(filled, convert)
        if values is None:
            filled, values = self._sorted_out(filled, cells, row, convert)
            if not filled:
                return
        if self.kind == "integer" and any("." in cell for cell in filled):
            self.kind = "number"
        exact: Sequence[Decimal | float] = values
        low, high = min(exact), max(exact)
        if self._low is None or low < self._low[0]:
            self._low = (Decimal(low), filled[exact.index(low)])
        if self._high is None or high > self._high[0]:
            self._high = (Decimal(high), filled[exact.index(high)])

    def _sorted_out(
        self,
        filled: list[str],
        cells: Sequence[str],
        row: int,
        convert: Callable[[str], Decimal],
    ) -> tuple[list[str], list[Decimal] | list[float]]:
        kept: list[str] = []
        values: list[Decimal] = []
        for cell in filled:
            try:
                value = convert(cell)
            except (ValueError, ArithmeticError):
                self.other += 1
                self._other_at = self._other_at or (row + cells.index(cell), cell)
                continue
            kept.append(cell)
            values.append(value)
        return kept, values

    def _count(self, filled: list[str], cells: Sequence[str], row: int) -> None:
        values = self._values
        if values is None:
            return
        for cell in sorted(set(filled) - values.keys()) if len(values) < _FEW else ():
            self._first_seen[cell] = row + cells.index(cell)
            if len(self._first_seen) > _FEW:
                break
        values.update(filled)
        if len(values) > _DISTINCT or max(map(len, filled)) > 2000:
            self._values = None
            self._first_seen.clear()

    def facts(self) -> ColumnFacts:
        low, high = (self._low[1], self._high[1]) if self._low and self._high else (None, None)
        if self._span:
            low, high = self._span
        other_record, other_text = self._other_at or (0, "")
        top, more = self._top()
        return ColumnFacts(
            self.kind,
            self.filled,
            self.empty,
            low,
            high,
            self.other,
            other_record,
            clip(other_text),
            top,
            more,
        )

    def _top(self) -> tuple[tuple[Count, ...], int]:
        """The values worth naming, and how many others there are."""
        values = self._values
        if not values or len(values) * 5 > values.total() or self.kind not in ("text", "clock"):
            return (), 0
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        shown = ranked[:_TOP] + [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        top = (
            Count(clip(text), times, self._first_seen.get(text) if times <= 2 else None)
            for text, times in shown
        )
        return tuple(top), len(ranked) - len(shown)


def _type_of(cells: list[str]) -> str:
    found = Counter(shape(cell) for cell in cells[:1000])
    if found["number"] and found["integer"]:
        found["number"] += found.pop("integer")
    if found["decimal comma"] and found["integer"]:
        found["decimal comma"] += found.pop("integer")
    kind, times = found.most_common(1)[0]
    return kind if times * 10 >= 9 * found.total() else "text"


def _converted(
    cells: list[str], convert: Callable[[str], Decimal]
) -> list[Decimal] | list[float] | None:
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
