"""What gc deleted: one line for each artifact, durable before its data goes.

So a later reference can be told what became of it, and no number is used twice, even where the
hint is lost. Knows no claim and decides nothing.
"""

import hashlib
import json
import os
import stat
from dataclasses import asdict, dataclass

from stubcli.descriptors import write_all
from stubcli.durable import sync_data, sync_directory
from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import file_name
from stubcli.store.posix.layout import COLLECTED, Session

SCHEMA = 1
_TAIL = 4096  # holds several lines: a line is below 512 bytes
_OPEN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class Tombstone:
    """One artifact that was collected. size in bytes, when in ISO 8601 UTC.

    highest: the highest number that was collected so far, so that the last line alone tells it.
    """

    number: int
    sha256: str
    size: int
    reason: str
    when: str
    highest: int


def append(
    session: Session, number: int, sha256: str, size: int, reason: str, when: str
) -> Tombstone:
    """Write a tombstone; it is durable on return. The caller holds the journal's lock.

    Raises OSError, and IntegrityError where the file is none of ours.
    """
    descriptor = _open(session, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        end, highest = _end(descriptor)
        os.ftruncate(descriptor, end)  # a line that was cut short: its artifact was not deleted
        found = Tombstone(number, sha256, size, reason, when, max(number, highest))
        try:
            write_all(descriptor, _dump(found))
        except OSError:
            os.ftruncate(descriptor, end)
            raise
        sync_data(descriptor)
    finally:
        os.close(descriptor)
    if end == 0:
        sync_directory(session.folder)
    return found


def tombstones(session: Session) -> list[Tombstone]:
    """Every tombstone, oldest first. Raises IntegrityError where a whole line is not as written."""
    lines = _read(session).split(b"\n")[:-1]
    found = [_load(line) for line in lines]
    for place, one in enumerate(found, 1):
        if one is None:
            raise IntegrityError(
                f"line {place} of {COLLECTED} is not what was written",
                "restore it, or move it away: the numbers stay used",
            )
    return [one for one in found if one]


def find(session: Session, number: int | None = None, digest: str = "") -> Tombstone | None:
    """The last tombstone of that number, or of that digest prefix, or of both; damage is no hit."""
    needle = b'"number":%d,' % number if number is not None else b'"sha256":"' + digest.encode()
    try:
        lines = [line for line in _read(session).split(b"\n") if needle in line]
    except (OSError, IntegrityError):
        return None
    for line in reversed(lines):
        one = _load(line)
        if one and one.sha256.startswith(digest) and number in (None, one.number):
            return one
    return None


def gone(session: Session, number: int | None = None, digest: str = "") -> MissingError | None:
    """The error that says when and why gc collected that artifact; None where it did not."""
    one = find(session, number, digest)
    if one is None:
        return None
    return MissingError(
        f"{file_name(one.number)} of session {session.name} was collected by gc on {one.when}"
        f" ({one.reason.replace('_', ' ')})",
        "run its command again",
    )


def highest_collected(session: Session) -> int:
    """The highest number that was ever collected; 0 where none was or nothing tells."""
    try:
        descriptor = _open(session, os.O_RDONLY)
    except (OSError, IntegrityError):
        return 0
    try:
        return _end(descriptor)[1]
    except OSError:
        return 0
    finally:
        os.close(descriptor)


def _open(session: Session, flags: int) -> int:
    descriptor = os.open(COLLECTED, flags | _OPEN, 0o600, dir_fd=session.folder)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid in (os.geteuid(), 0):
        return descriptor
    os.close(descriptor)
    raise IntegrityError(f"{COLLECTED} is no file of ours alone", "see what stands in its place")


def _read(session: Session) -> bytes:
    try:
        descriptor = _open(session, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _end(descriptor: int) -> tuple[int, int]:
    """Where the last whole line ends, and the highest number that the lines tell."""
    size = os.fstat(descriptor).st_size
    start = max(0, size - _TAIL)
    while True:
        data = os.pread(descriptor, size - start, start)
        whole = data.rfind(b"\n") + 1
        told = [one.highest for line in data[:whole].split(b"\n") if (one := _load(line))]
        if told or start == 0:
            return start + whole, max(told, default=0)
        start = 0


def _dump(tombstone: Tombstone) -> bytes:
    document = {"schema_version": SCHEMA, **asdict(tombstone)}
    document["line_sha256"] = hashlib.sha256(_canonical(document)).hexdigest()
    return _canonical(document) + b"\n"


def _canonical(document: dict[str, object]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")


def _load(line: bytes) -> Tombstone | None:
    try:
        document = json.loads(line)
        expected = document.pop("line_sha256")
        if hashlib.sha256(_canonical(document)).hexdigest() != expected:
            return None
        if document.pop("schema_version") != SCHEMA:
            return None
        return Tombstone(**document)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
