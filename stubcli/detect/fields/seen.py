"""How often each of a few values came, and where first."""

from typing import NamedTuple

from stubcli.detect.fields.rows import Row

# Beyond so many distinct values a field is no enumeration.
FEW = 24
LONGEST_VALUE = 80
_FEW_RARE = 4
# Of so few kinds of values, those that come once or twice are odd, however many the others are.
_KINDS = 8
_LONE = 2


# So few records among at least so many differ from the rest.
MANY = 20
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
        if len(self.values) >= self.most or len(text) > LONGEST_VALUE:
            self.closed = True
            self.values.clear()
            return False
        self.values[text] = [1, row]
        return len(self.values) <= FEW

    def add_many(self, text: str, times: int, row: Row) -> None:
        """Count a value that came so often, unless they were too many already."""
        if not self.closed:
            known = self.values.setdefault(text, [0, row])
            known[0] += times  # type: ignore[operator]

    def ranked(self) -> list[tuple[str, int, Row]]:
        """The values, the most frequent first."""
        found = [(text, int(times), row) for text, (times, row) in self.values.items()]  # type: ignore[arg-type]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def rare(self, most: int) -> list[tuple[str, int, Row]]:
        """The few values that came few times, where the others came clearly more often."""
        ranked = self.ranked()
        few = [item for item in ranked if item[1] <= most]
        others = ranked[: -len(few)] if few else []
        if not others or len(ranked) > FEW or len(few) > _FEW_RARE:
            return []
        lone = few[0][1] <= _LONE and len(ranked) <= _KINDS
        return few if lone or others[-1][1] >= 4 * few[0][1] else []
