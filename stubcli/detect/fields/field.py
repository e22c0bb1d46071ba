"""What one field holds over all records: presence, types, exact extremes, frequent and odd values.

Values are source text and stay so: numbers are compared exactly and shown as they were written.
It does not know whether the records came from JSON, XML, YAML or a table.
"""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from stubcli.detect.fields.facts import Count, FieldFacts, Row
from stubcli.detect.words import ITEM, clip

# Beyond so many distinct values a field is no enumeration; up to the second they are counted.
FEW = 24
_DISTINCT = 1000
LONGEST_VALUE = 80
_TOP = 4
# A number of 200,000 digits is counted, and compared with nothing.
_LONGEST_NUMBER = 400
# So few records among at least so many differ from the rest.
_RARE = 0.01
_MANY = 20
_FEW_RARE = 4

# Of numbers that only run on, the short ones are few and differ in nothing else.
_DIGITS = re.compile(r"\d+")


class _Seen:
    """How often each of a few values came, and where first."""

    __slots__ = ("closed", "most", "values")

    def __init__(self, most: int) -> None:
        self.values: dict[str, list[int | str]] = {}
        self.most = most
        self.closed = False

    def add(self, text: str, row: Row) -> bool:
        """Whether the value is new, and one of few."""
        if self.closed:
            return False
        known = self.values.get(text)
        if known is not None:
            known[0] += 1  # type: ignore[operator]
            return False
        if len(self.values) >= self.most or len(text) > LONGEST_VALUE:
            self.closed = True
            self.values.clear()
            return False
        self.values[text] = [1, row]
        return len(self.values) <= FEW

    def ranked(self) -> list[tuple[str, int, Row]]:
        found = [(text, int(times), row) for text, (times, row) in self.values.items()]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def rare(self, most: int) -> list[tuple[int, Row]]:
        """The few values that came few times, where the others came clearly more often."""
        ranked = self.ranked()
        few = [(times, row) for _, times, row in ranked if times <= most]
        others = ranked[: -len(few)] if few else []
        if not others or len(ranked) > FEW or len(few) > _FEW_RARE:
            return []
        return few if others[-1][1] >= 4 * few[0][0] else []


