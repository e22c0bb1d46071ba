"""`stub lease`: who needs an artifact, and until when. One file a command."""

from stubcli.cli.command import Group

COMMAND = Group(
    "lease",
    """Say who needs an artifact, so that gc keeps it.

    A lease is prepared before a reference to an artifact is published in a memory, committed when
    it is, and released when the reference is removed. While it is prepared or committed the
    artifact is kept. reconcile asks the memory itself what was published.
    """,
)
