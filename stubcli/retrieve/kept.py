"""Every artifact of a session, or of several, and what is unfinished as far as it goes."""

from collections.abc import Callable, Iterable, Iterator

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.store import open_session
from stubcli.store.artifact import Artifact
from stubcli.store.surface import Keeping


def artifacts_of(session: Keeping, failed: Callable[[StubError], None]) -> Iterator[Artifact]:
    """Each of them, oldest first, open; it is the caller's to close. One that cannot be opened has
    `failed`."""
    # What is published in between is then found among the records.
    unfinished = session.unfinished()
    keys = session.record_keys()
    recorded = {number for number, _ in keys}
    keys += [(number, "") for number in unfinished if number not in recorded]
    for number, digest in sorted(keys):
        try:
            artifact = (
                session.open(session.find(number, digest))
                if digest
                else session.open_number(number)
            )
        except (IntegrityError, MissingError) as error:
            failed(error)
            continue
        yield artifact


def artifacts_of_sessions(
    home: str, names: Iterable[str], failed: Callable[[StubError], None]
) -> Iterator[Artifact]:
    """Those of several sessions, one after the other; one that cannot be opened has `failed`."""
    for name in names:
        try:
            with open_session(home, name) as session:
                yield from artifacts_of(session, failed)
        except StubError as error:
            failed(error)


def size_of(session: Keeping) -> int:
    """How many bytes they are together."""
    total = 0
    for number, _ in session.record_keys():
        try:
            total += session.size_of(number) or 0
        except OSError as error:  # it is said when it is opened
            swallowed("adding up sizes", error)
    return total
