"""Copilot CLI: a hook after each command (observed on 1.0).

Its hook before a command denies the command wherever the hook itself fails: not used.
"""

import os
import re

from stubcli.agents.events import command_of
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader

# The whole of what it says in place of an output that it saved. A command may print the same.
_SAVED = re.compile(
    r"Output too large to read at once \(([0-9]+(?:\.[0-9])?) ([KMG]?B)\)\. Saved to: (/[^\n]+)\n"
    r"Consider using [^\n]+\n\nPreview \(first [0-9]+ chars\):\n(.*)\n"
    r"<shellId: \S+ completed with exit code [0-9]{1,3}>\s*",
    re.DOTALL,
)
_NAME = re.compile(r"[0-9]{13}-copilot-tool-output-[\w-]{1,100}\.txt", re.ASCII)
_UNITS = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
# Since the command's last word: it may have slept after that, and the event does not say.
_SILENT = 600.0
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
    saved = _SAVED.fullmatch(text)
    ended = _ENDED.search(text)
    stub = offloader.offload(
        (_read_saved(*saved.groups()) if saved else None) or text,
        event.get("toolName"),
        command=command_of(event.get("toolArgs")),
        status=int(ended[1]) if ended else None,
    )
    if stub is None:
        return None
    kind = given.get("resultType", "success")
    return {"modifiedResult": {"resultType": kind, "textResultForLlm": stub}}


def _read_saved(size: str, unit: str, path: str, preview: str) -> bytes | None:
    """The whole output, from a file of that name in the folder for temporary files."""
    from stubcli.agents.spilled import Spilled

    names = ("TMPDIR", "TMP", "TEMP")
    folder = next((os.environ[name] for name in names if os.environ.get(name)), "/tmp")  # noqa: S108
    # The size is rounded to one place.
    said, step = float(size) * _UNITS[unit], _UNITS[unit] / 10
    sizes = (int(said - step), int(said + step))
    return Spilled(path, folder, _NAME, sizes, preview, _SILENT).read()


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
