"""An artifact as pieces to search: whole lines, or windows of a line too long to hold.

A piece carries where it stands. UTF-16 is handed out as UTF-8, with byte offsets of the artifact.
Blocks are read, verified and looked at by several threads ahead of the one that counts.
"""

import codecs
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from stubcli.debug import swallowed
from stubcli.retrieve.pattern import Pattern
from stubcli.store.artifact import Artifact

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# A longer line is searched in windows that overlap, so its memory is bounded.
_LONGEST = 32 << 20
OVERLAP = 4 << 20
_BOM = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
# The pool costs 12 ms to load, which few blocks would not win back.
_ALONE = 8
_THREADS = 4
_AHEAD = 16
# How many matches of a block are found ahead. Threads that each hand over thousands wait for each
# other: twice the time of one. Many of a plain text are counted in bulk instead.
_FOUND, _FEW = 64, 16


@dataclass(frozen=True)
class Segment:
    """Text of an artifact: data, and as it is matched, text, of the same length.

    Matches that begin in [begin:stop] belong to this segment, others to a neighbour; they are
    looked for up to end. spans: matches found already, which lie before begin. The next segment
    begins at step. offset: of data[0] in the artifact. before: how many bytes of its line stand
    before data[0]. unfinished: the last line goes on.
    """

    data: bytes
    text: bytes
    begin: int
    stop: int
    end: int
    step: int
    offset: int
    before: int
    unfinished: bool
    encoding: str
    spans: tuple[tuple[int, int], ...] = ()

    def width(self, start: int, end: int) -> int:
        """How many bytes of the artifact data[start:end] stands for."""
        return _width(self.data[start:end], self.encoding)


@dataclass(frozen=True)
class _Block:
    """A verified block as UTF-8. offset and end: in the artifact.

    Its whole lines are data[head:tail]; in them spans are the only matches before begin.
    """

    data: bytes
    text: bytes
    offset: int
    end: int
    head: int
    tail: int
    begin: int
    spans: tuple[tuple[int, int], ...] = ()


def segments(artifact: Artifact, pattern: Pattern) -> Iterator[list[Segment]]:
    """All of the artifact, in order, a list for each block. Raises IntegrityError.

    Lines that were searched already and hold no match are left out.
    """
    encoding = str(artifact.record.facts.get("encoding", "")) or _guess(artifact)
    cutter = _Cutter(pattern, encoding)
    blocks = _transcoded if encoding in _BOM else _plain
    for block in blocks(artifact, pattern, encoding):
        yield cutter.feed(block)
    yield cutter.finish()


class _Cutter:
    """Joins the parts of a line that lie in several blocks, and cuts what is too long."""

    def __init__(self, pattern: Pattern, encoding: str) -> None:
        self._pattern = pattern
        self._encoding = encoding
        self._overlap = max(OVERLAP, pattern.reach)
        self._pieces: list[bytes] = []
        self._size = self._offset = self._before = self._skip = 0

    def feed(self, block: _Block) -> list[Segment]:
        found = []
        if block.head:
            self._hold(block.data[: block.head], block.offset)
            found.append(self._whole(last=False))
            if block.begin < block.tail or block.spans:
                found.append(self._lines_of(block))
            rest = block.data[block.tail :]
            self._hold(rest, block.end - _width(rest, self._encoding))
        else:
            self._hold(block.data, block.offset)
        if self._size > _LONGEST + self._overlap:
            found.append(self._window())
        return found

    def finish(self) -> list[Segment]:
        """What stands behind the last LF."""
        return [self._whole(last=True)] if self._size else []

    def _hold(self, data: bytes, offset: int) -> None:
        if not self._size:
            self._offset = offset
        if data:
            self._pieces.append(data)
            self._size += len(data)

    def _lines_of(self, block: _Block) -> Segment:
        return Segment(
            block.data,
            block.text,
            block.begin,
            block.tail,
            block.tail,
            block.tail,
            block.offset,
            0,
            False,
            self._encoding,
            block.spans,
        )

    def _whole(self, *, last: bool) -> Segment:
        """The line that was held, complete."""
        segment = self._segment(self._size + last, self._size, unfinished=False)
        self._pieces, self._size, self._before, self._skip = [], 0, 0, 0
        return segment

    def _window(self) -> Segment:
        # One byte more than the overlap: what stands before keeps ^ and \b honest.
        cut = self._size - self._overlap - 1
        segment = self._segment(cut + 1, cut, unfinished=True)
        rest = segment.data[cut:]
        self._pieces, self._size, self._skip = [rest], len(rest), 1
        self._before += cut
        self._offset += segment.width(0, cut)
        return segment

    def _segment(self, stop: int, step: int, *, unfinished: bool) -> Segment:
        data = b"".join(self._pieces) if len(self._pieces) > 1 else self._pieces[0]
        return Segment(
            data,
            self._pattern.text(data),
            self._skip,
            stop,
            len(data),
            step,
            self._offset,
            self._before,
            unfinished,
            self._encoding,
        )


