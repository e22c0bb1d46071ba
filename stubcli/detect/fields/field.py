"""What one field holds over all records: presence, types, exact extremes, frequent and odd values.

Values are source text and stay so: numbers are compared exactly and shown as they were written.
It does not know whether the records came from JSON, YAML, XML or a table.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from stubcli.detect.fields.extremes import Extremes
from stubcli.detect.fields.facts import Count, FieldFacts
from stubcli.detect.fields.measure import measured
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.fields.seen import FEW, MANY, SOME, Forms, Odd, Seen, few_of
from stubcli.detect.fields.sentences import Sentences, top_of
from stubcli.detect.words import ITEM, clip

_DISTINCT = 1000
_TOP = 4
# A number of 200,000 digits is counted, and compared with nothing.
_LONGEST_NUMBER = 400
_NO_MEASURE = "none"


class Field:
    """Running facts about one field; `add` takes a type name and the source text of a value."""

    def __init__(self) -> None:
        self.present: int = 0
        self.later = 0
        # Whether its values were counted over all records.
        self.whole = False
        self.first_row: Row = 0
        # The first record that came without it.
        self.missing: Row | None = None
        self.types: Counter[str] = Counter()
        # Which numbers are not compared: by name, or why.
        self._special: set[str] = set()
        self._values = Seen(_DISTINCT)
        # While values are counted, each form of theirs is once; they have the numbers.
        self._forms = Forms({})
        self._sentences = Sentences()
        self._type_rows: dict[str, Row] = {}
        self._numbers: Extremes | None = None
        # Texts that measure something: what, and both ends.
        self._measure = ""
        self._measures: Extremes | None = None
        self._negative: list[tuple[Row, str]] = []
        self._lengths: Extremes | None = None

    def add(self, kind: str, text: str, row: Row) -> bool:
        """Count a value; whether it is one that the field has not had."""
        new = self._typed(kind, row)
        if kind == "number":
            new |= self._number(text, row)
        elif kind == "string" and self._measure != _NO_MEASURE:
            new |= self._measured(text, row)
        if kind == "string":
            self._sentences.add(text, row)
        known = self._values.values.get(text)
        if known is not None:
            known[0] += 1  # type: ignore[operator]
        elif kind == "string":
            new |= self._text(text, row)
        elif kind != "null":
            new |= self._values.add(text, row)
        return new

    def _text(self, text: str, row: Row) -> bool:
        """Count a text that is not known; whether it is one of few, or has a form like no other."""
        forms, values = self._forms, self._values
        if not (values.closed or values.takes(text)):
            # From here on forms are counted one by one; so far the values had their numbers.
            self._forms = forms = Forms(values.values)
        return values.add(text, row) | forms.add(text, row)

    def add_type(self, kind: str, row: Row) -> bool:
        """Count a value that is not looked into."""
        return self._typed(kind, row)

    def enumerated(self) -> list[str] | None:
        """The values where they are few and no numbers; None elsewhere."""
        known = list(self._values.values)
        few = not self._values.closed and len(known) <= FEW // 2
        plain = self.types.keys() <= {"string", "boolean", "null"}
        return known if few and plain and self.present >= MANY else None

    def add_many(self, kind: str, text: str, times: int, row: Row) -> None:
        """Count a value that came so often."""
        self.present += times
        self.types[kind] += times
        self._type_rows.setdefault(kind, row)
        if kind != "null":
            self._values.add_many(text, times, row)

    def make_whole(self) -> None:
        """All records are counted, but what texts begin and end with, and what they measure, is
        known of the first ones only.
        """
        self.whole, self.later = True, 0
        self._forms, self._sentences = Forms({}), Sentences()
        self._measure, self._measures = _NO_MEASURE, None

    def add_length(self, kind: str, length: int, row: Row) -> bool:
        """An array or object, of which only the length is kept."""
        new = self._typed(kind, row)
        if self._lengths is None:
            self._lengths = Extremes()
        return self._lengths.add(float(length), f"{length:,}", row) or new

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
        if self._numbers is None:
            self._numbers = Extremes()
        new = self._numbers.add(value, text, row)
        if value < 0 and len(self._negative) < 100:
            self._negative.append((row, text))
            new |= len(self._negative) == 1
        return new

    def _measured(self, text: str, row: Row) -> bool:
        """Compare a text that measures something; a field of other texts is given up."""
        found = measured(text)
        if found is None or found[0] != (self._measure or found[0]):
            # A few words among sizes are no end of it.
            if self._measures is None or self._measures.count < 0.9 * self.present:
                self._measure, self._measures = _NO_MEASURE, None
            return False
        self._measure = found[0]
        if self._measures is None:
            self._measures = Extremes()
        return self._measures.add(found[1], text, row)

    @property
    def only(self) -> str | None:
        """The one value that all of them have; None where there are several, or none."""
        values = self._values.values
        plain = len(values) == 1 and not self._values.closed and len(self.types) == 1
        return next(iter(values)) if plain else None

    @property
    def distinct(self) -> int | None:
        """How many distinct values there are; None where they are too many to count."""
        return None if self._values.closed else len(self._values.values)

    def is_filled(self) -> bool:
        """Whether some of its objects or arrays hold anything."""
        ends = self._lengths.ends if self._lengths else None
        return ends is not None and ends[1] != "0"

    @property
    def dated(self) -> bool:
        """Whether its texts are dates."""
        return self._measure == "date"

    @property
    def ends(self) -> Extremes | None:
        """What is compared: numbers, or texts that measure something."""
        return self._numbers or self._measures

    def facts(self, name: str, rows: int) -> FieldFacts:
        """What is known of the field, among `rows` records."""
        top, more = self._top()
        said = self._sentences.ranked()
        if top and (self.distinct or 2 * len(said)) < 2 * len(said):
            said = []
        if said:
            top, more = top_of(said)
        compared = self.ends
        ends = compared.ends if compared else None
        outliers, rest = compared.outliers() if compared else ((), None)
        lengths = self._lengths.ends if self._lengths else None
        few = 0 < rows - self.present <= few_of(rows) and rows >= MANY
        return FieldFacts(
            clip(name),
            tuple(sorted(self.types.items(), key=lambda item: (-item[1], item[0]))),
            self.present,
            rows,
            place_of(self.first_row),
            self.distinct,
            ends[0] if ends else None,
            ends[1] if ends else None,
            tuple(sorted(self._special)),
            tuple(int(one.replace(",", "")) for one in lengths) if lengths else None,  # type: ignore[arg-type]
            top,
            more,
            self.whole,
            apart=bool(said),
            blank=self._sentences.blank if said else 0,
            seldom=self._sentences.seldom(top),
            apart_of=0 if self._sentences.whole else self._sentences.looked,
            outliers=outliers,
            rest=rest,
            missing=place_of(self.missing) if few and self.missing is not None else None,
        )

    def _top(self) -> tuple[tuple[Count, ...], int]:
        """The values worth naming, and how many others there are."""
        ranked = self._values.ranked()
        total = sum(times for _, times, _ in ranked)
        if not ranked or (len(ranked) > 3 and len(ranked) * 2 > total):
            return (), 0
        if len(ranked) > FEW and ranked[0][1] * 10 < total:
            return (), 0
        if len(ranked) == 1 and self._numbers:
            return (), 0
        rare = [item for item in ranked[_TOP:] if item[1] <= 3][-2:]
        shown = ranked[:_TOP] + (rare if len(ranked) <= FEW else [])
        top = (
            Count(clip(text, ITEM), times, place_of(row) if times <= 2 < total else None)
            for text, times, row in shown
        )
        return tuple(top), len(ranked) - len(shown)

    def rare(self, rows: int) -> Iterator[Odd]:
        """What few of the `rows` records have."""
        most = few_of(rows)
        if rows < SOME or not self.present:
            return
        if self.present <= most:
            value = next(iter(self._values.values), "")
            yield Odd(self.first_row, self.present, value)
            return
        if self.missing is not None and rows - self.present <= most:
            yield Odd(self.missing, rows - self.present, None)
        if self.present >= SOME:
            yield from self._odd_values(most)

    def _odd_values(self, most: int) -> Iterator[Odd]:
        for kind, row in self._type_rows.items():
            if self.types[kind] <= most:
                yield Odd(row, self.types[kind], kind)
        found: dict[Row, Odd] = {}
        known = self._values
        forms = self._forms if known.closed else Forms(known.values)
        for seen in (forms.tails, forms.heads, known):
            found |= {row: Odd(row, times, text) for text, times, row in seen.rare(most)}
        yield from found.values()
        if 0 < len(self._negative) <= most:
            row, text = self._negative[0]
            yield Odd(row, len(self._negative), text)
        for ends in (self._numbers, self._measures, self._lengths):
            places = ends.places() if ends else []
            yield from (Odd(row, len(places), text) for row, text in places if row not in found)

    def few(self) -> bool:
        """Whether the values are an enumeration that says something."""
        return 1 < len(self._values.values) <= FEW and 4 * len(self._values.values) < self.present

    def brief(self) -> tuple[Count, ...]:
        """The most frequent values, with their counts."""
        ranked = self._values.ranked()
        return tuple(Count(clip(text), times) for text, times, _ in ranked[:_TOP])

    def seldom(self) -> list[Odd]:
        """Of few states, those that few records have, but more than one or two."""
        stated = self.types["string"] and self.present >= MANY
        return self._values.seldom(self.present) if stated else []

    def odd(self, rows: int) -> bool:
        """Whether few records differ in this field from all the others."""
        return rows >= MANY and next(self.rare(rows), None) is not None


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
