"""Claude Code: its shell prefix, and a hook for what no shell runs (observed on 2.1).

The prefix is applied after the permission rules, which see the command as it was typed. A hook
before the command would be matched by these rules after its rewriting, so there is none.
"""

import os

from stubcli.agents.events import command_of, replace_text_blocks
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader

_COMPARED = 2000
# Left in, these two make the host wrap the stub into a preview of its own.
_PERSISTED = ("persistedOutputPath", "persistedOutputSize")


def _hook_entry(commands: Commands) -> dict[str, object]:
    # args makes it the exec form: no shell, and so not through the shell prefix.
    hook = {"type": "command", "command": commands.stub, "args": ["hook", "claude"], "timeout": 30}
    return {"matcher": "Bash|mcp__.*", "hooks": [hook]}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    """PostToolUse. A failed command comes as another event, whose answer cannot replace."""
    if _is_from_another_agent(event) or event.get("hook_event_name") != "PostToolUse":
        return None
    given, tool = event.get("tool_response"), event.get("tool_name")
    new: object = None
    if tool == "Bash":
        new = _replace_stdout(event, given, offloader)
    elif isinstance(tool, str) and tool.startswith("mcp__"):
        new = replace_text_blocks(given, tool, event.get("tool_use_id"), offloader)
    if new is None:
        return None
    return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}


def _is_from_another_agent(event: Event) -> bool:
    """Whether Cursor or Copilot runs Claude's hooks: each has a hook of its own."""
    return "cursor_version" in event or any(
        os.environ.get(name) for name in ("CURSOR_VERSION", "COPILOT_CLI")
    )


def _replace_stdout(event: Event, given: object, offloader: Offloader) -> Event | None:
    if not isinstance(given, dict) or not isinstance(given.get("stdout"), str):
        return None
    if given.get("isImage") or given.get("backgroundTaskId"):
        return None
    text: str | bytes = given["stdout"]
    if "persistedOutputPath" in given:
        # stdout is only its beginning then. Without the whole, the host's own way loses less.
        whole = _read_persisted(given, event.get("duration_ms"))
        if whole is None:
            return None
        text = whole
    stub = offloader.offload(
        text,
        "Bash",
        call_id=event.get("tool_use_id"),
        command=command_of(event.get("tool_input")),
    )
    if stub is None:
        return None
    return {key: value for key, value in given.items() if key not in _PERSISTED} | {"stdout": stub}


def _read_persisted(given: Event, milliseconds: object) -> bytes | None:
    """The whole output, from PROJECT/SESSION/tool-results in the folder of Claude's projects."""
    import re

    from stubcli.agents.spilled import Spilled

    path, size = given["persistedOutputPath"], given.get("persistedOutputSize")
    if not isinstance(path, str) or type(size) is not int:
        return None
    home = os.environ.get(HOST.variable) or os.path.expanduser(HOST.directory)
    return Spilled(
        path,
        os.path.join(home, "projects"),
        re.compile(r"[^/]+/[^/]+/tool-results/[\w.-]+\.txt"),
        (size, size),
        # Up to where the host may have cut it, or said something else, in the middle.
        str(given["stdout"])[:_COMPARED],
        milliseconds / 1000 if isinstance(milliseconds, int | float) else 0,
        links=2,  # it has a second name in the host's temporary folder, as a task's output
    ).read()


HOST = Host(
    "claude",
    "Claude Code",
    directory="~/.claude",
    project_directory=".claude",
    variable="CLAUDE_CONFIG_DIR",
    settings=("settings.json",),
    # The one that is not committed: it names a path of this machine.
    project_settings=("settings.local.json",),
    shell_key=("env", "CLAUDE_CODE_SHELL_PREFIX"),
    event="PostToolUse",
    hook_entry=_hook_entry,
    answer=_answer,
    rules="CLAUDE.md",
    project_rules="CLAUDE.md",
    skills=".claude/skills",
    note="restart running sessions to pick this up",
)
