"""Every match of a pattern in an artifact, counted, and those that are wanted with their text.

A match never crosses a line's end. A line is matched as it is displayed; as its bytes are where
that has no match and the pattern can mean them, or where the pattern asks for bytes alone. Time is
linear in the size, and little of it is spent on lines without a match.
"""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import chain

from stubcli.retrieve.blocks import Segment
from stubcli.retrieve.pattern import Pattern
from stubcli.retrieve.segments import segments
from stubcli.store.artifact import Artifact

WINDOW = 200
# From here on counting in bulk pays.
_MANY = 32


@dataclass(frozen=True)
class Hit:
    """One match: its byte offset in the artifact, and the text around it.

    text is at most WINDOW bytes of the line, as it was matched, as UTF-8; before and after count
    the line's bytes left out, after is None where the end of the line is too far. The match is
    [column:column + length] of the line. begin: the offset of text.
    """

    offset: int
    begin: int
    column: int
    length: int
    text: bytes
    before: int
    after: int | None

    def shows(self, other: "Hit") -> bool:
        """Whether `other`, a later match in the same line, stands whole in this text."""
        return other.column + other.length <= self.before + len(self.text)


@dataclass(frozen=True)
class Part:
    """What one more block brought: matches, lines with a match not counted before, hits."""

    matches: int
    lines: int
    hits: tuple[Hit, ...]


def search(
    artifact: Artifact, pattern: Pattern, wanted: range = range(0)
) -> Generator[Part, None, None]:
    """Every match in order, a part for each block; hits for those whose number is `wanted`.

    Numbers count from 0. Raises IntegrityError where the artifact is damaged. Close it before the
    artifact.
    """
    counter = _Counter(pattern, wanted)
    for group in segments(artifact, pattern):
        yield counter.part(group)


class _Counter:
    def __init__(self, pattern: Pattern, wanted: range) -> None:
        self._pattern = pattern
        self._wanted = wanted
        self._total = 0
        # How far the last match reached into the next window of a long line, and whether a match
        # in that line was counted.
        self._reached = 0
        self._counted = False

    def part(self, group: list[Segment]) -> Part:
        matches = lines = 0
        hits: list[Hit] = []
        for segment in group:
            more, on = self._count(segment, hits)
            matches += more
            lines += on
        return Part(matches, lines, tuple(hits))

    def _count(self, segment: Segment, hits: list[Hit]) -> tuple[int, int]:
        """The matches that belong to the segment, and the new lines that they are on."""
        data, text = segment.data, segment.text
        matches = lines = 0
        end, previous = 0, -1
        line_end = _line_end(text, 0) if segment.before and self._counted else 0
        bulk = bool(self._pattern.plain) and segment.stop == segment.end
        line_begin = line_stop = -1
        begin = max(segment.begin, self._reached)
        spans = self._pattern.spans(text, begin, segment.end)
        for start, found in chain(segment.spans, spans) if segment.spans else spans:
            if start >= segment.stop:
                break
            if start == found and (start == previous or not _is_place(data, start)):
                continue
            previous, end = start, found
            if start >= line_end:
                if bulk and matches >= _MANY:
                    rest = self._in_bulk(text[start : segment.end], self._total + matches)
                    if rest:
                        matches, lines = matches + rest[0], lines + rest[1]
                        break
                    bulk = False
                lines += 1
                line_end = _line_end(text, start)
            if self._total + matches in self._wanted:
                if not line_begin <= start < line_stop:
                    line_begin, line_stop = _line_of(text, start)
                hits.append(_hit(segment, (line_begin, line_stop), (start, end)))
            matches += 1
        self._total += matches
        self._reached = max(0, end - segment.step)
        self._counted = segment.unfinished and (matches > 0 or line_end > 0)
        return matches, lines

    def _in_bulk(self, text: bytes, number: int) -> tuple[int, int] | None:
        """Matches and lines in `text`, where none of them is wanted; the first is `number`."""
        behind = not self._wanted or number >= self._wanted.stop
        counted = self._pattern.counted(text)
        if counted and (behind or number + counted[0] <= self._wanted.start):
            return counted
        return None


def _line_end(text: bytes, position: int) -> int:
    """Where the next line begins."""
    return text.find(b"\n", position) + 1 or len(text) + 1


def _is_place(data: bytes, position: int) -> bool:
    """Whether an empty match may stand here: not between CR and LF, not behind the last LF."""
    if position == len(data):
        return not data.endswith(b"\n")
    return not (data[position] == 10 and position > 0 and data[position - 1] == 13)


def _line_of(text: bytes, position: int) -> tuple[int, int]:
    """Where the line at `position` begins and where its LF stands."""
    end = text.find(b"\n", position)
    return text.rfind(b"\n", 0, position) + 1, len(text) if end < 0 else end


def _hit(segment: Segment, line: tuple[int, int], span: tuple[int, int]) -> Hit:
    data, (begin, stop), (start, end) = segment.data, line, span
    goes_on = segment.unfinished and stop == len(data)
    stop -= stop > begin and data[stop - 1 : stop] == b"\r"
    left, right = begin, stop
    if stop - begin > WINDOW:
        middle = (start + min(end, start + WINDOW)) // 2
        left = min(max(begin, middle - WINDOW // 2), stop - WINDOW)
        right = left + WINDOW
        left, right = _whole(data, left, begin), _whole(data, right, begin)
    before = segment.before if begin == 0 else 0
    offset = segment.origin(start)
    return Hit(
        offset,
        segment.origin(left),
        before + start - begin,
        end - start,
        data[left:right],
        before + left - begin,
        None if goes_on else stop - right,
    )


def _whole(data: bytes, position: int, floor: int) -> int:
    """The beginning of the UTF-8 sequence that `position` may stand in the middle of."""
    for _ in range(3):
        if position <= floor or position >= len(data) or data[position] & 0xC0 != 0x80:
            return position
        position -= 1
    return position
