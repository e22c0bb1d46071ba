"""The values that cross the store's surface, beside records and runs. Knows no disk."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

# The state of what has no final name yet; see records for that of a run.
IN_PROGRESS, LEFTOVER = "in progress", "leftover"
# What `check` says of a name.
OK, DAMAGED, WRITING, FOREIGN, REPAIRED = "ok", "damaged", "being written", "foreign", "repaired"
LOST = "lost"
# A file of the session that says that something was acknowledged, apart from the journal's own:
# who removes those leaves it.
ACKNOWLEDGED = ".index/acknowledged"
# What a name leads to.
FILE, LINK, OTHER = "file", "link", "other"
# What became of a removal.
REMOVED, BUSY, SECOND_FILE, CHANGED, STRANDED = (
    "",
    "still_open_in_its_writer",
    "second_file_in_incoming",
    "changed_while_deleted",
    "changed_and_not_put_back",
)

# Shows the progress over pieces: given them, a label and their bytes, it hands them on.
Watch = Callable[[Iterable[bytes], str, int], Iterator[bytes]]


def unwatched(items: Iterable[bytes], _label: str, _total: int) -> Iterator[bytes]:
    return iter(items)


@dataclass(frozen=True)
class Sighting:
    """An unfinished artifact as it is seen from outside: bytes so far, IN_PROGRESS or LEFTOVER."""

    number: int
    size: int
    state: str


class Summary(NamedTuple):
    """What tells a run from others: when it ended (ISO 8601 in UTC), what was run and how it ended,
    what its host and its user call it, and the first line of its content, None where that is not
    known without looking. Long texts are cut."""

    finished: str
    command: str = ""
    tool: str = ""
    exit_status: int | None = None
    signal: str = ""
    call_id: str = ""
    name: str = ""
    first_line: str | None = None

    @property
    def failed(self) -> bool:
        """Whether a command ended with another status than 0, or was killed."""
        return bool(self.exit_status or self.signal)


@dataclass(frozen=True)
class Finding:
    """What was found under a name of a session: status is one of the words above."""

    session: str
    name: str
    status: str
    what: str


@dataclass(frozen=True)
class Tombstone:
    """One artifact that was collected. size in bytes, when in ISO 8601 UTC.

    highest: the highest number that was taken when it was written, for an artifact or a run that
    is gone, so that the last line alone tells it; set where it is written.
    """

    number: int
    sha256: str
    size: int
    reason: str
    when: str
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a file was when it was looked at; times in nanoseconds since 1970."""

    kind: str
    size: int
    mtime_ns: int
    atime_ns: int
    ctime_ns: int
    device: int
    inode: int
    links: int
    owner: int

    @property
    def used(self) -> float:
        """When it was written or asked for, in seconds since 1970."""
        return max(self.mtime_ns, self.atime_ns) / 1e9

    def renamed(self, other: "Snapshot") -> bool:
        """Whether the other is the same file unchanged, but for what a rename changes."""
        from dataclasses import replace

        return self == replace(other, ctime_ns=self.ctime_ns)


@dataclass(frozen=True, slots=True)
class Entry:
    """One number: its file's status (None where there is no file), the digests of its records
    (16 digits), and whether a file of that number is being written or was left over."""

    number: int
    status: Snapshot | None
    digests: tuple[str, ...]
    incoming: bool

    @property
    def regular(self) -> bool:
        return self.status is not None and self.status.kind == FILE


@dataclass(frozen=True)
class Inventory:
    """Every number in the session, in order, and the names that are none of ours."""

    entries: tuple[Entry, ...]
    foreign: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes of all artifacts."""
        return sum(one.status.size for one in self.entries if one.status and one.regular)