class Field:
    """Running facts about one field; `add` takes a type name and the source text of a value."""

    def __init__(self) -> None:
        self.present = 0
        self.later = 0
        # Whether its values were counted over all records.
        self.whole = False
        self.first_row: Row = 0
        self.types: Counter[str] = Counter()
        # Which numbers are not compared: by name, or why.
        self._special: set[str] = set()
        self._values = _Seen(_DISTINCT)
        # How texts begin: the one that begins like no other differs.
        self._heads = _Seen(FEW)
        # And how they end after the last colon, digits apart: tags, ports, codes.
        self._tails = _Seen(FEW)
        self._type_rows: dict[str, Row] = {}
        self._low: tuple[Decimal | float, str] | None = None
        self._high: tuple[Decimal | float, str] | None = None
        self._negative: list[Row] = []
        self._lengths: tuple[int, int] | None = None

    def add(self, kind: str, text: str, row: Row) -> bool:
        """Count a value; whether it is one that the field has not had."""
        new = self._typed(kind, row)
        if kind == "number":
            new |= self._number(text, row)
        if kind != "null":
            new |= self._values.add(text, row)
            if kind == "string" and not self._heads.closed:
                new |= self._heads.add(text[:40].split(None, 1)[0] if text.strip() else "", row)
            if kind == "string" and not self._tails.closed and ":" in text[-80:]:
                tail = _DIGITS.sub("0", text[-80:].rpartition(":")[2])
                new |= self._tails.add(tail, row)
        return new

    def enumerated(self) -> list[str] | None:
        """The values where they are few and no numbers; None elsewhere."""
        known = list(self._values.values)
        few = not self._values.closed and len(known) <= FEW // 2
        plain = self.types.keys() <= {"string", "boolean", "null"}
        return known if few and plain and self.present >= _MANY else None

    def add_many(self, kind: str, text: str, times: int, row: Row) -> None:
        """Count a value that came so often."""
        self.present += times
        self.types[kind] += times
        self._type_rows.setdefault(kind, row)
        if kind != "null" and not self._values.closed:
            self._values.add(text, row)
            self._values.values[text][0] += times - 1  # type: ignore[operator]

    def make_whole(self) -> None:
        """All records are counted, but how texts begin and end is known of the first ones only."""
        self.whole, self.later = True, 0
        for seen in (self._heads, self._tails):
            seen.closed = True
            seen.values.clear()

    def add_length(self, kind: str, length: int, row: Row) -> bool:
        """An array or object, of which only the length is kept."""
        new = self._typed(kind, row)
        low, high = self._lengths or (length, length)
        self._lengths = (min(low, length), max(high, length))
        return new

    def _typed(self, kind: str, row: Row) -> bool:
        if not self.present:
            self.first_row = row
        self.present += 1
        self.types[kind] += 1
        if kind in self._type_rows:
            return False
        self._type_rows[kind] = row
        return True

    def _number(self, text: str, row: Row) -> bool:
        value = number(text)
        if value is None:
            self._special.add(_unlike(text))
            return False
        if self._low is None or value < self._low[0]:
            self._low = (value, text)
        if self._high is None or value > self._high[0]:
            self._high = (value, text)
        if value < 0 and len(self._negative) < 100:
            self._negative.append(row)
            return len(self._negative) == 1
        return False

    def facts(self, name: str, rows: int) -> FieldFacts:
        """What is known of the field, among `rows` records."""
        top, more = self._top()
        return FieldFacts(
            clip(name),
            tuple(sorted(self.types.items(), key=lambda item: (-item[1], item[0]))),
            self.present,
            rows,
            clipped(self.first_row),
            None if self._values.closed else len(self._values.values),
            self._low[1] if self._low else None,
            self._high[1] if self._high else None,
            tuple(sorted(self._special)),
            self._lengths,
            top,
            more,
            self.whole,
        )

    def _top(self) -> tuple[tuple[Count, ...], int]:
        """The values worth naming, and how many others there are."""
        ranked = self._values.ranked()
        total = sum(times for _, times, _ in ranked)
        if not ranked or (len(ranked) > 3 and len(ranked) * 2 > total):
            return (), 0
        if len(ranked) > FEW and ranked[0][1] * 10 < total:
            return (), 0
        if len(ranked) == 1 and self._low:
            return (), 0
        rare = [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        shown = ranked[:_TOP] + (rare if len(ranked) <= FEW else [])
        top = (
            Count(clip(text, ITEM), times, clipped(row) if times <= 2 < total else None)
            for text, times, row in shown
        )
        return tuple(top), len(ranked) - len(shown)

    def rare(self, rows: int) -> Iterator[tuple[Row, int]]:
        """Where what few records have stands first, and how many have it."""
        most = int(max(1, rows * _RARE))
        if rows < _MANY or not self.present:
            return
        if self.present <= most:
            yield self.first_row, self.present
        elif self.present >= _MANY:
            for kind, row in self._type_rows.items():
                if self.types[kind] <= most:
                    yield row, self.types[kind]
            found = {
                row: times
                for seen in (self._values, self._heads, self._tails)
                for times, row in seen.rare(most)
            }
            yield from found.items()
            if 0 < len(self._negative) <= most:
                yield self._negative[0], len(self._negative)

    def few(self) -> bool:
        """Whether the values are an enumeration that says something."""
        return 1 < len(self._values.values) <= FEW and 4 * len(self._values.values) < self.present

    def odd(self, rows: int) -> bool:
        """Whether few records differ in this field from all the others."""
        return next(self.rare(rows), None) is not None


def clipped(row: Row) -> Row:
    """The row; of a long key, its beginning."""
    return clip(row) if isinstance(row, str) else row


def _unlike(text: str) -> str:
    """The name of what is no number, or why a number is compared with none."""
    if text.lstrip("+-").isalpha():
        return clip(text, 40)
    return f"too {'long' if len(text) > _LONGEST_NUMBER else 'large'} to compare"


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
