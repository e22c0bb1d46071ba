"""What texts say once numbers, addresses, identifiers and quoted names are taken out of them.

Messages are such: they come again with other sizes, addresses and times.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from stubcli.detect.fields.rows import Row

# As much of a text tells what it says.
_TEXT = 200
_WORDS = 2
# So many are told apart, and so many texts come first to tell whether they are alike at all.
_KINDS = 48
_FIRST = 12
# Of a field that is mostly empty, a few texts are told though each stands alone.
_SELDOM = 4
_VARIES = re.compile(r"""\"[^"]*\"|'[^'\s][^']*'|\b\w*\d[\w.:/@-]*|[\w.-]*[/@][\w./@:-]+""")


def masked(text: str) -> str:
    """The text with … for all that varies from one of its kind to the next."""
    return _VARIES.sub("…", text)


class _Said:
    """How often a text was said, where first, and the first one."""

    __slots__ = ("row", "text", "times")

    def __init__(self, times: int, row: Row, text: str) -> None:
        self.times, self.row, self.text = times, row, text


class Sentences:
    """Texts of several words, counted by what they say while few of them are like no other."""

    __slots__ = ("_found", "blank", "open")

    def __init__(self) -> None:
        self.open = True
        self._found: dict[str, _Said] = {}
        # Texts that are empty.
        self.blank = 0

    def add(self, text: str, row: Row) -> None:
        if not self.open:
            return
        if text:
            self._add(text, 1, lambda: row)
        else:
            self.blank += 1

    def add_many(self, texts: Sequence[str], row_of: Callable[[int], Row]) -> None:
        """Count a batch of texts that are not empty."""
        for text, times in Counter(texts).items():
            if not self.open:
                return
            self._add(text, times, lambda text=text: row_of(texts.index(text)))  # type: ignore[misc]

    def _add(self, text: str, times: int, row: Callable[[], Row]) -> None:
        known = masked(text[:_TEXT]) if text.count(" ", 0, _TEXT) >= _WORDS else ""
        one = self._found.get(known)
        if one is not None:
            one.times += times
        elif not known or len(self._found) >= _KINDS or self._is_prose():
            self.open, self._found = False, {}
        else:
            self._found[known] = _Said(times, row(), text[:_TEXT])

    def _is_prose(self) -> bool:
        """Whether most texts so far are like no other."""
        return len(self._found) >= _FIRST and 2 * len(self._found) > self._count()

    def _count(self) -> int:
        return sum(one.times for one in self._found.values())

    def ranked(self) -> list[tuple[str, int, Row]]:
        """The first of each, the most frequent first; none where most are like no other."""
        many = len(self._found)
        few = many <= _FIRST and self.blank > _SELDOM * self._count()
        if 2 * many > self._count() and not few:
            return []
        found = [(one.text, one.times, one.row) for one in self._found.values()]
        return sorted(found, key=lambda item: -item[1])
