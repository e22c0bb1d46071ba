"""An artifact as pieces to search: whole lines, or windows of a line too long to hold.

A piece carries where it stands. Joins what lies in several blocks.
"""

from collections.abc import Iterator

from stubcli.retrieve.blocks import ReadBlock, Segment, blocks_of, encoding_of
from stubcli.retrieve.origin import BOM, Chosen, Mark, Origin, Stripped, origin_of, width
from stubcli.retrieve.pattern import Pattern
from stubcli.retrieve.shown import LONGEST as LONGEST_SHOWN
from stubcli.retrieve.shown import choose, cut, is_dressed, strip
from stubcli.store.artifact import Artifact

# A longer line is searched in windows that overlap, so its memory is bounded.
_LONGEST = 8 << 20
OVERLAP = 1 << 20


def segments(artifact: Artifact, pattern: Pattern) -> Iterator[list[Segment]]:
    """All of the artifact, in order, a list for each block. Raises IntegrityError.

    Lines that were searched already and hold no match are left out.
    """
    encoding = encoding_of(artifact)
    cutter = _Cutter(artifact, pattern, encoding)
    for block in blocks_of(artifact, pattern, encoding):
        yield cutter.feed(block)
    yield cutter.finish()


class _Cutter:
    """Joins the parts of a line that lie in several blocks, and cuts what is too long."""

    def __init__(self, artifact: Artifact, pattern: Pattern, encoding: str) -> None:
        self._artifact = artifact
        self._pattern = pattern
        self._encoding = encoding
        self._overlap = max(OVERLAP, pattern.reach)
        self._begin_line()

    def _begin_line(self) -> None:
        self._pieces: list[bytes] = []
        self._size = self._offset = self._before = self._skip = 0
        # Of a line too long to be played whole its sequences are stripped as its pieces come.
        self._dressed = self._strips = False
        self._marks: list[Mark] = []
        self._cut_off = b""

    def feed(self, block: ReadBlock) -> list[Segment]:
        found = []
        if block.first:
            self._hold(block.first, block.offset)
            found.append(self._whole(last=False))
            if block.body:
                found.append(block.body)
        self._hold(block.rest, block.rest_offset)
        if self._size > _LONGEST + self._overlap:
            found.append(self._window())
        return found

    def finish(self) -> list[Segment]:
        """What stands behind the last LF."""
        return [self._whole(last=True)] if self._size or self._cut_off else []

    def _hold(self, data: bytes, offset: int) -> None:
        if not data:
            return
        if self._strips:
            self._hold_stripped(data, offset)
            return
        if not self._size:
            self._offset = offset
        self._pieces.append(data)
        self._size += len(data)
        self._dressed = self._dressed or (not self._pattern.raw and is_dressed(data))
        if self._dressed and self._size > LONGEST_SHOWN and self._encoding not in BOM:
            self._strips = True
            pieces, self._pieces, self._size = self._pieces, [], 0
            for piece in pieces:
                self._hold_stripped(piece, self._offset)
                self._offset += len(piece)

    def _hold_stripped(self, data: bytes, offset: int) -> None:
        offset -= len(self._cut_off)
        data = self._cut_off + data
        end = cut(data)
        self._cut_off = data[end:]
        self._marks.append(Mark(self._before + self._size, offset, end))
        self._pieces.append(strip(data[:end]))
        self._size += len(self._pieces[-1])

    def _whole(self, *, last: bool) -> Segment:
        """The line that was held, complete."""
        data = b"".join((*self._pieces, strip(self._cut_off)))
        origin = self._origin(data)
        if self._dressed and not self._strips:
            raw, data = data, choose(data, self._pattern)
            origin = Chosen(raw, data, origin)
        size = len(data)
        segment = self._segment(data, origin, size + last, size, unfinished=False)
        self._begin_line()
        return segment

    def _window(self) -> Segment:
        # One byte more than the overlap: what stands before keeps ^ and \b honest.
        step = self._size - self._overlap - 1
        data = b"".join(self._pieces)
        segment = self._segment(data, self._origin(data), step + 1, step, unfinished=True)
        self._pieces, self._size, self._skip = [data[step:]], len(data) - step, 1
        self._before += step
        self._offset += width(data[:step], self._encoding)
        while len(self._marks) > 1 and self._marks[1].place <= self._before:
            self._marks = self._marks[1:]
        return segment

    def _origin(self, data: bytes) -> Origin:
        if self._strips:
            return Stripped(self._artifact, self._marks.copy(), self._before)
        return origin_of(data, self._offset, self._encoding)

    def _segment(
        self, data: bytes, origin: Origin, stop: int, step: int, *, unfinished: bool
    ) -> Segment:
        text = self._pattern.text(data)
        return Segment(
            *(data, text, self._skip, stop, len(data), step, origin, self._before, unfinished)
        )
