"""What is shipped: the script, its pages and its completions, each where the system looks.

The wheel is built and opened; nothing is installed.
"""

import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from stubcli import __version__

ROOT = Path(__file__).parent.parent
SHARE = f"stubcli-{__version__}.data/data/share"
COMPLETIONS = {
    "bash-completion/completions/stub": "stub.bash",
    "zsh/site-functions/_stub": "_stub",
    "fish/vendor_completions.d/stub.fish": "stub.fish",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-cache-dir", "--quiet", "--wheel-dir", str(folder)]
    if find_spec("hatchling"):
        # Where the build tool is at hand no registry is asked for it.
        options.append("--no-build-isolation")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", str(ROOT), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_everything_in_its_place(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "stubcli").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules
    assert not [name for name in names if "test" in name.split("/")[0]]
    pages = {path: path.read_bytes() for path in (ROOT / "man").glob("man?/*")}
    shipped = {f"{SHARE}/man/{path.parent.name}/{path.name}": data for path, data in pages.items()}
    for place, name in COMPLETIONS.items():
        shipped[f"{SHARE}/{place}"] = (ROOT / "completions" / name).read_bytes()
    assert {name for name in names if name.startswith(SHARE)} == set(shipped)
    for name, data in shipped.items():
        assert wheel.read(name) == data, name


def test_the_command_is_a_script_that_runs(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    script = f"stubcli-{__version__}.data/scripts/stub"
    # Exactly this word: an installer puts the path of its own interpreter in its place.
    assert wheel.read(script).startswith(b"#!python\n")
    wheel.extractall(tmp_path / "wheel")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "wheel" / script)],
        input=b"small\n",
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "wheel")},
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"small\n", b"")


def test_the_shell_is_a_script_of_its_own(wheel: zipfile.ZipFile) -> None:
    data = wheel.read(f"stubcli-{__version__}.data/scripts/stub-shell")
    assert data == (ROOT / "stubcli" / "process" / "stub-shell").read_bytes()
    assert data.startswith(b"#!/bin/sh\n")
