"""The lines around a hit, by their numbers, each cut to a bounded width."""

from collections.abc import Iterator

from stubcli.retrieve.position import byte_of_line
from stubcli.store.artifact import Artifact

WIDTH = 200


def lines_of(artifact: Artifact, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Number and text of the lines `first` to `last`, as far as there are such. Verified."""
    first, last = max(1, first), min(last, artifact.record.lines)
    if first > last:
        return
    start = byte_of_line(artifact, first)
    for number in range(first, last + 1):
        end = _next_line(artifact, start, number)
        yield number, _text(artifact, start, end)
        start = end


def _next_line(artifact: Artifact, start: int, number: int) -> int:
    """Where the line behind line `number` begins, which itself begins at `start`."""
    index = artifact.block_of(start)
    block_start = artifact.record.checkpoints[index].offset
    found = artifact.block(index).find(b"\n", start - block_start)
    return byte_of_line(artifact, number + 1) if found < 0 else block_start + found + 1


def _text(artifact: Artifact, start: int, end: int) -> str:
    encoding = str(artifact.record.facts.get("encoding", "utf-8"))
    if not encoding.startswith("utf-16"):
        data = artifact.read_at(start, min(end - start, WIDTH))
        return data.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    # Lines are counted by LF bytes; in UTF-16 the other half of that LF may still stand before.
    start, end = start + start % 2, end + end % 2
    data = artifact.read_at(start, min(end - start, 2 * WIDTH))
    return data.decode(encoding, "replace").rstrip("\r\n")
