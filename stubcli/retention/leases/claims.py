"""Which artifacts are needed: the claims of all leases, folded by number.

Knows no journal's form and no policy: what may be deleted is gc's to decide.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from stubcli.errors import IntegrityError
from stubcli.retention.leases.model import COMMITTED, PREPARED, Lease, moment_of, number_of
from stubcli.store.posix.layout import Session

# No session that is in use goes unwritten for longer; a clock that says so is not believed.
TRUSTED = timedelta(days=366)
LOST_NAME = re.compile(r"retention-leases\.jsonl\.lost-([1-9][0-9]{0,8})", re.ASCII)


@dataclass(frozen=True)
class Held:
    """Everything that leases say of one artifact.

    reference_count and retain_until (None: no end) sum up the claims that are active, or, where
    none is, those that expired. pending: transactions that are prepared and wait for their owner.
    transactions: those and the committed ones. Both sorted.
    """

    number: int
    sha256: str
    reference_count: int
    retain_until: str | None
    active: bool
    pending: tuple[str, ...]
    transactions: tuple[str, ...]


def fold(
    leases: Iterable[Lease], session_name: str, now: datetime, known: datetime
) -> dict[int, Held]:
    """What is claimed, by number, in numeric order.

    now: the clock. known: the newest time that the session itself bears witness of. Prepared
    leases never expire. A clock more than 366 days past `known` jumped: then nothing expires that
    had not expired at `known`. Raises IntegrityError where two claims give one number two digests.
    """
    moment = now if now <= known + TRUSTED else known
    by_number: dict[int, list[Lease]] = {}
    for lease in leases:
        if lease.phase in (PREPARED, COMMITTED):
            by_number.setdefault(number_of(lease.claim, session_name), []).append(lease)
    return {number: _held(number, by_number[number], moment) for number in sorted(by_number)}


def _held(number: int, leases: list[Lease], now: datetime) -> Held:
    if len({lease.claim.sha256 for lease in leases}) > 1:
        raise IntegrityError(
            f"two claims give artifact {number} different digests", "see: stub lease ls"
        )
    active = [lease for lease in leases if _holds(lease, now)]
    ends = [_end(lease) for lease in active or leases]
    known_ends = [end for end in ends if end is not None]
    return Held(
        number,
        leases[0].claim.sha256,
        sum(lease.claim.reference_count for lease in active or leases),
        max(known_ends, key=moment_of) if len(known_ends) == len(ends) else None,
        bool(active),
        tuple(sorted(lease.transaction_id for lease in leases if lease.phase == PREPARED)),
        tuple(sorted(lease.transaction_id for lease in leases)),
    )


def _end(lease: Lease) -> str | None:
    """When it expires; what is prepared never does, whatever its claim says."""
    return None if lease.phase == PREPARED else lease.claim.retain_until


def _holds(lease: Lease, now: datetime) -> bool:
    end = _end(lease)
    return end is None or moment_of(end) > now


def lost_at(session: Session) -> float | None:
    """When the loss of leases was last accepted here, in seconds since 1970; None: never.

    What they protected is not known any more. So gc must keep every artifact whose modification
    time is not after this moment until the loss itself is as old as its `older_than` (state
    retained_recent, reason lost_journal), whatever the artifact's own age. The copy of the damaged
    journal is the mark: its later time counts, which copying can only move onward. Raises OSError.
    """
    times = [0.0]
    for name in os.listdir(session.folder):
        if LOST_NAME.fullmatch(name):
            status = os.stat(name, dir_fd=session.folder, follow_symlinks=False)
            times.append(max(status.st_ctime, status.st_mtime))
    return max(times) or None
