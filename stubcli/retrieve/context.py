"""The lines around a hit, by their numbers, each cut to a bounded width."""

from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.retrieve.position import byte_of_line
from stubcli.retrieve.shown import is_dressed
from stubcli.store.artifact import Artifact
from stubcli.text.characters import boundary, decode, encode
from stubcli.text.display import last_frame

WIDTH = 200
# Of a longer line, its beginning is displayed.
_PLAYED = 1 << 16


@dataclass(frozen=True)
class Line:
    """A line by its number and its byte offset; text: as displayed, without its end, of WIDTH
    bytes at most; whole: whether that is all of it."""

    number: int
    offset: int
    text: str
    whole: bool


def lines_of(artifact: Artifact, first: int, last: int, *, raw: bool = False) -> Iterator[Line]:
    """The lines `first` to `last`, as far as there are such. Verified. raw: not as displayed."""
    first, last = max(1, first), min(last, artifact.record.lines)
    if first > last:
        return
    start = byte_of_line(artifact, first)
    for number in range(first, last + 1):
        end = _next_line(artifact, start, number)
        text = _text(artifact, start, end, raw=raw)
        data = encode(text)
        cut = data[: WIDTH if len(data) <= WIDTH else boundary(data[:WIDTH])]
        offset = start + start % 2 if _is_wide(artifact) else start
        yield Line(number, offset, decode(cut), end - start <= _PLAYED and len(data) <= WIDTH)
        start = end


def line_start(artifact: Artifact, number: int) -> int:
    """The byte offset of that line."""
    start = byte_of_line(artifact, number)
    return start + start % 2 if _is_wide(artifact) else start


def _is_wide(artifact: Artifact) -> bool:
    """Lines are counted by LF bytes; in UTF-16 the other half of one may stand before a line."""
    return str(artifact.record.facts.get("encoding", "")).startswith("utf-16")


def _next_line(artifact: Artifact, start: int, number: int) -> int:
    """Where the line behind line `number` begins, which itself begins at `start`."""
    index = artifact.block_of(start)
    block_start = artifact.record.checkpoints[index].offset
    found = artifact.block(index).find(b"\n", start - block_start)
    return byte_of_line(artifact, number + 1) if found < 0 else block_start + found + 1


def _text(artifact: Artifact, start: int, end: int, *, raw: bool) -> str:
    if _is_wide(artifact):
        start, end = start + start % 2, end + end % 2
        data = artifact.read_at(start, min(end - start, 2 * _PLAYED))
        text = data.decode(str(artifact.record.facts["encoding"]), "replace").rstrip("\r\n")
        return text if raw else last_frame(text)
    data = artifact.read_at(start, min(end - start, _PLAYED)).rstrip(b"\r\n")
    return decode(data) if raw or not is_dressed(data) else last_frame(decode(data))
