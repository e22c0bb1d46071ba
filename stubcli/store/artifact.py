"""An open artifact, read verified: what is handed out was checked against the record first.

Knows no disk: whatever keeps the bytes gives them by offset and length.
"""

import bisect
import hashlib
from collections.abc import Callable, Iterator
from typing import Protocol

from stubcli.errors import IntegrityError
from stubcli.reference import file_name
from stubcli.store.digests import LENGTH, Hash, block_hash
from stubcli.store.records import BLOCK, REPAIR, Record, Run
from stubcli.store.values import IN_PROGRESS
from stubcli.text.display import amount


class Data(Protocol):
    """The bytes of one artifact, wherever they are kept."""

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes at `offset`; threads may ask side by side. Raises OSError."""

    def mark_used(self) -> None:
        """Note that somebody asked for it: gc counts its age from there. Best effort."""

    def close(self) -> None: ...


class Artifact:
    """Every byte that it hands out belongs to a block that was just verified.

    run: the newest run of the content, where it was looked for; else its first. path is for
    showing. watch: is told up to where was read, by whichever thread reads. Raises IntegrityError
    where data and record differ.
    """

    def __init__(self, record: Record, data: Data, path: str, run: Run | None = None) -> None:
        self.record = record
        self.run = run or record.run
        self.path = path
        self.watch: Callable[[int], None] | None = None
        self._data = data
        self._checked: tuple[int, bytes] = (-1, b"")
        self._is_whole = False
        self._starts = [point.offset for point in record.checkpoints]

    def close(self) -> None:
        self._data.close()

    def mark_used(self) -> None:
        """Note that somebody asked for it."""
        self._data.mark_used()

    def __enter__(self) -> "Artifact":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _damage_error(self, what: str) -> IntegrityError:
        return damage_error(self.record, what)

    @property
    def size(self) -> int:
        return self.record.size

    def block(self, index: int) -> bytes:
        """The block of that index, verified."""
        if self._checked[0] == index:
            return self._checked[1]
        data = self.read_block(index)[1]
        self._checked = (index, data)
        return data

    def read_block(self, index: int) -> tuple[int, bytes]:
        """Offset and bytes of that block, read and verified anew; threads may ask side by side."""
        start, end = self._span(index)
        data = self._data.read(start, end - start)
        self._compare(index, block_hash(self.record.block_digest, data))
        if self.watch:
            self.watch(end)
        return start, data

    def piece(self, offset: int, length: int) -> bytes:
        """At most `length` bytes at `offset`, verified; threads may ask side by side.

        Read in one call and never joined: of a GiB in pieces of 16 MiB that is a third of the time.
        """
        end = min(offset + length, self.size)
        if offset >= end:
            return b""
        data = self._data.read(offset, end - offset)
        for index in range(self.block_of(offset), self.block_of(end - 1) + 1):
            start, stop = self._span(index)
            found = block_hash(self.record.block_digest)
            if start < offset:
                found.update(self._data.read(start, offset - start))
            found.update(memoryview(data)[max(0, start - offset) : stop - offset])
            if stop > end:
                found.update(self._data.read(end, stop - end))
            self._compare(index, found)
        if self.watch:
            self.watch(end)
        return data

    def _span(self, index: int) -> tuple[int, int]:
        last = index + 1 == len(self._starts)
        return self._starts[index], self.size if last else self._starts[index + 1]

    def _compare(self, index: int, found: Hash) -> None:
        digest = found.hexdigest()
        if digest[:LENGTH] != self.record.checkpoints[index].digest:
            start, end = self._span(index)
            raise self._damage_error(f"is damaged between bytes {start:,} and {end:,}")
        # What one block can hold is held against the digest in the reference too, which no record
        # can be changed to fit.
        if len(self._starts) == 1:
            self._compare_whole(digest)
        elif self.size <= BLOCK and not self._is_whole:
            self._compare_whole(hashlib.sha256(self._data.read(0, self.size)).hexdigest())
            self._is_whole = True

    def block_of(self, offset: int) -> int:
        """The index of the block that holds the byte at `offset`."""
        return max(0, bisect.bisect_right(self._starts, offset) - 1)

    def blocks(self, first: int = 0) -> Iterator[tuple[int, bytes]]:
        """Offset and bytes of every block from the one of that index, in order, verified.

        From the first on, the last is handed out once all are what the reference names.
        """
        whole = None if first or len(self._starts) == 1 else hashlib.sha256()
        for index, start in enumerate(self._starts[first:], first):
            data = self.block(index)
            if whole:
                whole.update(data)
                if index + 1 == len(self._starts):
                    self._compare_whole(whole.hexdigest())
            yield start, data

    def _compare_whole(self, digest: str) -> None:
        if digest != self.record.sha256 and self.record.sha256:
            raise self._damage_error("has another SHA-256 than its record")

    def read_at(self, offset: int, length: int) -> bytes:
        """At most `length` bytes at `offset`, verified."""
        end = min(offset + length, self.size)
        parts = []
        while offset < end:
            index = self.block_of(offset)
            start = self._starts[index]
            part = self.block(index)[offset - start : end - start]
            parts.append(part)
            offset += len(part)
        return b"".join(parts)

    def verify(self) -> None:
        """Read everything and compare it with every digest that is known of it."""
        for _ in self.blocks():
            pass


class Unfinished(Artifact):
    """What was written so far. Its record has no digest; its run is IN_PROGRESS or LEFTOVER."""

    @property
    def notice(self) -> str:
        """What a reader has to know of it, in one line."""
        if self.run.state == IN_PROGRESS:
            return f"in progress: {amount(self.size, 'byte')} so far"
        return "interrupted: left over by a run that was cut short; stub check --repair adopts it"

    def mark_used(self) -> None:
        """Nothing: gc takes nothing that is unfinished, and a writer sets the times."""

    def _damage_error(self, what: str) -> IntegrityError:
        return IntegrityError(
            f"{file_name(self.record.number)} was changed while it was read ({what})", "try again"
        )


def damage_error(record: Record, what: str) -> IntegrityError:
    """The error for an artifact whose bytes are not what its record says."""
    return IntegrityError(f"{file_name(record.number)} {what}; it is not what was kept", REPAIR)