def _width(data: bytes, encoding: str) -> int:
    if encoding not in _BOM:
        return len(data)
    return len(data.decode("utf-8", "replace").encode(encoding, "replace"))


def _guess(artifact: Artifact) -> str:
    """The encoding of an artifact without facts: what was cut short has none."""
    start = artifact.read_at(0, 2)
    return next((name for name, mark in _BOM.items() if start == mark), "utf-8")


def _plain(artifact: Artifact, pattern: Pattern, _encoding: str) -> Iterator[_Block]:
    def look(index: int) -> _Block:
        offset, data = artifact.read_block(index)
        end = offset + len(data)
        if index == 0 and data.startswith(codecs.BOM_UTF8):
            data, offset = data[3:], 3
        text = pattern.text(data)
        head, tail = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        most = _FEW if pattern.plain else _FOUND
        spans = tuple(islice(pattern.spans(text, head, tail), most))
        begin = spans[-1][1] if len(spans) == most else tail
        return _Block(data, text, offset, end, head, tail, begin, spans)

    return _ahead(look, len(artifact.record.checkpoints))


def _ahead(look: Callable[[int], _Block], count: int) -> Iterator[_Block]:
    """look(0), look(1), … in order; reading, hashing and matching all let other threads run."""
    threads = min(_THREADS, os.cpu_count() or 1)
    if count < _ALONE or threads == 1:
        yield from map(look, range(count))
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    try:
        waiting = deque(_begin(pool, look, index) for index in range(min(_AHEAD, count)))
        for index in range(count):
            yield waiting.popleft()()
            if index + _AHEAD < count:
                waiting.append(_begin(pool, look, index + _AHEAD))
    finally:
        # The artifact is closed next: nobody may be reading it then.
        pool.shutdown(cancel_futures=True)


def _begin(
    pool: "ThreadPoolExecutor", look: Callable[[int], _Block], index: int
) -> Callable[[], _Block]:
    """What gives look(index): of a thread, or looked at then where none can be started."""
    try:
        return pool.submit(look, index).result
    except RuntimeError as error:
        swallowed("starting a thread", error)
        return partial(look, index)


def _transcoded(artifact: Artifact, pattern: Pattern, encoding: str) -> Iterator[_Block]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    last = len(artifact.record.checkpoints) - 1
    end = 0
    for index in range(last + 1):
        start, raw = artifact.read_block(index)
        text = decoder.decode(raw, index == last)
        offset, end = end, start + len(raw) - len(decoder.getstate()[0])
        if index == 0 and text.startswith("\ufeff"):
            text, offset = text[1:], 2
        data = text.encode("utf-8", "replace")
        head, tail = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        yield _Block(data, pattern.text(data), offset, end, head, tail, head)
