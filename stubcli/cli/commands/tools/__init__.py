"""`stub tools`: the definitions of the tools, for a harness that registers them."""

import json

from stubcli.agents.tools.calls import FORMATS, define_tools
from stubcli.cli.command import Command, Given
from stubcli.cli.output import emit
from stubcli.errors import OK
from stubcli.settings import readers
from stubcli.settings.option import Option

_FORMAT: Option[str] = Option(
    "format",
    "--format",
    "The API that the definitions are for.",
    readers.choice(*FORMATS),
    default=FORMATS[0],
    choices=FORMATS,
)


def run(given: Given) -> int:
    """Print the definitions as that API takes them."""
    emit(json.dumps(define_tools(given[_FORMAT]), indent=2).encode("ascii") + b"\n")
    return OK


COMMAND = Command(
    "tools",
    """Print or call the tools offered to a model.

    Prints the definitions of stub_read, stub_search, stub_query and stub_list for a harness.
    """,
    run,
    (_FORMAT,),
    store=False,
    examples=(("Definitions for the Messages API:", "stub tools --format anthropic"),),
)
