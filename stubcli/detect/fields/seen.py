"""How often each of a few values came, and where first."""

import re
from typing import NamedTuple

from stubcli.detect.fields.rows import Row

_DIGITS = re.compile(r"\d+")
# Beyond so many distinct values a field is no enumeration.
FEW = 24
LONGEST_VALUE = 80
_FEW_RARE = 4
# Of so few kinds of values, those that come once or twice are odd, however many the others are.
_KINDS = 8
_LONE = 2
# Of so few states, those are seldom that so small a share has, and so much fewer than the largest.
_STATES = 12
_SELDOM = 0.08
_BELOW_LARGEST = 8


# So few records among at least so many differ from the rest; among fewer, but so many, those that
# do in several fields.
MANY = 20
SOME = 8
_RARE = 0.01


class Odd(NamedTuple):
    """What few records have: where first, how many of them, and the value as far as it is known;
    None where they have nothing, which all others have.
    """

    row: Row
    times: int
    text: str | None = ""


def few_of(rows: int) -> int:
    """So many of them are few."""
    return int(max(1, rows * _RARE))


class Seen:
    """Counts values until they turn out to be too many, or too long."""

    __slots__ = ("closed", "most", "values")

    def __init__(self, most: int) -> None:
        self.values: dict[str, list[Row]] = {}
        self.most = most
        self.closed = False

    def add(self, text: str, row: Row) -> bool:
        """Whether the value is new, and one of few."""
        if self.closed:
            return False
        known = self.values.get(text)
        if known is not None:
            known[0] += 1  # type: ignore[operator]
            return False
        if not self.takes(text):
            self.closed, self.values = True, {}
            return False
        self.values[text] = [1, row]
        return len(self.values) <= FEW

    def takes(self, text: str) -> bool:
        """Whether there is room for one value more."""
        return len(self.values) < self.most and len(text) <= LONGEST_VALUE

    def add_many(self, text: str, times: int, row: Row) -> None:
        """Count a value that came so often, unless they were too many already."""
        if self.closed:
            return
        if text not in self.values and not self.takes(text):
            self.closed, self.values = True, {}
            return
        known = self.values.setdefault(text, [0, row])
        known[0] += times  # type: ignore[operator]

    def ranked(self) -> list[tuple[str, int, Row]]:
        """The values, the most frequent first."""
        found = [(text, int(times), row) for text, (times, row) in self.values.items()]  # type: ignore[arg-type]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def seldom(self, present: int) -> list[Odd]:
        """Of few states, those that a small share of so many have, but more than one or two."""
        if self.closed or not 1 < len(self.values) <= _STATES:
            return []
        ranked = self.ranked()
        most = min(_SELDOM * present, ranked[0][1] / _BELOW_LARGEST)
        return [
            Odd(row, times, text)
            for text, times, row in ranked[1:]
            if _LONE < times <= most and text[:1].isalpha()
        ]

    def rare(self, most: int) -> list[tuple[str, int, Row]]:
        """The few values that came few times, where the others came clearly more often."""
        if len(self.values) > FEW:
            return []
        ranked = self.ranked()
        few = [item for item in ranked if item[1] <= most]
        others = ranked[: -len(few)] if few else []
        if not others or len(few) > _FEW_RARE:
            return []
        lone = few[0][1] <= _LONE and len(ranked) <= _KINDS
        return few if lone or others[-1][1] >= 4 * few[0][1] else []


class Forms:
    """How texts begin, and how they end after the last colon, digits apart: tags, ports, codes.

    The one that begins or ends like no other differs.
    """

    __slots__ = ("heads", "tails")

    def __init__(self, values: dict[str, list[Row]]) -> None:
        self.heads, self.tails = Seen(FEW), Seen(FEW)
        for text, (times, row) in values.items():
            self.heads.add_many(_head(text), int(times), row)  # type: ignore[arg-type]
            if tail := _tail(text):
                self.tails.add_many(tail, int(times), row)  # type: ignore[arg-type]

    def add(self, text: str, row: Row) -> bool:
        """Count the form of a text; whether it is a new one."""
        new = False
        if not self.heads.closed:
            new = self.heads.add(_head(text), row)
        if not self.tails.closed and (tail := _tail(text)):
            new |= self.tails.add(tail, row)
        return new


def _head(text: str) -> str:
    return text[:40].split(None, 1)[0] if text.strip() else ""


def _tail(text: str) -> str:
    # Of numbers that only run on, the short ones are few and differ in nothing else.
    return _DIGITS.sub("0", text[-80:].rpartition(":")[2]) if ":" in text[-80:] else ""
