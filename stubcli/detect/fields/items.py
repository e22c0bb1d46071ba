"""What records that resemble each other have in common, and which of them differ.

Records are items of an array, values of a map, lines, documents or elements. Only what is new in
a field keeps the source of its record, so memory is bounded whatever their number.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from stubcli.detect.fields import choice, owners
from stubcli.detect.fields.crossing import Crossing
from stubcli.detect.fields.facts import Differing, FieldFacts, ItemsFacts
from stubcli.detect.fields.field import Field
from stubcli.detect.fields.gravity import Gravity
from stubcli.detect.fields.later import FieldTally, chosen
from stubcli.detect.fields.members import FIELDS, Members, NestedField, add_scalar
from stubcli.detect.fields.rows import Row, place_of, top_row
from stubcli.detect.fields.seen import Odd
from stubcli.detect.fields.values import Scalars, names_of, naming, said_inside, written
from stubcli.detect.words import clip, columns

if TYPE_CHECKING:
    from stubcli.detect.fields.holder import Compared, Holder

# Of all groups of a tree together, 10 MB at most.
_SAMPLES = 4000
_SAMPLE = 600
# A record whose source is longer than this is told by what it is called and what differs.
_QUOTED = 236
_LATER_KEYS = 2000
_LATER_SOURCES = 32
_VALUES = 9
_SELDOM = 4

# The row and the source of a record, from its place among those that come at once.
RowOf = Callable[[int], Row]
SourceOf = Callable[[int], str]


class RecordGroup:
    """What the items of one array, or the records of a stream, have in common."""

    def __init__(self, row_word: str, tree: "Holder", path: str = "") -> None:
        self.count = 0
        self.unseen = 0
        # Items after those whose values were looked at: only they and their keys are counted.
        self.later = 0
        self.members = Members(tree, path)
        self.plain = NestedField()
        self.gravity = Gravity()
        self.crossing = Crossing()
        self.row_word = row_word
        # The lists that these are the items of, where they are more than one.
        self.lists = 0
        self._list: Row | None = None
        self._later_objects = 0
        # Of records with something new: their source, scalars, and the name of the outer record.
        self._sources: dict[Row, tuple[str, Scalars, str]] = {}
        self._inside: dict[Row, Scalars] = {}
        # The records inside of these that are told of with them alone.
        self.inner: tuple[tuple[str, RecordGroup], ...] = ()
        self._later_keys: Counter[str] = Counter()
        self._tallies: dict[str, FieldTally] | None = None
        self._later_sources = 0

    @property
    def fields(self) -> dict[str, NestedField]:
        return self.members.fields

    @property
    def objects(self) -> int:
        """How many of the records are objects."""
        return self.members.objects + self._later_objects

    def add(self, value: Any, source: str, row: Row) -> bool:
        """Count a record; whether something in it is new."""
        self.count += 1
        tree = self.members.tree
        if source:
            tree.unescaped = "\\" not in source
        if not isinstance(row, tuple):
            tree.record = value
        elif row[0] != self._list:
            self.lists, self._list = self.lists + 1, row[0]
        if isinstance(value, dict):
            new = self.members.add(value, row)
            self.gravity.add(value, source, row)
            self.crossing.add_record(value, row)
        elif isinstance(value, list):
            new = self.plain.add_length("array", len(value), row)
            new |= self.members.add_list(self.plain, value, row)
        else:
            new = add_scalar(self.plain, value, row)
            tree.looked += 1
        if new and tree.samples < _SAMPLES:
            tree.samples += 1
            source = source or (written(value, _SAMPLE) if tree.unescaped else "")
            owner = tree.owner() if isinstance(row, tuple) else ""
            self._sources[row] = (source[:_SAMPLE], names_of(value), owner)
            if isinstance(value, dict) and not isinstance(row, tuple):
                self._inside[row] = said_inside(value)
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
        self.crossing.whole = False
        objects = (
            values
            if set(map(type, values)) == {dict}
            else [value for value in values if type(value) is dict]
        )
        self._later_objects += len(objects)
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
                    source = source_of(at[nth])[:_SAMPLE]
                    self._sources[row] = (source, names_of(values[at[nth]]), "")

    def settle(self) -> None:
        """The presence of keys counted late joins that of the fields."""
        for key, times in self._later_keys.items():
            if key not in self.fields and len(self.fields) < FIELDS:
                self.fields[key] = NestedField()
            if key in self.fields:
                self.fields[key].later = times
        for key, tally in (self._tallies or {}).items():
            if tally.stopped is None:
                tally.join(self.fields[key])

    def names(self) -> tuple[str, ...]:
        """What the records call their values, where all are objects that share a few names.

        An object of very many keys is read as a map, and has no columns.
        """
        few = self.objects == self.count and len(self.fields) < FIELDS
        return columns(self.fields) if few else ()

    def _flat(self) -> list[tuple[str, Field, int]]:
        """All fields with their paths and the number of records that may have them."""
        looked = self.members.objects
        found = [
            (name, field, self.objects if field.whole else rows if rows != looked else looked)
            for name, field, rows in self.members.flat()
        ]
        inner, path = self.plain.items, ""
        while inner is not None:
            path += "[]"
            found.append((path, inner, inner.present))
            inner = inner.items
        return found

    def facts(self, path: str = "", room: int = choice.SHOWN) -> ItemsFacts:
        """What is known of the records, once all of them were added; `room` fields of them."""
        self.settle()
        found = choice.choose(self._flat(), self.objects, room)
        plain = self.plain.facts("", self.plain.present) if self.plain.present else None
        return ItemsFacts(
            clip(path),
            self.row_word,
            self.count,
            self.objects,
            self.unseen,
            self.later,
            tuple(self._field_facts(name, field, rows) for name, field, rows in found.shown),
            tuple(clip(name) for name in found.others),
            tuple(map(clip, self.fields)),
            plain,
            self._differing(),
            self.names(),
            same=tuple((clip(name), clip(text)) for name, text in found.same),
            lists=self.lists,
            brief=tuple((clip(name), field.brief()) for name, field in found.brief),
            grave=self.gravity.facts(),
            seldom=tuple(self._seldom())[:_SELDOM],
            crossed=self.crossing.facts(),
        )

    def _seldom(self) -> Iterator[Differing]:
        """The first record of each state that few have, by what it is called."""
        grave = {row for kept in self.gravity.found() for row in kept.rows}
        for name, field, _ in self._flat():
            for row, times, text in field.seldom():
                _, names, owner = self._sources.get(row, ("", (), ""))
                said = f"{clip(name, 60)} {clip(text or '', 40)} ({times:,}, first)"
                told = tuple((key, clip(value, 80)) for key, value in naming(names))
                same = told and told[0][0] in self.fields and self.fields[told[0][0]].only
                if row not in grave and (owner or (told and not same)):
                    yield Differing(place_of(row), said, told, (), owner)

    def _field_facts(self, name: str, field: Field, rows: int) -> FieldFacts:
        facts = field.facts(name, rows)
        if "[]" not in name and rows < self.members.objects:
            facts = facts.replace(rows=self.members.objects)
        compared = field.ends
        largest = compared.largest if compared and owners.measures(name) else None
        if largest is not None and largest in self._sources:
            owner = next((text for _, text in naming(self._sources[largest][1])), "")
            facts = facts.replace(largest=place_of(largest), largest_of=clip(owner, 60))
        if not self.later or field.whole or name not in self.fields:
            return facts
        tally = (self._tallies or {}).get(name)
        stopped = None if tally is None or tally.stopped is None else place_of(tally.stopped)
        return facts.replace(in_all=field.present + field.later, stopped=stopped)

    def differ(self) -> bool:
        """Whether some record differs from all others."""
        return any(field.odd(rows) for _, field, rows in self._flat())

    def rarest(self) -> list[tuple[Row, dict[str, str | None]]]:
        """The records that differ most and in what, in the order of the stream."""
        plain = ("", self.plain, self.count if self.plain.whole else self.count - self.later)
        fields: list[tuple[str, Compared, int]] = [*self._flat(), plain, *self._within()]
        found = choice.rarest(fields, self.count - self.later)
        order = {row: at for at, row in enumerate(self._sources)}
        return sorted(found, key=lambda one: order.get(one[0], 0))

    def _within(self) -> Iterator[tuple[str, "RareInside", int]]:
        """The fields of the records inside of these."""
        for name, group in self.inner:
            for below, field, rows in group._flat():
                yield f"{name}[].{below}", RareInside(field), rows

    def _differing(self) -> tuple[Differing, ...]:
        """The few records with what few others have, whole as far as a line goes."""
        found = []
        for row, odd in self.rarest():
            known = self._sources.get(row) or self._sources.get(top_row(row))
            source, names, owner = known or ("", (), "")
            short = compact(source) if source and len(source) < _SAMPLE else ""
            lacks = tuple(clip(name, 80) for name, text in odd.items() if text is None)
            if short and len(short) <= _QUOTED and row in self._sources:
                found.append(Differing(place_of(row), short, (), lacks, owner))
            elif names or odd:
                values = [(name, text) for name, text in odd.items() if text]
                inside = self._inside.get(row, ())
                told = dict([*naming(names), *values, *inside, *names])
                values = [(clip(name, 80), clip(text, 80)) for name, text in told.items() if text]
                found.append(Differing(place_of(row), short, tuple(values[:_VALUES]), lacks, owner))
        return tuple(found)


class RareInside:
    """A field of records that are inside of others: what is rare differs in those."""

    def __init__(self, field: Field) -> None:
        self._field = field

    @property
    def present(self) -> int:
        return self._field.present

    def rare(self, rows: int) -> Iterator[Odd]:
        return (odd._replace(row=top_row(odd.row)) for odd in self._field.rare(rows))


def compact(source: str) -> str:
    """The source without the white space between its tokens; strings stay as they are."""
    import re

    return re.sub(r'("(?:[^"\\]|\\.)*"?)|\s+', lambda found: found[1] or "", source)
