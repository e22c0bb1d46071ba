"""Numbers with their units, as columns for human eyes hold them: 4.0K, 12MiB, 97%, 350ms, 5d3h."""

import re
from collections.abc import Sequence

from stubcli.detect.fields.moments import moment
from stubcli.value import Value

# What stands behind a number in brackets explains it.
_NUMBER = re.compile(
    r"([+-]?\d[\d,]*(?:\.\d+)?|\.\d+) ?([A-Za-zµ%]{0,6}(?:/[A-Za-z]{1,6})?)(?: \([^()]*\))?$"
)
_SPAN = re.compile(r"(?:\d+(?:\.\d+)?(?:y|d|h|ms|m|s))+$")
_PART = re.compile(r"(\d+(?:\.\d+)?)(y|d|h|ms|m|s)")
_SECONDS = {"y": 31_536_000.0, "d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3}
_SMALL = {"us": 1e-6, "µs": 1e-6, "ns": 1e-9, "sec": 1.0, "min": 60.0}
_PREFIXES = "kmgtpe"
# Cells that say that there is no number.
_NONE = frozenset(("", "-", "--", "<none>", "<unknown>", "n/a", "N/A", "NaN", "null", "None"))
_LONGEST = 40
DATE = "date"
_KEPT = 20_000
_LEAST = 20
_TIMES = 5


def quantity(cell: str) -> tuple[float, str] | None:
    """The number and its family: "" alone, "%", "B" a size, "s" a time, DATE, any other unit
    itself; None for anything else.
    """
    if not cell or len(cell) > _LONGEST:
        return None
    if _SPAN.match(cell) and not cell[-1].isdigit() and cell[-1] != "m":
        return sum(float(n) * _SECONDS[unit] for n, unit in _PART.findall(cell)), "s"
    match = _NUMBER.match(cell)
    if match is None:
        when = moment(cell)
        return None if when is None else (when, DATE)
    value, unit = float(match[1].replace(",", "")), match[2]
    if unit in ("", "%"):
        return value, unit
    if unit in _SMALL:
        return value * _SMALL[unit], "s"
    low = unit.lower().removesuffix("b").removesuffix("i")
    if low == "" and unit.lower() == "b":
        return value, "B"
    if len(low) == 1 and low in _PREFIXES:
        return value * 1024.0 ** (_PREFIXES.index(low) + 1), "B"
    return value, unit


# The number of a line, and the line.
Row = tuple[int, str]


class Extreme(Value):
    """The least and the most, as they stand."""

    low: str
    high: str


class Quantities:
    """The numbers of one column: extremes as written, and the line that holds one far off."""

    def __init__(self) -> None:
        self.count = self.other = 0
        self.family = ""
        self._values: list[float] = []
        self._low: tuple[float, str] | None = None
        self._high: tuple[float, str, Row] | None = None
        self._second = float("-inf")
        self._closed = False

    def add(self, cells: Sequence[str], lines: Sequence[Row]) -> None:
        """Count a batch; a column that begins with none is not looked at again."""
        if self._closed:
            return
        known = {cell: quantity(cell) for cell in set(cells)}
        found = [(known[cell], cell, line) for cell, line in zip(cells, lines, strict=True)]
        for one, cell, line in found:
            if one is not None:
                self._count(one, cell, line)
            else:
                self.other += cell not in _NONE
        self._closed = self.other > self.count

    def _count(self, found: tuple[float, str], cell: str, line: Row) -> None:
        value, family = found
        if family and self.family and family != self.family:
            self.other += 1
            return
        self.count += 1
        self.family = family or self.family
        if len(self._values) < _KEPT:
            self._values.append(value)
        if self._low is None or value < self._low[0]:
            self._low = (value, cell)
        if self._high is None or value > self._high[0]:
            self._second = self._high[0] if self._high else self._second
            self._high = (value, cell, line)
        elif value > self._second:
            self._second = value

    def extreme(self) -> Extreme | None:
        if self._low is None or self._high is None or self.other > 0.1 * self.count:
            return None
        return Extreme(self._low[1], self._high[1])

    @property
    def highest(self) -> float:
        return self._high[0] if self._high else 0.0

    def far_off(self) -> Row | None:
        """The line of the largest, where it is off by more than all the others are apart."""
        if self._low is None or self._high is None or self.count < _LEAST:
            return None
        if self.other > 0.1 * self.count or self.family == DATE:
            return None
        ranked = sorted(self._values)
        most = self._high[0]
        usual = ranked[int(0.95 * len(ranked)) - 1]
        gap = most - self._second > self._second - self._low[0]
        times = usual > 0 and most > _TIMES * usual
        alone = usual <= 0 < most and self._second < most / _TIMES
        return self._high[2] if (gap and most > 0) or times or alone else None
