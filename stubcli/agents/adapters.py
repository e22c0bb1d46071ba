"""What each host says to a hook, and the answer that puts a stub in the place of an output.

One function a host: its event in, its answer out; None leaves the output as it is. What is not
exactly as it is known from the host is left alone. The shapes were observed on Claude Code 2.1,
Codex 0.171, Gemini CLI 0.61 and Copilot CLI 1.0; Cursor's are documented. opencode needs no hook.
"""

import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from stubcli.agents.desk import Desk, short_reference, spilled

Event = dict[str, Any]
# What Codex puts before an output whose middle it has cut; nobody has the rest.
_CODEX_CUT = "Warning: truncated output (original token count:"
_CODEX_SAYS = "Codex tells a hook no exit status"
_COPILOT_SAVED = re.compile(r"Output too large to read at once [^\n]*? Saved to: (/[^\n]+)\n")
_COPILOT_ENDED = re.compile(r"<shellId: \S+ completed with exit code (\d{1,3})>\s*\Z")
_GEMINI_TRAILER = re.compile(
    r"(?:\nExit Code: (\d{1,3}))?(?:\nProcess Group PGID: \d+)?(?:\n</untrusted_context>)?"
)


def claude(event: Event, desk: Desk) -> Event | None:
    """PostToolUse. A failed command comes as another event, whose answer cannot replace."""
    if _foreign(event) or event.get("hook_event_name") != "PostToolUse":
        return None
    given, tool = event.get("tool_response"), event.get("tool_name")
    new: Event | list[Any] | None = None
    if tool == "Bash":
        new = _claude_bash(event, given, desk)
    elif isinstance(tool, str) and tool.startswith("mcp__"):
        new = _blocks(given, tool, event.get("tool_use_id"), desk)
    if new is None:
        return None
    return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}


def _foreign(event: Event) -> bool:
    """Whether Cursor or Copilot runs Claude's hooks: each has a hook of its own."""
    return "cursor_version" in event or any(
        os.environ.get(name) for name in ("CURSOR_VERSION", "COPILOT_CLI")
    )


def _claude_bash(event: Event, given: Any, desk: Desk) -> Event | None:
    if not isinstance(given, dict) or not isinstance(given.get("stdout"), str):
        return None
    if given.get("isImage") or given.get("backgroundTaskId"):
        return None
    text: str | bytes | None = given["stdout"]
    if "persistedOutputPath" in given:
        # stdout is only its beginning then. Without the whole, the host's own way loses less.
        text = spilled(given["persistedOutputPath"])
        size = given.get("persistedOutputSize")
        if text is None or (type(size) is int and len(text) < size):
            return None
    assert text is not None
    stub = desk.keep(
        text, "Bash", call_id=event.get("tool_use_id"), command=_command(event.get("tool_input"))
    )
    if stub is None:
        return None
    # Left in, these two make the host wrap the stub into a preview of its own.
    dropped = ("persistedOutputPath", "persistedOutputSize")
    return {key: value for key, value in given.items() if key not in dropped} | {"stdout": stub}


def _command(arguments: Any) -> Any:
    return arguments.get("command") if isinstance(arguments, dict) else None


def _blocks(given: Any, tool: str, call_id: Any, desk: Desk) -> list[Any] | None:
    """The blocks of an MCP result, each text that is too large replaced; None where none is."""
    if not isinstance(given, list):
        return None
    new = []
    for block in given:
        text = block.get("text") if isinstance(block, dict) else None
        stub = None
        if isinstance(text, str) and block.get("type") == "text":
            stub = desk.keep(text, tool, call_id=call_id)
        new.append(block if stub is None else {**block, "text": stub})
    return new if new != given else None


