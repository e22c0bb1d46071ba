"""The modes and owners of listed files: those that few others have, and those that let everyone
write or lend rights.
"""

from collections import Counter

from stubcli.detect.model import NotableLine
from stubcli.text.characters import decode

_SORTS = 500
_EACH = 2
_SHOWN = 8
_AMONG = 50


class Modes:
    """Counts entries by mode and by owner, with the first lines of each."""

    def __init__(self) -> None:
        self._total = 0
        self._counts: Counter[tuple[str, bytes]] = Counter()
        self._first: dict[tuple[str, bytes], list[NotableLine]] = {}

    def see(self, number: int, line: bytes, mode: bytes, owner: bytes) -> None:
        self._total += 1
        for sort in _sorts(mode, owner):
            if sort in self._counts or len(self._counts) < _SORTS:
                self._counts[sort] += 1
                if self._counts[sort] <= _EACH:
                    quoted = NotableLine(number, decode(line[:190]))
                    self._first.setdefault(sort, []).append(quoted)

    def ranked(self) -> tuple[tuple[tuple[str, int], ...], int]:
        """The modes, the most frequent first, and how many there are."""
        found = [(mode, n) for (sort, mode), n in self._counts.items() if sort == "mode"]
        found.sort(key=lambda item: (-item[1], item[0]))
        return tuple((decode(mode), number) for mode, number in found[:_SHOWN]), len(found)

    def owners(self) -> tuple[tuple[str, int], ...]:
        """Who owns entries, the most first."""
        counts = self._counts.items()
        found = [(b" ".join(name.split()), n) for (sort, name), n in counts if sort == "owner"]
        found.sort(key=lambda item: (-item[1], item[0]))
        return tuple((decode(name), number) for name, number in found)

    def odd(self) -> list[NotableLine]:
        few = max(2, self._total // 100)
        shown: dict[int, NotableLine] = {}
        order = ("rights", "world", "type", "mode", "owner")
        for sort in sorted(self._first, key=lambda one: (order.index(one[0]), self._counts[one])):
            if sort[0] in ("rights", "world") or self._unusual(sort, few):
                for line in self._first[sort]:
                    shown.setdefault(line.number, line)
        return list(shown.values())[:_SHOWN]

    def _unusual(self, sort: tuple[str, bytes], few: int) -> bool:
        """Whether few entries are of the sort, and few sorts are so rare."""
        if self._counts[sort] > few or (sort[0] == "mode" and self._total < _AMONG):
            return False
        rare = sum(1 for one, n in self._counts.items() if one[0] == sort[0] and n <= few)
        return rare <= 4


def _sorts(mode: bytes, owner: bytes) -> list[tuple[str, bytes]]:
    sorts = [("mode", mode)]
    if owner:
        sorts.append(("owner", owner))
    if mode[:1] not in b"-dh1" and not mode.isdigit():
        sorts.append(("type", mode[:1]))
    if mode[:1] != b"l" and not mode.isdigit():
        sorts += [("world", b"w")] if mode[8:9] == b"w" and mode[9:10] not in b"tT" else []
        sorts += [("rights", b"s")] if b"s" in mode[1:].lower() else []
    return sorts
