"""How often a session's artifacts were read back, and how many bytes that printed.

Two numbers in a file of a fixed size. Best effort: a count that cannot be written costs no
reading, so what stands there is the least that was read.
"""

import os
import re
import stat

from stubcli.debug import swallowed
from stubcli.durable import lock_within
from stubcli.store.posix.folders import Folders

NAME = ".readback"
_LINE = re.compile(rb"([0-9]{18}) ([0-9]{18})\n")
_LARGEST = 10**18 - 1
# Whoever holds the lock holds it for microseconds; a stopped one must not stop a reading.
_PATIENCE = 0.1
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def count_read(session: Folders, size: int) -> None:
    """Count one answer of `size` bytes."""
    try:
        flags = os.O_RDWR | os.O_CREAT | _FLAGS
        descriptor = os.open(NAME, flags, 0o600, dir_fd=session.folder)
    except OSError as error:
        swallowed("counting what was read back", error)
        return
    try:
        if _is_ours(descriptor) and lock_within(descriptor, _PATIENCE):
            answers, total = _counts(descriptor)
            both = (min(answers + 1, _LARGEST), min(total + size, _LARGEST))
            os.ftruncate(descriptor, os.pwrite(descriptor, b"%018d %018d\n" % both, 0))
    except OSError as error:
        swallowed("counting what was read back", error)
    finally:
        os.close(descriptor)


def read_back(session: Folders) -> tuple[int, int]:
    """The answers given, and their bytes together; zeros where nothing readable stands there."""
    try:
        descriptor = os.open(NAME, os.O_RDONLY | _FLAGS, dir_fd=session.folder)
    except FileNotFoundError:
        return 0, 0
    except OSError as error:
        swallowed("reading how much was read back", error)
        return 0, 0
    try:
        return _counts(descriptor) if _is_ours(descriptor) else (0, 0)
    except OSError as error:
        swallowed("reading how much was read back", error)
        return 0, 0
    finally:
        os.close(descriptor)


def _is_ours(descriptor: int) -> bool:
    status = os.fstat(descriptor)
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def _counts(descriptor: int) -> tuple[int, int]:
    found = _LINE.fullmatch(os.pread(descriptor, 64, 0))
    return (int(found[1]), int(found[2])) if found else (0, 0)
