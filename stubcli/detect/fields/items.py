"""What records that resemble each other have in common, and which of them differ.

Records are items of an array, values of a map, lines, documents or elements. Only what is new in
a field keeps the source of its record, so memory is bounded whatever their number.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from math import log
from typing import Any

from stubcli.detect.fields.facts import Differing, FieldFacts, ItemsFacts, Row
from stubcli.detect.fields.field import Field, clipped
from stubcli.detect.fields.later import FieldTally, chosen
from stubcli.detect.words import clip, columns

_FIELDS = 60
_SHOWN_FIELDS = 12
_SHOWN_ODD = 3
_SELDOM = 6
_SAMPLES = 3000
_SAMPLE = 600
_LATER_KEYS = 2000
_LATER_SOURCES = 32

# The row and the source of a record, from its place among those that come at once.
RowOf = Callable[[int], Row]
SourceOf = Callable[[int], str]


class Number(str):
    """A number, NaN or Infinity as it was written."""

    __slots__ = ()


def kind_of(value: Any) -> str:
    if isinstance(value, Number):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "array" if isinstance(value, list) else "object"


class RecordGroup:
    """What the items of one array, or the records of a stream, have in common."""

    def __init__(self, row_word: str = "item") -> None:
        self.count = 0
        self.objects = 0
        self.unseen = 0
        # Items after those whose values were looked at: only they and their keys are counted.
        self.later = 0
        self.fields: dict[str, Field] = {}
        self.nested: dict[tuple[str, str], Field] = {}
        self.plain = Field()
        self.row_word = row_word
        self._sources: dict[Row, str] = {}
        self._later_keys: Counter[str] = Counter()
        self._tallies: dict[str, FieldTally] | None = None
        self._later_sources = 0

    def add(self, value: Any, source: str, row: Row) -> bool:
        """Count a record; whether something in it is new."""
        self.count += 1
        if isinstance(value, dict):
            self.objects += 1
            new = self._object(value, row)
        else:
            new = _add(self.plain, value, row)
        if new and len(self._sources) < _SAMPLES:
            self._sources[row] = source[:_SAMPLE]
        return new

    def _object(self, value: dict[str, Any], row: Row) -> bool:
        new = False
        for key, child in value.items():
            field = self.fields.get(key)
            if field is None:
                if len(self.fields) >= _FIELDS:
                    continue
                field = self.fields[key] = Field()
            new |= _add(field, child, row)
            if isinstance(child, dict):
                new |= self._nested(key, child, row)
        return new

    def _nested(self, key: str, value: dict[str, Any], row: Row) -> bool:
        new = False
        for name, child in value.items():
            field = self.nested.get((key, name))
            if field is None:
                if len(self.nested) >= _FIELDS:
                    continue
                field = self.nested[key, name] = Field()
            new |= _add(field, child, row)
        return new

    def add_later(
        self,
        values: Sequence[Any],
        row_of: RowOf | None = None,
        source_of: SourceOf | None = None,
    ) -> None:
        """Many items at once: they are counted, their keys, and the fields of few values."""
        if self._tallies is None:
            self._tallies = chosen(self.fields) if row_of else {}
        self.count += len(values)
        self.later += len(values)
        objects = (
            values
            if set(map(type, values)) == {dict}
            else [value for value in values if type(value) is dict]
        )
        self.objects += len(objects)
        keys = self._later_keys
        keys.update(chain.from_iterable(objects))
        if len(keys) > _LATER_KEYS:
            for key in [key for key in keys if key not in self.fields]:
                del keys[key]
        if row_of and self._tallies and objects:
            self._tally(values, objects, row_of, source_of)

    def _tally(
        self,
        values: Sequence[Any],
        objects: Sequence[dict[str, Any]],
        row_of: RowOf,
        source_of: SourceOf | None,
    ) -> None:
        at: Sequence[int] = range(len(values))
        if objects is not values:
            at = [nth for nth, value in enumerate(values) if type(value) is dict]
        for key, tally in (self._tallies or {}).items():
            if tally.stopped is not None:
                continue
            for nth in tally.add(key, objects, lambda place: row_of(at[place])):
                row = row_of(at[nth])
                if source_of and row not in self._sources and self._later_sources < _LATER_SOURCES:
                    self._later_sources += 1
                    self._sources[row] = source_of(at[nth])[:_SAMPLE]

    def settle(self) -> None:
        """The presence of keys counted late joins that of the fields."""
        for key, times in self._later_keys.items():
            if key not in self.fields and len(self.fields) < _FIELDS:
                self.fields[key] = Field()
            if key in self.fields:
                self.fields[key].later = times
        for key, tally in (self._tallies or {}).items():
            if tally.stopped is None:
                tally.join(self.fields[key])

    def alike(self) -> bool:
        """Whether the records share their keys: an object of such values is a map."""
        shared = sum(field.present for field in self.fields.values())
        return (
            self.objects >= 8
            and self.objects >= 0.8 * self.count
            and bool(self.fields)
            and shared >= 0.5 * self.objects * min(len(self.fields), _FIELDS)
        )

    def names(self) -> tuple[str, ...]:
        """What the records call their values, where all are objects that share a few names.

        An object of very many keys is read as a map, and has no columns.
        """
        few = self.objects == self.count and len(self.fields) < _FIELDS
        return columns(self.fields) if few else ()

    def facts(self, path: str = "") -> ItemsFacts:
        """What is known of the records, once all of them were added."""
        self.settle()
        looked = self.objects - self.later if self.later else self.objects
        ranked = self._ranked(looked)
        shown = ranked[:_SHOWN_FIELDS]
        return ItemsFacts(
            clip(path),
            self.row_word,
            self.count,
            self.objects,
            self.unseen,
            self.later,
            tuple(self._field_facts(name, field, looked) for name, field in shown),
            tuple(clip(name) for name, _ in ranked[_SHOWN_FIELDS:]),
            tuple(map(clip, self.fields)),
            self.plain.facts("", self.plain.present) if self.plain.present else None,
            self._differing(),
            self.names(),
        )

    def _field_facts(self, name: str, field: Field, looked: int) -> FieldFacts:
        facts = field.facts(name, self.objects if field.whole else looked)
        if not self.later or field.whole or name not in self.fields:
            return facts
        tally = (self._tallies or {}).get(name)
        stopped = None if tally is None or tally.stopped is None else clipped(tally.stopped)
        return facts.replace(in_all=field.present + field.later, stopped=stopped)

    def _ranked(self, rows: int) -> list[tuple[str, Field]]:
        """Fields in order, those below one after it; where they are many, odd ones first."""

        def differs(field: Field) -> bool:
            return field.odd(self.objects if field.whole else rows)

        found: list[tuple[str, Field]] = []
        for name, field in self.fields.items():
            found.append((name, field))
            below = [
                (f"{name}.{key}", f) for (parent, key), f in self.nested.items() if parent == name
            ]
            found += (
                below
                if len(self.fields) + len(self.nested) <= _SHOWN_FIELDS
                else [pair for pair in below if differs(pair[1]) or field.present < 0.1 * rows][:4]
            )
        if len(found) > _SHOWN_FIELDS:
            odd = [item for item in found if differs(item[1])][: _SHOWN_FIELDS // 2]
            return odd + [item for item in found if item not in odd]
        return found

    def _differing(self) -> tuple[Differing, ...]:
        """The few records with what few others have, whole as far as a line goes."""
        return tuple(
            Differing(clipped(row), compact(self._sources[row]))
            for row, _ in self.rarest()
            if self._sources.get(row)
        )

    def rarest(self) -> list[tuple[Row, list[str]]]:
        """The records that differ most and in which fields, in the order of the stream."""
        rows = self.count - self.later
        scores: dict[Row, float] = {}
        names: dict[Row, list[str]] = {}
        below = {f"{above}.{name}": field for (above, name), field in self.nested.items()}
        fields = {**self.fields, **below, "": self.plain}
        seldom = [name for name, field in fields.items() if field.present <= max(1, rows // 100)]
        for name, field in fields.items():
            # Where many keys come seldom, they are names and no fields.
            if len(seldom) > _SELDOM and name in seldom:
                continue
            total = self.count if field.whole else rows
            for row, times in field.rare(total):
                scores[row] = scores.get(row, 0) + log(total / times)
                names.setdefault(row, []).append(name)
        best = sorted(scores, key=lambda row: -scores[row])[:_SHOWN_ODD]
        order = {row: at for at, row in enumerate(self._sources)}
        return [(row, names[row]) for row in sorted(best, key=lambda row: order.get(row, 0))]


def compact(source: str) -> str:
    """The source without the white space between its tokens; strings stay as they are."""
    import re

    return re.sub(r'("(?:[^"\\]|\\.)*"?)|\s+', lambda found: found[1] or "", source)


def _add(field: Field, value: Any, row: Row) -> bool:
    if isinstance(value, Number):
        return field.add("number", value, row)
    if isinstance(value, str):
        return field.add("string", value, row)
    if value is None:
        return field.add("null", "", row)
    if value is True or value is False:
        return field.add("boolean", "true" if value else "false", row)
    return field.add_length(kind_of(value), len(value), row)
