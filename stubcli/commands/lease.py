"""`stub lease prepare, commit, abort, release, ls`: a lease is moved by hand, and listed."""

import datetime
from collections.abc import Callable

from stubcli.commands.answer import emit_json, emit_rows, emit_text, say
from stubcli.commands.place import open_kept, opened, session_of, sessions_of, suffix_of
from stubcli.errors import OK, MissingError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.describe import age_of, document_of
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, RELEASED, Lease
from stubcli.retention.leases.pins import check_no_pin
from stubcli.settings.load import Settings
from stubcli.store.surface import Session

PAGE = 30
HEADER = ("transaction", "phase", "artifact", "count", "until", "age")
_MEANS = {
    COMMITTED: "its artifact is kept",
    ABORTED: "it protects nothing any more",
    RELEASED: "it protects nothing any more",
}


def prepare(
    settings: Settings,
    reference: str,
    *,
    transaction: str | None = None,
    count: int = 1,
    until: str | None = None,
    owner: str | None = None,
    as_json: bool = False,
) -> int:
    """Claim an artifact for a reference that is about to be published; prints the transaction."""
    check_no_pin(transaction)
    with open_kept(settings, reference) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease, new = leases.prepare(
            session,
            record,
            transaction_id=transaction,
            count=count,
            retain_until=until,
            owner=owner,
        )
    if as_json:
        emit_json({**document_of(lease), "created": new})
        return OK
    emit_text(f"{lease.transaction_id}\n")
    if lease.phase != PREPARED:
        say(f"transaction {lease.transaction_id} is {lease.phase} already")
        return OK
    suffix = suffix_of(settings, record.session)
    say(
        f"{record.reference} is kept until this is settled; next: stub lease commit "
        f"{lease.transaction_id}{suffix}, or abort where nothing was published"
    )
    return OK


def commit(settings: Settings, transaction: str, *, as_json: bool = False) -> int:
    """The reference is published."""
    return _moved(settings, leases.commit, transaction, as_json=as_json)


def abort(settings: Settings, transaction: str, *, as_json: bool = False) -> int:
    """The reference was not published and never will be."""
    return _moved(settings, leases.abort, transaction, as_json=as_json)


def release(settings: Settings, transaction: str, *, as_json: bool = False) -> int:
    """The reference is removed."""
    return _moved(settings, leases.release, transaction, as_json=as_json)


def _moved(
    settings: Settings,
    step: Callable[[Session, str], Lease],
    transaction: str,
    *,
    as_json: bool,
) -> int:
    with opened(settings, session_of(settings)) as session:
        lease = step(session, transaction)
    if as_json:
        emit_json(document_of(lease))
    else:
        say(f"transaction {transaction} is {lease.phase}: {_MEANS[lease.phase]}")
    return OK


def ls(
    settings: Settings,
    *,
    pending: bool = False,
    limit: int = PAGE,
    skip: int = 0,
    everywhere: bool = False,
    as_json: bool = False,
) -> int:
    """Print the newest leases; pending: those that still wait for their owner."""
    found: list[tuple[str, Lease]] = []
    for name in sessions_of(settings, everywhere=everywhere):
        try:
            with opened(settings, name) as session, open_journal(session) as journal:
                found += [(name, lease) for lease in reversed(journal.leases.values())]
        except MissingError:
            continue
    if pending:
        found = [(name, lease) for name, lease in found if lease.phase == PREPARED]
    shown = found[skip : skip + limit]
    if as_json:
        documents = [{"session": name, **document_of(lease)} for name, lease in shown]
        emit_json({"total": len(found), "skip": skip, "leases": documents})
        return OK
    now = datetime.datetime.now(datetime.UTC)
    emit_rows(HEADER, [_cells(lease, now) for _, lease in shown], right=("count", "age"))
    line = f"{len(found):,} lease{'' if len(found) == 1 else 's'}"
    if skip + len(shown) < len(found):
        more = (" --pending" if pending else "") + (" --all-sessions" if everywhere else "")
        more += f" -n {limit}" if limit != PAGE else ""
        line += f"; next: stub lease ls{more} --skip {skip + len(shown)}"
        line += settings.suffix(session=True)
    say(line)
    return OK


def _cells(lease: Lease, now: datetime.datetime) -> list[str]:
    claim = lease.claim
    until = claim.retain_until or ""
    return [
        lease.transaction_id,
        lease.phase,
        claim.source_id,
        str(claim.reference_count),
        until,
        age_of(lease, now),
    ]
