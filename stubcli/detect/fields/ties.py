"""What the records with one value of a column have in common in the other columns, where that sets
them apart from the rest: all that failed ran on one host.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from stubcli.detect.fields import severity
from stubcli.detect.fields.facts import Shared, Tie
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.words import clip

if TYPE_CHECKING:
    from stubcli.detect.fields.sorted_column import SortedColumn

# Columns of states have few values; of these one is seldom in so small a share of the records: one
# that alarms, one of a column that is called a state, any other.
_STATES = 16
_ALARMS, _STATED, _ANY = 0.34, 0.25, 0.05
_LARGEST = 0.8
# So many of them are looked at, 2 ms each at most.
_COMPARED = 24
_LEAST = 3
# What shares nothing but that it is nothing.
_ZERO = "0.:%"
_GRAVE = 2
# So many of the records share it, by so much more than the others do, and by so many standard
# deviations of chance; of what alarms fewer are enough.
_SHARE = 0.6
_MORE = 0.3
_CHANCE, _ALARMED = 3.5, 2.8
# Where each value of a column goes with one of another, it is the way of the columns.
_DETERMINED = 0.85
_SHOWN = 4
_PLAIN = 2
_PARTS = 3
_NAMED = frozenset(
    (
        *("state", "status", "health", "result", "outcome", "level", "severity", "phase", "reason"),
        *("condition", "exit", "exitcode", "ready", "verdict", "conclusion", "response", "code"),
        *("stat", "st", "s"),
    )
)


class _Target(NamedTuple):
    grave: int
    column: "SortedColumn"
    text: str
    times: int


def ties(columns: "Sequence[SortedColumn]", rows: Sequence[Row]) -> tuple[Tie, ...]:
    """The most telling of the values, the gravest first."""
    found: list[tuple[int, float, Tie]] = []
    known: set[tuple[int, ...]] = set()
    targets = sorted(_targets(columns, len(rows)), key=lambda one: -one.grave)
    for target in targets[:_COMPARED]:
        cells = target.column.cells
        places = [at for at, text in enumerate(cells) if text == target.text]
        # Two columns that say the same of the same records are told once.
        if tuple(places) in known:
            continue
        clear, shared = _shared(target, places, columns)
        if shared:
            known.add(tuple(places))
            first = place_of(rows[places[0]])
            name, text = clip(target.column.name, 60), clip(target.text, 60)
            found.append((target.grave, clear, Tie(name, text, target.times, first, shared)))
    found.sort(key=lambda one: (-one[0], -one[1]))
    plain = [one for one in found if one[0] < _GRAVE][_PLAIN:]
    return tuple(one[2] for one in found if one not in plain)[:_SHOWN]


def is_state(name: str) -> bool:
    """Whether a column of that name holds states."""
    last = name.rpartition(".")[2]
    words = "".join(f" {char}" if char.isupper() else char for char in last).replace("_", " ")
    lower = last.lower()
    return lower in _NAMED or lower.endswith(("state", "status")) or words.split()[-1:] == ["Code"]


def _targets(columns: "Sequence[SortedColumn]", records: int) -> list[_Target]:
    found = []
    for column in columns:
        counts = column.counts
        if column.sorted or len(counts) > _STATES or not any(map(_is_word, counts)):
            continue
        stated, largest = is_state(column.name), max(counts.values())
        for text, times in counts.items():
            alarms = severity.of_word(text) >= severity.ERROR
            most = _ALARMS if alarms else _STATED if stated else _ANY
            if not _LEAST <= times <= most * records or times == largest:
                continue
            if alarms or stated or largest >= _LARGEST * column.filled:
                found.append(_Target(_GRAVE * alarms + stated, column, text, times))
    return found


def _is_word(text: str) -> bool:
    return text[:1].isalpha()


def _shared(
    target: _Target, places: Sequence[int], columns: "Sequence[SortedColumn]"
) -> tuple[float, tuple[Shared, ...]]:
    """What the records at these places share, the most unlike the others first, and how much."""
    found: list[tuple[float, Shared]] = []
    for column in columns:
        if column is target.column:
            continue
        here = Counter(column.cells[at] for at in places)
        del here[""]
        having = here.total()
        if having < _LEAST or 2 * _LEAST * having < len(places):
            continue
        text, times = here.most_common(1)[0]
        clear = _clear(column, text, times, having) if text.strip(_ZERO) else 0.0
        if clear < (_ALARMED if target.grave >= _GRAVE else _CHANCE):
            continue
        if target.grave >= _GRAVE or not _determines(target.column, target.text, column):
            found.append((clear, Shared(clip(column.name, 60), clip(text, 80), times, having)))
    found.sort(key=lambda one: -one[0])
    told: dict[tuple[str, int], Shared] = {}
    for _, one in found:
        told.setdefault((one.text, one.times), one)
    return found[0][0] if found else 0.0, tuple(told.values())[:_PARTS]


def _clear(column: "SortedColumn", text: str, times: int, having: int) -> float:
    """By how many standard deviations of chance more records have the value than elsewhere, where
    so many of those `having` one do; 0 where these are no majority, or elsewhere it is as common.
    """
    others = column.filled - having
    usual = (column.counts[text] - times) / others if others > 0 else 1.0
    if times < max(_LEAST, _SHARE * having) or times / having - usual < _MORE:
        return 0.0
    share = column.counts[text] / column.filled
    return (times - having * share) / (sqrt(having * share * (1 - share)) or 1.0)


def _determines(column: "SortedColumn", apart: str, other: "SortedColumn") -> bool:
    """Whether other values of the column, too, go each with one of the other column's."""
    pairs = Counter(zip(column.cells, other.cells, strict=True))
    most: dict[str, tuple[int, str]] = {}
    total = 0
    for (text, beside), times in pairs.items():
        if text and beside and text != apart:
            total += times
            most[text] = max(most.get(text, (0, "")), (times, beside))
    kinds = {beside for _, beside in most.values()}
    return len(kinds) > 1 and sum(times for times, _ in most.values()) >= _DETERMINED * total
