"""Agents are found by the files of one folder: adding an agent is adding a file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stubcli
from stubcli.agents.host import host_names, load_host
from stubcli.errors import UsageError
from tests.agents.home import Home
from tests.agents.samples import SEQ, sample_of
from tests.helpers import Ran

PACKAGE = Path(stubcli.__file__).parent
NEW_HOST = '''"""An agent that nobody has heard of."""

from stubcli.agents.host import Commands, Event, Host
from stubcli.agents.offloader import Offloader


def _hook_entry(commands: Commands) -> dict[str, object]:
    return {"run": commands.hook_line("marvin")}


def _answer(event: Event, offloader: Offloader) -> Event | None:
    stub = offloader.offload(str(event.get("text")), "shell")
    return None if stub is None else {"instead": stub}


HOST = Host(
    "marvin",
    "Marvin",
    directory="~/.marvin",
    project_directory=".marvin",
    settings=("brain.json",),
    event="afterwards",
    hook_entry=_hook_entry,
    answer=_answer,
    note="expect little",
)
'''


def test_the_names_are_those_of_the_files() -> None:
    files = {path.stem for path in (PACKAGE / "agents" / "hosts").glob("*.py")}
    assert host_names() == tuple(sorted(files - {"__init__"}))
    assert {"claude", "codex", "copilot", "cursor", "gemini", "opencode"} <= set(host_names())


@pytest.mark.parametrize("name", host_names())
def test_a_host_is_loaded_by_its_name_and_has_a_test_of_its_own(name: str) -> None:
    host = load_host(name)
    assert host.name == name
    assert host.title
    assert sample_of(name).settings.endswith(host.settings[-1])


@pytest.mark.parametrize(
    "name", ["", "who", "cluade", "__init__", "_x", "claude.HOST", "../claude", "a\0b", "\ud800"]
)
def test_what_is_no_name_of_a_host_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="unknown agent"):
        load_host(name)


def test_a_host_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        load_host("claude").title = "Another"


def test_listing_the_names_imports_no_host() -> None:
    script = (
        "import sys; from stubcli.agents.host import host_names; host_names(); "
        "print([name for name in sys.modules if name.startswith('stubcli.agents.hosts.')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout == b"[]\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, in a folder from which it can be imported."""
    shutil.copytree(
        PACKAGE, tmp_path / "copy" / "stubcli", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path / "copy"


def run_copy(copy: Path, home: Home, *arguments: str, stdin: bytes = b"") -> Ran:
    done = subprocess.run(
        [sys.executable, "-m", "stubcli", *arguments],
        input=stdin,
        capture_output=True,
        cwd=home.project,
        env={
            **os.environ,
            "PYTHONPATH": str(copy),
            "HOME": str(home.path),
            "PATH": f"{home.path / 'bin'}:/usr/bin:/bin",
            "STUB_HOME": str(home.path / "store"),
        },
        check=False,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_a_file_more_is_an_agent_more(copy: Path, home: Home) -> None:
    unknown = run_copy(copy, home, "init", "marvin", "--dry-run")
    assert unknown.status == 2
    (copy / "stubcli" / "agents" / "hosts" / "marvin.py").write_text(NEW_HOST)

    shown = run_copy(copy, home, "init", "marvin", "--dry-run")
    assert shown.status == 0
    assert f'"run": "{home.stub} hook marvin"'.encode() in shown.out
    assert f"{home.path}/.marvin/brain.json".encode() in shown.err

    answered = run_copy(copy, home, "hook", "marvin", stdin=json.dumps({"text": SEQ}).encode())
    assert json.loads(answered.out)["instead"].startswith("[stub artifact:")
    assert run_copy(copy, home, "hook", "marvin", stdin=b'{"text": "small"}') == Ran(0, b"", b"")

    misspelt = run_copy(copy, home, "init", "marvni")
    assert b"unknown agent 'marvni'; did you mean marvin?" in misspelt.err


def test_a_new_agent_is_installed_and_taken_out_again(copy: Path, home: Home) -> None:
    (copy / "stubcli" / "agents" / "hosts" / "marvin.py").write_text(NEW_HOST)
    done = run_copy(copy, home, "init", "marvin")
    assert b"stub: Marvin: expect little\n" in done.err
    assert json.loads((home.path / ".marvin" / "brain.json").read_text()) == {
        "hooks": {"afterwards": [{"run": f"{home.stub} hook marvin"}]}
    }
