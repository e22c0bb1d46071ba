"""From places in a text that is matched to byte offsets in its artifact.

Each is a function of a place; cheap where places rise, or go back a little.
"""

import bisect
import codecs
from collections.abc import Callable
from dataclasses import dataclass

from stubcli.retrieve.shown import strip
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode, encode
from stubcli.text.display import trace, visible_runs

Origin = Callable[[int], int]
BOM = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def width(data: bytes, encoding: str) -> int:
    """How many bytes of an artifact of that encoding this UTF-8 stands for."""
    if encoding not in BOM:
        return len(data)
    return len(data.decode("utf-8", "replace").encode(encoding, "replace"))


def origin_of(data: bytes, offset: int, encoding: str) -> Origin:
    """That of text as it was read; offset: of data[0]."""
    return _Wide(data, offset, encoding) if encoding in BOM else offset.__add__


class _Wide:
    def __init__(self, data: bytes, offset: int, encoding: str) -> None:
        self._data, self._encoding = data, encoding
        self._place, self._offset = 0, offset

    def __call__(self, place: int) -> int:
        if place < self._place:
            self._offset -= width(self._data[place : self._place], self._encoding)
        else:
            self._offset += width(self._data[self._place : place], self._encoding)
        self._place = place
        return self._offset


class Chosen:
    """That of lines as they were chosen, through the raw lines: they have the same numbers."""

    def __init__(self, raw: bytes, chosen: bytes, under: Origin) -> None:
        self._raw, self._chosen, self._under = raw, chosen, under
        # Where the line begins that was looked at last, in both; its places once they are known.
        self._from = self._to = 0
        self._places: Origin | None = None

    def __call__(self, place: int) -> int:
        if place < self._from:
            self._from, self._to, self._places = 0, 0, None
        for _ in range(self._chosen.count(b"\n", self._from, place)):
            self._from = self._chosen.find(b"\n", self._from) + 1
            self._to = self._raw.find(b"\n", self._to) + 1
            self._places = None
        if self._places is None:
            raw, chosen = _line_at(self._raw, self._to), _line_at(self._chosen, self._from)
            self._places = int if raw == chosen else _played(raw)
        return self._under(self._to + self._places(place - self._from))


def _line_at(data: bytes, start: int) -> bytes:
    end = data.find(b"\n", start)
    return data[start : len(data) if end < 0 else end]


def _played(raw: bytes) -> Origin:
    """Of a line as it is displayed."""
    line = decode(raw)
    shown, places = trace(line)
    # Its end is behind what is displayed last.
    places.append(places[-1] + 1 if places else 0)
    bytes_of = encode(shown)

    def origin(place: int) -> int:
        at = place if len(shown) == len(bytes_of) else len(decode(bytes_of[:place]))
        return len(encode(line[: places[min(at, len(shown))]]))

    return origin


@dataclass(frozen=True)
class Mark:
    """A piece of a long line: its place among what is matched, and which bytes that stands for."""

    place: int
    offset: int
    size: int


class Stripped:
    """That of a line without its sequences, of which pieces are read again where they are asked."""

    def __init__(self, artifact: Artifact, marks: list[Mark], before: int) -> None:
        """before: how much of the line stands before place 0."""
        self._artifact, self._marks, self._before = artifact, marks, before
        self._mark: Mark | None = None
        self._places: Origin = int

    def __call__(self, place: int) -> int:
        place += self._before
        index = bisect.bisect_right(self._marks, place, key=lambda mark: mark.place) - 1
        mark = self._marks[max(0, index)]
        if mark is not self._mark:
            raw = self._artifact.read_at(mark.offset, mark.size)
            self._mark, self._places = mark, int if strip(raw) == raw else _bare(raw)
        return mark.offset + self._places(place - mark.place)


def _bare(raw: bytes) -> Origin:
    """Of text without its sequences."""
    starts, places, place = [0], [0], 0
    for start, run in visible_runs(decode(raw)):
        starts.append(place)
        places.append(start)
        place += len(encode(run))
    text = decode(raw)

    def origin(place: int) -> int:
        index = bisect.bisect_right(starts, place) - 1
        before = len(encode(text[: places[index]]))
        return before + place - starts[index]

    return origin
