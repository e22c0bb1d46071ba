"""Cursor: a hook after each MCP tool; the output of its shell cannot be replaced.

From its documentation (https://cursor.com/docs/agent/hooks), not observed.
"""

import json

from stubcli.agents.events import replace_text_blocks
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader
from stubcli.debug import swallowed


def _hook_entry(commands: Commands) -> dict[str, object]:
    return {"command": commands.hook_line("cursor"), "matcher": "^MCP", "timeout": 30}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    """postToolUse of MCP tools."""
    tool, given = event.get("tool_name"), event.get("tool_output")
    if event.get("hook_event_name") != "postToolUse" or not isinstance(given, str):
        return None
    if not isinstance(tool, str) or not tool.startswith("MCP"):
        return None
    call_id = event.get("tool_use_id")
    try:
        document = json.loads(given)
    except (ValueError, RecursionError) as error:
        swallowed("the output of Cursor's MCP tool, taken as plain text", error)
        document = None
    if isinstance(document, dict) and isinstance(document.get("content"), list):
        blocks = replace_text_blocks(document["content"], tool, call_id, offloader)
        new: object = None if blocks is None else {**document, "content": blocks}
    else:
        new = offloader.offload(given, tool, call_id=call_id)
    return None if new is None else {"updated_mcp_tool_output": new}


HOST = Host(
    "cursor",
    "Cursor",
    directory="~/.cursor",
    project_directory=".cursor",
    settings=("hooks.json",),
    hooks_only=True,
    required={"version": 1},
    event="postToolUse",
    hook_entry=_hook_entry,
    answer=_answer,
    # It takes silence for invalid JSON, and blocks the tool.
    unchanged={},
    rules=None,
    note="its hooks can replace the outputs of MCP tools only, not those of its shell",
)
