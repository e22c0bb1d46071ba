"""`stub lease abort`: the reference was not published and never will be."""

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.commands.lease._common import TRANSACTION, report
from stubcli.cli.place import opened, session_of
from stubcli.retention.leases import lease as leases


def run(given: Given) -> int:
    """Move the lease of that transaction."""
    settings = given.settings()
    with opened(settings, session_of(settings)) as session:
        return report(given, leases.abort(session, given[TRANSACTION]))


COMMAND = Command(
    "lease abort",
    "Say that the reference was not published and never will be.",
    run,
    (TRANSACTION, JSON),
    examples=(("If the memory refused it:", "stub lease abort m3"),),
)
