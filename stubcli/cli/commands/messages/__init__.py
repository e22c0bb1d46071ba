"""`stub messages`: the tool results in a list of chat messages, replaced. One file a command."""

from stubcli.cli.command import Group

COMMAND = Group(
    "messages",
    """Shrink the tool results in chat messages.

    They are replaced in place, and every replaced text can be read back.
    """,
)
