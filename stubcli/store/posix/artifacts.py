"""Published artifacts: their records by number and digest, and their bytes."""

import os
import time

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.durable import exists, open_regular
from stubcli.errors import IntegrityError, MissingError, reason_of
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.store.artifact import Artifact, damage_error
from stubcli.store.posix.collected import explain_missing
from stubcli.store.posix.folders import Folders
from stubcli.store.posix.index import find_noted_digest, find_noted_number
from stubcli.store.posix.sequence import incoming_name
from stubcli.store.records import REPAIR, Record, Run, load
from stubcli.text.display import amount

_LARGEST_RECORD = 256 << 20


def record_keys(session: Folders) -> list[tuple[int, str]]:
    """Number and digest (16 digits) of every record in the session, in order."""
    found = (parse_record_name(name) for name in os.listdir(session.results))
    return sorted(key for key in found if key is not None)


def record_names(session: Folders) -> dict[int, list[str]]:
    """The names of the records in the session, by number, in order."""
    names: dict[int, list[str]] = {}
    for number, digest in record_keys(session):
        names.setdefault(number, []).append(record_name(number, digest))
    return names


def artifact_numbers(session: Folders) -> set[int]:
    """The numbers under which data stands in the session, with or without a record."""
    numbers = (file_number(name) for name in os.listdir(session.results))
    return {number for number in numbers if number is not None}


def read_record(session: Folders, name: str) -> Record:
    """The record in the file `name`. Raises IntegrityError, MissingError."""
    try:
        descriptor = open_regular(name, session.results)
    except FileNotFoundError:
        raise MissingError(
            f"there is no record {name} in session {session.name}", Advice("ls")
        ) from None
    except OSError as error:
        raise IntegrityError(
            f"the record {name} cannot be opened: {reason_of(error)}", REPAIR
        ) from None
    with os.fdopen(descriptor, "rb") as file:
        # Asked for whole, so many bytes would be reserved before the first is read.
        size = os.fstat(descriptor).st_size
        record = load(file.read(min(size, _LARGEST_RECORD)), name)
    if record_name(record.number, record.sha256) != name or record.session != session.name:
        raise IntegrityError(f"the record {name} speaks of another artifact", REPAIR)
    return record


def find_record(session: Folders, number: int, digest: str | None = None) -> Record:
    """The record of a number, or of a number and a digest of 12 digits or more.

    Raises MissingError where there is none, IntegrityError where it is damaged or there are two.
    """
    if digest is not None and len(digest) >= 16:
        try:
            record = read_record(session, record_name(number, digest))
        except MissingError as error:
            raise explain_missing(session, number, digest) or error from None
        if not record.sha256.startswith(digest):
            raise MissingError(
                f"{file_name(number)} has another digest than {digest}", Advice("ls")
            )
        return record
    noted = _noted_record(session, number)
    names = [noted] if noted else record_names(session).get(number, [])
    if len(names) > 1:
        raise IntegrityError(f"{file_name(number)} has {len(names)} records", REPAIR)
    if not names and exists(file_name(number), session.results):
        # A publisher names the record first: where it came between, both are there now.
        names = record_names(session).get(number, [])
        if not names and exists(file_name(number), session.results):
            raise IntegrityError(f"{file_name(number)} has no record", Advice("check", repair=True))
    if not names and exists(incoming_name(number), session.incoming):
        raise MissingError(f"{file_name(number)} is in progress, or left over", Advice("ls"))
    if not names:
        raise explain_missing(session, number, digest or "") or MissingError(
            f"there is no artifact {number} in session {session.name}", Advice("ls")
        )
    record = read_record(session, names[0])
    if digest and not record.sha256.startswith(digest):
        raise MissingError(f"{file_name(number)} has another digest than {digest}", Advice("ls"))
    return record


def _noted_record(session: Folders, number: int) -> str | None:
    """The record that the index names, where it stands; it spares listing 100,000 names."""
    name = record_name(number, find_noted_digest(session, number) or "")
    return name if parse_record_name(name) and exists(name, session.results) else None


def mark_used(descriptor: int) -> None:
    """Set the access time of an open artifact to now: gc counts its age from there. Best effort."""
    try:
        os.utime(descriptor, ns=(time.time_ns(), os.fstat(descriptor).st_mtime_ns))
    except OSError as error:
        swallowed("marking an artifact as used", error)


class OpenFile:
    """The bytes of an artifact, in an open file."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def read(self, offset: int, length: int) -> bytes:
        return os.pread(self.descriptor, length, offset)

    def mark_used(self) -> None:
        mark_used(self.descriptor)

    def close(self) -> None:
        os.close(self.descriptor)


def open_artifact(session: Folders, record: Record, run: Run | None = None) -> Artifact:
    """The artifact of a record. Raises IntegrityError, MissingError where its data is gone."""
    descriptor = _open_data(session, record)
    size = os.fstat(descriptor).st_size
    if size != record.size:
        os.close(descriptor)
        raise damage_error(record, f"has {amount(size, 'byte')} instead of {record.size:,}")
    path = session.artifact_path(file_name(record.number))
    return Artifact(record, OpenFile(descriptor), path, run)


def _open_data(session: Folders, record: Record) -> int:
    name = file_name(record.number)
    try:
        return open_regular(name, session.results)
    except FileNotFoundError:
        raise _no_data(session, record) from None
    except OSError as error:
        raise IntegrityError(f"{name} cannot be opened: {reason_of(error)}", REPAIR) from None


def _no_data(session: Folders, record: Record) -> MissingError:
    """What became of the data of a record that stands alone."""
    if exists(incoming_name(record.number), session.incoming):
        return MissingError(
            f"the data of {record.reference} is not in its place", Advice("check", repair=True)
        )
    return explain_missing(session, record.number, record.sha256) or MissingError(
        f"the data of {record.reference} is gone", "only its record is left"
    )


def size_of(session: Folders, number: int) -> int | None:
    """The bytes under that number; None where nothing has its name. Raises OSError."""
    try:
        return os.stat(file_name(number), dir_fd=session.results, follow_symlinks=False).st_size
    except FileNotFoundError:
        return None


def find_same(session: Folders, sha256: str) -> Record | None:
    """The artifact of this session that holds these bytes, verified, if there is one."""
    number = find_noted_number(session, sha256[:16])
    if number is None:
        return None
    try:
        record = read_record(session, record_name(number, sha256))
        if record.sha256 != sha256:
            return None
        descriptor = _open_data(session, record)
        with Artifact(record, OpenFile(descriptor), "") as artifact:
            if os.fstat(descriptor).st_size != record.size:
                return None
            # Marked first and looked at last: in between gc may have decided that it is old.
            artifact.mark_used()
            artifact.verify()
            return record if _leads_to(session, file_name(number), descriptor) else None
    except (MissingError, IntegrityError, OSError) as error:
        swallowed("looking for the same bytes", error)
        return None  # damaged or gone: these bytes are kept anew


def _leads_to(session: Folders, name: str, descriptor: int) -> bool:
    """Whether the name still leads to what is open there. Raises OSError."""
    try:
        there = os.stat(name, dir_fd=session.results, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)
