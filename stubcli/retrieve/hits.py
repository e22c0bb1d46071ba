"""Hits as they are shown: rows with the lines around them, or values, as many as a page holds.

Makes the text, prints nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from stubcli.retrieve.context import lines_of
from stubcli.retrieve.search import Hit
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.display import amount, one_line


@dataclass(frozen=True)
class Match:
    """One match of a search. line counts from 1, offset (of the match in the artifact) in bytes.

    text: the line, at most 200 bytes of it around the match; an undecodable byte is shown as \\xff.
    bytes_before, bytes_after: how many bytes of the line stand left and right of that; bytes_after
    is None where the end of the line is too far. lines_before, lines_after: the lines around it,
    as far as they were asked for, each cut to 200 bytes.
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
    """A hit and its line's number; `more` later matches of that line stand in the same text."""

    line: int
    hit: Hit
    more: int = 0


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


class HitPage:
    """What both kinds of page share.

    room: what the page may still hold, in what `size` says of a line or an object. shown: matches
    on it. full: a hit did not fit, and none is added any more. cut: lines around one did not fit.
    """

    def __init__(self, room: int, size: Callable[[Any], int], before: int, after: int) -> None:
        self.room = room
        self.size = size
        self.before = before
        self.after = after
        self.shown = 0
        self.full = False
        self.cut = False
        self._lines = _Lines()

    def _takes(self, size: int) -> bool:
        if size <= self.room:
            self.room -= size
            return True
        return False


class TextPage(HitPage):
    """Rows as grep prints them; neighbours share the lines around them, groups stand apart."""

    def __init__(
        self, room: int, size: Callable[[str], int], before: int, after: int, *, named: bool
    ) -> None:
        """named: each line begins with its artifact."""
        super().__init__(room, size, before, after)
        self._named = named
        # The last line printed of an artifact, and up to where lines are to follow it.
        self._artifact: Artifact | None = None
        self._last = self._until = 0

    def add(self, artifact: Artifact, hits: Iterable[Hit]) -> str:
        """The text that shows these hits of `artifact`, as far as the page holds them."""
        if artifact is not self._artifact:
            self._artifact, self._last, self._until = artifact, 0, 0
        added: list[str] = []
        for row in self._rows(artifact, hits):
            shown = self._name(artifact) + _row_text(row)
            lead = list(self._lead(artifact, row.line))
            while not self._takes(self._size_of([*lead, shown])):
                if self.shown or not lead:
                    self.full = True
                    return "".join(added)
                self.cut = True
                del lead[0]
            added += [line + "\n" for line in (*lead, shown)]
            self.shown += 1 + row.more
            self._last, self._until = row.line, row.line + self.after
        return "".join(added)

    def close(self, artifact: Artifact) -> str:
        """The lines that follow the last hit of `artifact`, which is done."""
        added: list[str] = []
        if artifact is not self._artifact:
            return ""
        for line in self._around(artifact, self._last + 1, self._until):
            if not self._takes(self._size_of([line])):
                self.cut = True
                break
            added.append(line + "\n")
        return "".join(added)

    def _size_of(self, lines: list[str]) -> int:
        return sum(self.size(line) + 1 for line in lines)

    def _rows(self, artifact: Artifact, hits: Iterable[Hit]) -> Iterator[Row]:
        row: Row | None = None
        for hit in hits:
            if self.full:
                return
            line = self._lines.number(artifact, hit.offset)
            if row and row.line == line and row.hit.shows(hit):
                row = Row(line, row.hit, row.more + 1)
                continue
            if row:
                yield row
            row = Row(line, hit)
        if row:
            yield row

    def _lead(self, artifact: Artifact, line: int) -> Iterator[str]:
        """What stands between the last line printed and a row of that line."""
        if not (self.before or self.after):
            return
        last = self._last
        if last:
            yield from self._around(artifact, last + 1, min(self._until, line - 1))
            last = max(last, min(self._until, line - 1))
        first = max(line - self.before, last + 1)
        if self.shown and (first > last + 1 or not last):
            yield "--"
        yield from self._around(artifact, first, line - 1)

    def _around(self, artifact: Artifact, first: int, last: int) -> Iterator[str]:
        for number, text in lines_of(artifact, first, last):
            yield f"{self._name(artifact)}{number}-{one_line(text)}"

    def _name(self, artifact: Artifact) -> str:
        return f"{artifact.record.reference.short}:" if self._named else ""


def _row_text(row: Row) -> str:
    hit = row.hit
    left = f"[{amount(hit.before, 'byte')}] …" if hit.before else ""
    right = "…" if hit.after is None else f"… [{amount(hit.after, 'byte')}]" if hit.after else ""
    more = f"+{row.more}" if row.more else ""
    return f"{row.line}:{hit.offset}{more}:{left}{one_line(decode(hit.text))}{right}"


class MatchPage(HitPage):
    """A value for each match, with its own lines around it."""

    def add(self, artifact: Artifact, hits: Iterable[Hit]) -> list[Match]:
        """The matches that these hits of `artifact` are, as far as the page holds them."""
        added: list[Match] = []
        for hit in hits:
            if self.full:
                break
            line = self._lines.number(artifact, hit.offset)
            above = [_whole(text) for _, text in lines_of(artifact, line - self.before, line - 1)]
            below = [_whole(text) for _, text in lines_of(artifact, line + 1, line + self.after)]
            while not self._takes(self.size(match := _match(artifact, line, hit, above, below))):
                if self.shown or not (above or below):
                    self.full = True
                    return added
                self.cut = True
                if len(above) > len(below):
                    del above[0]
                else:
                    del below[-1]
            added.append(match)
            self.shown += 1
        return added


def _match(artifact: Artifact, line: int, hit: Hit, above: list[str], below: list[str]) -> Match:
    return Match(
        str(artifact.record.reference),
        line,
        hit.offset,
        _whole(decode(hit.text)),
        hit.before,
        hit.after,
        tuple(above),
        tuple(below),
    )


def _whole(text: str) -> str:
    """`text` that can be encoded: an undecodable byte is shown as \\xff."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
