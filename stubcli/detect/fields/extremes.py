"""Both ends of many numbers, and which of them lie far from all the others.

One pass, memory for a few hundred numbers. A number is an outlier where its gap to the rest is
larger than the range of the rest, or where it is beyond five times their 95th percentile.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from heapq import nlargest

from stubcli.detect.fields.facts import Outlier
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.words import clip

# The ends that are kept. All but the last of them may be outliers: more are no lone ones.
_ENDS = 4
# Of fewer numbers none is the rest.
_LEAST = 20
_SAMPLE = 512
_BEYOND = 5

Number = Decimal | float
_End = tuple[Number, str, Row]


class Extremes:
    """`add` numbers as they come, each with the text that it was written as and its place."""

    __slots__ = ("_found", "_high", "_low", "_sample", "_stride", "count")

    def __init__(self) -> None:
        self.count = 0
        # The last ones kept are the nearest to the rest.
        self._high: list[_End] = []
        self._low: list[_End] = []
        self._sample: list[float] = []
        self._stride = 1
        # What was found after so many numbers: it is asked for again and again.
        self._found: tuple[int, tuple[Outlier, ...], tuple[str, str] | None] | None = None

    def add(self, value: Number, text: str, row: Row) -> bool:
        """Count a number; whether it lies apart from those before it."""
        self.count += 1
        if not self.count % self._stride:
            self._keep(value)
        apart = False
        high, low = self._high, self._low
        if len(high) < _ENDS or value > high[-1][0]:
            apart = self._apart(value)
            _insert(high, (value, text, row), 1)
        if len(low) < _ENDS or value < low[-1][0]:
            apart = apart or self._apart(value)
            _insert(low, (value, text, row), -1)
        return apart

    def add_many(
        self, values: Sequence[Number], texts: Sequence[str], row_of: Callable[[int], Row]
    ) -> None:
        """The same for a batch, of which the places are asked for by index."""
        self.count += len(values)
        for value in values[:: self._stride]:
            self._keep(value)
        for ends, sign in ((self._high, 1), (self._low, -1)):
            for at in _candidates(values, ends, sign):
                value = values[at]
                if len(ends) < _ENDS or sign * value > sign * ends[-1][0]:
                    _insert(ends, (value, texts[at], row_of(at)), sign)

    def _apart(self, value: Number) -> bool:
        if len(self._high) < 2 or len(self._low) < 2:
            return True
        high, low = float(self._high[0][0]), float(self._low[0][0])
        return max(float(value) - high, low - float(value)) * 4 > high - low

    def _keep(self, value: Number) -> None:
        self._sample.append(float(value))
        if len(self._sample) >= _SAMPLE:
            del self._sample[::2]
            self._stride *= 2

    @property
    def ends(self) -> tuple[str, str] | None:
        """The smallest and the largest, as they were written."""
        return (self._low[0][1], self._high[0][1]) if self._low else None

    @property
    def largest(self) -> Row | None:
        """Where the largest stands, if it stands alone."""
        high = self._high
        alone = len(high) > 1 and high[0][0] > high[1][0]
        return high[0][2] if alone else None

    def outliers(self) -> tuple[tuple[Outlier, ...], tuple[str, str] | None]:
        """The lone numbers at both ends, and from where to where all others reach."""
        if self._found is None or self._found[0] != self.count:
            self._found = (self.count, *self._outliers())
        return self._found[1:]

    def _outliers(self) -> tuple[tuple[Outlier, ...], tuple[str, str] | None]:
        if self.count < _LEAST or len(self._high) < _ENDS:
            return (), None
        above = self._alone(self._high, self._low[-1], 1)
        below = self._alone(self._low, self._high[above], -1)
        above = self._alone(self._high, self._low[below], 1)
        ends = [*self._low[:below], *reversed(self._high[:above])]
        found = tuple(Outlier(clip(text, 60), place_of(row)) for _, text, row in ends)
        return found, (self._low[below][1], self._high[above][1]) if found else None

    def kept(self) -> list[Row]:
        """Where the numbers at both ends stand."""
        return [row for _, _, row in (*self._low, *self._high)]

    def places(self) -> list[tuple[Row, str]]:
        """Where the lone numbers stand."""
        found, _ = self.outliers()
        texts = {one.text for one in found}
        ends = (*self._low[:-1], *self._high[:-1]) if found else ()
        return [(row, text) for _, text, row in ends if clip(text, 60) in texts]

    def _alone(self, ends: list[_End], other: _End, sign: int) -> int:
        """How many of the ends lie apart from the rest, which reaches from them to `other`."""
        values = [float(value) for value, _, _ in ends]
        found = 0
        for many in range(1, _ENDS):
            gap = abs(values[many - 1] - values[many])
            if gap > abs(values[many] - float(other[0])):
                found = many
        return found or (self._far(values) if sign > 0 else 0)

    def _far(self, values: list[float]) -> int:
        """How many are beyond five times what nearly all numbers are below."""
        sample = sorted(self._sample)
        if not sample or sample[0] < 0 or float(self._low[0][0]) < 0:
            return 0
        most = sample[min(len(sample) - 1, len(sample) * 95 // 100)]
        beyond = sum(value > _BEYOND * most for value in values)
        return beyond if most > 0 and beyond < _ENDS else 0


def _insert(ends: list[_End], end: _End, sign: int) -> None:
    """Put the number in its order, behind equal ones."""
    value = sign * end[0]
    at = next((n for n, one in enumerate(ends) if sign * one[0] < value), len(ends))
    ends.insert(at, end)
    del ends[_ENDS:]


def _candidates(values: Sequence[Number], ends: list[_End], sign: int) -> Sequence[int]:
    """The places of the few numbers that may be among the ends, in order."""
    most = max(values) if sign > 0 else min(values)
    if len(ends) == _ENDS and sign * most <= sign * ends[-1][0]:
        return ()
    found = nlargest(_ENDS, range(len(values)), key=lambda at: sign * values[at])
    return sorted(found)
