"""Published artifacts: find one by number and digest, list them, read them verified.

What is returned was checked against the record first; what does not agree is never returned.
"""

import bisect
import hashlib
import os
import time
from collections.abc import Iterator

from stubcli.durable import exists, open_regular
from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.store.posix.collected import gone
from stubcli.store.posix.index import noted, number_link
from stubcli.store.posix.layout import Session
from stubcli.store.posix.sequence import incoming_name
from stubcli.store.records import REPAIR, Record, load

_LARGEST_RECORD = 256 << 20


def record_names(session: Session) -> dict[int, list[str]]:
    """The names of the records in the session, by number."""
    names: dict[int, list[str]] = {}
    for name in os.listdir(session.results):
        if parsed := parse_record_name(name):
            names.setdefault(parsed[0], []).append(name)
    return names


def artifact_numbers(session: Session) -> set[int]:
    """The numbers under which data stands in the session, with or without a record."""
    numbers = (file_number(name) for name in os.listdir(session.results))
    return {number for number in numbers if number is not None}


def read_record(session: Session, name: str) -> Record:
    """The record in the file `name`. Raises IntegrityError, MissingError."""
    try:
        descriptor = open_regular(name, session.results)
    except FileNotFoundError:
        raise MissingError(
            f"there is no record {name} in session {session.name}", "see: stub ls"
        ) from None
    except OSError as error:
        raise IntegrityError(
            f"the record {name} cannot be opened: {error.strerror}", REPAIR
        ) from None
    with os.fdopen(descriptor, "rb") as file:
        record = load(file.read(_LARGEST_RECORD), name)
    if record_name(record.number, record.sha256) != name or record.session != session.name:
        raise IntegrityError(f"the record {name} speaks of another artifact", REPAIR)
    return record


def find_record(session: Session, number: int, digest: str | None = None) -> Record:
    """The record of a number, or of a number and a digest of 16 digits or more.

    Raises MissingError where there is none, IntegrityError where it is damaged or there are two.
    """
    if digest is not None and len(digest) >= 16:
        try:
            record = read_record(session, record_name(number, digest))
        except MissingError as error:
            raise gone(session, number, digest) or error from None
        if not record.sha256.startswith(digest):
            raise MissingError(
                f"{file_name(number)} has another digest than {digest}", "see: stub ls"
            )
        return record
    noted = _noted_record(session, number)
    names = [noted] if noted else record_names(session).get(number, [])
    if len(names) > 1:
        raise IntegrityError(f"{file_name(number)} has {len(names)} records", REPAIR)
    if not names and exists(file_name(number), session.results):
        # A publisher names the record first: where it came between, both are there now.
        names = record_names(session).get(number, [])
        if not names and exists(file_name(number), session.results):
            raise IntegrityError(f"{file_name(number)} has no record", "see: stub check --repair")
    if not names and exists(incoming_name(number), session.incoming):
        raise MissingError(f"{file_name(number)} is in progress, or left over", "see: stub ls")
    if not names:
        raise gone(session, number, digest or "") or MissingError(
            f"there is no artifact {number} in session {session.name}", "see: stub ls"
        )
    record = read_record(session, names[0])
    if digest and not record.sha256.startswith(digest):
        raise MissingError(f"{file_name(number)} has another digest than {digest}", "see: stub ls")
    return record


def _noted_record(session: Session, number: int) -> str | None:
    """The record that the index names, where it stands; it spares listing 100,000 names."""
    name = record_name(number, noted(session, number_link(number)) or "")
    return name if parse_record_name(name) and exists(name, session.results) else None


def mark_used(descriptor: int) -> None:
    """Set the access time of an open artifact to now: gc counts its age from there. Best effort."""
    try:
        os.utime(descriptor, ns=(time.time_ns(), os.fstat(descriptor).st_mtime_ns))
    except OSError:
        pass


def _no_data(session: Session, record: Record) -> MissingError:
    """What became of the data of a record that stands alone."""
    if exists(incoming_name(record.number), session.incoming):
        return MissingError(
            f"the data of {record.reference} is not in its place", "see: stub check --repair"
        )
    return gone(session, record.number, record.sha256) or MissingError(
        f"the data of {record.reference} is gone", "only its record is left"
    )


