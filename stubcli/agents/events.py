"""What the adapters of several agents share: reading their events.

An event comes from another program: whatever is not of the type that it should be is left alone.
"""

from stubcli.agents.offloader import Offloader


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
