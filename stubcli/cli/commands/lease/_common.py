"""What the commands of leases share: their arguments, and how a lease is reported."""

from stubcli.cli.command import JSON, Given
from stubcli.cli.output import emit_json, say
from stubcli.errors import OK
from stubcli.retention.leases.describe import document_of
from stubcli.retention.leases.model import ABORTED, COMMITTED, PREPARED, RELEASED, Lease
from stubcli.settings import readers
from stubcli.settings.option import Option, optional, repeated

TRANSACTION: Option[str] = Option(
    "transaction",
    (),
    "The transaction of the lease.",
    readers.text,
    kind="argument",
    metavar="ID",
    complete="transaction",
    required=True,
)
PROGRAM = repeated(
    "command",
    (),
    "A program; put -- before it.",
    readers.text,
    kind="rest",
    metavar="CMD [ARG]...",
    required=True,
)
COUNT: Option[int] = Option(
    "count",
    "--count",
    "Number of references, at least 1.",
    readers.position(1),
    default="1",
    metavar="N",
)
RETAIN_UNTIL = optional(
    "retain_until",
    "--retain-until",
    "When the claim ends, once committed: ISO 8601 with its zone.",
    readers.text,
    metavar="TIME",
)
OWNER = optional(
    "owner",
    "--owner",
    "The memory that holds it, if a session has several.",
    readers.text,
    metavar="NAME",
)
TIMEOUT = optional(
    "timeout",
    "--timeout",
    "End CMD after this long (30, 90s, 5m); what it did is then unknown.",
    readers.duration,
    metavar="DURATION",
)
_MEANS = {
    PREPARED: "its artifact is kept",
    COMMITTED: "its artifact is kept",
    ABORTED: "it no longer protects anything",
    RELEASED: "it no longer protects anything",
}


def report(given: Given, lease: Lease, meaning: str = "") -> int:
    """Print what a lease is now."""
    if given[JSON]:
        emit_json(document_of(lease))
    else:
        said = meaning or _MEANS[lease.phase]
        say(f"transaction {lease.transaction_id} is {lease.phase}: {said}")
    return OK
