"""An artifact as pieces to search: whole lines, or windows of a line too long to hold.

A piece carries where it stands. UTF-16 is handed out as UTF-8, with byte offsets of the artifact.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.store.artifacts import Artifact

# A longer line is searched in windows that overlap, so its memory is bounded.
_LONGEST = 8 << 20
OVERLAP = 256 << 10
_BOM = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


@dataclass(frozen=True)
class Segment:
    """Text of an artifact as UTF-8 bytes.

    offset: of its first byte in the artifact. line: the number of its first line. accept: matches
    that begin in data[accept[0]:accept[1]] belong to this segment, others to a neighbour. step:
    the next segment begins at data[step:].
    """

    data: bytes
    offset: int
    line: int
    accept: tuple[int, int]
    step: int
    encoding: str

    def width(self, start: int, end: int) -> int:
        """How many bytes of the artifact data[start:end] stands for."""
        if self.encoding == "utf-8":
            return end - start
        return len(self.data[start:end].decode("utf-8", "replace").encode(self.encoding, "replace"))


def segments(artifact: Artifact) -> Iterator[Segment]:
    """All of the artifact, in order. Raises IntegrityError."""
    encoding = str(artifact.record.synopsis.get("encoding", "utf-8"))
    offset, line, held, skip = 0, 1, b"", 0
    for data in _pieces(artifact, encoding):
        if data.startswith(b"\xef\xbb\xbf") and offset == 0 and not held and encoding != "utf-8":
            data, offset = data[3:], 2
        held += data
        cut = held.rfind(b"\n") + 1
        if cut > skip:
            segment = Segment(held[:cut], offset, line, (skip, cut), cut, encoding)
            held, skip = held[cut:], 0
        elif len(held) > _LONGEST:
            # One byte more than the overlap: what stands before keeps ^ and \b honest.
            cut = len(held) - OVERLAP - 1
            segment = Segment(held, offset, line, (skip, cut + 1), cut, encoding)
            held, skip = held[cut:], 1
        else:
            continue
        yield segment
        line += segment.data.count(b"\n", 0, cut)
        offset += segment.width(0, cut)
    if held:
        yield Segment(held, offset, line, (skip, len(held) + 1), len(held), encoding)


def _pieces(artifact: Artifact, encoding: str) -> Iterator[bytes]:
    if encoding not in _BOM:
        yield from (data for _, data in artifact.blocks())
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for _, data in artifact.blocks():
        yield decoder.decode(data).encode("utf-8", "replace")
    yield decoder.decode(b"", True).encode("utf-8", "replace")
