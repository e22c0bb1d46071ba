"""What a record states about a stream: its digest, its counts, its checkpoints.

Fed with blocks of at most 1 MiB that split no UTF-8 sequence, which `Blocks` cuts from a stream
the same way however it arrived.
"""

import hashlib
from typing import Any

from stubcli.store.digests import BLAKE3, LENGTH, SHA256, block_hash
from stubcli.store.records import BLOCK, Checkpoint, Record, Run
from stubcli.text.characters import boundary, characters, count
from stubcli.value import Value

_PROBE = 4096


class Blocks:
    """Cuts a stream into blocks: the same ones whatever the size of the pieces it came in."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def wanted(self) -> int:
        """How many bytes complete the next block: read so many, and a piece is hardly copied."""
        return BLOCK - self._size

    def add(self, data: bytes) -> list[bytes]:
        """The blocks that are complete now."""
        self._pieces.append(data)
        self._size += len(data)
        complete = []
        while self._size >= BLOCK:
            held = b"".join(self._pieces) if len(self._pieces) > 1 else self._pieces[0]
            cut = BLOCK - 4 + boundary(held[BLOCK - 4 : BLOCK])
            complete.append(held[:cut])
            self._pieces = [held[cut:]] if cut < len(held) else []
            self._size = len(held) - cut
        return complete

    def rest(self) -> bytes:
        """What is left at the end of the stream."""
        return b"".join(self._pieces)


class Measured(Value):
    """The whole stream: sizes in bytes, characters and lines, and the digests.

    undecodable: bytes that are no UTF-8, None where not all blocks were decoded.
    """

    sha256: str
    size: int
    characters: int
    lines: int
    checkpoints: tuple[Checkpoint, ...]
    undecodable: int | None = 0
    block_digest: str = SHA256

    def record(
        self,
        session: str,
        number: int,
        run: Run,
        facts: dict[str, Any] | None = None,
        first_line: str | None = None,
    ) -> Record:
        """The record of the content that this stream is; run: the first, facts as they are kept."""
        return Record(
            session=session,
            number=number,
            sha256=self.sha256,
            size=self.size,
            characters=self.characters,
            lines=self.lines,
            run=run,
            facts=facts or {},
            checkpoints=self.checkpoints,
            block_digest=self.block_digest,
            first_line=first_line,
        )


class Meter:
    """Counts and digests block by block, in order."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        # Of a single block the whole's digest is the block's: it waits until there is another.
        self._waiting: bytes | None = None
        self._checkpoints: list[Checkpoint] = []
        self._size = self._characters = self._feeds = 0
        self._undecodable: int | None = 0
        self._last = b"\n"

    def feed(self, block: bytes, feeds: int | None = None) -> None:
        """Take the next block, which holds `feeds` LF bytes; counted here where it is None."""
        if self._waiting is not None:
            self._digest(self._waiting)
            self._waiting = None
        begin = Checkpoint(self._size, self._characters, self._feeds, "")
        self._checkpoints.append(begin)
        if len(self._checkpoints) == 1:
            self._waiting = block
        else:
            self._digest(block)
        self._whole.update(block)
        self._count(block)
        self._size += len(block)
        self._feeds += block.count(b"\n") if feeds is None else feeds
        self._last = block[-1:]

    def _digest(self, block: bytes) -> None:
        digest = block_hash(BLAKE3, block).hexdigest()[:LENGTH]
        self._checkpoints[-1] = self._checkpoints[-1].replace(digest=digest)

    def _count(self, block: bytes) -> None:
        # Counting what is undecodable halves the 80 MiB/s at which binary data is decoded, and
        # nobody asks how much of a gigabyte of it is no text.
        if self._size and count(block[:_PROBE])[1] > _PROBE // 8:
            self._undecodable = None
        if self._undecodable is None:
            self._characters += characters(block)
            return
        found, undecodable = count(block)
        self._characters += found
        self._undecodable += undecodable

    def finish(self) -> Measured:
        lines = self._feeds + (self._last != b"\n")
        whole = self._whole.hexdigest()
        if single := self._waiting is not None:
            self._checkpoints[0] = self._checkpoints[0].replace(digest=whole[:LENGTH])
        return Measured(
            whole,
            self._size,
            self._characters,
            lines,
            tuple(self._checkpoints),
            self._undecodable,
            SHA256 if single or not self._checkpoints else BLAKE3,
        )
