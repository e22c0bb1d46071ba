"""`stub mcp`: serve the tools over stdin and stdout, until stdin ends."""

import os
from collections.abc import Iterator

from stubcli.agents.mcp_server import LONGEST, McpServer, refuse_long_line
from stubcli.cli.command import Command, Given
from stubcli.cli.output import emit, say
from stubcli.descriptors import STDIN
from stubcli.errors import OK


def run(given: Given) -> int:
    """Answer each line. stdout is the protocol's alone; what there is to say goes to stderr."""
    if os.isatty(STDIN):
        say("waiting for an MCP client, which speaks to it over a pipe; end it with Ctrl-D")
    server = McpServer(given.settings, say)
    for line in _lines():
        if line is not None and not line.strip():
            continue
        answer = refuse_long_line() if line is None else server.answer(line)
        if answer is not None:
            emit(answer.encode("ascii") + b"\n")
    return OK


def _lines() -> Iterator[bytes | None]:
    """The lines of stdin; None in the place of one that is too long to be a message."""
    held, skipping = b"", False
    while data := os.read(STDIN, 1 << 16):
        held += data
        *lines, held = held.split(b"\n")
        for line in lines:
            if not skipping:
                yield line
            skipping = False
        if len(held) > LONGEST or (skipping and held):
            if not skipping:
                yield None
            held, skipping = b"", True
    if held and not skipping:
        yield held


COMMAND = Command(
    "mcp",
    """Serve the tools over MCP.

    The four tools and the artifacts, over the Model Context Protocol on stdin and stdout.

    For clients that take their tools from such servers: {"command": "stub", "args": ["mcp"]}.
    """,
    run,
    examples=(("End at once, since nobody asks anything:", "stub mcp < /dev/null"),),
)
