"""What stands in a session, at one moment: names, sizes, times. Nothing is opened or changed.

A listing and one stat for each artifact: 100,000 of them take a second or two. What a record or
an artifact holds is not read here.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from stubcli.durable import exists
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.retention.gc.model import Snapshot
from stubcli.store.posix.layout import Session
from stubcli.store.posix.sequence import incoming_name, incoming_number


@dataclass(frozen=True, slots=True)
class Entry:
    """One number: its file's status (None where there is no file), the digests of its records
    (16 digits), and whether a file of that number stands in .incoming."""

    number: int
    status: os.stat_result | None
    digests: tuple[str, ...]
    incoming: bool

    @property
    def regular(self) -> bool:
        return self.status is not None and stat.S_ISREG(self.status.st_mode)


@dataclass(frozen=True)
class Survey:
    """Every number in the session, in order, and the names that are none of ours."""

    entries: tuple[Entry, ...]
    foreign: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes of all artifacts."""
        return sum(one.status.st_size for one in self.entries if one.status and one.regular)


def snapshot(status: os.stat_result) -> Snapshot:
    return Snapshot(
        status.st_size,
        status.st_mtime_ns,
        status.st_atime_ns,
        status.st_ctime_ns,
        status.st_dev,
        status.st_ino,
    )


def survey(session: Session) -> Survey:
    """Look at everything in the session. Raises OSError."""
    listed = os.listdir(session.results)
    numbers, digests = _sorted_out(listed)
    if odd := numbers ^ digests.keys():
        # A listing is not one moment: an artifact may have come or gone while it was made.
        again, more = _sorted_out(os.listdir(session.results))
        for number in odd:
            digests.pop(number, None)
            if number in more:
                digests[number] = more[number]
        numbers = (numbers - odd) | (again & odd)
    incoming = {incoming_number(name) for name in os.listdir(session.incoming)}
    entries = []
    for number in sorted(numbers | digests.keys()):
        entry = _entry(session, number, digests.get(number, []), number in incoming)
        if entry.status or any(
            exists(record_name(number, digest), session.results) for digest in entry.digests
        ):
            entries.append(entry)
    foreign = (name for name in listed if file_number(name) is None and not parse_record_name(name))
    return Survey(tuple(entries), tuple(sorted(foreign)))


def _sorted_out(names: Iterable[str]) -> tuple[set[int], dict[int, list[str]]]:
    """The numbers that have a file, and the digests of the records of each number."""
    numbers: set[int] = set()
    digests: dict[int, list[str]] = {}
    for name in names:
        if parsed := parse_record_name(name):
            digests.setdefault(parsed[0], []).append(parsed[1])
        elif (number := file_number(name)) is not None:
            numbers.add(number)
    return numbers, digests


def _entry(session: Session, number: int, digests: list[str], incoming: bool) -> Entry:
    name = file_name(number)
    status = status_of(session, name)
    if status is None:
        # In this order: a writer gives the final name before it removes the other one.
        incoming = exists(incoming_name(number), session.incoming)
        status = status_of(session, name)
    return Entry(number, status, tuple(sorted(digests)), incoming)


def status_of(session: Session, name: str) -> os.stat_result | None:
    """The status of a name in tool-results, no link followed. Raises OSError."""
    try:
        return os.stat(name, dir_fd=session.results, follow_symlinks=False)
    except FileNotFoundError:
        return None
