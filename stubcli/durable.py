"""What survives a power cut: private directories, new files, publication without replacing.

Works on directory descriptors and plain names, never on paths that somebody could swap on the
way. Knows no artifact.
"""

import errno
import fcntl
import os
import stat
import sys
import time

from stubcli.debug import swallowed

PRIVATE_DIR = 0o700
BEING_WRITTEN = 0o600
FINAL = 0o400

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a FIFO planted under the name answers at once instead of blocking for ever.
_EXISTING = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK

_NOATIME = getattr(os, "O_NOATIME", 0)  # Linux

# exFAT, SMB, FUSE and Android refuse hard links, each in its own words.
_LINK_REFUSED = frozenset(
    {
        errno.EPERM,
        errno.ENOTSUP,
        errno.EOPNOTSUPP,
        errno.EINVAL,
        errno.EACCES,
        errno.ENOSYS,
        errno.EMLINK,
        errno.EXDEV,
    }
)


def sync_file(descriptor: int) -> None:
    """Bytes and size on the device. Raises OSError, after which nothing is known: never retry.

    A second fsync after a failed one answered "ok" for a file that was gone after the remount.
    """
    if sys.platform == "darwin":
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def sync_data(descriptor: int) -> None:
    """What was appended so far on the device; cheaper than `sync_file` where there is a way."""
    if sys.platform == "darwin":
        sync_file(descriptor)
    else:
        os.fdatasync(descriptor)


def sync_directory(descriptor: int) -> None:
    """The names in a directory on the device: without it a published name was gone after a cut."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and FUSE file systems cannot, and say so with EINVAL or ENOTSUP.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
            raise
        swallowed("synchronising a folder", error)


def open_directory(name: str, within: int | None = None, *, create: bool, sync: bool = True) -> int:
    """A descriptor of a directory of ours; made 0700 where it is missing and `create`.

    sync: make the name of a new one durable. Raises OSError; a symbolic link is never followed.
    """
    try:
        return os.open(name, _DIRECTORY, dir_fd=within)
    except FileNotFoundError:
        if not create:
            raise
    try:
        os.mkdir(name, PRIVATE_DIR, dir_fd=within)
        # umask 0777 took our own bits too; it can only ever have narrowed them.
        os.chmod(name, PRIVATE_DIR, dir_fd=within)
    except FileExistsError:
        pass  # another process was faster
    descriptor = os.open(name, _DIRECTORY, dir_fd=within)
    if within is not None and sync:
        sync_directory(within)
    return descriptor


def open_path(path: str, *, create: bool) -> int:
    """A descriptor of the directory at an absolute path; where `create`, parents are made too.

    Each new directory is synchronised into its parent: a whole new store was gone after a cut.
    """
    path = path.rstrip("/") or "/"
    try:
        return open_directory(path, create=False)
    except FileNotFoundError:
        if not create:
            raise
    parent, name = os.path.split(path)
    within = _open_parent(parent)
    try:
        return open_directory(name, within, create=True)
    finally:
        os.close(within)


def _open_parent(path: str) -> int:
    """Like `open_path`, but the user's own parents may be symbolic links."""
    try:
        return os.open(path, _DIRECTORY & ~os.O_NOFOLLOW)
    except FileNotFoundError:
        return open_path(path, create=True)


def create(name: str, within: int) -> int:
    """A new empty file, 0600, for reading and writing. Raises FileExistsError."""
    return os.open(name, _NEW, BEING_WRITTEN, dir_fd=within)


def open_regular(name: str, within: int) -> int:
    """An existing regular file of our own, to read. Raises OSError for anything else.

    Looking at it is no use of it: a daily check must not keep everything for ever.
    """
    try:
        descriptor = os.open(name, _EXISTING | _NOATIME, dir_fd=within)
    except PermissionError:
        if not _NOATIME:
            raise
        descriptor = os.open(name, _EXISTING, dir_fd=within)  # another user's, or so mounted
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_uid not in (os.geteuid(), 0):
        os.close(descriptor)
        raise OSError(errno.EPERM, "not a regular file of this user", name)
    return descriptor


def exists(name: str, within: int) -> bool:
    """Whether anything has that name, a dangling symbolic link included."""
    try:
        os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def publish(name: str, within: int, final: str, final_within: int) -> None:
    """Give a finished file its final name, replacing nothing. Raises FileExistsError, OSError.

    The caller holds the reservation of that name, so where links are refused a rename behind a
    look replaces nothing either. The name is durable after `sync_directory(final_within)`.
    """
    try:
        os.link(name, final, src_dir_fd=within, dst_dir_fd=final_within, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _LINK_REFUSED:
            raise
        swallowed("publishing by a link", error)
        if exists(final, final_within):
            raise FileExistsError(errno.EEXIST, "exists already", final) from None
        os.rename(name, final, src_dir_fd=within, dst_dir_fd=final_within)


def remove(name: str, within: int) -> None:
    """Remove a name; that it is gone already is fine."""
    try:
        os.unlink(name, dir_fd=within)
    except FileNotFoundError:
        pass


def try_lock(descriptor: int) -> bool:
    """Take the kernel's lock on an open file, or say that somebody holds it.

    flock and not lockf: closing any other descriptor of the file would drop a POSIX lock. The
    kernel frees it when its holder dies, so nothing here ever judges a lock to be stale.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        swallowed("locking", error)  # no locks on this file system: O_EXCL alone decides
    return True


def lock_within(descriptor: int, seconds: float) -> bool:
    """Like `try_lock`, trying again for `seconds`: a holder that was stopped must not stop us."""
    deadline = time.monotonic() + seconds
    while not try_lock(descriptor):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.002)
    return True
