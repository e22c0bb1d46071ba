"""Some files in a session's folder under one lock: opened safely, written durably.

NAME.lock is what is locked, and never removed; a byte in it: something was acknowledged here, as
does .index/acknowledged, which whoever removes NAME and all that begins so leaves behind.
NAME.KIND-N is what was moved aside and kept. Knows the files and not what stands in them.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.descriptors import write_all
from stubcli.durable import create, exists, remove, sync_data, sync_directory, sync_file
from stubcli.errors import IntegrityError, NotStoredError, RefusedError
from stubcli.store.posix.folders import Folders
from stubcli.store.values import ACKNOWLEDGED

# A collection may hold the lock while it reads gigabytes; a stopped holder must not stop us.
PATIENCE = 60.0
_PRIVATE = 0o600
# O_NONBLOCK: a FIFO planted under a name answers at once instead of blocking for ever.
_SAFE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


class LockedFiles:
    """The files of one session under the lock NAME.lock, which this process has taken.

    what: what is kept in them, in words. lock: a descriptor, None where the file system is
    read-only and nothing was ever written.
    """

    def __init__(self, session: Folders, name: str, what: str, lock: int | None) -> None:
        self._session = session
        self._name = name
        self._what = what
        self._lock = lock

    @property
    def session_name(self) -> str:
        return self._session.name

    @property
    def writable(self) -> bool:
        return self._lock is not None

    @property
    def marked(self) -> bool:
        """Whether anything was ever acknowledged here."""
        return self._lock_is_marked or exists(ACKNOWLEDGED, self._session.folder)

    @property
    def _lock_is_marked(self) -> bool:
        return self._lock is not None and os.fstat(self._lock).st_size > 0

    def mark(self) -> None:
        """Make the names durable, then note that something is acknowledged from now on.

        Raises OSError, NotStoredError.
        """
        lock = self._held()
        if not exists(ACKNOWLEDGED, self._session.folder):
            os.close(create(ACKNOWLEDGED, self._session.folder))
            sync_directory(self._session.index)
        if not self._lock_is_marked:
            sync_directory(self._session.folder)
            os.pwrite(lock, b"\n", 0)
            sync_file(lock)

    def unmark(self) -> None:
        """Begin anew: as if nothing had ever been acknowledged."""
        lock = self._held()
        remove(ACKNOWLEDGED, self._session.folder)
        sync_directory(self._session.index)
        sync_directory(self._session.folder)
        os.ftruncate(lock, 0)
        sync_file(lock)

    def _held(self) -> int:
        if self._lock is None:  # the folder is gone, or was never writable
            raise NotStoredError(
                f"the {self._what} of session {self._session.name} cannot be locked",
                Advice("config"),
            )
        return self._lock

    def read(self, name: str) -> bytes | None:
        """All bytes of a file, None where it is missing. Raises IntegrityError."""
        try:
            descriptor = _open(self._session, name, self._what, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(self._session, name, self._what, error) from None
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            try:
                return file.read()
            except OSError as error:
                raise _unreadable(self._session, name, self._what, error) from None

    @contextmanager
    def _writing(self, name: str) -> Iterator[int]:
        """A descriptor of a file that is made where it is missing. Raises OSError."""
        descriptor = _open(self._session, name, self._what, os.O_RDWR | os.O_CREAT)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def write(self, name: str, data: bytes, offset: int) -> None:
        """Write in one call and make it durable. Raises OSError, after which nothing is known."""
        with self._writing(name) as descriptor:
            _write_at(descriptor, data, offset)
            sync_data(descriptor)

    def append(self, name: str, data: bytes, offset: int) -> None:
        """Write at the end, which is `offset`. Raises OSError, and takes back what it can."""
        with self._writing(name) as descriptor:
            try:
                _write_at(descriptor, data, offset)
                sync_data(descriptor)
            except OSError:
                # A failed sync is never tried again. What cannot be taken back is a whole record,
                # which the next opening keeps, or a torn one, which the next append moves aside.
                _cut_quietly(descriptor, offset)
                raise

    def cut(self, name: str, size: int, *, sync: bool = True) -> None:
        """Make a file as short as `size`, and make it where it is missing. Raises OSError."""
        with self._writing(name) as descriptor:
            os.ftruncate(descriptor, size)
            if sync:
                sync_file(descriptor)

    def keep_aside(self, kind: str, data: bytes) -> str:
        """Keep these bytes in a new file NAME.KIND-N, durably: its name. Raises OSError."""
        name = self.free_name(kind)
        descriptor = create(name, self._session.folder)
        try:
            write_all(descriptor, data)
            sync_file(descriptor)
        except OSError:
            remove(name, self._session.folder)
            raise
        finally:
            os.close(descriptor)
        sync_directory(self._session.folder)
        return name

    def move(self, name: str, to: str) -> None:
        """Give a file or a link another name, durably, unless it is missing."""
        folder = self._session.folder
        try:
            os.rename(name, to, src_dir_fd=folder, dst_dir_fd=folder)
        except FileNotFoundError:
            return
        sync_directory(folder)

    def free_name(self, kind: str) -> str:
        """The first name NAME.KIND-N that is not taken."""
        number = 1
        while exists(f"{self._name}.{kind}-{number}", self._session.folder):
            number += 1
        return f"{self._name}.{kind}-{number}"


def _write_at(descriptor: int, data: bytes, offset: int) -> None:
    if os.pwrite(descriptor, data, offset) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _cut_quietly(descriptor: int, size: int) -> None:
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        swallowed("taking back a record", error)


def _open(session: Folders, name: str, what: str, flags: int) -> int:
    """A regular file of ours, with one name. Raises OSError, IntegrityError."""
    descriptor = os.open(name, flags | _SAFE, _PRIVATE, dir_fd=session.folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_uid != os.geteuid():
            raise _damage_error(session, what, f"{name} is not a file of this user with one name")
        if stat.S_IMODE(status.st_mode) != _PRIVATE and flags & os.O_CREAT:
            os.fchmod(descriptor, _PRIVATE)  # umask may have taken our own bits
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _damage_error(session: Folders, what: str, why: str) -> IntegrityError:
    return IntegrityError(
        f"the {what} of session {session.name} are damaged: {why}",
        "nothing is deleted there; see: stub check",
    )


def _unreadable(session: Folders, name: str, what: str, error: OSError) -> IntegrityError:
    return _damage_error(session, what, f"{name} cannot be read: {error.strerror}")


@contextmanager
def lock_files(session: Folders, name: str, what: str) -> Iterator[LockedFiles]:
    """The files, locked against every other process and thread until the block ends.

    Raises RefusedError where the lock cannot be had, IntegrityError, NotStoredError.
    """
    deadline = time.monotonic() + PATIENCE
    descriptor = _open_lock(session, name, what)
    try:
        while descriptor is not None and not _take(session, name, what, descriptor, deadline):
            os.close(descriptor)
            descriptor = _open_lock(session, name, what)
        yield LockedFiles(session, name, what, descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open_lock(session: Folders, name: str, what: str) -> int | None:
    lock = name + ".lock"
    try:
        try:
            return _open(session, lock, what, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            if error.errno != errno.EROFS:
                raise
            return _open(session, lock, what, os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise _unreadable(session, lock, what, error) from None
        raise NotStoredError(
            f"the {what} of session {session.name} cannot be locked: {error.strerror}",
            Advice("config"),
        ) from None


def _take(session: Folders, name: str, what: str, descriptor: int, deadline: float) -> bool:
    """Wait for the lock; False where the file was replaced meanwhile. Raises RefusedError."""
    while not _try(session, what, descriptor):
        if time.monotonic() >= deadline:
            raise RefusedError(
                f"another process holds the {what} of session {session.name}",
                "try again when it has ended",
            )
        time.sleep(0.002)
    try:
        there = os.stat(name + ".lock", dir_fd=session.folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def _try(session: Folders, what: str, descriptor: int) -> bool:
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
