"""What an implementation of the store gives to the rooms above it; `posix` is the one there is.

Another place to keep artifacts implements `Keeping`, which is all that filter, reading and search
need: finding what was typed (`resolve`), reading blocks verified (`artifact`) and everything that
is printed come with it. `Session` adds what leases, gc and repair need.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol, Self

from stubcli.errors import MissingError
from stubcli.store.artifact import Artifact
from stubcli.store.records import Arrival, Record, Run
from stubcli.store.values import (
    Finding,
    Inventory,
    Sighting,
    Snapshot,
    Summary,
    Tombstone,
    Watch,
)


class Incoming(Protocol):
    """An artifact while it is written. size: how many of its bytes are held, whatever happens."""

    number: int
    size: int

    def write(self, data: bytes) -> None:
        """Append. Raises OSError, also where a part of it was taken."""

    def read_at(self, offset: int, length: int) -> bytes:
        """What was written, back. Raises OSError."""

    def publish(self, record: Record) -> None:
        """Make the content, its record and with it its first run durable.

        Raises OSError; nothing is retried then, and what was written can still be read back.
        """

    def discard(self) -> None:
        """Forget it; the number stays taken. Best effort."""

    def close(self) -> None:
        """Let go of it; for who lives on."""


class LogLines(Protocol):
    """A file of whole lines. Its methods raise OSError."""

    def read(self) -> bytes: ...

    def lock(self, seconds: float) -> bool:
        """Take its lock until it is closed; False where somebody holds it for so long."""

    def append(self, lines: bytes) -> None:
        """Add lines; durable on return. A torn line before them is cut off."""

    def close(self) -> None: ...


class Keeping(Protocol):
    """One session, open. Numbers count artifacts and runs together and are never used twice."""

    @property
    def name(self) -> str: ...

    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def artifact_path(self, file: str) -> str:
        """Where the artifact of that file name is, to show."""

    def begin(self) -> Incoming:
        """Take the next number, to write to. Raises OSError."""

    def find_same(self, sha256: str) -> Record | None:
        """The content of these bytes, verified and marked as used, where it is kept here."""

    def note_run(self, record: Record, run: Run) -> None:
        """A content came again; durable on return. Raises OSError, IntegrityError."""

    def record_keys(self) -> list[tuple[int, str]]:
        """Number and digest (16 digits) of every record, in order."""

    def find(self, number: int, digest: str | None = None) -> Record:
        """The record of a number, or of a number and a digest of 12 digits or more.

        Raises MissingError, which says what became of it, and IntegrityError.
        """

    def find_digest(self, prefix: str, *, thorough: bool = False) -> list[tuple[int, str]]:
        """The keys whose digest begins so (6 to 16 digits), at a cost that does not grow with
        their number. thorough: by a listing, where the index may not know all."""

    def explain_missing(self, number: int | None = None, digest: str = "") -> MissingError | None:
        """The error that says when and why it was collected; None where it was not."""

    def open(self, record: Record, run: Run | None = None) -> Artifact:
        """The artifact of a record, open. Raises MissingError, IntegrityError."""

    def open_number(self, number: int, watch: Watch | None = None) -> Artifact:
        """The artifact of that number with its newest run; while it is unfinished, what was
        written of it so far, and watch shows the measuring. Raises as `open` does."""

    def size_of(self, number: int) -> int | None:
        """The bytes under that number; None where there is nothing. Raises OSError."""

    def unfinished(self) -> dict[int, Sighting]:
        """What is being written or was left over, by number. List the others afterwards."""

    def newest(self) -> int | None:
        """The number of the content that came last; None where nothing came."""

    def arrivals(self) -> list[Arrival]:
        """Every run of what is kept here, in the order in which they came."""

    def summary_of(self, arrival: Arrival) -> Summary:
        """What tells that run from others, most often without its record. Raises IntegrityError,
        MissingError."""

    def finished_of(self, arrival: Arrival) -> str:
        """When it ended, ISO 8601 in UTC. Raises as `summary_of` does."""

    def first_line_of(self, record: Record) -> str:
        """The first line of a content, as it is displayed. Raises IntegrityError, MissingError."""

    def run_of(self, arrival: Arrival, record: Record) -> Run:
        """That run; its text may be missing where another run has it. Raises IntegrityError."""

    def runs(self, record: Record) -> list[Run]:
        """Every run of a content, oldest first; one that cannot be read is left out."""

    def newest_run(self, record: Record) -> Run:
        """The last of them."""

    def count_read(self, size: int) -> None:
        """Count one answer of `size` bytes. Best effort."""

    def read_back(self) -> tuple[int, int]:
        """The answers given, and their bytes together."""

    def open_lines(self, name: str, *, write: bool) -> LogLines:
        """A log of the rooms above; made where it is missing and `write`.

        Raises FileNotFoundError, OSError, IntegrityError.
        """


class Candidate(Protocol):
    """One artifact's data, open to be compared and removed: what was compared is what goes."""

    def snapshot(self) -> Snapshot:
        """What it is now."""

    def digest(
        self, expected: Snapshot, watch: Callable[[int], None] | None = None
    ) -> tuple[str, Snapshot] | None:
        """Its SHA-256 and what it is once it was read; None where that is not as expected. watch
        is told up to where was read."""

    def remove(self, expected: Snapshot, tombstone: Tombstone) -> str:
        """Delete it where it is as expected, behind a durable tombstone: REMOVED, or why not.

        Its record is left; see `forget`. Raises OSError, IntegrityError: then it stays.
        """


