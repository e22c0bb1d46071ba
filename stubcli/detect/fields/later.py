"""Goes on counting fields of few values over records that are no longer looked into one by one.

It counts strings, booleans and null only, for a few fields known to hold few of them, and gives a
field up as soon as that is no longer so: its counts are then those of the first records alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from stubcli.detect.fields.field import Field
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.seen import FEW, LONGEST_VALUE
from stubcli.detect.fields.values import text_of

# Each costs some 50 ns per record.
_COUNTED = 8
_MISSING = object()
_KINDS = {str, bool, type(None), object}

# Tells the row of a record from its place in a batch.
Place = Callable[[int], Row]


class FieldTally:
    """The values of one field in later records, and where each unseen one came first."""

    def __init__(self, known: Iterable[str], kinds: Iterable[str]) -> None:
        self.known = set(known)
        self.kinds = set(kinds)
        self.times: Counter[Any] = Counter()
        self.rows: dict[Any, Row] = {}
        # Where the first value stands that made it give up.
        self.stopped: Row | None = None

    def add(self, key: str, objects: Sequence[dict[str, Any]], place: Place) -> list[int]:
        """Count a batch; the places of values that nothing before them had."""
        column = _column(key, objects)
        found = _counts(column)
        if found is None:
            self.stopped = place(next(i for i, value in enumerate(column) if _strange(value)))
            return []
        new = [value for value in found if value is not _MISSING and self._unseen(value)]
        long = [value for value in new if isinstance(value, str) and len(value) > LONGEST_VALUE]
        if long or len(self.known) + len(self.rows) + len(new) > FEW:
            self.stopped = place(min(map(column.index, long or new)))
            return []
        places = {value: column.index(value) for value in new}
        self.rows.update((value, place(at)) for value, at in places.items())
        self.times.update(found)
        return sorted(places.values())

    def _unseen(self, value: Any) -> bool:
        if value in self.rows:
            return False
        if _kind_of(value) not in self.kinds:
            return True
        return value is not None and text_of(value) not in self.known

    def join(self, field: Field) -> None:
        """What was counted becomes part of the field."""
        for value, times in self.times.items():
            if value is not _MISSING:
                field.add_many(_kind_of(value), text_of(value), times, self.rows.get(value, 0))
        self.times.clear()
        field.make_whole()


def _kind_of(value: Any) -> str:
    return {str: "string", bool: "boolean"}.get(type(value), "null")


def chosen(fields: Mapping[str, Field]) -> dict[str, FieldTally]:
    """The fields that are worth counting on."""
    tallies: dict[str, FieldTally] = {}
    for key, field in fields.items():
        known = field.enumerated()
        if known is not None and len(tallies) < _COUNTED:
            tallies[key] = FieldTally(known, field.types)
    return tallies


def _column(key: str, objects: Sequence[dict[str, Any]]) -> list[Any]:
    try:
        return list(map(itemgetter(key), objects))
    except KeyError:
        return [each.get(key, _MISSING) for each in objects]


def _counts(column: list[Any]) -> Counter[Any] | None:
    """How often each value comes; None where one is a number or a container."""
    try:
        found = Counter(column)
    except TypeError:
        return None
    kinds = set(map(type, found))
    # 1 and true are one key to a dict.
    if bool in kinds:
        kinds = set(map(type, column))
    return found if kinds <= _KINDS else None


def _strange(value: Any) -> bool:
    return type(value) not in _KINDS
