"""One column of a table, fed with many cells at a time: type, empties, extremes, frequent values.

Cells are source text and are shown as they stand (10:00 is not 600, 007 is not 7). It knows no
delimiter and no header.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation

from stubcli.detect.brief import clip

_DISTINCT = 1000
_FEW = 24
_TOP = 4
_LONGEST_NUMBER = 400
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$")
_DAY = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}$")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$")
_INTEGER = re.compile(r"[+-]?\d+$")
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$")
# What names have and data has not: few words begin with a digit, and none is a hash.
_WORD = re.compile(r"[^\W_]+")
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}$")
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


class Column:
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

    def told(self) -> str:
        """The column in one line, without its name."""
        parts = [self.kind or "empty"]
        if self.empty and self.filled:
            parts.append(f"{self.empty:,} empty")
        if self._low and self._high:
            parts.append(f"{clip(self._low[1], 40)}–{clip(self._high[1], 40)}")
        if self._span:
            parts.append(f"{clip(self._span[0], 40)}–{clip(self._span[1], 40)}")
        if self.other and self._other_at:
            at, text = self._other_at
            parts.append(f"{self.other:,} other, first {clip(text, 30)} in record {at:,}")
        top = self._top()
        return ", ".join(parts) + (": " + top if top else "")

    def _top(self) -> str:
        values = self._values
        if not values or len(values) * 5 > values.total() or self.kind not in ("text", "clock"):
            return ""
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        rare = [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        words = []
        for text, times in ranked[:_TOP] + rare:
            where = ""
            if times <= 2 and text in self._first_seen:
                where = f" (record {self._first_seen[text]:,})"
            words.append(f"{clip(text, 30)} {times:,}{where}")
        more = len(ranked) - len(words)
        return ", ".join(words) + (f" +{more:,} more values" if more > 0 else "")


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


def header_of(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: distinct words that do not come again."""
    first = [cell.strip() for cell in rows[0]]
    if len(set(first)) < len(first) or sum(not cell for cell in first) > len(first) / 4:
        return False
    if any(shape(cell) not in ("text", "empty") or len(cell) > 200 for cell in first):
        return False
    if any(re.search(r"\d\d:\d\d|\d{4}-\d\d|[()={}]", cell) for cell in first):
        return False
    if not all(map(_names, first)):
        return False
    if any(_same_form(cell, [row[at] for row in rows[1:50]]) for at, cell in enumerate(first)):
        return False
    again = sum(
        row[at].strip() == cell for row in rows[1:] for at, cell in enumerate(first) if cell
    )
    return not again


def _names(cell: str) -> bool:
    """Whether a cell consists of words rather than of numbers, hashes and signs."""
    words = _WORD.findall(cell)
    data = sum(word[0].isdigit() or bool(_HASH.match(word)) for word in words)
    return not cell or (bool(words) and 2 * data <= len(words))


def _same_form(cell: str, others: list[str]) -> bool:
    """Whether most cells differ from this one in digits only, or have its signs in its places."""
    form = re.sub(r"\d+", "0", cell)
    if "0" in form and 2 * sum(re.sub(r"\d+", "0", o) == form for o in others) > len(others):
        return True
    signs = _WORD.sub("a", cell)
    # Two plain words are a form that names and values share.
    if not signs.strip("a _-"):
        return False
    return 2 * sum(_WORD.sub("a", other) == signs for other in others) > len(others)
