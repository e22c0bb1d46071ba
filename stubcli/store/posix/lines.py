"""A file of lines in a session's folder: each appended by one write, and durable.

A line counts once its LF is there: what a crash left behind the last one is cut off before the
next line, and nothing else ever is. `seal` gives a line a digest of itself. Knows nothing of what
the lines say.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from typing import Any

from stubcli.descriptors import write_all
from stubcli.durable import (
    BEING_WRITTEN,
    create,
    lock_within,
    remove,
    sync_data,
    sync_directory,
    sync_file,
)
from stubcli.errors import IntegrityError
from stubcli.store.posix.folders import Folders
from stubcli.store.records import canonical

_CHUNK = 64 << 10
# O_NONBLOCK: a FIFO planted under the name answers at once instead of blocking for ever.
_SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Lines:
    """Such a file, open; for reading alone, or to append to.

    Raises FileNotFoundError where it is missing and only read, OSError, IntegrityError where what
    has its name is not a file of this user alone.
    """

    def __init__(self, session: Folders, name: str, *, write: bool = False) -> None:
        self.name = name
        self._folder = session.folder
        self._new = False
        flags = _SAFE | (os.O_RDWR | os.O_APPEND if write else os.O_RDONLY)
        try:
            self._descriptor = os.open(name, flags, dir_fd=self._folder)
        except FileNotFoundError:
            if not write:
                raise
            self._new = True
            flags |= os.O_CREAT
            self._descriptor = os.open(name, flags, BEING_WRITTEN, dir_fd=self._folder)
        status = os.fstat(self._descriptor)
        ours = (os.geteuid(), 0)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_uid not in ours:
            self.close()
            raise IntegrityError(
                f"{name} of session {session.name} is not a file of this user with one name",
                "see what has its place, and move it away",
            )

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lock(self, seconds: float) -> bool:
        """Take its lock until it is closed; False where somebody holds it for so long."""
        return lock_within(self._descriptor, seconds)

    def in_place(self) -> bool:
        """Whether the name still leads to what is open here."""
        try:
            there = os.stat(self.name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(os.fstat(self._descriptor), there)

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def read(self) -> bytes:
        """Every byte of it. Raises OSError."""
        data = os.pread(self._descriptor, self.size, 0)
        while more := os.pread(
            self._descriptor, _CHUNK, len(data)
        ):  # it has grown, or the read was short
            data += more
        return data

    def end(self) -> int:
        """Where the last line ends; what stands behind it is torn."""
        start = self.size
        while start > 0:
            begin = max(0, start - (_CHUNK if start < self.size else 1))
            found = os.pread(self._descriptor, start - begin, begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            start = begin
        return 0

    def backwards(self) -> Iterator[bytes]:
        """The lines, without their LF, from the last to the first."""
        end = self.end()
        start, rest = max(0, end - 1), b""
        while start > 0:
            begin = max(0, start - _CHUNK)
            first, *lines = (os.pread(self._descriptor, start - begin, begin) + rest).split(b"\n")
            yield from reversed(lines)
            start, rest = begin, first
        if end:
            yield rest

    def append(self, lines: bytes, *, sync: bool = True) -> None:
        """Add whole lines; durable on return where `sync`. The caller holds the lock.

        Raises OSError; what may have been written is a whole line or cut off by the next.
        """
        end = self.end()
        if end < self.size:
            os.ftruncate(self._descriptor, end)
        try:
            write_all(self._descriptor, lines)
        except OSError:
            os.ftruncate(self._descriptor, end)
            raise
        if sync:
            sync_data(self._descriptor)
        if self._new:
            sync_directory(self._folder)
            self._new = False

    def cut(self) -> None:
        """Cut off what is torn, durably. The caller holds the lock."""
        os.ftruncate(self._descriptor, self.end())
        sync_data(self._descriptor)

    def replace(self, data: bytes) -> None:
        """Put `data` in place of the file, durably; whoever waits for its lock looks again."""
        name = "." + self.name + ".new"
        remove(name, self._folder)
        descriptor = create(name, self._folder)
        try:
            write_all(descriptor, data)
            sync_file(descriptor)
        finally:
            os.close(descriptor)
        os.rename(name, self.name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        sync_directory(self._folder)


def seal(document: dict[str, Any]) -> bytes:
    """The line that holds this document and a digest of it, LF included."""
    return canonical({**document, "check": _digest(document)}) + b"\n"


def unseal(line: bytes) -> dict[str, Any] | None:
    """The document on a line; None where it is not as it was written."""
    try:
        document = json.loads(line)
        check = document.pop("check")
        return document if check == _digest(document) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _digest(document: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(document)).hexdigest()[:32]
