"""What stands in a session, at one moment: names, sizes, times. Nothing is opened or changed.

A listing and one stat for each artifact: 100,000 of them take a second or two. What a record or
an artifact holds is not read here.
"""

import os
import stat
import sys
from collections.abc import Iterable

from stubcli.debug import swallowed
from stubcli.durable import exists, open_regular
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.store.posix.folders import Folders
from stubcli.store.posix.sequence import incoming_name, incoming_number
from stubcli.store.values import ACKNOWLEDGED, FILE, LINK, OTHER, Entry, Inventory, Snapshot


def snapshot(status: os.stat_result) -> Snapshot:
    kind = FILE if stat.S_ISREG(status.st_mode) else OTHER
    return Snapshot(
        LINK if stat.S_ISLNK(status.st_mode) else kind,
        status.st_size,
        status.st_mtime_ns,
        status.st_atime_ns,
        status.st_ctime_ns,
        status.st_dev,
        status.st_ino,
        status.st_nlink,
        status.st_uid,
    )


def take_inventory(session: Folders) -> Inventory:
    """Look at everything in the session. Raises OSError."""
    listed = os.listdir(session.results)
    numbers, digests = _sort(listed)
    if odd := numbers ^ digests.keys():
        # A listing is not one moment: an artifact may have come or gone while it was made.
        again, more = _sort(os.listdir(session.results))
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
    return Inventory(tuple(entries), tuple(sorted(foreign)))


def _sort(names: Iterable[str]) -> tuple[set[int], dict[int, list[str]]]:
    """The numbers that have a file, and the digests of the records of each number."""
    numbers: set[int] = set()
    digests: dict[int, list[str]] = {}
    for name in names:
        if parsed := parse_record_name(name):
            digests.setdefault(parsed[0], []).append(parsed[1])
        elif (number := file_number(name)) is not None:
            numbers.add(number)
    return numbers, digests


def _entry(session: Folders, number: int, digests: list[str], incoming: bool) -> Entry:
    status = status_of(session, number)
    if status is None:
        # In this order: a writer gives the final name before it removes the other one.
        incoming = exists(incoming_name(number), session.incoming)
        status = status_of(session, number)
    return Entry(number, status, tuple(sorted(digests)), incoming)


def status_of(session: Folders, number: int) -> Snapshot | None:
    """The status of an artifact's name, no link followed. Raises OSError."""
    try:
        return snapshot(os.stat(file_name(number), dir_fd=session.results, follow_symlinks=False))
    except FileNotFoundError:
        return None


def side_files(session: Folders) -> dict[str, float]:
    """What else stands in the session's folder: names, and when each was changed last, in seconds
    since 1970, which copying can only move onward. Raises OSError."""
    found = {}
    for name in [*os.listdir(session.folder), ACKNOWLEDGED]:
        try:
            status = os.stat(name, dir_fd=session.folder, follow_symlinks=False)
        except FileNotFoundError:
            continue
        found[name] = max(status.st_ctime, status.st_mtime)
    return found


def file_system(session: Folders) -> str:
    """The type of the file system of the session's folder, as the kernel names it.

    Empty where there is no way to tell: on other systems than Linux, or without /proc.
    """
    if sys.platform != "linux":
        return ""
    try:
        with open(f"/proc/self/fdinfo/{session.folder}", encoding="ascii") as file:
            mount = next(line.split()[1] for line in file if line.startswith("mnt_id:"))
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
            rows = (line.split() for line in file)
            return next(row[row.index("-") + 1] for row in rows if row[0] == mount)
    except (OSError, StopIteration, ValueError, IndexError) as error:
        swallowed("looking for the file system", error)
        return ""


def read_side_file(session: Folders, name: str) -> bytes:
    """What stands in a file of the folder; nothing where it is missing. Raises OSError."""
    try:
        descriptor = open_regular(name, session.folder)
    except FileNotFoundError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read()
