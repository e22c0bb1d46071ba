"""A user's home for `stub init`, and the events that hosts send, as they were observed."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stubcli import entry
from tests.helpers import Ran

HOSTS = ("claude", "codex", "gemini", "opencode", "copilot", "cursor")
SEQ = "".join(f"{number}\n" for number in range(1, 20001))
CALL = "toolu_01"
# The file of each host, below the home.
SETTINGS = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "copilot": ".copilot/hooks/stub.json",
    "cursor": ".cursor/hooks.json",
}
LOCATIONS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME")


@dataclass(frozen=True)
class Home:
    """A user with `stub` and `stub-shell` on the PATH, and a project to stand in."""

    path: Path
    capture: pytest.CaptureFixture[str]

    @property
    def stub(self) -> Path:
        return self.path / "bin" / "stub"

    @property
    def project(self) -> Path:
        return self.path / "project"

    def settings(self, host: str) -> Path:
        return self.path / SETTINGS[host]

    def write(self, host: str, text: str) -> Path:
        path = self.settings(host)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def init(self, *arguments: str, **environment: str) -> Ran:
        """`stub init`, in this process: a hundred of them are started here."""
        with pytest.MonkeyPatch.context() as patch:
            for name in LOCATIONS:
                patch.delenv(name, raising=False)
            patch.setenv("HOME", str(self.path))
            patch.setenv("PATH", f"{self.path / 'bin'}:/usr/bin:/bin")
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.chdir(self.project)
            patch.setattr(sys, "argv", ["stub", "init", *arguments])
            self.capture.readouterr()
            status = entry.main()
        said = self.capture.readouterr()
        return Ran(status, said.out.encode(), said.err.encode())

    def done(self, *arguments: str, **environment: str) -> Ran:
        ran = self.init(*arguments, **environment)
        assert ran.status == 0, ran
        return ran

    def files(self) -> dict[str, bytes]:
        """Every file of the home but the commands, with what stands in it."""
        return {
            str(path.relative_to(self.path)): path.read_bytes()
            for path in sorted(self.path.rglob("*"))
            if path.is_file() and "bin" not in path.parts
        }


def home_at(path: Path, capture: pytest.CaptureFixture[str]) -> Home:
    home = Home(path, capture)
    (path / "bin").mkdir(parents=True)
    home.project.mkdir()
    for name in ("stub", "stub-shell"):
        command = path / "bin" / name
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
    return home


def claude(response: object, tool: str = "Bash", **more: object) -> dict[str, Any]:
    return {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": response,
        "tool_use_id": CALL,
        "duration_ms": 12,
        **more,
    }


def claude_bash(stdout: str, **more: object) -> dict[str, Any]:
    return {
        "stdout": stdout,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
        **more,
    }


def codex(response: object, **more: object) -> dict[str, Any]:
    return {
        "session_id": "s",
        "turn_id": "t",
        "cwd": "/",
        "hook_event_name": "PostToolUse",
        "model": "m",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": response,
        "tool_use_id": CALL,
        **more,
    }


def gemini(output: str, trailer: str = "", **more: object) -> dict[str, Any]:
    framed = (
        f"<untrusted_context>\nOutput: {output}{trailer}\n"
        "Process Group PGID: 4711\n</untrusted_context>"
    )
    return {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "AfterTool",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "seq 1 20000"},
        "tool_response": {"llmContent": framed, "returnDisplay": output},
        **more,
    }


def copilot(text: str, **more: object) -> dict[str, Any]:
    return {
        "sessionId": "s",
        "timestamp": 1796022709300,
        "cwd": "/",
        "toolName": "bash",
        "toolArgs": {"command": "seq 1 20000"},
        "toolResult": {"resultType": "success", "textResultForLlm": text},
        **more,
    }


def copilot_saved(path: Path, end: str = "completed with exit code 3") -> dict[str, Any]:
    return copilot(
        f"Output too large to read at once (106.4 KB). Saved to: {path}\n"
        f"Consider using tools like grep.\n\nPreview (first 500 chars):\n1\n2\n\n<shellId: 0 {end}>"
    )


def cursor(output: str, tool: str = "MCP:search") -> dict[str, Any]:
    return {
        "conversation_id": "c",
        "cursor_version": "2.1.0",
        "hook_event_name": "postToolUse",
        "tool_name": tool,
        "tool_output": output,
        "cwd": "/",
    }


def sent(event: object) -> bytes:
    return json.dumps(event).encode()
