"""`stub lease ls`: the leases, newest first."""

import datetime

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, say
from stubcli.cli.place import home_of, sessions_of
from stubcli.errors import OK
from stubcli.retention.leases.describe import age_of, document_of
from stubcli.retention.leases.model import Lease
from stubcli.retention.leases.newest import list_leases
from stubcli.settings import readers
from stubcli.settings.option import Option, flag
from stubcli.text.display import amount

PAGE = 30
HEADER = ("transaction", "phase", "artifact", "count", "until", "age")
_PENDING = flag("pending", "--pending", "Only those that wait for their owner.")
_LIMIT: Option[int] = Option(
    "limit",
    ("-n", "--limit"),
    "Leases to list, at least 1.",
    readers.position(1),
    default=str(PAGE),
    metavar="N",
)
_SKIP: Option[int] = Option(
    "skip", "--skip", "Leases to skip.", readers.position(0), default="0", metavar="N"
)


def run(given: Given) -> int:
    """Print the newest leases."""
    settings, everywhere = given.settings(), given[ALL_SESSIONS]
    limit, skip = given[_LIMIT], given[_SKIP]
    names = sessions_of(settings, everywhere=everywhere)
    found = list_leases(home_of(settings), names, pending=given[_PENDING], limit=limit, skip=skip)
    page = found.leases
    if given[JSON]:
        documents = [{"session": lease.session, **document_of(lease)} for lease in page]
        emit_json({"total": found.total, "skip": skip, "leases": documents})
        return OK
    now = datetime.datetime.now(datetime.UTC)
    emit_rows(HEADER, [_cells(lease, now) for lease in page], right=("count", "age"))
    line = amount(found.total, "lease")
    if skip + len(page) < found.total:
        more = Advice(
            "lease ls",
            pending=given[_PENDING],
            all_sessions=everywhere,
            limit=limit if limit != PAGE else None,
            skip=skip + len(page),
        )
        line += f"; next: {more.shell(settings.where)}"
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


COMMAND = Command(
    "lease ls",
    "List leases, newest first.",
    run,
    (_PENDING, _LIMIT, _SKIP, ALL_SESSIONS, JSON),
    examples=(("Those that wait for their owner:", "stub lease ls --pending"),),
)
