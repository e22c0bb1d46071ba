"""Removes one artifact: open, compare, private name, look, tombstone, last look, unlink, record.

In this order alone. The private name is that of a leftover, reserved and locked as a writer
reserves it: a crash leaves what `stub check --repair` publishes again, and nobody else's file is
ever renamed over. Knows no claim and decides nothing; the caller holds the journal's lock.
"""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from stubcli.debug import swallowed
from stubcli.durable import (
    create,
    exists,
    lock_within,
    publish,
    remove,
    sync_directory,
    try_lock,
)
from stubcli.errors import StubError
from stubcli.reference import file_name, parse_record_name, record_name
from stubcli.store.posix import collected
from stubcli.store.posix.artifacts import artifact_numbers, record_names
from stubcli.store.posix.folders import Folders
from stubcli.store.posix.index import forget as forget_links
from stubcli.store.posix.inventory import snapshot
from stubcli.store.posix.runs import drop
from stubcli.store.posix.sequence import incoming_name
from stubcli.store.records import BLOCK, Arrival
from stubcli.store.values import (
    BUSY,
    CHANGED,
    FILE,
    REMOVED,
    REPAIRED,
    SECOND_FILE,
    STRANDED,
    Finding,
    Snapshot,
    Tombstone,
)

# Reading is no use: without this, looking would put off what it looks for.
_NOATIME = getattr(os, "O_NOATIME", 0)
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | _NOATIME
# A reader or a repair looks for a moment whether somebody has it.
_PATIENCE = 1.0


class OpenCandidate:
    """One artifact's file, open: what is compared later is what was open here."""

    def __init__(self, session: Folders, name: str, descriptor: int) -> None:
        self._session = session
        self._name = name
        self._descriptor = descriptor

    def snapshot(self) -> Snapshot:
        """What it is now."""
        return snapshot(os.fstat(self._descriptor))

    def digest(
        self, expected: Snapshot, watch: Callable[[int], None] | None = None
    ) -> tuple[str, Snapshot] | None:
        """Its SHA-256 and what it is once it was read; None where that is not as expected:
        somebody changed or used it. watch is told up to where was read. Raises OSError."""
        if self.snapshot() != expected:
            return None
        sha256, place = hashlib.sha256(), 0
        while data := os.pread(self._descriptor, BLOCK, place):
            sha256.update(data)
            place += len(data)
            if watch:
                watch(place)
        found = self.snapshot()
        if not _NOATIME:
            expected = replace(expected, atime_ns=found.atime_ns)
        return (sha256.hexdigest(), found) if found == expected else None

    def remove(self, expected: Snapshot, tombstone: Tombstone) -> str:
        """Delete it, where its name still leads to it: REMOVED, or why not.

        Its record is left; see `forget`. Raises OSError, IntegrityError: then the artifact has its
        name, or waits in .incoming to be put back by a repair.
        """
        # A writer that has yet to print its reference holds this lock until it ends.
        if not try_lock(self._descriptor):
            return BUSY
        session, private = self._session, incoming_name(tombstone.number)
        try:
            reserved = create(private, session.incoming)
        except FileExistsError:
            return SECOND_FILE
        try:
            # A repair that came between may have taken it for a leftover and removed it.
            if not lock_within(reserved, _PATIENCE) or os.fstat(reserved).st_nlink == 0:
                return CHANGED
            results, incoming = session.results, session.incoming
            try:
                os.rename(self._name, private, src_dir_fd=results, dst_dir_fd=incoming)
            except OSError:
                self._free(private, reserved)
                raise
            return self._unlink(private, expected, tombstone)
        finally:
            os.close(reserved)

    def _free(self, private: str, reserved: int) -> None:
        """Give the private name back, while nothing but the empty file has it."""
        there = os.stat(private, dir_fd=self._session.incoming, follow_symlinks=False)
        if os.path.samestat(os.fstat(reserved), there):
            remove(private, self._session.incoming)

    def _unlink(self, private: str, expected: Snapshot, tombstone: Tombstone) -> str:
        try:
            # Before the tombstone too: one of what stays would pass its loss off as a collection.
            if self._is_alone(private, expected):
                collected.append(self._session, tombstone)
                if self._is_alone(private, expected):
                    os.unlink(private, dir_fd=self._session.incoming)
                    return REMOVED
        except (OSError, StubError):
            self._put_back(private)
            raise
        return CHANGED if self._put_back(private) else STRANDED

    def _is_alone(self, private: str, expected: Snapshot) -> bool:
        """Whether what was renamed is what is open here, unchanged and with no other name."""
        there = os.stat(private, dir_fd=self._session.incoming, follow_symlinks=False)
        return expected.renamed(self.snapshot()) and os.path.samestat(
            os.fstat(self._descriptor), there
        )

    def _put_back(self, private: str) -> bool:
        """Give it its name again; False where that was taken meanwhile, or the system refuses."""
        session = self._session
        try:
            publish(private, session.incoming, self._name, session.results)
            sync_directory(session.results)
            remove(private, session.incoming)
        except OSError as error:
            swallowed("putting an artifact back", error)
            return False
        return True


@contextmanager
def candidate(session: Folders, number: int) -> Iterator[OpenCandidate]:
    """An artifact's file, open. Raises OSError: EPERM where it is not a file of ours alone."""
    name = file_name(number)
    descriptor = os.open(name, _FLAGS, dir_fd=session.results)
    try:
        found = OpenCandidate(session, name, descriptor)
        status = found.snapshot()
        if (status.kind, status.links, status.owner) != (FILE, 1, os.geteuid()):
            raise OSError(errno.EPERM, "not a regular file of this user with one name", name)
        yield found
    finally:
        os.close(descriptor)


def forget(session: Folders, number: int, sha256: str) -> None:
    """Remove the record of an artifact that was removed. Raises OSError.

    The names of the data go first, durably: data without a record would be damage.
    """
    sync_directory(session.incoming)
    sync_directory(session.results)
    remove(record_name(number, sha256), session.results)
    forget_links(session, number, sha256)
    sync_directory(session.results)


def was_collected(session: Folders, number: int, digest: str) -> bool:
    """Whether gc deleted the data of that record, which is not in its place."""
    if collected.find(session, number, digest) is None:
        return False
    # gc moves data to .incoming, and back where it was changed meanwhile: it is never nowhere.
    places = ((file_name(number), session.results), (incoming_name(number), session.incoming)) * 2
    return not any(exists(name, folder) for name, folder in places)


def finish_removals(session: Folders) -> Iterator[Finding]:
    """Remove the records whose data gc deleted before it was cut short, and their runs."""
    numbers = artifact_numbers(session)
    for number, names in sorted(record_names(session).items()):
        digests = [parsed[1] for name in names if (parsed := parse_record_name(name))]
        if number in numbers or not all(was_collected(session, number, d) for d in digests):
            continue
        for name, digest in zip(names, digests, strict=True):
            remove(name, session.results)
            forget_links(session, number, digest)
        sync_directory(session.results)
        yield Finding(session.name, file_name(number), REPAIRED, "its removal is finished")
    drop_runs(session)


def drop_runs(session: Folders) -> None:
    """Drop the runs of everything that was collected; those that stay are passed over."""

    def is_gone(found: Arrival) -> bool:
        key = (found.number, found.digest)
        return key in graves and not exists(record_name(*key), session.results)

    try:
        if graves := collected.graves(session):
            drop(session, is_gone)
    except (OSError, StubError) as error:
        swallowed("dropping the runs of what was collected", error)
