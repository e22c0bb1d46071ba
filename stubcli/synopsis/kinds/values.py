"""What one field holds over all records: presence, types, exact extremes, frequent and odd values.

Values are source text and stay so: numbers are compared exactly and shown as they were written.
It does not know whether the records came from JSON or from a table.
"""

from collections import Counter
from decimal import Decimal, InvalidOperation

from stubcli.synopsis.brief import clip

# Beyond so many distinct values a field is no enumeration.
_DISTINCT = 24
_LONGEST_VALUE = 80
_TOP = 4
# A number of 200,000 digits is counted, and compared with nothing.
_LONGEST_NUMBER = 400


class Field:
    """Running facts about one field; `add` takes a type name and the source text of a value."""

    def __init__(self) -> None:
        self.present = 0
        self.first_row = 0
        self.last_row = 0
        self.types: Counter[str] = Counter()
        self.special = False
        self._values: Counter[str] | None = Counter()
        self._first_seen: dict[str, int] = {}
        self._low: tuple[Decimal | float, str, int] | None = None
        self._high: tuple[Decimal | float, str, int] | None = None
        self._lengths: tuple[int, int] | None = None

    def add(self, kind: str, text: str, row: int) -> None:
        if not self.present:
            self.first_row = row
        self.present += 1
        self.last_row = row
        self.types[kind] += 1
        if kind == "number":
            self._number(text, row)
        elif kind != "null":
            self._value(text, row)

    def add_length(self, kind: str, length: int, row: int) -> None:
        """An array or object, of which only the length is kept."""
        if not self.present:
            self.first_row = row
        self.present += 1
        self.types[kind] += 1
        low, high = self._lengths or (length, length)
        self._lengths = (min(low, length), max(high, length))

    def _number(self, text: str, row: int) -> None:
        value = number(text)
        if value is None:
            self.special = True
            return
        if self._low is None or value < self._low[0]:
            self._low = (value, text, row)
        if self._high is None or value > self._high[0]:
            self._high = (value, text, row)

    def _value(self, text: str, row: int) -> None:
        values = self._values
        if values is None:
            return
        if text not in values:
            if len(values) >= _DISTINCT or len(text) > _LONGEST_VALUE:
                self._values = None
                self._first_seen.clear()
                return
            self._first_seen[text] = row
        values[text] += 1

    def told(self, rows: int, row_word: str) -> str:
        """The field in one line, without its name."""
        parts = [" | ".join(f"{t} {n:,}" if len(self.types) > 1 else t for t, n in self._ranked())]
        if self.present < rows:
            parts.append(f"in {self.present:,} of {rows:,}")
            if self.present <= 2:
                parts.append(f"{row_word} {self.first_row:,}")
        if self._low and self._high:
            low, high = clip(self._low[1], 40), clip(self._high[1], 40)
            parts.append(f"{low}–{high}" if low != high else f"all {low}")
        if self.special:
            parts.append("some NaN, Infinity or too long to compare")
        if self._lengths:
            low_length, high_length = self._lengths
            many = (
                f"{low_length:,}–{high_length:,}"
                if low_length != high_length
                else f"{low_length:,}"
            )
            parts.append(f"of {many}")
        top = self._top(row_word)
        return ", ".join(parts) + (": " + top if top else "")

    def _ranked(self) -> list[tuple[str, int]]:
        return sorted(self.types.items(), key=lambda item: (-item[1], item[0]))

    def _top(self, row_word: str) -> str:
        values = self._values
        if not values or (len(values) > 3 and len(values) * 2 > values.total()):
            return ""
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        rare = [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        shown = ranked[:_TOP] + rare
        words = []
        for text, times in shown:
            where = (
                f" ({row_word} {self._first_seen[text]:,})" if times <= 2 < values.total() else ""
            )
            words.append(f"{clip(text, 40)} {times:,}{where}")
        more = len(ranked) - len(shown)
        return ", ".join(words) + (f" +{more:,} more values" if more > 0 else "")

    def odd(self) -> bool:
        """Whether few records differ in this field from all the others."""
        values = self._values
        return bool(values and len(values) > 1 and min(values.values()) * 50 <= values.total())


def number(text: str) -> Decimal | float | None:
    """The exact value, for comparing only; None where there is no finite or no short one."""
    if len(text) < 16:
        try:
            value = float(text)
        except ValueError:
            return None
        return value if value - value == 0 else None
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        exact = Decimal(text)
    except (InvalidOperation, ValueError):
        return None
    return exact if exact.is_finite() and abs(exact.adjusted()) < _LONGEST_NUMBER else None
