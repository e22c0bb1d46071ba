"""An artifact's blocks as they are searched: read, verified and looked at by several threads ahead
of the one that counts. UTF-16 is handed out as UTF-8.
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
from stubcli.retrieve.origin import BOM, Chosen, Origin, origin_of, width
from stubcli.retrieve.pattern import Pattern
from stubcli.retrieve.shown import choose, is_dressed
from stubcli.store.artifact import Artifact

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# The pool costs 12 ms to load, which few blocks would not win back.
_ALONE = 8
_THREADS = 4
_AHEAD = 8
# How many matches of a block are found ahead. Threads that each hand over thousands wait for each
# other: twice the time of one. Many of a plain text are counted in bulk instead.
_FOUND, _FEW = 64, 16


@dataclass(frozen=True)
class Segment:
    """Text of an artifact: data, and as it is matched, text, of the same length.

    Matches that begin in [begin:stop] belong to this segment, others to a neighbour; they are
    looked for up to end. spans: matches found already, which lie before begin. The next segment
    begins at step. origin: from places in data to offsets in the artifact. before: how many bytes
    of its line stand before data[0]. unfinished: the last line goes on.
    """

    data: bytes
    text: bytes
    begin: int
    stop: int
    end: int
    step: int
    origin: Origin
    before: int = 0
    unfinished: bool = False
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class ReadBlock:
    """first: up to its first LF, nothing where it has none; rest: behind its last. offset and
    rest_offset: of both in the artifact. body: the whole lines between, where any can match.
    """

    first: bytes
    offset: int
    rest: bytes
    rest_offset: int
    body: Segment | None


def encoding_of(artifact: Artifact) -> str:
    """Its encoding, by its facts, or by its beginning: what was cut short has none."""
    if known := str(artifact.record.facts.get("encoding", "")):
        return known
    start = artifact.read_at(0, 2)
    return next((name for name, mark in BOM.items() if start == mark), "utf-8")


def blocks_of(artifact: Artifact, pattern: Pattern, encoding: str) -> Iterator[ReadBlock]:
    """All of them, in order. Raises IntegrityError."""
    if encoding in BOM:
        yield from _transcoded(artifact, pattern, encoding)
        return

    def look(index: int) -> ReadBlock:
        offset, data = artifact.read_block(index)
        if index == 0 and data.startswith(codecs.BOM_UTF8):
            data, offset = data[3:], 3
        return _block(data, offset, offset + len(data), pattern, encoding)

    yield from _ahead(look, len(artifact.record.checkpoints))


def _transcoded(artifact: Artifact, pattern: Pattern, encoding: str) -> Iterator[ReadBlock]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    last = len(artifact.record.checkpoints) - 1
    end = 0
    for index in range(last + 1):
        start, raw = artifact.read_block(index)
        text = decoder.decode(raw, index == last)
        offset, end = end, start + len(raw) - len(decoder.getstate()[0])
        if index == 0 and text.startswith("\ufeff"):
            text, offset = text[1:], 2
        yield _block(text.encode("utf-8", "replace"), offset, end, pattern, encoding)


def _block(data: bytes, offset: int, end: int, pattern: Pattern, encoding: str) -> ReadBlock:
    head, tail = data.find(b"\n") + 1, data.rfind(b"\n") + 1
    origin = origin_of(data, offset, encoding)
    if pattern.raw or not is_dressed(data):
        body = _body(data, head, tail, origin, pattern)
    else:
        raw = data[head:tail]
        lines = choose(raw, pattern)
        chosen = Chosen(raw, lines, lambda place: origin(head + place))
        body = _body(lines, 0, len(lines), chosen, pattern)
    rest = data[tail:]
    return ReadBlock(data[:head], offset, rest, end - width(rest, encoding), body)


def _body(lines: bytes, begin: int, stop: int, origin: Origin, pattern: Pattern) -> Segment | None:
    text = pattern.text(lines)
    most = _FEW if pattern.plain else _FOUND
    spans = tuple(islice(pattern.spans(text, begin, stop), most))
    begin = spans[-1][1] if len(spans) == most else stop
    if not spans:
        return None
    return Segment(lines, text, begin, stop, stop, stop, origin, spans=spans)


def _ahead(look: Callable[[int], ReadBlock], count: int) -> Iterator[ReadBlock]:
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
    pool: "ThreadPoolExecutor", look: Callable[[int], ReadBlock], index: int
) -> Callable[[], ReadBlock]:
    """What gives look(index): of a thread, or looked at then where none can be started."""
    try:
        return pool.submit(look, index).result
    except RuntimeError as error:
        swallowed("starting a thread", error)
        return partial(look, index)
