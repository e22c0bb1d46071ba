"""The one file that DuckDB can open: the artifact's bytes, verified as they are read.

Read-only by construction. A path that DuckDB may read it may also write: a COPY inside a WITH
counts as a SELECT there, and root ignores 0400. Knows no SQL.
"""

import os
import threading
from typing import IO, Any

from stubcli.errors import IntegrityError
from stubcli.store.artifact import Artifact

URL = "stub://artifact"


class ArtifactFile:
    """What URL leads to: the artifact's bytes from `start` to `end`, or in their place `data`, or
    what a file of this process holds.

    `failure` is the damage that a read met, which DuckDB would report as an error of its own.
    """

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.start, self.end = 0, artifact.size
        self.data: bytes | None = None
        self._instead: tuple[int, int] | None = None
        self.failure: IntegrityError | None = None
        self._seen: set[int] = set()
        # Each statement that is bound looks at the beginning again, up to 32 MiB of it.
        self._opening: tuple[int, int, bytes] = (0, 0, b"")

    @property
    def size(self) -> int:
        if self._instead:
            return self._instead[1]
        return self.end - self.start if self.data is None else len(self.data)

    def show(self, start: int, end: int, data: bytes | None = None) -> None:
        """From now on, these bytes of the artifact are what is read, or `data` instead."""
        self.start, self.end, self.data = start, end, data

    def show_instead(self, data: IO[bytes], size: int) -> None:
        """From now on, the first bytes of that file are what is read; the artifact's all were."""
        self._instead = data.fileno(), size
        self._seen.update(range(len(self.artifact.record.checkpoints)))

    def read_at(self, offset: int, length: int) -> bytes:
        """At most `length` bytes at `offset`. Raises IntegrityError."""
        if self._instead:
            descriptor, size = self._instead
            return os.pread(descriptor, max(0, min(length, size - offset)), offset)
        if self.data is not None:
            return self.data[offset : offset + length]
        begin = self.start + offset
        end = min(begin + length, self.end)
        if begin >= end:
            return b""
        if self._opening[:2] == (begin, end):
            return self._opening[2]
        try:
            data = self.artifact.piece(begin, end - begin)
        except IntegrityError as error:
            self.failure = error
            raise
        first, last = self.artifact.block_of(begin), self.artifact.block_of(end - 1)
        self._seen.update(range(first, last + 1))
        if not offset:
            self._opening = (begin, end, data)
        return data

    def finish(self) -> None:
        """Verify what nobody has read yet. Raises IntegrityError."""
        if self.failure:
            raise self.failure
        for index in sorted(set(range(len(self.artifact.record.checkpoints))) - self._seen):
            self.artifact.read_block(index)


class _Handle:
    """An open file that several threads read at once.

    DuckDB seeks and reads in two steps and other threads come between, so a seek is its thread's
    own until that reads. Not threading.local: DuckDB's threads have a new one at every call, and
    a small document was read again and again.
    """

    def __init__(self, file: ArtifactFile) -> None:
        self._file = file
        self._at = 0
        self._sought: dict[int, int] = {}

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._file.size}[whence]
        self._sought[threading.get_ident()] = base + offset
        return base + offset

    def tell(self) -> int:
        return self._sought.get(threading.get_ident(), self._at)

    def read(self, length: int = -1) -> bytes:
        at = self._sought.pop(threading.get_ident(), self._at)
        data = self._file.read_at(at, self._file.size if length < 0 else length)
        self._at = at + len(data)
        return data

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        pass


def filesystem(file: ArtifactFile) -> Any:
    """The file system of that one file, as DuckDB takes it. Raises ImportError."""
    from fsspec import AbstractFileSystem

    class OneFile(AbstractFileSystem):  # type: ignore[misc]
        protocol = "stub"
        cachable = False

        def open(self, path: str, mode: str = "rb", **_: Any) -> _Handle:
            if path != URL or mode != "rb":
                raise PermissionError("only the artifact can be opened, to read")
            return _Handle(file)

        def glob(self, path: str, **_: Any) -> list[str]:
            return [path] if path == URL else []

        def exists(self, path: str, **_: Any) -> bool:
            return path == URL

        def info(self, path: str, **_: Any) -> dict[str, Any]:
            if path != URL:
                raise FileNotFoundError(path)
            return {"name": path, "size": file.size, "type": "file"}

    return OneFile()
