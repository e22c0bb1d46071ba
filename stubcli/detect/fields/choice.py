"""Which fields of many are worth a line, and which records differ most from all others."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple

from stubcli.detect.fields.field import Field
from stubcli.detect.fields.rows import Row
from stubcli.detect.fields.seen import MANY

if TYPE_CHECKING:
    from stubcli.detect.fields.holder import Compared

SHOWN = 14
# Of few records, one differs in so many fields at once.
_TOGETHER = 3
_SHOWN_ODD = 3
_SELDOM = 6
# So few fields have a line each; of more, those that never vary share one.
_FEW = 8
_NAMES = 8
_BRIEF = 6
# Of fewer records nothing is alike.
_MANY = 3
# A date nearer to the top than this says when a record was made.
_SHALLOW = 2

_Named = tuple[str, Field, int]


class Choice(NamedTuple):
    """shown: fields that get a line. same: what all records have alike. others: names alone.
    brief: of few values, which are told in a few words.
    """

    shown: list[_Named]
    same: list[tuple[str, str]]
    others: list[str]
    brief: list[tuple[str, Field]]


def choose(fields: Sequence[_Named], records: int, room: int = SHOWN) -> Choice:
    """The most telling fields of so many records, in their order; shallow ones before the deep."""
    told, many = _without_names([one for one in fields if not _is_frame(one, fields)])
    if len(told) <= min(room, _FEW):
        return Choice(told, [], many, [])
    same = [(one[0], one[1].only) for one in told if _is_constant(one, records)]
    constant = {name for name, _ in same} if len(same) > 1 else set()
    varied = [one for one in told if one[0] not in constant]
    order = sorted(range(len(varied)), key=lambda at: (-_worth(varied[at]), _depth(varied[at]), at))
    kept = set(order[:room])
    left = [varied[at] for at in range(len(varied)) if at not in kept]
    brief = [(name, field) for name, field, _ in left if field.few()][:_BRIEF]
    told_briefly = {name for name, _ in brief}
    others = [name for name, _, _ in left if name not in told_briefly] + many
    shown = [varied[at] for at in sorted(kept)]
    return Choice(shown, [(name, text or "") for name, text in same if constant], others, brief)


def _without_names(fields: list[_Named]) -> tuple[list[_Named], list[str]]:
    """The fields but those that are names rather than properties: many in one object, each seldom.

    Of these, their object and how many there are.
    """
    seldom = Counter(_above(name) for name, field, rows in fields if 5 * field.present <= rows)
    names = {above for above, times in seldom.items() if times > _NAMES}
    kept = [one for one in fields if _above(one[0]) not in names or 5 * one[1].present > one[2]]
    return kept, [f"{above}{'.' if above else ''}* ({seldom[above]} keys)" for above in names]


def _above(name: str) -> str:
    return name.rpartition(".")[0]


def _depth(one: _Named) -> int:
    return one[0].count(".")


def _is_constant(one: _Named, records: int) -> bool:
    """Whether all of many records have it, and have it alike."""
    _, field, _ = one
    return field.only is not None and field.present == records >= _MANY and not field.later


def _is_frame(one: _Named, fields: Sequence[_Named]) -> bool:
    """Whether the field is always there and only holds what the fields below it say."""
    name, field, rows = one
    if field.present < rows or field.types.keys() != {"object"}:
        return False
    if not field.is_filled():
        return True
    return any(other.startswith(f"{name}.") for other, _, _ in fields)


def _worth(one: _Named) -> int:
    """How much a line about the field says."""
    name, field, rows = one
    if field.odd(rows):
        return 6
    if not field.present:
        return 5
    if field.dated and field.present == rows and name.count(".") < _SHALLOW:
        return 4
    if field.few():
        return 5 if len(field.types) > 1 or field.types["string"] else 4
    if field.present < rows or len(field.types) > 1:
        return 3
    if field.only is not None:
        return 1
    if name.count(".") == 0:
        return 3
    return 2 if field.ends is not None else 1


def rarest(
    fields: Iterable[tuple[str, "Compared", int]], records: int, most: int = _SHOWN_ODD
) -> list[tuple[Row, dict[str, str | None]]]:
    """The records that differ most, each with the fields in which it does and their values."""
    scores: dict[Row, float] = {}
    odd: dict[Row, dict[str, str | None]] = {}
    found = list(fields)
    seldom = [
        name for name, field, rows in found if field.present <= max(1, min(rows, records) // 100)
    ]
    for name, field, rows in found:
        # Where many keys come seldom, they are names and no fields.
        if len(seldom) > _SELDOM and name in seldom:
            continue
        for row, times, text in field.rare(rows):
            scores[row] = scores.get(row, 0) + log(rows / times)
            odd.setdefault(row, {}).setdefault(name, text)
    if records < MANY:
        scores = {row: score for row, score in scores.items() if len(odd[row]) >= _TOGETHER}
    best = sorted(scores, key=lambda row: -scores[row])[:most]
    return [(row, odd[row]) for row in best]
