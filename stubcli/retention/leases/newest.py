"""The leases of several sessions, newest first."""

from collections.abc import Iterable
from dataclasses import dataclass

from stubcli.errors import MissingError
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import PREPARED, Lease
from stubcli.store import open_session


@dataclass(frozen=True)
class LeaseListing:
    """A page of leases, and how many there are."""

    leases: tuple[Lease, ...]
    total: int


def list_leases(
    home: str, names: Iterable[str], *, pending: bool, limit: int, skip: int
) -> LeaseListing:
    """The newest leases of these sessions, one session after the other.

    pending: only those that wait for their owner. A session that keeps nothing has none. Raises
    StubError, OSError.
    """
    found: list[Lease] = []
    for name in names:
        try:
            with open_session(home, name) as session, open_journal(session) as journal:
                found += reversed(journal.leases.values())
        except MissingError:
            continue
    if pending:
        found = [lease for lease in found if lease.phase == PREPARED]
    return LeaseListing(tuple(found[skip : skip + limit]), len(found))
