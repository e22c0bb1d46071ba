"""An artifact while it is written: take a number, append, publish or discard.

Once `publish` has returned, the bytes, the record and both names survive a power cut. Until then
the caller still has every byte: in memory, or to be read back from here.
"""

import _thread
import os
from collections.abc import Callable

from stubcli.debug import swallowed
from stubcli.descriptors import write_all
from stubcli.durable import (
    FINAL,
    create,
    exists,
    publish,
    remove,
    sync_data,
    sync_directory,
    sync_file,
)
from stubcli.reference import file_name, record_name
from stubcli.store.posix.folders import Folders
from stubcli.store.posix.index import note
from stubcli.store.posix.runs import note_first
from stubcli.store.posix.sequence import incoming_name, take_number
from stubcli.store.records import Record, dump

# Bounds what a power cut takes of an unfinished stream.
SYNC_EVERY = 64 << 20


class Background:
    """Runs a call on a descriptor beside the writing, one at a time: a disk takes its time.

    Whoever holds the turn does what is due: the thread, or the caller where that could not be had
    or died of too little memory before it began.
    """

    def __init__(self, work: Callable[[int], None], descriptor: int) -> None:
        self._work = work
        self._descriptor = descriptor
        self._turn = _thread.allocate_lock()
        self._due = False
        self._error: OSError | None = None

    def run(self) -> bool:
        """Begin unless the last one still runs; whether it began. Raises what the last raised."""
        if self._turn.locked():
            return False
        self.wait()
        self._due = True
        try:
            # Not threading.Thread: its start waits for a thread that may have no memory to begin.
            _thread.start_new_thread(self._call, ())
        except (RuntimeError, MemoryError) as error:
            swallowed("starting a thread", error)
        return True

    def wait(self) -> None:
        """Wait for the last one. Raises the OSError that it raised: what failed stays failed."""
        self._call()
        if self._error:
            raise self._error

    def _call(self) -> None:
        with self._turn:
            if self._due:
                self._due = False
                try:
                    self._work(self._descriptor)
                except OSError as error:
                    self._error = error


class IncomingFile:
    """The file of one number, open and locked for as long as this process lives."""

    def __init__(self, session: Folders) -> None:
        """Raises OSError where the store takes no more files."""
        self._session = session
        try:
            self.number, self._descriptor = take_number(session)
        except OSError as error:
            raise session.with_paths(error) from None
        self.size = 0
        self._synced = 0
        self._syncing = Background(sync_data, self._descriptor)

    def write(self, data: bytes) -> None:
        """Append. Raises OSError; what `size` counts was written, a part of `data` too."""
        before = self.size
        # Before the piece: what a failed sync raises must not find it here and with the caller.
        if before - self._synced >= SYNC_EVERY and self._syncing.run():
            self._synced = before
        rest = memoryview(data)
        while rest:
            count = os.write(self._descriptor, rest)
            self.size += count
            rest = rest[count:]

    def read_at(self, offset: int, length: int) -> bytes:
        """What was written, back from the open file, even where its name is gone."""
        return os.pread(self._descriptor, min(length, max(0, self.size - offset)), offset)

    def publish(self, record: Record) -> None:
        """Make the artifact and its record durable under their final names.

        Raises OSError; nothing is retried then, and the caller still has the bytes.
        """
        self._syncing.wait()
        try:
            publish_file(self._session, self._descriptor, incoming_name(self.number), record)
        except OSError as error:
            raise self._session.with_paths(error) from None
        note_first(self._session, record)

    def discard(self) -> None:
        """Forget it; the number stays taken. Best effort: it may all be gone already."""
        for name in (incoming_name(self.number), incoming_name(self.number) + ".json"):
            try:
                remove(name, self._session.incoming)
            except OSError as error:
                swallowed("discarding what was written", error)

    def close(self) -> None:
        """Let go of the file, and with it of the lock on its number; for who lives on."""
        try:
            self._syncing.wait()
        except OSError as error:  # whoever published has met it already
            swallowed("closing what was written", error)
        os.close(self._descriptor)


def publish_file(session: Folders, descriptor: int, name: str, record: Record) -> None:
    """Publish the open file `name` of .incoming as `record` says. Raises OSError."""
    os.fchmod(descriptor, FINAL)
    sync_file(descriptor)
    if os.fstat(descriptor).st_size != record.size:
        raise OSError("the file in the store was changed while it was written")
    try:
        publish_record(session, name + ".json", record)
        publish(name, session.incoming, file_name(record.number), session.results)
    except OSError:
        _withdraw(session, descriptor, record)
        raise
    sync_directory(session.results)
    note(session, record.number, record.sha256)
    remove(name, session.incoming)


def _withdraw(session: Folders, descriptor: int, record: Record) -> None:
    """Take back the final names, which a call may have given though it failed. Best effort.

    A record whose data never came would stand there as damage for ever: it goes first.
    """
    final = file_name(record.number)
    try:
        remove(record_name(record.number, record.sha256), session.results)
        if exists(final, session.results):
            there = os.stat(final, dir_fd=session.results, follow_symlinks=False)
            if os.path.samestat(there, os.fstat(descriptor)):
                remove(final, session.results)
    except OSError as error:
        swallowed("taking back what was half published", error)


def publish_record(session: Folders, temporary: str, record: Record) -> None:
    """Write a record durably and give it its final name. Raises OSError.

    A rename: the number is reserved and the name carries the digest, so only a damaged record of
    these very bytes could stand there.
    """
    remove(temporary, session.incoming)
    descriptor = create(temporary, session.incoming)
    try:
        write_all(descriptor, dump(record))
        os.fchmod(descriptor, FINAL)
        sync_file(descriptor)
    finally:
        os.close(descriptor)
    final = record_name(record.number, record.sha256)
    os.rename(temporary, final, src_dir_fd=session.incoming, dst_dir_fd=session.results)
