"""What texts say once numbers, addresses, identifiers and quoted names are taken out of them.

Messages are such: they come again with other sizes, addresses and times.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from stubcli.detect.fields.facts import Count
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.words import clip, shortened

# As much of a text tells what it says.
_TEXT = 200
# So many are told apart, and so many texts come first to tell whether they are alike at all.
_KINDS = 48
_FIRST = 12
# What all texts say alike is told where it has so many blanks.
_SENTENCE = 3
_TOP = 5
# What came so often at most is seldom, and so many of them are told.
_LONE, _TOLD = 2, 8
# Of a field that is mostly empty, a few texts are told though each stands alone.
_SELDOM = 4
# Of more texts the first ones are enough: 3 µs each.
_TEXTS = 20_000
_QUOTED = re.compile(r"""\"[^"]*\"|'[^'\s][^']*'""")
_VARIES = re.compile(r"[\d/@…]")
_MORE = " …"
_AROUND = "()[]{}<>,;:"


def top_of(said: list[tuple[str, int, Row]]) -> tuple[tuple[Count, ...], int]:
    """The most frequent texts, each with where it is first, and how many others there are; where
    some came often, those that did not are told as seldom.
    """
    often = [one for one in said if one[1] > _LONE] or said
    top = (Count(clip(text), times, place_of(row)) for text, times, row in often[:_TOP])
    return tuple(top), len(said) - min(_TOP, len(often))


def template_of(text: str) -> str:
    """The text with … for all that varies from one of its kind to the next."""
    if '"' in text or "'" in text:
        text = _QUOTED.sub("…", text)
    return " ".join([word if word.isalpha() else _without_name(word) for word in text.split(" ")])


def _without_name(word: str) -> str:
    if not _VARIES.search(word):
        return word
    name = word.strip(_AROUND)
    key, equals, _ = name.partition("=")
    if equals and not _VARIES.search(key):
        return word.replace(name, f"{key}=…")
    return word.replace(name, "…") if name else word


class _Said:
    """How often a text was said, where first, and the first one."""

    __slots__ = ("row", "text", "times")

    def __init__(self, times: int, row: Row, text: str) -> None:
        self.times, self.row, self.text = times, row, text


class Sentences:
    """Texts of several words, counted by what they say while few of them are like no other."""

    __slots__ = ("_found", "blank", "looked", "open", "whole")

    def __init__(self) -> None:
        # Whether more texts are taken; so many were, which are all of them.
        self.open = self.whole = True
        self.looked = 0
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
        if "\n" in text:
            first, _, more = text.strip().partition("\n")
            text = first + (_MORE if more else "")
        self.looked += times
        if self.looked > _TEXTS and self._found:
            self.open, self.whole, self.looked = False, False, self.looked - times
            return
        known = template_of(text[:_TEXT]) if " " in text else text if text.isalpha() else ""
        one = self._found.get(known)
        if one is not None:
            one.times += times
        elif not known or len(self._found) >= _KINDS or self._is_prose():
            self.open, self._found = False, {}
        else:
            self._found[known] = _Said(times, row(), shortened(text, _TEXT))

    def _is_prose(self) -> bool:
        """Whether most texts so far are like no other, or words rather than sentences."""
        many = len(self._found)
        return many >= _FIRST and (2 * many > self._count() or self._are_words())

    def _are_words(self) -> bool:
        return 2 * sum(" " in known for known in self._found) < len(self._found)

    def _count(self) -> int:
        return sum(one.times for one in self._found.values())

    def ranked(self) -> list[tuple[str, int, Row]]:
        """The first of each, the most frequent first; none where most are like no other."""
        many = len(self._found)
        if self._are_words() or (many == 1 and min(self._found).count(" ") < _SENTENCE):
            return []
        few = many <= _FIRST and self.blank > _SELDOM * self._count()
        if 2 * many > self._count() and not few:
            return []
        found = [(one.text, one.times, one.row) for one in self._found.values()]
        return sorted(found, key=lambda item: -item[1])

    def seldom(self, top: tuple[Count, ...]) -> tuple[Count, ...]:
        """What was said once or twice beside what is told already, in its order."""
        if self._are_words():
            return ()
        told = {one.text for one in top}
        lone = [one for one in self._found.values() if one.times <= _LONE]
        if 2 * len(lone) > self._count():
            return ()
        found = (Count(clip(one.text), one.times, place_of(one.row)) for one in lone)
        return tuple(one for one in found if one.text not in told)[:_TOLD]
