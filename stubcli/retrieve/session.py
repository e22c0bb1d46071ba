"""Every artifact of a session, oldest first: what has its final name and its record."""

from collections.abc import Callable, Iterator

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.store.artifact import Artifact
from stubcli.store.records import BLOCK
from stubcli.store.surface import Keeping


def artifacts_of(session: Keeping, failed: Callable[[StubError], None]) -> Iterator[Artifact]:
    """Each of them, open; it is the caller's to close. One that cannot be opened has `failed`."""
    for number, digest in session.record_keys():
        try:
            artifact = session.open(session.find(number, digest))
        except (IntegrityError, MissingError) as error:
            failed(error)
            continue
        yield artifact


def blocks_of(session: Keeping) -> int:
    """About how many blocks they are together."""
    total = 0
    for number, _ in session.record_keys():
        try:
            total += (session.size_of(number) or 0) // BLOCK + 2
        except OSError as error:  # it is said when it is opened
            swallowed("counting blocks", error)
    return total
