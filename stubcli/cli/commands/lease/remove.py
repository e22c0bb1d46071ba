"""`stub lease remove`: a lease is released after the program that removes the reference."""

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.commands.lease._common import PROGRAM, TIMEOUT, TRANSACTION, report
from stubcli.cli.place import opened, session_of
from stubcli.errors import RefusedError
from stubcli.retention.leases import lease as leases
from stubcli.retention.leases.program import ProgramFailed, check_program, remover


def run(given: Given) -> int:
    """Run the program, release after it."""
    settings, command, transaction = given.settings(), given[PROGRAM], given[TRANSACTION]
    check_program(command)
    with opened(settings, session_of(settings)) as session:
        try:
            lease, _ = leases.remove(session, transaction, remover(command, given[TIMEOUT]))
        except ProgramFailed as failure:
            raise RefusedError(
                f"{failure}; transaction {transaction} stays committed and its artifact is kept",
                "run the same command again",
            ) from None
    return report(given, lease, "the reference is removed")


COMMAND = Command(
    "lease remove",
    """Let CMD remove the reference, then release the lease.

    CMD is given transaction_id, source_id and content_sha256 as a line of JSON on its stdin. If it
    does not end with 0 the lease stays committed. What CMD prints goes to stderr.
    """,
    run,
    (TRANSACTION, PROGRAM, TIMEOUT, JSON),
    examples=(
        ("Let a program of yours forget it:", "stub lease remove m2 -- sh -c 'rm memory.jsonl'"),
    ),
)
