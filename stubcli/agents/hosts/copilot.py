"""Copilot CLI: a hook after each command (observed on 1.0).

Its hook before a command denies the command wherever the hook itself fails: not used.
"""

import re

from stubcli.agents.events import command_of, read_host_file
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader

_SAVED = re.compile(r"Output too large to read at once [^\n]*? Saved to: (/[^\n]+)\n")
_ENDED = re.compile(r"<shellId: \S+ completed with exit code (\d{1,3})>\s*\Z")


def _hook_entry(commands: Commands) -> dict[str, object]:
    line = commands.hook_line("copilot")
    return {"type": "command", "matcher": "bash", "bash": line, "timeoutSec": 30}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    """postToolUse; the event has no name in it. A failed command is a success here, too."""
    given = event.get("toolResult")
    if not isinstance(given, dict) or not isinstance(given.get("textResultForLlm"), str):
        return None
    text: str = given["textResultForLlm"]
    whole: str | bytes | None = text
    ended = _ENDED.search(text)
    if saved := _SAVED.match(text):
        # Of a command that still runs the file holds only what came so far.
        whole = read_host_file(saved[1]) if ended else None
    if whole is None:
        return None
    stub = offloader.offload(
        whole,
        event.get("toolName"),
        command=command_of(event.get("toolArgs")),
        status=int(ended[1]) if ended else None,
    )
    if stub is None:
        return None
    kind = given.get("resultType", "success")
    return {"modifiedResult": {"resultType": kind, "textResultForLlm": stub}}


HOST = Host(
    "copilot",
    "Copilot CLI",
    directory="~/.copilot",
    project_directory=".github",
    variable="COPILOT_HOME",
    settings=("hooks/stub.json",),
    hooks_only=True,
    required={"version": 1},
    event="postToolUse",
    hook_entry=_hook_entry,
    answer=_answer,
    rules="copilot-instructions.md",
)
