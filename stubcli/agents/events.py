"""What the adapters of several agents share: reading their events, and the files that they name.

An event comes from another program: whatever is not of the type that it should be is left alone.
"""

import os
import stat

from stubcli.agents.offloader import LARGEST, Offloader
from stubcli.debug import swallowed


def command_of(arguments: object) -> object:
    """The command among the arguments of a shell tool."""
    return arguments.get("command") if isinstance(arguments, dict) else None


def replace_text_blocks(
    given: object, tool: str, call_id: object, offloader: Offloader
) -> list[object] | None:
    """The blocks of an MCP result, a stub in each text that is too large; None where none is."""
    if not isinstance(given, list):
        return None
    new: list[object] = []
    for block in given:
        text = block.get("text") if isinstance(block, dict) else None
        stub = None
        if isinstance(text, str) and block.get("type") == "text":
            stub = offloader.offload(text, tool, call_id=call_id)
        new.append(block if stub is None else {**block, "text": stub})
    return new if new != given else None


def read_host_file(path: object) -> bytes | None:
    """The output that a host wrote to a file; None where it is not a regular file of this user."""
    if not isinstance(path, str) or not os.path.isabs(path):
        return None
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:
        swallowed("reading the file of a host", error)
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        swallowed("reading the file of a host", error)
        return None
    finally:
        os.close(descriptor)
    return data if len(data) <= LARGEST else None
