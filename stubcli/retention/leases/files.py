"""The journal's files in a session's folder: opened safely, locked, written durably.

retention-leases.jsonl        the records
retention-leases.jsonl.head   the anchor
retention-leases.jsonl.lock   what is locked, never removed; a byte in it: a record was acknowledged
retention-leases.jsonl.torn-N, .lost-N, .head.lost-N   what was moved aside, kept

Knows the files and not what stands in them.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stubcli.descriptors import write_all
from stubcli.durable import create, exists, remove, sync_data, sync_directory, sync_file
from stubcli.errors import IntegrityError, NotStoredError, RefusedError
from stubcli.retention.leases.chain import damaged
from stubcli.store.posix.layout import Session

JOURNAL = "retention-leases.jsonl"
HEAD = JOURNAL + ".head"
LOCK = JOURNAL + ".lock"
# A collection may hold the lock while it reads gigabytes; a stopped holder must not stop us.
PATIENCE = 60.0
_PRIVATE = 0o600
# O_NONBLOCK: a FIFO planted under a name answers at once instead of blocking for ever.
_SAFE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True)
class Files:
    """The files of one session, which this process has locked.

    lock: a descriptor, None where the file system is read-only and nothing was ever written.
    """

    session: Session
    lock: int | None

    @property
    def marked(self) -> bool:
        """Whether a record was ever acknowledged here."""
        return self.lock is not None and os.fstat(self.lock).st_size > 0

    def mark(self) -> None:
        """Make the names durable, then note that records are acknowledged from now on."""
        assert self.lock is not None
        sync_directory(self.session.folder)
        os.pwrite(self.lock, b"\n", 0)
        sync_file(self.lock)

    def unmark(self) -> None:
        """Begin anew: as if no record had ever been acknowledged."""
        assert self.lock is not None
        sync_directory(self.session.folder)
        os.ftruncate(self.lock, 0)
        sync_file(self.lock)

    def read(self, name: str) -> bytes | None:
        """All bytes of a file, None where it is missing. Raises IntegrityError."""
        try:
            descriptor = _open(name, self.session, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unopened(name, self.session, error) from None
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            try:
                return file.read()
            except OSError as error:
                raise _unopened(name, self.session, error) from None

    @contextmanager
    def writing(self, name: str) -> Iterator[int]:
        """A descriptor of a file that is made where it is missing. Raises OSError."""
        descriptor = _open(name, self.session, os.O_RDWR | os.O_CREAT)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def write(self, name: str, data: bytes, offset: int) -> None:
        """Write in one call and make it durable. Raises OSError, after which nothing is known."""
        with self.writing(name) as descriptor:
            _write_at(descriptor, data, offset)
            sync_data(descriptor)

    def add(self, data: bytes, offset: int) -> None:
        """Write at the end of the journal. Raises OSError, and takes back what it can."""
        with self.writing(JOURNAL) as descriptor:
            try:
                _write_at(descriptor, data, offset)
                sync_data(descriptor)
            except OSError:
                # A failed sync is never tried again. What cannot be taken back is a whole record,
                # which the next opening keeps, or a torn one, which the next append moves aside.
                _cut_quietly(descriptor, offset)
                raise

    def move_torn(self, torn: bytes, offset: int) -> str:
        """Keep what stands behind the last LF in a file of its own, and cut it off: its name."""
        name = self.free_name("torn")
        descriptor = create(name, self.session.folder)
        try:
            write_all(descriptor, torn)
            sync_file(descriptor)
        except OSError:
            remove(name, self.session.folder)
            raise
        finally:
            os.close(descriptor)
        sync_directory(self.session.folder)
        with self.writing(JOURNAL) as journal:
            os.ftruncate(journal, offset)
            sync_file(journal)
        return name

    def free_name(self, kind: str) -> str:
        """The first name retention-leases.jsonl.KIND-N that is not taken."""
        number = 1
        while exists(f"{JOURNAL}.{kind}-{number}", self.session.folder):
            number += 1
        return f"{JOURNAL}.{kind}-{number}"


def _write_at(descriptor: int, data: bytes, offset: int) -> None:
    if os.pwrite(descriptor, data, offset) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _cut_quietly(descriptor: int, size: int) -> None:
    try:
        os.ftruncate(descriptor, size)
    except OSError:
        pass


def _open(name: str, session: Session, flags: int) -> int:
    """A regular file of ours, with one name. Raises OSError, IntegrityError."""
    descriptor = os.open(name, flags | _SAFE, _PRIVATE, dir_fd=session.folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_uid != os.geteuid():
            raise damaged(session.name, f"{name} is no file of ours with one name")
        if stat.S_IMODE(status.st_mode) != _PRIVATE and flags & os.O_CREAT:
            os.fchmod(descriptor, _PRIVATE)  # umask may have taken our own bits
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _unopened(name: str, session: Session, error: OSError) -> IntegrityError:
    return damaged(session.name, f"{name} cannot be read: {error.strerror}")


@contextmanager
def locked(session: Session) -> Iterator[Files]:
    """The files, locked against every other process and thread until the block ends.

    Raises RefusedError where the lock cannot be had, IntegrityError, NotStoredError.
    """
    deadline = time.monotonic() + PATIENCE
    descriptor = _lock_file(session)
    try:
        while descriptor is not None and not _take(descriptor, session, deadline):
            os.close(descriptor)
            descriptor = _lock_file(session)
        yield Files(session, descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock_file(session: Session) -> int | None:
    try:
        try:
            return _open(LOCK, session, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            if error.errno != errno.EROFS:
                raise
            return _open(LOCK, session, os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise _unopened(LOCK, session, error) from None
        raise NotStoredError(
            f"the leases of session {session.name} cannot be locked: {error.strerror}",
            "see: stub config",
        ) from None


def _take(descriptor: int, session: Session, deadline: float) -> bool:
    """Wait for the lock; False where the file was replaced meanwhile. Raises RefusedError."""
    while not _try(descriptor, session):
        if time.monotonic() >= deadline:
            raise RefusedError(
                f"another process holds the leases of session {session.name}",
                "try again when it has ended",
            )
        time.sleep(0.002)
    try:
        there = os.stat(LOCK, dir_fd=session.folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def _try(descriptor: int, session: Session) -> bool:
    # flock and not lockf: closing any other descriptor of the file would drop a POSIX lock.
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            raise RefusedError(
                f"the file system of session {session.name} has no locks",
                "keep the store on a local disk: set STUB_HOME",
            ) from None
        raise
    return True
