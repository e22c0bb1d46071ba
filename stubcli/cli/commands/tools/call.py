"""`stub tools call`: one call of a tool, its arguments as JSON on standard input."""

import json
import os

from stubcli.agents.tools.calls import TOOLS, call_tool
from stubcli.cli.command import Command, Given
from stubcli.cli.output import emit
from stubcli.descriptors import STDIN
from stubcli.errors import OK, UsageError
from stubcli.settings import readers
from stubcli.settings.option import Option

_LARGEST = 4 << 20
_NAME: Option[str] = Option(
    "name",
    (),
    f"The tool: {', '.join(TOOLS)}.",
    readers.text,
    kind="argument",
    metavar="NAME",
    choices=tuple(TOOLS),
    required=True,
)


def run(given: Given) -> int:
    """Print the answer as one JSON object.

    What the arguments get wrong is an answer with is_error; a tool that does not exist is a
    UsageError.
    """
    answer = call_tool(given[_NAME], _arguments(), given.settings())
    document = {"is_error": answer.is_error, "text": answer.text, "next": answer.follow}
    emit(json.dumps(document).encode("ascii") + b"\n")
    return OK


def _arguments() -> object:
    """A JSON value from standard input, or nothing, which is an empty object."""
    if os.isatty(STDIN):
        raise UsageError("the arguments are read from stdin", "echo '{}' | stub tools call NAME")
    data = b""
    while len(data) <= _LARGEST and (more := os.read(STDIN, 1 << 16)):
        data += more
    if len(data) > _LARGEST:
        return None
    try:
        return json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError):
        return None  # answered as arguments that are not an object


COMMAND = Command(
    "tools call",
    """Call a tool with the arguments on stdin.

    The arguments are a JSON object; prints {"is_error", "text", "next"}.

    text is for the model and below 20,000 characters; next holds the arguments of the call that
    continues, or null. A mistake in the arguments is such an answer, with status 0.
    """,
    run,
    (_NAME,),
    examples=(("List what is kept:", "echo '{}' | stub tools call stub_list"),),
)
