"""`stub messages offload`."""

from stubcli.cli.command import Command, Given
from stubcli.cli.commands.messages._edit import OFFLOAD, PARAMETERS, edit, refuse


def run(given: Given) -> int:
    """Offload the list."""
    return edit(OFFLOAD, given)


COMMAND = Command(
    "messages offload",
    """Before the model sees a turn: replace what is too large, alone or together, by stubs.

    A decision is repeated byte for byte in every later run on the session.
    """,
    run,
    PARAMETERS,
    refuse=refuse,
    examples=(("What would be replaced:", "echo '[]' | stub messages offload --dry-run"),),
)
