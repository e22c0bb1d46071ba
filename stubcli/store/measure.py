"""What a record states about a stream: its digest, its counts, its checkpoints.

Fed with blocks of at most 1 MiB that split no UTF-8 sequence, which `Blocks` cuts from a stream
the same way however it arrived.
"""

import hashlib
from dataclasses import dataclass

from stubcli.store.artifacts import BLOCK
from stubcli.store.records import Checkpoint
from stubcli.text.decode import boundary, characters


class Blocks:
    """Cuts a stream into blocks: the same ones whatever the size of the pieces it came in."""

    def __init__(self) -> None:
        self._held = bytearray()

    def add(self, data: bytes) -> list[bytes]:
        """The blocks that are complete now."""
        self._held += data
        complete = []
        while len(self._held) > BLOCK:
            cut = BLOCK - 4 + boundary(self._held[BLOCK - 4 : BLOCK])
            complete.append(bytes(self._held[:cut]))
            del self._held[:cut]
        return complete

    def rest(self) -> bytes:
        """What is left at the end of the stream."""
        return bytes(self._held)


@dataclass(frozen=True)
class Measured:
    """The whole stream: sizes in bytes, characters and lines, and the digests."""

    sha256: str
    size: int
    characters: int
    lines: int
    checkpoints: tuple[Checkpoint, ...]


class Meter:
    """Counts and digests block by block, in order."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._checkpoints: list[Checkpoint] = []
        self._size = self._characters = self._feeds = 0
        self._last = b"\n"

    def feed(self, block: bytes) -> None:
        digest = hashlib.sha256(block).hexdigest()[:32]
        self._checkpoints.append(Checkpoint(self._size, self._characters, self._feeds, digest))
        self._whole.update(block)
        self._size += len(block)
        self._characters += characters(block)
        self._feeds += block.count(b"\n")
        self._last = block[-1:]

    def finish(self) -> Measured:
        lines = self._feeds + (self._last != b"\n")
        return Measured(
            self._whole.hexdigest(), self._size, self._characters, lines, tuple(self._checkpoints)
        )
