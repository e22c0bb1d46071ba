"""Files that a user names, opened so that none holds the process up.

A FIFO waits for a writer, a terminal for a key, and /dev/zero has no end: what is read whole or
written whole is a regular file. Knows nothing of what is in it.
"""

import errno
import os
import stat
import sys

_PIECE = 1 << 20


def open_regular(path: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the regular file at `path`; links are followed. Raises OSError at once.

    The null device counts as one: it is how an empty file is written, and never blocks.
    """
    try:
        # O_NONBLOCK: a FIFO is opened without its other end, or refused with ENXIO.
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _irregular(path) if error.errno == errno.ENXIO else error from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) and not os.path.samestat(status, os.stat(os.devnull)):
        os.close(descriptor)
        raise _irregular(path)
    return descriptor


def read_regular(path: str, most: int = sys.maxsize) -> bytes:
    """The first `most` bytes of the regular file at `path`. Raises OSError."""
    descriptor = open_regular(path)
    try:
        data = bytearray()
        while piece := os.read(descriptor, min(_PIECE, most - len(data))):
            data += piece
        return bytes(data)
    finally:
        os.close(descriptor)


def _irregular(path: str) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", path)
