"""The values of one column of a table for human eyes, where they sort the rows and do not name
them; those that few rows have, and the words in brackets that cells of any length end in.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from stubcli.detect.fields import severity
from stubcli.detect.text.quantities import Row
from stubcli.detect.words import clip

_DIGITS = re.compile(r"\d+")
_TAIL = re.compile(r"[(\[][A-Za-z][A-Za-z_ -]{1,24}[)\]]$")
# A column of more values than this names things; of fewer, it sorts them.
_SORTS = 40
_DISTINCT = 1000
_TAILS = 12
_FORMS = 6
_RARE_AMONG = 20
_RARE = 6
# Of a few states, those are seldom that so small a share has, and so much fewer than the largest;
# of an alarming one, a larger share still is.
_STATES = 12
_SELDOM = 0.05
_SELDOM_ALARM = 0.2
_BELOW_LARGEST = 8
_MOST_SELDOM = 4
_STATE = re.compile(r"[^\W\d][\w./ -]{0,29}$")


class Seldom(NamedTuple):
    """A state that few rows have: how many, whether it sounds like trouble, the first of them."""

    value: str
    times: int
    alarming: bool
    rows: list[Row]


class _Few:
    """Values while they are few, and the first two lines of each."""

    def __init__(self, key: Callable[[str], str], most: int = _SORTS) -> None:
        self._key, self._most = key, most
        self.counts: Counter[str] = Counter()
        self.closed = False
        self._first: dict[str, list[Row]] = {}

    def add(self, counted: Counter[str], cells: Sequence[str], lines: Sequence[Row]) -> None:
        fresh: set[str] = set()
        for cell, times in counted.items():
            value = self._key(cell)
            if len(self._first.get(value, ())) < 2:
                fresh.add(cell)
            self.counts[value] += times
            if len(self.counts) > self._most:
                self.closed = True
                self._first.clear()
                return
        for cell, line in zip(cells, lines, strict=True) if fresh else ():
            first = self._first.setdefault(self._key(cell), []) if cell in fresh else None
            if first is not None and len(first) < 2:
                first.append(line)

    def rare(self, total: int) -> list[Row]:
        """The lines of values that few rows have, where nearly all have one of a few others."""
        few = max(2, total // 500)
        values = [value for value, count in self.counts.items() if count <= few]
        often = total - sum(self.counts[value] for value in values)
        if self.closed or total < _RARE_AMONG or len(values) > _RARE or often < 0.9 * total:
            return []
        return [line for value in values for line in self._first[value]]

    def seldom(self, total: int) -> list[Seldom]:
        """The states that few rows have beside a frequent one: what alarms, then the rarest."""
        if self.closed or total < _RARE_AMONG or not 1 < len(self.counts) <= _STATES:
            return []
        largest = max(self.counts.values())
        found = []
        for value, count in self.counts.items():
            alarming = severity.of_word(value) >= severity.ERROR
            most = _SELDOM_ALARM * total if alarming else _SELDOM * total
            few = count <= most and (alarming or _BELOW_LARGEST * count <= largest)
            if few and _STATE.match(value):
                found.append(Seldom(value, count, alarming, self._first[value]))
        worded = sum(self.counts[value] for value in self.counts if _STATE.match(value))
        if len(found) > _MOST_SELDOM or worded < 0.9 * total:
            found = [one for one in found if one.alarming]
        return sorted(found, key=lambda one: (not one.alarming, one.times))


class Sorts:
    """Counts values as they stand, and with their digits masked."""

    def __init__(self) -> None:
        self._values: Counter[str] | None = Counter()
        self._plain = _Few(str)
        self._masked = _Few(lambda cell: _DIGITS.sub("0", cell))
        self._tails = _Few(_tail, _TAILS)
        self._total = 0

    def add(self, cells: Sequence[str], lines: Sequence[Row]) -> None:
        """Count a batch of cells, each with the number of its line and the line."""
        self._total += len(cells)
        counted = Counter(cells)
        if self._values is not None:
            self._values.update(counted)
            if len(self._values) > _DISTINCT:
                self._values = None
        for few in (self._plain, self._masked, self._tails):
            if not few.closed:
                few.add(counted, cells, lines)

    def few(self) -> bool:
        return not self._masked.closed

    def ranked(self, most: int) -> tuple[tuple[tuple[str, int], ...], int]:
        """The values, the most frequent first, and how many there are; none where they name."""
        values = self._values
        if not values or (len(values) > 3 and 3 * len(values) > self._total):
            return (), 0
        found = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        masked = self._forms(len(values))
        if masked:
            return masked[:most], len(masked)
        if len(values) > _SORTS and 20 * found[0][1] < self._total:
            return (), 0
        shown = [(clip(text, 60), times) for text, times in found if text]
        return tuple(shown[:most]), len(shown)

    def _forms(self, values: int) -> tuple[tuple[str, int], ...]:
        """How often each form comes, where values differ in numbers alone; () where not."""
        forms = self._masked.counts
        few = not self._masked.closed and 1 < len(forms) <= _FORMS and 2 * len(forms) <= values
        if not few or values <= _FORMS or self._numbered():
            return ()
        ranked = sorted(forms.items(), key=lambda item: (-item[1], item[0]))
        return tuple((clip(text.replace("0", "…"), 60), times) for text, times in ranked if text)

    def rare(self) -> list[Row]:
        rare = self._plain.rare(self._total)
        if not rare and not self._numbered():
            rare = self._masked.rare(self._total)
        return rare or (self._tails.rare(self._total) if self.tails() else [])

    def seldom(self) -> list[Seldom]:
        return self._plain.seldom(self._total)

    def _numbered(self) -> bool:
        """Whether the cells are numbers or versions, of which some have more parts than others."""
        most = self._masked.counts.most_common(1)
        return bool(most) and most[0][0][:1] == "0"

    def tails(self) -> tuple[tuple[str, int], ...]:
        """What in brackets ends many cells, the most frequent first."""
        tails = {tail: times for tail, times in self._tails.counts.items() if tail}
        if self._tails.closed or sum(tails.values()) < max(3, 0.05 * self._total):
            return ()
        return tuple(sorted(tails.items(), key=lambda item: (-item[1], item[0])))


def _tail(cell: str) -> str:
    found = _TAIL.search(cell) if cell[-1:] in (")", "]") else None
    return found[0] if found else ""