class LockedJournal(Protocol):
    """Some files of the session under one lock, which this process has taken.

    marked: whether anything was ever acknowledged here, even where every other file of it is gone.
    mark: say so, durably; `unmark` begins anew. Its methods raise OSError, and
    IntegrityError where a file is not ours alone.
    """

    @property
    def session_name(self) -> str: ...
    @property
    def writable(self) -> bool: ...
    @property
    def marked(self) -> bool: ...
    def mark(self) -> None: ...
    def unmark(self) -> None: ...

    def read(self, name: str) -> bytes | None:
        """All bytes of a file, None where it is missing."""

    def write(self, name: str, data: bytes, offset: int) -> None:
        """Write in one call, durably."""

    def append(self, name: str, data: bytes, offset: int) -> None:
        """The same at the end, which is `offset`; what fails is taken back where it can be."""

    def cut(self, name: str, size: int, *, sync: bool = True) -> None:
        """Make a file as short as `size`, and make it where it is missing."""

    def keep_aside(self, kind: str, data: bytes) -> str:
        """Keep these bytes in a new file, durably: its name."""

    def free_name(self, kind: str) -> str:
        """A name for what is moved aside."""

    def move(self, name: str, to: str) -> None:
        """Give a file another name, durably, unless it is missing."""


class Session(Keeping, Protocol):
    """A session in which artifacts can be leased, collected and repaired."""

    def verify(self, watch: Callable[[Artifact], None] | None = None) -> Iterator[Finding]:
        """What is to be said of everything in it; nothing is changed. watch is given each artifact
        before it is read."""

    def repair(self) -> Iterator[Finding]:
        """Finish or adopt what a crash left: what was done. Done twice, it does nothing more."""

    def give_up(self, names: Iterable[str]) -> Iterator[Finding]:
        """Move aside, and keep, what is damaged under these names of findings, and of what is
        logged: what was done. References are told from then on. Raises OSError."""

    def take_inventory(self) -> Inventory:
        """What stands in it, at one moment. Raises OSError."""

    def candidate(self, number: int) -> AbstractContextManager[Candidate]:
        """An artifact's data, open. Raises OSError: EPERM where it is not ours alone."""

    def forget(self, number: int, sha256: str) -> None:
        """Remove the record of an artifact that was removed, durably. Raises OSError."""

    def finish_removals(self) -> Iterator[Finding]:
        """Remove what is left of artifacts whose removal was cut short."""

    def drop_runs(self) -> None:
        """Drop the runs of everything that was collected. Best effort: nothing shows them."""

    def tombstones(self) -> list[Tombstone]:
        """What was collected, oldest first. Raises OSError, IntegrityError where it is damaged."""

    def lock_files(self, name: str, what: str) -> AbstractContextManager[LockedJournal]:
        """The files of that name and what belongs to them, locked; what: what is in them.

        Raises RefusedError where the lock cannot be had, IntegrityError, NotStoredError.
        """

    def side_files(self) -> dict[str, float]:
        """The names beside the artifacts, and ACKNOWLEDGED where it stands; and when each changed
        last, in seconds since 1970."""

    def read_side_file(self, name: str) -> bytes:
        """What stands in one of them; nothing where it is missing. Raises OSError."""

    def file_system(self) -> str:
        """The type of the file system it is on; empty where there is no way to tell."""
