"""The agents that can be plugged into: which files, and what of ours belongs into them.

A table of facts. Where a rule of a host decides, it is said beside it.
"""

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stubcli.errors import UsageError, nearest

SHELL = "stub-shell"
Document = dict[str, Any]


@dataclass(frozen=True)
class Commands:
    """The absolute paths of the two commands that configurations name."""

    stub: str
    shell: str


@dataclass(frozen=True)
class Host:
    """One agent. Paths are below its directory, or below the project.

    variable: what moves the directory of the user, and the way below it. settings: the file that
    is changed: the first of these names that is there, else the last. comments: whether the
    agent's own reader of it accepts them. shell_key: where a shell of ours makes every
    command stubbed. event, hook: where a hook goes, and what it is for given commands. rules: the
    user's own file with instructions.
    """

    name: str
    title: str
    directory: str
    project_directory: str
    settings: tuple[str, ...]
    project_settings: tuple[str, ...] = ()
    variable: str = ""
    comments: bool = False
    shell_key: tuple[str, ...] = ()
    event: str = ""
    hook: Callable[[Commands], Document] | None = None
    rules: str | None = "AGENTS.md"
    project_rules: str = "AGENTS.md"
    skills: str = ".agents/skills"
    note: str = ""


def _line(commands: Commands, host: str) -> str:
    return f"{shlex.quote(commands.stub)} hook {host}"


def _claude(commands: Commands) -> Document:
    # args makes it the exec form: no shell, and so not through the shell prefix.
    hook = {
        "type": "command",
        "command": commands.stub,
        "args": ["hook", "claude"],
        "timeout": 30,
    }
    return {"matcher": "Bash|mcp__.*", "hooks": [hook]}


def _codex(commands: Commands) -> Document:
    hook = {"type": "command", "command": _line(commands, "codex"), "timeout": 30}
    return {"matcher": "Bash", "hooks": [hook]}


def _gemini(commands: Commands) -> Document:
    # The time-out is in milliseconds.
    command = _line(commands, "gemini")
    hook = {"name": "stub", "type": "command", "command": command, "timeout": 30000}
    return {"matcher": "run_shell_command", "hooks": [hook]}


def _copilot(commands: Commands) -> Document:
    return {
        "type": "command",
        "matcher": "bash",
        "bash": _line(commands, "copilot"),
        "timeoutSec": 30,
    }


def _cursor(commands: Commands) -> Document:
    return {"command": _line(commands, "cursor"), "matcher": "^MCP", "timeout": 30}


HOSTS = {
    host.name: host
    for host in (
        Host(
            "claude",
            "Claude Code",
            "~/.claude",
            ".claude",
            ("settings.json",),
            # The one that is not committed: it names a path of this machine.
            ("settings.local.json",),
            variable="CLAUDE_CONFIG_DIR",
            # Applied behind the permission rules, which see the command as it was typed.
            shell_key=("env", "CLAUDE_CODE_SHELL_PREFIX"),
            event="PostToolUse",
            hook=_claude,
            rules="CLAUDE.md",
            project_rules="CLAUDE.md",
            skills=".claude/skills",
            note="running sessions take it up when they are started anew",
        ),
        Host(
            "codex",
            "Codex",
            "~/.codex",
            ".codex",
            ("hooks.json",),
            variable="CODEX_HOME",
            event="PostToolUse",
            hook=_codex,
            note="trust the hook there: type /hooks. Outputs above 10 kB are cut before hooks see "
            "them; with tool_output_token_limit = 100000 in config.toml they come whole",
        ),
        Host(
            "gemini",
            "Gemini CLI",
            "~/.gemini",
            ".gemini",
            ("settings.json",),
            comments=True,
            event="AfterTool",
            hook=_gemini,
            rules="GEMINI.md",
            project_rules="GEMINI.md",
            note="it needs leave to run: stub show",
        ),
        Host(
            "opencode",
            "opencode",
            "~/.config/opencode",
            ".opencode",
            ("opencode.jsonc", "opencode.json"),
            variable="XDG_CONFIG_HOME/opencode",
            comments=True,
            # Its hooks come too late: of 108 kB they were handed 100 kB as the whole, and a hook
            # before the command would hide it from the permission rules. Its shell does neither.
            shell_key=("shell",),
        ),
        Host(
            "copilot",
            "Copilot CLI",
            "~/.copilot",
            ".github",
            ("hooks/stub.json",),
            variable="COPILOT_HOME",
            event="postToolUse",
            hook=_copilot,
            rules="copilot-instructions.md",
        ),
        Host(
            "cursor",
            "Cursor",
            "~/.cursor",
            ".cursor",
            ("hooks.json",),
            event="postToolUse",
            hook=_cursor,
            rules=None,
            note="it lets a hook replace the outputs of MCP tools only, not those of its shell",
        ),
    )
}


def directory(host: Host) -> str:
    """Where the host keeps what is this user's."""
    variable, _, below = host.variable.partition("/")
    given = os.environ.get(variable, "") if variable else ""
    return os.path.join(given, below) if given else os.path.expanduser(host.directory)


def host_named(name: str) -> Host:
    """Raises UsageError that names the nearest."""
    if name not in HOSTS:
        raise UsageError(f"no agent {name!r} is known", nearest(name, tuple(HOSTS)))
    return HOSTS[name]
