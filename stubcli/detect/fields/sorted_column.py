"""A column of short cells as few values, as the leading parts of names, or as dates."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from stubcli.detect.fields.leads import leads
from stubcli.detect.fields.measure import measured

# Of more values a column names things.
_FEW = 40
_EACH = 3
_NONE = frozenset(("-", "--", "<none>", "<unknown>", "n/a", "N/A", "null", "None", "(null)"))
_SAMPLED = 24
_MOSTLY = 0.9


class SortedColumn:
    """The cells of a column, as values of which each is in several records; "" for none.

    filled: how many have one. sorted: whether the values are parts of the texts that were found.
    dated: whether the texts are dates, which have no values.
    """

    __slots__ = ("_moments", "cells", "counts", "dated", "filled", "name", "sorted", "texts")

    def __init__(self, name: str, texts: Sequence[str]) -> None:
        self.name, self.texts = name, texts
        self.cells: Sequence[str] = ()
        self.counts: Counter[str] = Counter()
        self.sorted = self.dated = False
        self._moments: list[float | None] = []
        found = Counter(texts)
        none = [text for text in found if not text or text in _NONE]
        for text in none:
            del found[text]
        self.filled = found.total()
        if not found:
            return
        sample = list(islice(found, _SAMPLED))
        if _are_dates(sample):
            self.dated = True
        elif len(found) <= _FEW and _EACH * len(found) <= self.filled:
            self.counts = found
            self.cells = ["" if text in _NONE else text for text in texts] if none else texts
        else:
            self._sort(sample)

    def moments(self) -> list[float | None]:
        """The dates as numbers to compare."""
        if not self._moments:
            self._moments = list(map(_when, self.texts))
        return self._moments

    def _sort(self, sample: list[str]) -> None:
        """Find the parts of names; what are no numbers are names."""
        if sum(measured(text) is not None for text in sample) < len(sample) / 2:
            texts = ["" if text in _NONE else text for text in self.texts]
            part = leads(texts)
            if part is not None:
                self.counts, self.sorted = part.counts, True
                self.cells = part.parts
                self.filled = part.counts.total()


def _are_dates(sample: list[str]) -> bool:
    return sum(_when(text) is not None for text in sample) >= _MOSTLY * len(sample)


def _when(text: str) -> float | None:
    """The date as a number to compare; of few columns more is loaded, for names of months."""
    found = measured(text)
    if found is not None:
        return found[1] if found[0] == "date" else None
    if ":" not in text or not text[-1:].isdigit():
        return None
    from stubcli.detect.fields.moments import moment

    return moment(text)
