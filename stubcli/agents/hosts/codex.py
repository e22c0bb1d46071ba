"""Codex: a hook after each command, once the user trusts it (observed on 0.171).

Its hook before a command can rewrite it only where it also grants the permission: not used.
"""

from stubcli.agents.events import command_of
from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader

# What Codex puts before an output whose middle it has cut; nobody has the rest.
_CUT = "Warning: truncated output (original token count:"
_NOTICE = "Codex tells a hook no exit status"


def _hook_entry(commands: Commands) -> dict[str, object]:
    hook = {"type": "command", "command": commands.hook_line("codex"), "timeout": 30}
    return {"matcher": "Bash", "hooks": [hook]}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    """PostToolUse, for failures too. Any key beyond these two fails the hook.

    What Codex has cut is not kept: as an artifact it would pass for the whole.
    """
    given = event.get("tool_response")
    if event.get("hook_event_name") != "PostToolUse" or not isinstance(given, str):
        return None
    if given.startswith(_CUT):
        return None
    stub = offloader.offload(
        given,
        event.get("tool_name"),
        call_id=event.get("tool_use_id"),
        command=command_of(event.get("tool_input")),
        notice=_NOTICE,
    )
    return None if stub is None else {"decision": "block", "reason": stub}


HOST = Host(
    "codex",
    "Codex",
    directory="~/.codex",
    project_directory=".codex",
    variable="CODEX_HOME",
    settings=("hooks.json",),
    hooks_only=True,
    event="PostToolUse",
    hook_entry=_hook_entry,
    answer=_answer,
    note="type /hooks in Codex to trust the hook. It cuts outputs above 10 kB before hooks see "
    "them; tool_output_token_limit = 100000 in config.toml raises that limit",
)
