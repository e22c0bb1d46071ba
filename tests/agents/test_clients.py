"""The agents themselves, offline, against a model of our own: a failing command of 108 KB reaches
it as one stub, with its last line, whole in the store.

Each is skipped where it is installed neither on the PATH nor in the folder $AGENT_CLIENTS, such as
the node_modules/.bin that this makes: npm install @anthropic-ai/claude-code @google/gemini-cli
@openai/codex @github/copilot opencode-ai
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.agents.models import model
from tests.conftest import Store
from tests.helpers import artifact_of, sha256

OUTPUT = "".join(f"{number}\n" for number in range(1, 20001)).encode()
PACKAGE = Path(__file__).parent.parent.parent / "stubcli"
ANY_KEY = "not-a-key"


@dataclass(frozen=True)
class Client:
    """How an agent is started. settings writes what leads it to the model at that address."""

    program: str
    arguments: tuple[str, ...]
    settings: Callable[[Path, str], dict[str, str]]
    status_in_stub: bool = True


def _claude(home: Path, address: str) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": ANY_KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def _gemini(home: Path, address: str) -> dict[str, str]:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text(
        '{\n  // offline\n  "security": {"auth": {"selectedType": "gemini-api-key"}},\n'
        '  "privacy": {"usageStatisticsEnabled": false}\n}\n'
    )
    return {"GEMINI_API_KEY": ANY_KEY, "GOOGLE_GEMINI_BASE_URL": address}


def _codex(home: Path, address: str) -> dict[str, str]:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        'model = "m"\nmodel_provider = "local"\ntool_output_token_limit = 100000\n'
        f'[model_providers.local]\nname = "local"\nbase_url = "{address}/v1"\n'
        'wire_api = "responses"\n'
    )
    return {}


def _opencode(home: Path, address: str) -> dict[str, str]:
    (home / ".config" / "opencode").mkdir(parents=True)
    (home / ".config" / "opencode" / "opencode.json").write_text(
        '{"model": "local/m", "small_model": "local/m", "autoupdate": false,\n'
        ' "permission": {"bash": "allow"},\n'
        ' "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "local",\n'
        f'  "options": {{"baseURL": "{address}/v1", "apiKey": "{ANY_KEY}"}},\n'
        '  "models": {"m": {"name": "m"}}}}}\n'
    )
    return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}


def _copilot(home: Path, address: str) -> dict[str, str]:
    return {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{address}/v1",
        "COPILOT_MODEL": "m",
        "COPILOT_PROVIDER_API_KEY": ANY_KEY,
    }


CLIENTS = {
    "claude": Client("claude", ("-p", "run it", "--allowedTools", "Bash"), _claude),
    "gemini": Client(
        "gemini", ("-m", "gemini-2.5-flash", "-y", "--skip-trust", "-p", "run it"), _gemini
    ),
    "codex": Client(
        "codex",
        (
            "exec",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            "--skip-git-repo-check",
            "run it",
        ),
        _codex,
        status_in_stub=False,
    ),
    "opencode": Client("opencode", ("run", "run it"), _opencode),
    "copilot": Client("copilot", ("-p", "run it", "--allow-all-tools"), _copilot),
}


def _installed(program: str) -> str:
    folder = os.environ.get("AGENT_CLIENTS", os.environ.get("PATH", ""))
    found = shutil.which(program, path=folder)
    if not found:
        pytest.skip(f"{program} is not installed here: see the head of this file")
    return found


def _commands(folder: Path) -> None:
    """`stub` and `stub-shell` as an installation puts them."""
    folder.mkdir()
    for name, line in (
        ("stub", f'exec "{sys.executable}" -P -m stubcli "$@"'),
        ("stub-shell", f'exec /bin/sh "{PACKAGE}/process/stub-shell" "$@"'),
    ):
        (folder / name).write_text(f"#!/bin/sh\nPATH='{folder}':$PATH\n{line}\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize("host", CLIENTS)
def test_a_failing_command_reaches_the_model_as_one_stub(
    host: str, store: Store, tmp_path: Path
) -> None:
    client = CLIENTS[host]
    program = _installed(client.program)
    home, project, commands = tmp_path / "user", tmp_path / "project", tmp_path / "bin"
    home.mkdir()
    project.mkdir()
    _commands(commands)
    with model() as (address, results):
        environment = {
            "PATH": f"{commands}:{os.environ['PATH']}",
            "HOME": str(home),
            "SHELL": "/bin/bash",
            "PYTHONPATH": os.environ["PYTHONPATH"],
            "STUB_HOME": str(store.home),
            "STUB_SESSION": store.session,
            **client.settings(home, address),
        }
        for command in ([str(commands / "stub"), "init", host], [program, *client.arguments]):
            done = subprocess.run(
                command,
                cwd=project,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=240,
                check=False,
            )
            assert done.returncode == 0, done.stderr
    result = results[-1]
    assert len(result) < 6000
    start = result.index("[stub artifact:test:tool_result_001.txt:")
    end = result.rindex("[stub end artifact:")
    stub = result[start : result.index("]", end) + 1].encode()
    data = artifact_of(store, stub).read_bytes()
    # opencode's shell leaves standard error apart; Gemini CLI takes the last line end away.
    assert data.replace(b"REALTAIL", b"").strip() == OUTPUT.strip()
    assert "REALTAIL" in result
    assert sha256(data)[:12] in result
    assert ("exit: 3" in result) == client.status_in_stub