def _open_data(session: Session, record: Record) -> int:
    name = file_name(record.number)
    try:
        return open_regular(name, session.results)
    except FileNotFoundError:
        raise _no_data(session, record) from None
    except OSError as error:
        raise IntegrityError(f"{name} cannot be opened: {error.strerror}", REPAIR) from None


class Artifact:
    """An open artifact. Every byte that it hands out belongs to a block that was just verified.

    Raises IntegrityError where data and record differ, MissingError where the data is gone.
    """

    def __init__(self, session: Session, record: Record, descriptor: int | None = None) -> None:
        """descriptor: of the data, where it is open already and holds what the record says."""
        self.record = record
        self.path = session.artifact_path(file_name(record.number))
        self._checked: tuple[int, bytes] = (-1, b"")
        self._starts = [point.offset for point in record.checkpoints]
        if descriptor is not None:
            self._descriptor = descriptor
            return
        self._descriptor = _open_data(session, record)
        size = os.fstat(self._descriptor).st_size
        if size != record.size:
            self.close()
            raise self._damaged(f"has {size:,} bytes instead of {record.size:,}")

    def close(self) -> None:
        os.close(self._descriptor)

    def mark_used(self) -> None:
        """Note that somebody asked for it."""
        mark_used(self._descriptor)

    def in_place(self, session: Session) -> bool:
        """Whether the name still leads to what is open here. Raises OSError."""
        here = os.fstat(self._descriptor)
        try:
            there = os.stat(
                file_name(self.record.number), dir_fd=session.results, follow_symlinks=False
            )
        except FileNotFoundError:
            return False
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def __enter__(self) -> "Artifact":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _damaged(self, what: str) -> IntegrityError:
        return IntegrityError(
            f"{file_name(self.record.number)} {what}; it is not what was kept", REPAIR
        )

    @property
    def size(self) -> int:
        return self.record.size

    def block(self, index: int) -> bytes:
        """The block of that index, verified."""
        if self._checked[0] == index:
            return self._checked[1]
        data = self.verified(index)[1]
        self._checked = (index, data)
        return data

    def verified(self, index: int) -> tuple[int, bytes]:
        """Offset and bytes of that block, read and verified anew; threads may ask side by side."""
        start, end = self._span(index)
        data = os.pread(self._descriptor, end - start, start)
        self._compare(index, hashlib.sha256(data))
        return start, data

    def piece(self, offset: int, length: int) -> bytes:
        """At most `length` bytes at `offset`, verified; threads may ask side by side.

        Read in one call and never joined: of a GiB in pieces of 16 MiB that is a third of the time.
        """
        end = min(offset + length, self.size)
        if offset >= end:
            return b""
        data = os.pread(self._descriptor, end - offset, offset)
        for index in range(self.block_of(offset), self.block_of(end - 1) + 1):
            start, stop = self._span(index)
            found = hashlib.sha256()
            if start < offset:
                found.update(os.pread(self._descriptor, offset - start, start))
            found.update(memoryview(data)[max(0, start - offset) : stop - offset])
            if stop > end:
                found.update(os.pread(self._descriptor, stop - end, end))
            self._compare(index, found)
        return data

    def _span(self, index: int) -> tuple[int, int]:
        last = index + 1 == len(self._starts)
        return self._starts[index], self.size if last else self._starts[index + 1]

    def _compare(self, index: int, found: "hashlib._Hash") -> None:
        if found.hexdigest()[:32] != self.record.checkpoints[index].digest:
            start, end = self._span(index)
            raise self._damaged(f"is damaged between bytes {start:,} and {end:,}")

    def block_of(self, offset: int) -> int:
        """The index of the block that holds the byte at `offset`."""
        return max(0, bisect.bisect_right(self._starts, offset) - 1)

    def blocks(self, first: int = 0) -> Iterator[tuple[int, bytes]]:
        """Offset and bytes of every block from the one of that index, in order, verified."""
        for index in range(first, len(self._starts)):
            yield self._starts[index], self.block(index)

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
        """Read everything and compare it with every recorded digest."""
        whole = hashlib.sha256()
        for _, data in self.blocks():
            whole.update(data)
        if whole.hexdigest() != self.record.sha256:
            raise self._damaged("has another SHA-256 than its record")
