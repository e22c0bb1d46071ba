"""`stub tools`: the tool definitions for a harness, and one call of a tool."""

import json
import os

from stubcli.agents.tools.catalog import call_tool, define_tools
from stubcli.commands.answer import emit
from stubcli.descriptors import STDIN
from stubcli.errors import OK, UsageError
from stubcli.settings.load import Settings

_LARGEST = 4 << 20


def definitions(output_format: str) -> int:
    """Print the definitions as that API takes them. Raises UsageError."""
    emit(json.dumps(define_tools(output_format), indent=2).encode("ascii") + b"\n")
    return OK


def call(settings: Settings, name: str) -> int:
    """Run a tool with the JSON arguments on stdin, print its answer as one JSON object.

    text is for the model; next holds the arguments of the call that goes on, else null. What the
    arguments get wrong is an answer with is_error; a tool that does not exist is a UsageError.
    """
    answer = call_tool(name, _arguments(), settings)
    document = {"is_error": answer.is_error, "text": answer.text, "next": answer.follow}
    emit(json.dumps(document).encode("ascii") + b"\n")
    return OK


def _arguments() -> object:
    """What stands on stdin: a JSON value, or nothing, which is an empty object."""
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
        return None  # answered as what is no object
