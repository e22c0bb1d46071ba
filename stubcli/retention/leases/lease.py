"""What can be done with a lease, each step under the journal's lock and safe to repeat.

    none -> prepared -> committed -> released
                     \\-> aborted

The lock is never held while a publisher or a remover runs: both may take their own locks, and
`reconcile` takes the owner's first. Knows no owner and no command.
"""

import uuid
from collections.abc import Callable
from typing import TypeVar

from stubcli.advice import Advice
from stubcli.errors import MissingError, RefusedError
from stubcli.retention.leases.journal import Journal, open_journal
from stubcli.retention.leases.model import (
    ABORTED,
    COMMITTED,
    PREPARED,
    RELEASED,
    TERMINAL,
    Lease,
    check_transaction,
    claim_of,
)
from stubcli.store.records import Record
from stubcli.store.surface import Session

_T = TypeVar("_T")


class PublicationRejected(Exception):
    """A publisher raises it to state that nothing was written and nothing is on its way.

    Only that aborts: a time-out or a lost connection says nothing of what the owner did.
    """


def prepare(
    session: Session,
    record: Record,
    *,
    transaction_id: str | None = None,
    count: int = 1,
    retain_until: str | None = None,
    owner: str | None = None,
) -> tuple[Lease, bool]:
    """Claim an artifact: (lease, whether it is new). It is protected once this returns.

    The artifact is verified again under the lock. A repeat with the same claim changes nothing.
    Raises RefusedError where the transaction has another claim or has ended, MissingError and
    IntegrityError where the artifact is not what the record says, UsageError, NotStoredError.
    """
    name = uuid.uuid4().hex if transaction_id is None else check_transaction(transaction_id)
    claim = claim_of(record, count=count, retain_until=retain_until, owner=owner)
    with open_journal(session) as journal:
        known = journal.find(name)
        if known is None:
            kept = session.find(record.number, record.sha256)
            with session.open(kept) as artifact:
                artifact.verify()
            return journal.append(name, PREPARED, claim), True
    if known.claim != claim:
        raise RefusedError(f"transaction {name} has another claim", "take another transaction id")
    if known.phase in TERMINAL:
        # A transaction that has ended protects nothing, whatever is asked of it.
        raise RefusedError(f"transaction {name} is {known.phase}", "take another transaction id")
    return known, False


def commit(session: Session, transaction_id: str) -> Lease:
    """The reference is published. Repeating it changes nothing. Raises as `prepare` does."""
    return _enter(session, transaction_id, COMMITTED)


def abort(session: Session, transaction_id: str) -> Lease:
    """The reference was never published, and never will be. Raises as `prepare` does."""
    return _enter(session, transaction_id, ABORTED)


def release(session: Session, transaction_id: str) -> Lease:
    """The reference is removed. Repeating it changes nothing. Raises as `prepare` does."""
    return _enter(session, transaction_id, RELEASED)


def publish(
    session: Session,
    record: Record,
    publisher: Callable[[Lease], _T],
    *,
    transaction_id: str,
    count: int = 1,
    retain_until: str | None = None,
    owner: str | None = None,
) -> tuple[Lease, _T]:
    """Prepare, let `publisher` publish the reference, commit: (lease, what it returned).

    PublicationRejected aborts and is raised on. Whatever else the publisher raises is raised on
    unchanged, and the lease stays prepared. A transaction that is known is never published again:
    RefusedError.
    """
    lease, new = prepare(
        session,
        record,
        transaction_id=transaction_id,
        count=count,
        retain_until=retain_until,
        owner=owner,
    )
    if not new:
        raise RefusedError(
            f"transaction {transaction_id} is {lease.phase} already and is not published again",
            Advice("lease reconcile"),
        )
    try:
        published = publisher(lease)
    except PublicationRejected:
        abort(session, transaction_id)
        raise
    return commit(session, transaction_id), published


def remove(
    session: Session, transaction_id: str, remover: Callable[[Lease], _T]
) -> tuple[Lease, _T]:
    """Let `remover` remove the reference, then release: (lease, what it returned).

    Whatever the remover raises is raised on, and the lease stays committed. Raises RefusedError
    where it is not committed.
    """
    with open_journal(session) as journal:
        lease = known_lease(journal, transaction_id)
    if lease.phase != COMMITTED:
        raise RefusedError(
            f"transaction {transaction_id} is {lease.phase}, and only what is committed is removed",
            Advice("lease ls"),
        )
    removed = remover(lease)
    return release(session, transaction_id), removed


def known_lease(journal: Journal, transaction_id: str) -> Lease:
    """The lease of a transaction. Raises MissingError where there is none, UsageError."""
    lease = journal.find(check_transaction(transaction_id))
    if lease is None:
        raise MissingError(f"there is no transaction {transaction_id}", Advice("lease ls"))
    return lease


def _enter(session: Session, transaction_id: str, phase: str) -> Lease:
    with open_journal(session) as journal:
        lease = known_lease(journal, transaction_id)
        return lease if lease.phase == phase else journal.append(transaction_id, phase)
