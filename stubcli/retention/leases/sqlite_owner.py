"""A memory in one SQLite file: references, generations, and tombstones against late publications.

A small memory system that can be used as it is, and the pattern for one that keeps its references
in a database already. The fence is the write lock of the database, BEGIN IMMEDIATE.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stubcli.errors import (
    IntegrityError,
    MissingError,
    NotStoredError,
    RefusedError,
    StubError,
    UsageError,
)
from stubcli.retention.leases.lease import PublicationRejected
from stubcli.retention.leases.memory import MemoryReference
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.owners import ABSENT, PUBLISHED, GenerationChanged, Observation

if TYPE_CHECKING:
    import sqlite3

_APPLICATION = 0x53545542  # "STUB": a database of another program is not touched
_VERSION = 1
_SCHEMA = """
CREATE TABLE memory (
    transaction_id TEXT PRIMARY KEY NOT NULL,
    generation INTEGER NOT NULL CHECK (generation > 0),
    source_id TEXT,
    sha256 TEXT,
    reference TEXT,
    CHECK ((source_id IS NULL) = (sha256 IS NULL) AND (source_id IS NULL) = (reference IS NULL))
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class MemoryEntry:
    """What the memory holds under a transaction; reference is None where a tombstone stands."""

    transaction_id: str
    generation: int
    reference: dict[str, Any] | None


class SqliteOwner:
    """The memory in the file `path`. Every call opens it anew, so that threads may share one.

    A file that is missing is made only where `create`: a mistyped name would be an empty memory,
    in which everything is absent. Every call raises a StubError where the file is none of ours,
    damaged, or locked for longer than `timeout` seconds.
    """

    def __init__(self, path: str, *, create: bool = False, timeout: float = 30) -> None:
        self.path = os.path.abspath(path)
        self._timeout = timeout
        if create:
            self._create()

    def check(self) -> None:
        """Raises a StubError where the file is no memory that can be used."""
        with self._reading():
            pass

    def publish(self, reference: MemoryReference, transaction_id: str) -> bool:
        """Keep a reference; True where it is new, False where it stands already.

        Raises PublicationRejected, nothing having been written, where a tombstone stands;
        RefusedError where another reference stands under this transaction.
        """
        document = reference.to_dict()
        with self._writing() as connection:
            entry = _entry(connection, transaction_id)
            if entry is None:
                connection.execute(
                    "INSERT INTO memory VALUES (?, 1, ?, ?, ?)",
                    (
                        transaction_id,
                        reference.source.source_id,
                        reference.content_sha256,
                        json.dumps(document),
                    ),
                )
                return True
            if entry.reference is None:
                raise PublicationRejected(f"transaction {transaction_id!r} is sealed")
            if entry.reference != document:
                raise RefusedError(
                    f"transaction {transaction_id!r} holds another reference",
                    "publish under a new transaction",
                )
            return False

    def remove(self, transaction_id: str) -> bool:
        """Put a tombstone in the reference's place; False where one stands. Raises MissingError."""
        with self._writing() as connection:
            entry = _entry(connection, transaction_id)
            if entry is None:
                raise MissingError(f"the memory holds no transaction {transaction_id!r}")
            if entry.reference is None:
                return False
            _seal(connection, transaction_id, entry.generation)
            return True

    def find(self, transaction_id: str) -> MemoryEntry | None:
        """What stands under a transaction, a tombstone too."""
        with self._reading() as connection:
            return _entry(connection, transaction_id)

    def entries(self) -> list[MemoryEntry]:
        """The references that are published, by transaction."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT transaction_id, generation, reference FROM memory"
                " WHERE reference IS NOT NULL ORDER BY transaction_id"
            )
            return [_made(*row) for row in rows]

    @contextmanager
    def fence(self, lease: Lease) -> Iterator["_SqliteFence"]:
        """Nobody writes to the memory until the fence ends, or its tombstone stands."""
        with self._writing() as connection:
            yield _SqliteFence(connection, lease.transaction_id)

    def _create(self) -> None:
        with self._open(create=True) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if (
                _pragma(connection, "application_id") == 0
                and not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            ):
                connection.execute(_SCHEMA)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("COMMIT")
        self.check()  # another's file is refused now and not at the first publication

    @contextmanager
    def _writing(self) -> Iterator["sqlite3.Connection"]:
        with self._reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            if connection.in_transaction:
                connection.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator["sqlite3.Connection"]:
        with self._open() as connection:
            if _pragma(connection, "application_id") != _APPLICATION:
                raise UsageError(
                    f"{self.path!r} is not a stub memory file", "check the name of the file"
                )
            if _pragma(connection, "user_version") != _VERSION:
                raise UsageError(f"{self.path!r} is of another version of stub", "upgrade stub")
            yield connection

    @contextmanager
    def _open(self, *, create: bool = False) -> Iterator["sqlite3.Connection"]:
        """A connection; what SQLite finds wrong is told in one line."""
        import sqlite3
        from urllib.parse import quote

        _look_at(self.path, create=create)
        try:
            connection = sqlite3.connect(
                f"file:{quote(self.path)}?mode=rw",
                uri=True,
                timeout=self._timeout,
                isolation_level=None,
            )
            try:
                # A commit is on the device, the removal of its rollback journal too.
                connection.execute("PRAGMA synchronous = EXTRA")
                # A hostile file may bring views and triggers of its own.
                connection.execute("PRAGMA trusted_schema = OFF")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise _as_stub_error(error, self.path) from None


class _SqliteFence:
    """The database, which is locked for writing, and one transaction in it."""

    def __init__(self, connection: "sqlite3.Connection", transaction_id: str) -> None:
        self._connection = connection
        self._transaction_id = transaction_id

    def observe(self) -> Observation:
        row = self._connection.execute(
            "SELECT generation, source_id, sha256 FROM memory WHERE transaction_id = ?",
            (self._transaction_id,),
        ).fetchone()
        generation, source_id, sha256 = row or (0, None, None)
        if source_id is None:
            return Observation(
                self._transaction_id, generation, ABSENT, absence_sealed=row is not None
            )
        return Observation(self._transaction_id, generation, PUBLISHED, source_id, sha256)

    def seal(self, generation: int) -> Observation:
        """The tombstone is committed here and not at the end of the fence: it must be durable
        before the lease ends, and forbids from now on what the fence forbade until now."""
        now = self.observe()
        if now.generation != generation:
            raise GenerationChanged
        if now.presence == ABSENT and not now.absence_sealed:
            _seal(self._connection, self._transaction_id, generation)
            now = self.observe()
            self._connection.execute("COMMIT")
        return now


def _seal(connection: "sqlite3.Connection", transaction_id: str, generation: int) -> None:
    """A tombstone under the transaction, one generation on."""
    connection.execute(
        "INSERT INTO memory VALUES (?, ?, NULL, NULL, NULL) ON CONFLICT (transaction_id) DO UPDATE"
        " SET generation = excluded.generation, source_id = NULL, sha256 = NULL, reference = NULL",
        (transaction_id, generation + 1),
    )


def _entry(connection: "sqlite3.Connection", transaction_id: str) -> MemoryEntry | None:
    row = connection.execute(
        "SELECT transaction_id, generation, reference FROM memory WHERE transaction_id = ?",
        (transaction_id,),
    ).fetchone()
    return row and _made(*row)


def _made(transaction_id: str, generation: int, reference: str | None) -> MemoryEntry:
    """An entry of what stands in a row. Raises IntegrityError where no one wrote it so."""
    document = None
    try:
        document = None if reference is None else json.loads(reference)
        sound = type(generation) is int and (reference is None or isinstance(document, dict))
    except (ValueError, TypeError, RecursionError):
        sound = False
    if not sound:
        raise IntegrityError(
            f"what the memory holds under {transaction_id!r} is damaged", "restore its file"
        )
    return MemoryEntry(transaction_id, generation, document)


def _pragma(connection: "sqlite3.Connection", name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _look_at(path: str, *, create: bool) -> None:
    """SQLite would wait for ever at a FIFO, and make a file for everybody to read."""
    try:
        if create:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600))
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise UsageError(f"there is no memory {path!r}", "check the name of the file") from None
    except OSError as error:
        raise NotStoredError(f"the memory {path!r} cannot be opened: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path!r} is not a regular file", "give the file of a memory")


def _as_stub_error(error: "sqlite3.Error", path: str) -> StubError:
    """What SQLite says, as a user's error. The low byte of its code is the kind."""
    import sqlite3

    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return RefusedError(f"the memory {path!r} is locked by another program", "try again")
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return IntegrityError(f"the memory {path!r} is damaged: {error}", "restore its file")
    return NotStoredError(f"the memory {path!r} cannot be used: {error}", "see to its device")
