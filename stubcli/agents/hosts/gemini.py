"""Gemini CLI: a hook after each command, answered by a second one that shows the stub.

Observed on 0.61. Refusing the first result with a reason would also replace it, but as an error.
"""

import os
import re
import sys

from stubcli.agents.events import command_of
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader

_SHELL = "run_shell_command"
_TRAILER = re.compile(
    r"(?:\nExit Code: (\d{1,3}))?(?:\nProcess Group PGID: \d+)?(?:\n</untrusted_context>)?"
)


def _hook_entry(commands: Commands) -> dict[str, object]:
    # The time-out is in milliseconds.
    line = commands.hook_line("gemini")
    hook = {"name": "stub", "type": "command", "command": line, "timeout": 30000}
    return {"matcher": _SHELL, "hooks": [hook]}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    """AfterTool: a second call of the shell, which shows the stub, becomes the first's result."""
    given = event.get("tool_response")
    if event.get("hook_event_name") != "AfterTool" or "original_request_name" in event:
        return None
    if event.get("tool_name") != _SHELL or not isinstance(given, dict):
        return None
    content = given.get("llmContent")
    if not isinstance(content, str):
        return None
    text, status = _take_from_frame(content, given.get("returnDisplay"))
    command = command_of(event.get("tool_input"))
    stub = offloader.offload(text, _SHELL, command=command, status=status)
    if stub is None:
        return None
    show = f"{_find_own_command()} show {_short_reference(stub)}"
    tail = {"name": _SHELL, "args": {"command": show}}
    return {"hookSpecificOutput": {"hookEventName": "AfterTool", "tailToolCallRequest": tail}}


def _take_from_frame(content: str, shown: object) -> tuple[str, int | None]:
    """The output by itself, and the exit status, which it gives only where it is not 0.

    The output is in a frame, and by itself in what is shown to the user. Where the frame says
    more than those two lines (a signal, an error), all of it is the output.
    """
    for opening in ("<untrusted_context>\nOutput: ", "Output: "):
        if not isinstance(shown, str) or not content.startswith(opening + shown):
            continue
        if trailer := _TRAILER.fullmatch(content, len(opening) + len(shown)):
            return shown, int(trailer[1]) if trailer[1] else None
    return content, None


def _find_own_command() -> str:
    """How the host's shell finds us: by the plain name, for which a user may have a rule."""
    import shlex
    import shutil

    return "stub" if shutil.which("stub") else shlex.quote(os.path.abspath(sys.argv[0]))


def _short_reference(stub: str) -> str:
    """The digits by which a stub's artifact is found from any session."""
    from stubcli.reference import parse

    return (parse(stub[: stub.index("]") + 1]).digest or "")[:16]


HOST = Host(
    "gemini",
    "Gemini CLI",
    directory="~/.gemini",
    project_directory=".gemini",
    settings=("settings.json",),
    comments=True,
    event="AfterTool",
    hook_entry=_hook_entry,
    answer=_answer,
    rules="GEMINI.md",
    project_rules="GEMINI.md",
    note="allow it to run `stub show`",
)
