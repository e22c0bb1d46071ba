"""`stub lease commit`: the reference is published."""

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.commands.lease._common import TRANSACTION, report
from stubcli.cli.place import opened, session_of
from stubcli.retention.leases import lease as leases


def run(given: Given) -> int:
    """Move the lease of that transaction."""
    settings = given.settings()
    with opened(settings, session_of(settings)) as session:
        return report(given, leases.commit(session, given[TRANSACTION]))


COMMAND = Command(
    "lease commit",
    "Say that the reference is published.",
    run,
    (TRANSACTION, JSON),
    examples=(("After the memory has stored it:", "stub lease commit m1"),),
)
