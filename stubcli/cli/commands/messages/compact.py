"""`stub messages compact`."""

from stubcli.cli.command import Command, Given
from stubcli.cli.commands.messages._edit import COMPACT, PARAMETERS, edit, refuse


def run(given: Given) -> int:
    """Compact the list."""
    return edit(COMPACT, given)


COMMAND = Command(
    "messages compact",
    """When over the limit, shrink old results to two lines, then old texts to one line each.

    What came after the last message of the assistant is never touched.
    """,
    run,
    PARAMETERS,
    refuse=refuse,
    examples=(("What would be replaced:", "echo '[]' | stub messages compact --dry-run"),),
)