def codex(event: Event, desk: Desk) -> Event | None:
    """PostToolUse, for failures too. Any key beyond these two fails the hook.

    What Codex has cut is not kept: as an artifact it would pass for the whole.
    """
    given = event.get("tool_response")
    if event.get("hook_event_name") != "PostToolUse" or not isinstance(given, str):
        return None
    if given.startswith(_CODEX_CUT):
        return None
    stub = desk.keep(
        given,
        event.get("tool_name"),
        call_id=event.get("tool_use_id"),
        command=_command(event.get("tool_input")),
        notice=_CODEX_SAYS,
    )
    return None if stub is None else {"decision": "block", "reason": stub}


def gemini(event: Event, desk: Desk) -> Event | None:
    """AfterTool: a second call of the shell, which shows the stub, becomes the first's result."""
    given = event.get("tool_response")
    if event.get("hook_event_name") != "AfterTool" or "original_request_name" in event:
        return None
    if event.get("tool_name") != "run_shell_command" or not isinstance(given, dict):
        return None
    text = given.get("llmContent")
    if not isinstance(text, str):
        return None
    text, status = _gemini_output(text, given.get("returnDisplay"))
    stub = desk.keep(
        text, "run_shell_command", command=_command(event.get("tool_input")), status=status
    )
    if stub is None:
        return None
    show = f"{_own()} show {short_reference(stub)}"
    tail = {"name": "run_shell_command", "args": {"command": show}}
    return {"hookSpecificOutput": {"hookEventName": "AfterTool", "tailToolCallRequest": tail}}


def _gemini_output(text: str, shown: Any) -> tuple[str, int | None]:
    """The output by itself, and the exit status, which is told only where it is not 0.

    The output stands in a frame, and by itself in what is shown to the user. Where the frame says
    more than those two lines (a signal, an error), all of it is the output.
    """
    for frame in ("<untrusted_context>\nOutput: ", "Output: "):
        if not isinstance(shown, str) or not text.startswith(frame + shown):
            continue
        if trailer := _GEMINI_TRAILER.fullmatch(text, len(frame) + len(shown)):
            return shown, int(trailer[1]) if trailer[1] else None
    return text, None


def _own() -> str:
    """How the host's shell finds us: by the plain name, for which a user may have a rule."""
    import shlex
    import shutil

    return "stub" if shutil.which("stub") else shlex.quote(os.path.abspath(sys.argv[0]))


def copilot(event: Event, desk: Desk) -> Event | None:
    """postToolUse; the event has no name in it. A failed command is a success here, too."""
    given = event.get("toolResult")
    if not isinstance(given, dict) or not isinstance(given.get("textResultForLlm"), str):
        return None
    text: str = given["textResultForLlm"]
    whole: str | bytes | None = text
    ended = _COPILOT_ENDED.search(text)
    if saved := _COPILOT_SAVED.match(text):
        # Of a command that still runs the file holds only what came so far.
        whole = spilled(saved[1]) if ended else None
    if whole is None:
        return None
    stub = desk.keep(
        whole,
        event.get("toolName"),
        command=_command(event.get("toolArgs")),
        status=int(ended[1]) if ended else None,
    )
    if stub is None:
        return None
    kind = given.get("resultType", "success")
    return {"modifiedResult": {"resultType": kind, "textResultForLlm": stub}}


def cursor(event: Event, desk: Desk) -> Event:
    """postToolUse of MCP tools; no other output can be replaced. An empty answer is no JSON."""
    tool, given = event.get("tool_name"), event.get("tool_output")
    if event.get("hook_event_name") != "postToolUse" or not isinstance(given, str):
        return {}
    if not isinstance(tool, str) or not tool.startswith("MCP"):
        return {}
    call_id = event.get("tool_use_id")
    try:
        document = json.loads(given)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and isinstance(document.get("content"), list):
        blocks = _blocks(document["content"], tool, call_id, desk)
        new = None if blocks is None else {**document, "content": blocks}
        return {} if new is None else {"updated_mcp_tool_output": new}
    stub = desk.keep(given, tool, call_id=call_id)
    return {} if stub is None else {"updated_mcp_tool_output": stub}


ADAPTERS: dict[str, Callable[[Event, Desk], Event | None]] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "copilot": copilot,
    "cursor": cursor,
}
