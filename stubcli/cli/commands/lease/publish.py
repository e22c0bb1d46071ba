"""`stub lease publish`: a lease around the program that publishes the reference."""

from stubcli.advice import Advice
from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.commands.lease._common import (
    COUNT,
    OWNER,
    PROGRAM,
    RETAIN_UNTIL,
    TIMEOUT,
    report,
)
from stubcli.cli.place import open_kept, opened
from stubcli.errors import RefusedError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.memory import memory_of
from stubcli.retention.leases.pins import check_no_pin
from stubcli.retention.leases.program import ProgramFailed, check_program, publisher
from stubcli.settings import readers
from stubcli.settings.option import Option

_TRANSACTION: Option[str] = Option(
    "transaction",
    "--transaction",
    "A stable name; each is published once.",
    readers.text,
    metavar="ID",
    required=True,
)


def run(given: Given) -> int:
    """Prepare, give the program the memory reference on its standard input, commit."""
    settings, command, transaction = given.settings(), given[PROGRAM], given[_TRANSACTION]
    check_no_pin(transaction)
    check_program(command)
    with open_kept(settings, given[REF]) as artifact:
        record = artifact.record
        memory = memory_of(artifact)
    with opened(settings, record.session) as session:
        try:
            lease, _ = leases.publish(
                session,
                record,
                publisher(command, memory, given[TIMEOUT]),
                transaction_id=transaction,
                count=given[COUNT],
                retain_until=given[RETAIN_UNTIL],
                owner=given[OWNER],
            )
        except leases.PublicationRejected as rejected:
            raise RefusedError(f"{rejected}; transaction {transaction} is aborted") from None
        except ProgramFailed as failure:
            ask = Advice(
                "lease reconcile",
                owner="OWNER",
                transaction=transaction,
                lead="ask the memory",
                **{"as": given[OWNER]},
            )
            raise RefusedError(
                f"{failure}, and may have published it; transaction {transaction} stays prepared",
                ask,
            ) from None
    return report(given, lease, "the reference is published and its artifact is kept")


COMMAND = Command(
    "lease publish",
    """Prepare a lease, let CMD publish the reference, commit.

    CMD is given the memory reference and its transaction_id as a line of JSON on its stdin. It ends
    with 0 when the reference is published durably, and with 195 when it wrote nothing and never
    will: then the lease is aborted. After any other end nobody knows, and the lease stays prepared:
    see stub lease reconcile. A CMD that cannot be started publishes nothing and changes nothing.
    What CMD prints goes to stderr.
    """,
    run,
    (REF, PROGRAM, _TRANSACTION, COUNT, RETAIN_UNTIL, OWNER, TIMEOUT, JSON),
    examples=(
        (
            "Let a program of yours store it:",
            "stub lease publish last --transaction m2 -- sh -c 'cat >> memory.jsonl'",
        ),
    ),
)
