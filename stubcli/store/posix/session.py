"""An open session on a POSIX file system: the store's surface, method by method.

What each does stands in the module that it names, and is loaded when it is called: keeping a new
output needs a third of them.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from stubcli.store.posix.folders import Folders, open_folders
from stubcli.store.posix.incoming import IncomingFile
from stubcli.store.posix.index import find_noted, find_noted_number, is_whole

if TYPE_CHECKING:
    from stubcli.errors import MissingError
    from stubcli.store.artifact import Artifact
    from stubcli.store.posix.lines import Lines
    from stubcli.store.posix.lockedfiles import LockedFiles
    from stubcli.store.posix.removal import OpenCandidate
    from stubcli.store.records import Arrival, Record, Run
    from stubcli.store.values import Finding, Inventory, Sighting, Summary, Tombstone, Watch


def open_session(home: str, name: str, *, create: bool = False) -> "PosixSession":
    """Open a session's folders; see `stubcli.store.open_session`."""
    return PosixSession(name, *open_folders(home, name, create=create))


class PosixSession(Folders):
    """See `surface.Session` for what each method promises."""

    __slots__ = ()

    def __enter__(self) -> "PosixSession":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self) -> IncomingFile:
        return IncomingFile(self)

    def find_same(self, sha256: str) -> "Record | None":
        if find_noted_number(self, sha256[:16]) is None:
            return None
        from stubcli.store.posix.artifacts import find_same

        return find_same(self, sha256)

    def note_run(self, record: "Record", run: "Run") -> None:
        from stubcli.store.posix.runs import note

        note(self, record, run)

    def record_keys(self) -> list[tuple[int, str]]:
        from stubcli.store.posix.artifacts import record_keys

        return record_keys(self)

    def find(self, number: int, digest: str | None = None) -> "Record":
        from stubcli.store.posix.artifacts import find_record

        return find_record(self, number, digest)

    def find_digest(self, prefix: str, *, thorough: bool = False) -> list[tuple[int, str]]:
        if not thorough and is_whole(self):
            return find_noted(self, prefix)
        return [key for key in self.record_keys() if key[1].startswith(prefix)]

    def explain_missing(self, number: int | None = None, digest: str = "") -> "MissingError | None":
        from stubcli.store.posix.collected import explain_missing

        return explain_missing(self, number, digest)

    def open(self, record: "Record", run: "Run | None" = None) -> "Artifact":
        from stubcli.store.posix.artifacts import open_artifact

        return open_artifact(self, record, run)

    def open_number(self, number: int, watch: "Watch | None" = None) -> "Artifact":
        from stubcli.store.posix.unfinished import open_number
        from stubcli.store.values import unwatched

        return open_number(self, number, watch or unwatched)

    def size_of(self, number: int) -> int | None:
        from stubcli.store.posix.artifacts import size_of

        return size_of(self, number)

    def unfinished(self) -> "dict[int, Sighting]":
        from stubcli.store.posix.unfinished import list_unfinished

        return list_unfinished(self)

    def newest(self) -> int | None:
        from stubcli.store.posix.history import newest

        return newest(self)

    def arrivals(self) -> "list[Arrival]":
        from stubcli.store.posix.history import arrivals

        return arrivals(self)

    def summary_of(self, arrival: "Arrival") -> "Summary":
        from stubcli.store.posix.history import summary_of

        return summary_of(self, arrival)

    def finished_of(self, arrival: "Arrival") -> str:
        from stubcli.store.posix.history import finished_of

        return finished_of(self, arrival)

    def first_line_of(self, record: "Record") -> str:
        from stubcli.store.posix.history import first_line_of

        return first_line_of(self, record)

    def run_of(self, arrival: "Arrival", record: "Record") -> "Run":
        from stubcli.store.posix.history import run_of

        return run_of(arrival, record)

    def runs(self, record: "Record") -> "list[Run]":
        from stubcli.store.posix.history import runs

        return runs(self, record)

    def newest_run(self, record: "Record") -> "Run":
        from stubcli.store.posix.history import newest_run

        return newest_run(self, record)

    def count_read(self, size: int) -> None:
        from stubcli.store.posix.readback import count_read

        count_read(self, size)

    def read_back(self) -> tuple[int, int]:
        from stubcli.store.posix.readback import read_back

        return read_back(self)

    def open_lines(self, name: str, *, write: bool) -> "Lines":
        from stubcli.store.posix.lines import Lines

        return Lines(self, name, write=write)

    def verify(self, watch: "Callable[[Artifact], None] | None" = None) -> "Iterator[Finding]":
        from stubcli.store.posix.verify import verify

        return verify(self, watch)

    def repair(self) -> "Iterator[Finding]":
        from stubcli.store.posix.repair import repair

        return repair(self)

    def give_up(self, names: "Iterable[str]") -> "Iterator[Finding]":
        from stubcli.store.posix.lost import give_up

        return give_up(self, names)

    def take_inventory(self) -> "Inventory":
        from stubcli.store.posix.inventory import take_inventory

        return take_inventory(self)

    def candidate(self, number: int) -> "AbstractContextManager[OpenCandidate]":
        from stubcli.store.posix.removal import candidate

        return candidate(self, number)

    def forget(self, number: int, sha256: str) -> None:
        from stubcli.store.posix.removal import forget

        forget(self, number, sha256)

    def finish_removals(self) -> "Iterator[Finding]":
        from stubcli.store.posix.removal import finish_removals

        return finish_removals(self)

    def drop_runs(self) -> None:
        from stubcli.store.posix.removal import drop_runs

        drop_runs(self)

    def tombstones(self) -> "list[Tombstone]":
        from stubcli.store.posix.collected import tombstones

        return tombstones(self)

    def lock_files(self, name: str, what: str) -> "AbstractContextManager[LockedFiles]":
        from stubcli.store.posix.lockedfiles import lock_files

        return lock_files(self, name, what)

    def side_files(self) -> dict[str, float]:
        from stubcli.store.posix.inventory import side_files

        return side_files(self)

    def read_side_file(self, name: str) -> bytes:
        from stubcli.store.posix.inventory import read_side_file

        return read_side_file(self, name)

    def file_system(self) -> str:
        from stubcli.store.posix.inventory import file_system

        return file_system(self)
