"""Groups of records compared: where nearly all have about as many records, or end at about the same
time, the one that has not is told. Where groups differ freely nothing is.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, pi, sqrt
from typing import TYPE_CHECKING

from stubcli.detect.fields.facts import Uneven
from stubcli.detect.words import clip

if TYPE_CHECKING:
    from stubcli.detect.fields.sorted_column import SortedColumn

_GROUPS, _MOST = 4, 40
_LEAST = 5
_COVERED = 0.9
_ALIKE = 0.7
# As near to the usual as this is even; so many times as far from it is uneven.
_NEAR = 0.02
_APART = 3
# Groups of one size by chance are less likely than this.
_CHANCE = log(0.1)
# Ends are alike within a share of all time; one is early by another, and by so many of its steps.
_END, _EARLY, _STEPS = 0.05, 0.1, 8
_SHOWN = 3


def _middle(numbers: Iterable[float]) -> float:
    ranked = sorted(numbers)
    return ranked[len(ranked) // 2]


class _Group:
    """Records of one group: how many, and from when to when."""

    __slots__ = ("at", "first", "last", "times")

    def __init__(self, times: int) -> None:
        self.times = times
        self.first = self.last = 0.0
        self.at = -1


def uneven(keys: "Sequence[SortedColumn]", columns: "Sequence[SortedColumn]") -> tuple[Uneven, ...]:
    """The groups that are unlike the others, of the first column that tells of any."""
    dated = next((column for column in columns if column.dated), None)
    for key in keys:
        covered = key.filled >= _COVERED * len(key.texts)
        if covered and _GROUPS <= len(key.counts) <= _MOST:
            found = _uneven(key, dated)
            if found:
                return found
    return ()


def _uneven(key: "SortedColumn", dated: "SortedColumn | None") -> tuple[Uneven, ...]:
    sizes = _uneven_sizes(key.counts)
    early = _early(key, dated) if dated is not None else {}
    found = []
    usual = int(_middle(key.counts.values()))
    for name in sorted({*sizes, *early}, key=lambda name: key.counts[name])[:_SHOWN]:
        last, usual_last = early.get(name, ("", ""))
        even = usual if name in sizes else 0
        others = len(key.counts) - len({*sizes, *early})
        ending = clip(dated.name, 60) if dated is not None and last else ""
        group = Uneven(clip(key.name, 60), clip(name, 60), key.counts[name], others, even)
        found.append(group.replace(ending=ending, last=clip(last), usual_last=clip(usual_last)))
    return tuple(found)


def _uneven_sizes(counts: Counter[str]) -> set[str]:
    """The groups of another size than nearly all, which have about one."""
    usual = _middle(counts.values())
    near = max(1.0, _NEAR * usual)
    even = sum(abs(times - usual) <= near for times in counts.values())
    if usual < _LEAST or even < max(_GROUPS - 1, _ALIKE * len(counts)):
        return set()
    alone = log((2 * near + 1) / sqrt(2 * pi * usual)) if 2 * near + 1 < sqrt(6 * usual) else 0.0
    if (even - 1) * alone + log(len(counts)) > _CHANCE:
        return set()
    return {name for name, times in counts.items() if abs(times - usual) > _APART * near}


def _early(key: "SortedColumn", dated: "SortedColumn") -> dict[str, tuple[str, str]]:
    """The groups that end long before nearly all others do: their last time, and theirs."""
    groups = {name: _Group(times) for name, times in key.counts.items()}
    for at, (name, when) in enumerate(zip(key.cells, dated.moments(), strict=True)):
        if name and when is not None:
            group = groups[name]
            if group.at < 0 or when > group.last:
                group.last, group.at = when, at
            group.first = min(group.first or when, when)
    known = {name: group for name, group in groups.items() if group.at >= 0}
    if len(known) < _GROUPS:
        return {}
    usual = _middle(group.last for group in known.values())
    span = usual - _middle(group.first for group in known.values())
    alike = [group for group in known.values() if abs(group.last - usual) <= _END * span]
    if span <= 0 or len(alike) < max(_GROUPS - 1, _ALIKE * len(known)):
        return {}
    found = {}
    end = dated.texts[max(alike, key=lambda group: group.last).at]
    for name, group in known.items():
        step = (group.last - group.first) / max(1, group.times - 1)
        gap = usual - group.last
        if group.times >= _LEAST and gap > _EARLY * span and gap > _STEPS * step:
            found[name] = (dated.texts[group.at], end)
    return found
