"""Pins: the everyday lease, whose owner is the user. Committed, without an end.

The transactions are pin.NUMBER.N, N counting the pins of that artifact: what was unpinned is
pinned again under a new one, for a transaction that ended never begins again.
"""

import re

from stubcli.errors import UsageError
from stubcli.reference import DIGITS
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import COMMITTED, PREPARED, TERMINAL, Lease
from stubcli.store.records import Record
from stubcli.store.surface import Session

_PIN = re.compile(rf"pin\.([0-9]{{1,{DIGITS}}})\.([0-9]{{1,{DIGITS}}})", re.ASCII)


def is_pin(transaction_id: str) -> bool:
    return transaction_id.startswith("pin.")


def check_no_pin(transaction_id: str | None) -> None:
    """Raises UsageError where a transaction of another kind would be taken for a pin."""
    if transaction_id is not None and is_pin(transaction_id):
        raise UsageError(f"{transaction_id!r} would name a pin", "take another name, or: stub pin")


def pin(session: Session, record: Record) -> tuple[Lease, bool]:
    """Keep an artifact until it is unpinned: (lease, whether it was not pinned before).

    Two at once take the same transaction and so make one pin. Raises as `lease.prepare` does.
    """
    last = _last(session, record.number)
    if last and last.phase == COMMITTED:
        return last, False
    number = _parsed(last.transaction_id)[1] + (last.phase in TERMINAL) if last else 1
    name = f"pin.{record.number}.{number}"
    # Prepared and left so by a crash, it is the same claim, and only the commit is missing.
    leases.prepare(session, record, transaction_id=name)
    return leases.commit(session, name), True


def unpin(session: Session, record: Record) -> Lease | None:
    """End the pin of an artifact; None where it was not pinned. Other leases are not touched."""
    last = _last(session, record.number)
    if last is None or last.phase in TERMINAL:
        return None
    step = leases.abort if last.phase == PREPARED else leases.release
    return step(session, last.transaction_id)


def _last(session: Session, number: int) -> Lease | None:
    with open_journal(session) as journal:
        pins = [
            lease
            for name, lease in journal.leases.items()
            if (found := _PIN.fullmatch(name)) and int(found[1]) == number
        ]
    return max(pins, key=lambda lease: _parsed(lease.transaction_id)[1], default=None)


def _parsed(transaction_id: str) -> tuple[int, int]:
    found = _PIN.fullmatch(transaction_id)
    return (int(found[1]), int(found[2])) if found else (0, 0)
