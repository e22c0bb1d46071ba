"""Hits as they are shown: lines with the lines around them, or values, as many as a page holds.

Makes the text, prints nothing. How a line is worded, a form decides.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from stubcli.retrieve.context import Line, line_start, lines_of
from stubcli.retrieve.search import Hit
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode


@dataclass(frozen=True)
class Match:
    """One match of a search. line counts from 1, offset (of the match in the artifact) in bytes.

    text: the line as it was matched, at most 200 bytes of it around the match; an undecodable byte
    is shown as \\xff. bytes_before, bytes_after: how many bytes of that line stand left and right
    of it; bytes_after is None where the end of the line is too far. lines_before, lines_after: the
    lines around it, as far as they were asked for, each cut to 200 bytes.
    """

    ref: str
    line: int
    offset: int
    text: str
    bytes_before: int = 0
    bytes_after: int | None = 0
    lines_before: tuple[str, ...] = ()
    lines_after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A line's number, and its hits that stand in the text of the first of them."""

    line: int
    hits: tuple[Hit, ...]

    def begin(self, artifact: Artifact) -> int:
        """The byte offset of what is shown: of the line, where it is shown from its beginning."""
        first = self.hits[0]
        return first.begin if first.before else line_start(artifact, self.line)


@dataclass(frozen=True)
class Around:
    """So many lines before and after each hit; raw: not as they are displayed."""

    before: int = 0
    after: int = 0
    raw: bool = False

    def lines(self, artifact: Artifact, first: int, last: int) -> Iterator[Line]:
        return lines_of(artifact, first, last, raw=self.raw)


class LineForm(Protocol):
    """How lines are worded. separate: whether each hit has a row of its own. An empty text is left
    out; `opening` stands before the first row of an artifact, `apart` between groups of lines."""

    separate: bool

    def opening(self, artifact: Artifact) -> str: ...
    def match(self, artifact: Artifact, row: Row) -> str: ...
    def context(self, artifact: Artifact, line: Line) -> str: ...
    def apart(self) -> str: ...


class _Lines:
    """Line numbers of rising offsets: each byte of a block is counted once."""

    def __init__(self) -> None:
        self._artifact: Artifact | None = None
        self._index = self._place = self._line = 0

    def number(self, artifact: Artifact, offset: int) -> int:
        index = artifact.block_of(offset)
        point = artifact.record.checkpoints[index]
        if (artifact, index) != (self._artifact, self._index) or offset < self._place:
            self._artifact, self._index = artifact, index
            self._place, self._line = point.offset, point.lines + 1
        block = artifact.block(index)
        self._line += block.count(b"\n", self._place - point.offset, offset - point.offset)
        self._place = offset
        return self._line


class LinePage:
    """Lines as grep prints them; neighbours share the lines around them, groups stand apart.

    room: what the page may still hold, in what `size` says of a line. shown: matches on it. full: a
    hit did not fit, and none is added any more. cut: lines around one did not fit.
    """

    def __init__(
        self, room: int, size: Callable[[str], int], around: Around, form: LineForm
    ) -> None:
        self.room = room
        self.shown = 0
        self.full = False
        self.cut = False
        self._size = size
        self._around = around
        self._form = form
        self._lines = _Lines()
        # The last line printed of an artifact, and up to where lines are to follow it.
        self._artifact: Artifact | None = None
        self._last = self._until = 0

    def add(self, artifact: Artifact, hits: Iterable[Hit]) -> str:
        """The text that shows these hits of `artifact`, as far as the page holds them."""
        opening = ""
        if artifact is not self._artifact:
            self._artifact, self._last, self._until = artifact, 0, 0
            opening = self._form.opening(artifact)
        added: list[str] = []
        for row in self._rows(artifact, hits):
            fixed = [line for line in (opening, self._form.match(artifact, row)) if line]
            lead = list(self._lead(artifact, row.line))
            while not self._takes([*lead, *fixed]):
                if self.shown or not lead:
                    self.full = True
                    if opening:
                        self._artifact = None
                    return "".join(added)
                self.cut = True
                del lead[0]
            place = 1 if opening else 0
            added += [line + "\n" for line in (*fixed[:place], *lead, *fixed[place:])]
            opening = ""
            self.shown += len(row.hits)
            self._last, self._until = row.line, row.line + self._around.after
        return "".join(added)

    def close(self, artifact: Artifact) -> str:
        """The lines that follow the last hit of `artifact`, which is done."""
        added: list[str] = []
        if artifact is not self._artifact:
            return ""
        for line in self._context(artifact, self._last + 1, self._until):
            if not self._takes([line]):
                self.cut = True
                break
            added.append(line + "\n")
        return "".join(added)

    def _takes(self, lines: list[str]) -> bool:
        size = sum(self._size(line) + 1 for line in lines)
        if size <= self.room:
            self.room -= size
            return True
        return False

    def _rows(self, artifact: Artifact, hits: Iterable[Hit]) -> Iterator[Row]:
        row: Row | None = None
        for hit in hits:
            if self.full:
                return
            line = self._lines.number(artifact, hit.offset)
            if row and row.line == line and row.hits[0].shows(hit) and not self._form.separate:
                row = Row(line, (*row.hits, hit))
                continue
            if row:
                yield row
            row = Row(line, (hit,))
        if row:
            yield row

    def _lead(self, artifact: Artifact, line: int) -> Iterator[str]:
        """What stands between the last line printed and a row of that line."""
        if not (self._around.before or self._around.after):
            return
        last = self._last
        if last:
            yield from self._context(artifact, last + 1, min(self._until, line - 1))
            last = max(last, min(self._until, line - 1))
        first = max(line - self._around.before, last + 1)
        if self.shown and (first > last + 1 or not last) and (apart := self._form.apart()):
            yield apart
        yield from self._context(artifact, first, line - 1)

    def _context(self, artifact: Artifact, first: int, last: int) -> Iterator[str]:
        for line in self._around.lines(artifact, first, last):
            yield self._form.context(artifact, line)


class MatchReader:
    """A value for each match, with its own lines around it."""

    def __init__(self, around: Around) -> None:
        self._around = around
        self._lines = _Lines()

    def read(self, artifact: Artifact, hit: Hit) -> Match:
        line = self._lines.number(artifact, hit.offset)
        return Match(
            str(artifact.record.reference),
            line,
            hit.offset,
            _whole(decode(hit.text)),
            hit.before,
            hit.after,
            self._texts(artifact, line - self._around.before, line - 1),
            self._texts(artifact, line + 1, line + self._around.after),
        )

    def _texts(self, artifact: Artifact, first: int, last: int) -> tuple[str, ...]:
        return tuple(_whole(line.text) for line in self._around.lines(artifact, first, last))


def _whole(text: str) -> str:
    """`text` that can be encoded: an undecodable byte is shown as \\xff."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
