"""`stub lease prepare`: claim an artifact for a reference that is about to be published."""

from stubcli.advice import Advice
from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.commands.lease._common import COUNT, OWNER, RETAIN_UNTIL
from stubcli.cli.output import emit_json, emit_text, say
from stubcli.cli.place import open_kept, opened, where_of
from stubcli.errors import OK
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.describe import document_of
from stubcli.retention.leases.model import PREPARED
from stubcli.retention.leases.pins import check_no_pin
from stubcli.settings import readers
from stubcli.settings.option import optional

_TRANSACTION = optional(
    "transaction",
    "--transaction",
    "A stable name (default: a new one).",
    readers.text,
    metavar="ID",
)


def run(given: Given) -> int:
    """Prepare it and print the transaction."""
    settings = given.settings()
    check_no_pin(given[_TRANSACTION])
    with open_kept(settings, given[REF]) as artifact:
        record = artifact.record
    with opened(settings, record.session) as session:
        lease, new = leases.prepare(
            session,
            record,
            transaction_id=given[_TRANSACTION],
            count=given[COUNT],
            retain_until=given[RETAIN_UNTIL],
            owner=given[OWNER],
        )
    if given[JSON]:
        emit_json({**document_of(lease), "created": new})
        return OK
    emit_text(f"{lease.transaction_id}\n")
    if lease.phase != PREPARED:
        say(f"transaction {lease.transaction_id} is {lease.phase} already")
        return OK
    commit = Advice("lease commit", lease.transaction_id).shell(where_of(settings, record.session))
    say(
        f"{record.reference} is kept until this is settled; next: {commit},"
        " or abort if nothing was published"
    )
    return OK


COMMAND = Command(
    "lease prepare",
    """Claim an artifact before publishing a reference to it; print the transaction.

    The artifact is verified first. It is kept, without an end, until the lease is settled.
    """,
    run,
    (REF, _TRANSACTION, COUNT, RETAIN_UNTIL, OWNER, JSON),
    examples=(
        ("Before a memory stores the reference:", "stub lease prepare last --transaction m1"),
    ),
)
