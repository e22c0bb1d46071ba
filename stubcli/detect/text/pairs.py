"""Lines that begin something and lines that end it, told by an identifier that both hold.

Where nearly each line of one kind is followed by one of another with the same identifier, those
that are not are told: requests without an answer, jobs that never ended. What had no time to end
any more is left out. It knows no tool: a kind is the plain words that a line begins with.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from stubcli.detect.text.facts import Unanswered
from stubcli.text.characters import decode

# So many lines are compared, 20 µs each.
LINES = 3000
_LINE = 240
_IDENTIFIER = r"(?:[\w-]+[.:])*[\w-]*\d[\w-]*(?:[.:][\w-]+)*"
_SHORTEST = 3
# What is in more lines identifies nothing that begins and ends.
_OFTEN = 12
_AROUND = b".,:;()[]{}<>"
_LONGEST = 24
_WORDS = 5
_LEAST = 10
# Of the beginnings, so many are ended, and of the endings, nearly all were begun.
_ENDED = 0.7
_BEGUN = 0.9
_SHOWN = 2
_HELD = 8
_QUOTED = 3


def among(lines: Sequence[bytes]) -> int:
    """How many lines are looked at, 0 for all."""
    return LINES if len(lines) > LINES else 0


def kind(shape: bytes) -> str:
    """The plain words that a line of the shape begins with."""
    found: list[bytes] = []
    for word in shape.split():
        plain = b"0" not in word and b"/" not in word and len(word) <= _LONGEST
        if plain and b"." not in word.strip(_AROUND):
            found.append(word)
            if len(found) == _WORDS:
                break
    return decode(b" ".join(found))


class _Told:
    """Lines by kind, and where the identifiers in those of frequent kinds stand."""

    def __init__(self, shapes: Sequence[bytes]) -> None:
        self.names: dict[str, int] = {}
        names = self.names
        known = {shape: names.setdefault(kind(shape[:_LINE]), len(names)) for shape in set(shapes)}
        self.kinds = [known[shape] for shape in shapes]
        self.counts = Counter(self.kinds)
        self.of_kind: dict[int, list[int]] = {}
        # By kind and identifier, how many lines, and the last of them; by identifier, the kinds.
        self.times: dict[int, Counter[str]] = {}
        self.last: dict[tuple[int, str], int] = {}
        self.among: dict[str, set[int]] = {}
        self.total: Counter[str] = Counter()
        self.held: dict[int, list[str]] = {}
        for at, one in enumerate(self.kinds):
            if self.counts[one] >= _LEAST:
                self.of_kind.setdefault(one, []).append(at)

    def hold(self, lines: Sequence[bytes]) -> None:
        """Look for identifiers in lines of frequent kinds."""
        identifiers = re.compile(_IDENTIFIER).findall
        for at, one in enumerate(self.kinds):
            if self.counts[one] >= _LEAST:
                self._hold(at, one, identifiers(decode(lines[at][:_LINE])))

    def _hold(self, at: int, one: int, identifiers: list[str]) -> None:
        self.held[at] = found = identifiers[:_HELD]
        held = {each for each in found if len(each) >= _SHORTEST}
        self.times.setdefault(one, Counter()).update(held)
        self.total.update(held)
        for each in held:
            self.last[one, each] = at
            self.among.setdefault(each, set()).add(one)

    def slot(self, begins: int) -> Iterator[tuple[int, int]]:
        """The kinds that nearly always follow the one, and the place of the identifier in it."""
        score: Counter[tuple[int, int]] = Counter()
        times = self.times[begins]
        for at in self.of_kind[begins]:
            for place, each in enumerate(self.held[at]):
                if not 0 < self.total[each] <= _OFTEN:
                    continue
                for other in self.among[each]:
                    even = other != begins and times[each] == self.times[other][each]
                    score[other, place] += even and self.last[other, each] > at
        best: dict[int, tuple[int, int]] = {}
        for (other, place), ended in score.items():
            if ended >= max(_LEAST, _ENDED * self.counts[begins]):
                best[other] = max(best.get(other, (0, 0)), (ended, -place))
        return ((other, -place) for other, (_, place) in best.items())

    def open(self, begins: int, ends: int, place: int) -> tuple[int, list[int]]:
        """How far the end is mostly, and the lines that have none; (0, []) where it is no end."""
        at_place = {at: self.held[at][place : place + 1] for at in self.of_kind[begins]}
        begun = {one[0] for one in at_place.values() if one}
        answered = sum(not begun.isdisjoint(self.held[at]) for at in self.of_kind[ends])
        if answered < _BEGUN * self.counts[ends]:
            return 0, []
        distances: list[int] = []
        left: list[int] = []
        for at, one in at_place.items():
            last = self.last.get((ends, one[0]), -1) if one else at
            if last > at:
                distances.append(last - at)
            elif last < 0 and 0 < self.total[one[0]] <= _OFTEN:
                left.append(at)
        distances.sort()
        behind = len(self.kinds) - 2 * distances[int(0.95 * (len(distances) - 1))] - 1
        return distances[len(distances) // 2], [at for at in left if at < behind]


def find(lines: Sequence[bytes], shapes: Sequence[bytes]) -> tuple[Unanswered, ...]:
    """What began in these lines and did not end, of the kinds of which most did.

    shapes: the lines with their numbers as 0.
    """
    known = _Told(shapes[:LINES])
    if len(known.of_kind) < 2:
        return ()
    known.hold(lines)
    found: list[tuple[int, int, int, list[int]]] = []
    for begins in known.of_kind:
        ends = [(*known.open(begins, other, place), other) for other, place in known.slot(begins)]
        # The nearest of those that follow is the answer.
        nearest = min((one for one in ends if one[0]), default=None, key=lambda one: one[0])
        if nearest is not None and nearest[1]:
            found.append((nearest[0], begins, nearest[2], nearest[1]))
    names = list(known.names)
    return tuple(
        Unanswered(
            names[begins],
            names[ends],
            known.counts[begins],
            len(left),
            tuple((at + 1, decode(lines[at][:_LINE]).strip()) for at in left[:_QUOTED]),
            among(lines),
        )
        for _, begins, ends, left in sorted(found)[:_SHOWN]
    )
