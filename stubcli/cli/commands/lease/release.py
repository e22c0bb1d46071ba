"""`stub lease release`: the reference is removed."""

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.commands.lease._common import TRANSACTION, report
from stubcli.cli.place import opened, session_of
from stubcli.retention.leases import lease as leases


def run(given: Given) -> int:
    """Move the lease of that transaction."""
    settings = given.settings()
    with opened(settings, session_of(settings)) as session:
        return report(given, leases.release(session, given[TRANSACTION]))


COMMAND = Command(
    "lease release",
    "Say that the reference is removed.",
    run,
    (TRANSACTION, JSON),
    examples=(("After the memory has forgotten it:", "stub lease release m1"),),
)
