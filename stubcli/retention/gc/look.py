"""One artifact, open and looked at: that it is ours alone, and what its bytes are.

Opened by descriptor and never through a link; what is compared later is what was open here.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from stubcli.retention.gc.model import Snapshot
from stubcli.retention.gc.survey import snapshot
from stubcli.store.posix.layout import Session

# Reading is no use: without this, looking would put off what it looks for.
_NOATIME = getattr(os, "O_NOATIME", 0)
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | _NOATIME


@contextmanager
def opened(session: Session, name: str) -> Iterator[int]:
    """A descriptor of an artifact's file. Raises OSError: EPERM where it is not ours alone."""
    descriptor = os.open(name, _FLAGS, dir_fd=session.results)
    try:
        status = os.fstat(descriptor)
        if (
            not stat.S_ISREG(status.st_mode)
            or status.st_nlink != 1
            or status.st_uid != os.geteuid()
        ):
            raise OSError(errno.EPERM, "not a regular file of this user with one name", name)
        yield descriptor
    finally:
        os.close(descriptor)


def digest(descriptor: int, expected: Snapshot) -> tuple[str, Snapshot] | None:
    """The SHA-256 of an open file and what it is once it was read; None where that is not as
    expected: somebody changed or used it. Raises OSError."""
    if snapshot(os.fstat(descriptor)) != expected:
        return None
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    found = snapshot(os.fstat(descriptor))
    if not _NOATIME:
        expected = replace(expected, atime_ns=found.atime_ns)
    return (sha256, found) if found == expected else None
