"""What comes new has one place: a setting is a row, and everything that shows settings knows it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROW = """
    shelf_life = Setting(
        "7d",
        readers.duration,
        "Days that milk keeps.",
        on=("gc", "stub"),
        per_tool=True,
        choices=("7d", "9d"),
    )

    def __init__("""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with one more setting: one row, in one file."""
    place = tmp_path_factory.mktemp("copy")
    for folder in ("man", "completions", "stubcli"):
        shutil.copytree(ROOT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", place)
    table = place / "stubcli" / "settings" / "table.py"
    text = table.read_text()
    assert text.count("\n    def __init__(") == 2
    before, after = text.rsplit("\n    def __init__(", 1)
    table.write_text(before + ROW + after)
    return place


def stub(copy: Path, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(copy),
            "STUB_HOME": str(copy / "store"),
            **environment,
        },
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_help_of_its_commands_has_it(copy: Path) -> None:
    for command in ("--help", "gc --help"):
        text = stub(copy, "stubcli", *command.split())
        assert "--shelf-life" in text
        assert "Days that milk keeps (default: 7d)." in " ".join(text.split())


def test_flag_variable_file_and_tool_give_its_value(copy: Path) -> None:
    config = copy / "config.yaml"
    config.write_text("shelf_life: 3d\ntools: {milk: {shelf_life: 4d}}\n")
    place = {"STUB_CONFIG": str(config)}
    assert '"value": "3d"' in stub(copy, "stubcli", "config", "--json", **place)
    assert '"value": "4d"' in stub(copy, "stubcli", "config", "--json", "--tool", "milk", **place)
    five = stub(copy, "stubcli", "config", "--json", STUB_SHELF_LIFE="5d", **place)
    assert '"value": "5d"' in five
    assert '"source": "STUB_SHELF_LIFE"' in five
    assert "invalid duration 'old'" in stub(copy, "stubcli", "gc", "--shelf-life", "old")


def test_a_shell_completes_its_values(copy: Path) -> None:
    words = {"COMP_WORDS": "stub gc --shelf-life ", "COMP_CWORD": "3"}
    assert stub(copy, "stubcli", _STUB_COMPLETE="complete_bash", **words) == "7d\n9d\n"


def test_pages_readme_and_library_are_stale_until_made_again(copy: Path) -> None:
    stale = stub(copy, "stubcli.cli.pages", "--check").split(" is stale\n")
    assert stale[:-1] == [
        "README.md",
        "man/man1/stub-gc.1",
        "man/man1/stub.1",
        "stubcli/settings/options.py",
    ]
    stub(copy, "stubcli.cli.pages")
    assert "| `shelf_life` | `7d` | Days that milk keeps. |" in (copy / "README.md").read_text()
    assert "\\-\\-shelf\\-life" in (copy / "man" / "man1" / "stub-gc.1").read_text()
    assert "    shelf_life: " in (copy / "stubcli" / "settings" / "options.py").read_text()
    assert stub(copy, "stubcli.cli.pages", "--check") == ""
