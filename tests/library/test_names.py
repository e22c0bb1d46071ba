"""What `import stubcli` offers: typed, listed, light, and without the command line's packages."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import stubcli

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "tests" / "examples" / "typed_user.py"
BARE = "import sys; sys.modules['typer'] = sys.modules['rich'] = None\n"


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "stubcli" / "py.typed").exists()


def test_the_example_uses_every_public_name() -> None:
    used = {
        node.attr
        for node in ast.walk(ast.parse(EXAMPLE.read_text()))
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "stubcli"
    }
    assert used == set(stubcli.__all__)


def test_the_example_runs_where_neither_typer_nor_rich_can_be_imported() -> None:
    out = run(BARE + "import runpy; runpy.run_path(sys.argv[1], run_name='__main__')", str(EXAMPLE))
    assert out.splitlines()[-1] == "MissingError UsageError"


def test_every_name_can_be_imported_without_typer_and_rich() -> None:
    script = "from stubcli import *\nimport stubcli\nprint(len([eval(n) for n in stubcli.__all__]))"
    assert int(run(BARE + script)) == len(stubcli.__all__)


def test_the_example_is_right_for_a_strict_type_checker(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    pytest.importorskip("mypy", reason="the type checker is part of the extra dev")
    kept = getattr(pytestconfig, "cache", None)
    cache = kept.mkdir("mypy") if kept else tmp_path
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull),
            *("--cache-dir", str(cache), "--follow-imports", "silent", str(EXAMPLE)),
        ],
        capture_output=True,
        text=True,
        cwd=cache,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import stubcli", ("stubcli.api", "stubcli.store", "typing", "dataclasses")),
        ("import stubcli; dir(stubcli)", ("stubcli.api", "typing")),
        (
            "import stubcli; stubcli.offload",
            (
                *("stubcli.retention", "stubcli.retrieve", "stubcli.messages", "stubcli.agents"),
                *("stubcli.cli", "stubcli.process", "sqlite3", "yaml", "re2", "duckdb", "asyncio"),
            ),
        ),
        (
            "import stubcli; stubcli.Store()",
            ("stubcli.retention", "stubcli.retrieve.query", "stubcli.cli", "sqlite3", "re2"),
        ),
    ],
)
def test_a_name_loads_what_it_needs_and_no_more(statement: str, absent: tuple[str, ...]) -> None:
    loaded = run(f"{statement}\nimport sys; print(*sys.modules)").split()
    within = [m for m in loaded if any(m == one or m.startswith(f"{one}.") for one in absent)]
    assert within == []
