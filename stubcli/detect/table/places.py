"""Where lines begin in a stream, in bytes: from its beginning or from its end."""

from stubcli.detect.model import ByteSource
from stubcli.detect.reading import BLOCK, blocks


def line_start(source: ByteSource, line: int, end: bytes = b"\n") -> int:
    """The offset of the line with that number, counted from 1; the size where there is none.

    end: the byte that ends a line.
    """
    left, start = line - 1, 0
    if not left:
        return 0
    for block in blocks(source, source.size):
        feeds = block.count(end)
        if feeds >= left:
            return start + len(block) - len(block.split(end, left)[-1])
        left -= feeds
        start += len(block)
    return source.size


def start_from_end(source: ByteSource, lines: int, feed: bytes = b"\n") -> int:
    """The offset where the last `lines` lines begin."""
    left, end = lines, source.size
    if end and source.read_at(end - 1, 1) == feed:
        left += 1
    while end:
        start = max(0, end - BLOCK)
        block = source.read_at(start, end - start)
        feeds = block.count(feed)
        if feeds >= left:
            return start + len(feed.join(block.split(feed)[:-left])) + 1
        left -= feeds
        end = start
    return 0
