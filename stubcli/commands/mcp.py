"""`stub mcp`: serve the tools over stdin and stdout, until stdin ends."""

import os
from collections.abc import Callable, Iterator

from stubcli.agents.mcp_server import LONGEST, McpServer, refuse_long_line
from stubcli.commands.answer import emit, say
from stubcli.descriptors import STDIN
from stubcli.errors import OK
from stubcli.settings.load import Settings


def mcp(settings: Callable[[], Settings]) -> int:
    """Answer each line. stdout is the protocol's alone; what there is to say goes to stderr."""
    if os.isatty(STDIN):
        say("this is for an MCP client, which speaks to it over a pipe; end it with Ctrl-D")
    server = McpServer(settings, say)
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
