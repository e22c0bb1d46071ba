"""The README is run: every session in it gives what it shows, and its tables are complete.

`WRITE_README=1 python -m pytest tests/test_readme.py` writes what the sessions give now.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stubcli.settings.table import SETTINGS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
# Characters of the home's path.
_HOME = 160
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def build_log() -> str:
    """A build that goes on after an error: 41,214 lines, of which few matter."""
    lines = []
    for number in range(41_200):
        lines.append(f"[{number // 412:3d}%] Building CXX object src/module_{number:05d}.cpp.o")
        if number % 9_000 == 4_321:
            lines.append(f"src/module_{number:05d}.cpp:17:9: warning: unused variable 'left'")
        if number == 23_456:
            lines.append("src/module_23456.cpp:88:14: error: 'timeout_ms' was not declared")
            lines.append("make[2]: *** [src/module_23456.cpp.o] Error 1")
    lines.append("make[1]: Target 'all' not remade because of errors.")
    lines.append("make: *** [Makefile:101: all] Error 2")
    return "\n".join(lines) + "\n"


def orders() -> str:
    """3,000 orders, of which one in seven failed."""
    rows = ["id,customer,state,total"]
    for number in range(1, 3001):
        state = "failed" if number % 7 == 0 else "paid" if number % 3 else "open"
        rows.append(f"{number},c{number % 250:03d},{state},{number % 97}.50")
    return "\n".join(rows) + "\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory with a build log, and `stub` on PATH as it is here."""
    # How much of an output fits beside the path of its file depends on how long that is.
    home = tmp_path / "home".ljust(_HOME - len(str(tmp_path)) - 1, "_")
    work, programs = tmp_path / "demo", tmp_path / "bin"
    for folder in (home, work, programs):
        folder.mkdir()
    (work / "build.log").write_text(build_log())
    (work / "orders.csv").write_text(orders())
    script = programs / "stub"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m stubcli "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("STUB_SESSION", "demo")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return work


def run(command: str, place: Path) -> str:
    """What a terminal would show, with the places and times that differ made alike."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = done.stdout.decode("utf-8").replace(os.environ["HOME"], "/home/you")
    text = re.sub(r"unused for \d+ s\b", "unused for 2 s", text)
    return _TIME.sub("2026-01-01T00:00:00Z", text)


def commands(block: str) -> Iterator[str]:
    yield from (line[2:] for line in block.splitlines() if line.startswith("$ "))


def test_every_piece_of_python_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUB_HOME", str(tmp_path / "store"))
    output = "one line of many\n" * 5_000
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    given = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": output},
    ]
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        found: dict[str, Any] = {"output": output, "messages": given}
        exec(block, found)
        assert found["whole"] == output.encode()
        assert found["messages"][1]["content"].startswith("[stub artifact:s:")
        assert found["report"].over == ()


def test_every_session_gives_what_it_shows(place: Path) -> None:
    text = README.read_text()
    for block in _BLOCK.findall(text):
        given = "".join(f"$ {command}\n{run(command, place)}" for command in commands(block))
        if os.environ.get("WRITE_README"):
            text = text.replace(f"```console\n{block}```", f"```console\n{given}```")
        else:
            assert given == block
    if os.environ.get("WRITE_README"):
        README.write_text(text)


def test_the_configuration_that_is_shown_is_accepted(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = re.findall(r"```yaml\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(shown) == 1
    config = place / "config.yaml"
    config.write_text(shown[0])
    monkeypatch.setenv("STUB_CONFIG", str(config))
    assert f"{config}: threshold" in run("stub config", place)
    assert f"{config}: tools.grep.threshold" in run("stub config --tool grep", place)


def test_every_setting_and_command_is_named() -> None:
    text = README.read_text()
    for setting in SETTINGS:
        assert f"`{setting.name}`" in text, setting.name
    for command in ("read", "search", "ls", "show", "check", "stats", "config"):
        assert f"`stub {command}" in text, command


def test_the_floors_name_every_room() -> None:
    text = README.read_text()
    for path in (ROOT / "stubcli").iterdir():
        name = path.stem if path.is_file() else f"{path.name}/"
        # py.typed is a mark for type checkers and no room.
        if not name.startswith("__") and path.suffix != ".typed":
            assert f"`{name}`" in text, name


def test_the_two_commands_stand_in_it() -> None:
    lines = README.read_text().splitlines()
    main = [line.strip() for line in lines if "find / -xdev 2>/dev/null |" in line]
    tests = [line.strip() for line in lines if "-m pytest" in line and "venv" in line]
    assert len(main) == len(tests) == 1
