"""Every artifact of a session, oldest first: what has its final name and its record."""

import os
from collections.abc import Callable, Iterator

from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.reference import file_name
from stubcli.store.posix.artifacts import Artifact, read_record, record_names
from stubcli.store.posix.layout import Session
from stubcli.store.records import BLOCK


def artifacts_of(session: Session, failed: Callable[[StubError], None]) -> Iterator[Artifact]:
    """Each of them, open; it is the caller's to close. One that cannot be opened has `failed`."""
    for _, name in _records(session):
        try:
            artifact = Artifact(session, read_record(session, name))
        except (IntegrityError, MissingError) as error:
            failed(error)
            continue
        yield artifact


def blocks_of(session: Session) -> int:
    """About how many blocks they are together."""
    total = 0
    for number, _ in _records(session):
        try:
            total += os.stat(file_name(number), dir_fd=session.results).st_size // BLOCK + 2
        except OSError:
            continue  # it is said when it is opened
    return total


def _records(session: Session) -> Iterator[tuple[int, str]]:
    names = record_names(session)
    for number in sorted(names):
        for name in names[number]:
            yield number, name
