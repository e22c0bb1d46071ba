"""Settle pending leases with the memory system that holds, or does not hold, their references.

A lease ends only on proof: the very reference is published, or a tombstone forbids it for ever.
Everything else leaves it pending, and so its artifact protected. Knows no particular owner.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from stubcli.debug import swallowed
from stubcli.errors import RefusedError
from stubcli.retention.leases.journal import Journal, open_journal
from stubcli.retention.leases.lease import known_lease
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, Lease
from stubcli.retention.leases.owners import (
    ABSENT,
    UNKNOWN,
    Fence,
    GenerationChanged,
    Observation,
    Owner,
)
from stubcli.retention.leases.pins import is_pin
from stubcli.store.surface import Session

PENDING_UNKNOWN, PENDING_CONFLICT, PENDING_STALE = (
    "pending_unknown",
    "pending_conflict",
    "pending_stale",
)


@dataclass(frozen=True)
class Settlement:
    """What became of one transaction; names no path and no content.

    status: committed, aborted, pending_* or already_*; generation: as the owner told it, or None.
    """

    transaction_id: str
    status: str
    reason: str
    generation: int | None = None

    @property
    def pending(self) -> bool:
        return self.status.startswith("pending_")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def reconcile(
    session: Session,
    owner: Owner,
    transactions: Iterable[str] | None = None,
    *,
    name: str | None = None,
    failed: Callable[[str, Exception], None] | None = None,
) -> list[Settlement]:
    """Settle these transactions, or all that are pending now, each behind a fence of its own.

    name: whose leases, as they were prepared; None: those that name no owner. The others are
    somebody else's, and what this owner does not hold says nothing of them.

    What an owner raises is told to `failed` and stops none of the others. Raises MissingError for
    an unknown transaction, IntegrityError where the journal is damaged, OSError.
    """
    found = choose_leases(session, transactions, name)
    return [settle(session, owner, lease, failed) for lease in found]


def choose_leases(
    session: Session, transactions: Iterable[str] | None = None, owner: str | None = None
) -> list[Lease]:
    """The leases of these transactions, or all of that owner that are pending now.

    Raises RefusedError where one is another owner's, else as `reconcile` does.
    """
    with open_journal(session) as journal:
        if transactions is not None:
            named = [known_lease(journal, name) for name in dict.fromkeys(transactions)]
            for lease in named:
                if lease.claim.owner != owner:
                    whose = lease.claim.owner or "no named owner"
                    raise RefusedError(
                        f"transaction {lease.transaction_id} is of {whose}",
                        "ask that memory, by its name: --as NAME",
                    )
            return named
        # A pin's owner is the user: no memory knows of it, and its absence there means nothing.
        return [
            lease
            for name, lease in journal.leases.items()
            if lease.phase == PREPARED and not is_pin(name) and lease.claim.owner == owner
        ]


def settle(
    session: Session,
    owner: Owner,
    lease: Lease,
    failed: Callable[[str, Exception], None] | None = None,
) -> Settlement:
    """Settle one lease, as it is now, behind a fence. Raises as `reconcile` does."""
    if lease.phase != PREPARED:
        return _already_settled(lease)
    report: Settlement | None = None
    broken: Exception | None = None
    try:
        # The owner first and then the journal, here as in a removal: whoever holds the journal
        # waits for no other lock, so that no two can wait for each other.
        with owner.fence(lease) as fence:
            observation = _answer(fence.observe())
            try:
                with open_journal(session) as journal:
                    report = _decide(journal, fence, observation, lease, failed)
            except Exception as error:
                broken = error  # ours, not the owner's: the fence ends as if all was well
    except Exception as error:
        # What was decided stands in the journal; a fence that does not end well changes nothing.
        if report is None and broken is None:
            _pass_on(failed, lease, error)
            return Settlement(lease.transaction_id, PENDING_UNKNOWN, "owner_failed")
        swallowed("ending an owner's fence", error)
    if broken is not None:
        raise broken
    return report or Settlement(lease.transaction_id, PENDING_UNKNOWN, "owner_failed")


def _pass_on(
    failed: Callable[[str, Exception], None] | None, lease: Lease, error: Exception
) -> None:
    swallowed(f"asking the owner of {lease.transaction_id}", error)
    if failed is not None:
        failed(lease.transaction_id, error)


def _answer(given: object) -> Observation:
    if not isinstance(given, Observation):
        raise TypeError("invalid answer from owner")
    return given


def _already_settled(lease: Lease) -> Settlement:
    return Settlement(
        lease.transaction_id, f"already_{lease.phase}", f"lease_already_{lease.phase}"
    )


def _decide(
    journal: Journal,
    fence: Fence,
    observation: Observation,
    seen: Lease,
    failed: Callable[[str, Exception], None] | None,
) -> Settlement:
    """What follows from the observation, and into the journal with it."""
    name = seen.transaction_id
    lease = known_lease(journal, name)
    if lease.phase != PREPARED:
        return _already_settled(lease)

    def report(status: str, reason: str, of: Observation = observation) -> Settlement:
        return Settlement(name, status, reason, of.generation)

    if observation.transaction_id != name:
        return report(PENDING_CONFLICT, "owner_transaction_mismatch")
    if observation.presence == UNKNOWN:
        return report(PENDING_UNKNOWN, "owner_result_unknown")
    if observation.holds(lease):
        journal.append(name, COMMITTED)
        return report(COMMITTED, "owner_confirmed_reference")
    if observation.presence != ABSENT:
        return report(PENDING_CONFLICT, "owner_reference_mismatch")
    sealed = observation
    if not observation.sealed:
        try:
            sealed = _answer(fence.seal(observation.generation))
        except GenerationChanged:
            return report(PENDING_STALE, "owner_generation_changed")
        except Exception as error:
            _pass_on(failed, lease, error)
            return report(PENDING_UNKNOWN, "owner_failed")
        if sealed.transaction_id != name:
            return report(PENDING_CONFLICT, "owner_transaction_mismatch", sealed)
        if not sealed.sealed or sealed.generation <= observation.generation:
            return report(PENDING_CONFLICT, "owner_absence_not_sealed", sealed)
    # The tombstone stands before the lease ends. The other way round, a publisher that was only
    # late would publish a reference to what gc has deleted meanwhile.
    journal.append(name, ABORTED)
    return report(ABORTED, "owner_sealed_absence", sealed)
