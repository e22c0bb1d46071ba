"""The guard in conftest: no test can reach the store or the configuration of who runs it."""

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

from stubcli.settings.load import config_file, load, state_home

HERE = Path(__file__).parent
# A test that spills with nothing but the guard between it and the home of who runs it.
CARELESS = """
import subprocess, sys

def test_careless():
    many = b"".join(b"%d\\n" % number for number in range(20_000))
    command = [sys.executable, "-m", "stubcli"]
    done = subprocess.run(command, input=many, capture_output=True, check=True)
    assert done.stdout.startswith(b"[stub artifact:")
"""


def test_every_place_lies_in_a_temporary_home() -> None:
    home = os.environ["HOME"]
    assert home != pwd.getpwuid(os.getuid()).pw_dir
    assert state_home().startswith(home + os.sep)
    assert config_file().startswith(home + os.sep)
    assert not os.listdir(home)


def test_no_setting_of_who_runs_the_tests_is_left() -> None:
    assert not [name for name in os.environ if name.startswith(("STUB_", "XDG_", "_STUB"))]
    assert set(load({}).sources.values()) == {"default"}


def test_a_careless_test_writes_nothing_into_the_real_home(tmp_path: Path) -> None:
    real, clone = tmp_path / "real", tmp_path / "clone"
    for name in ("config", "state", "store"):
        (real / name).mkdir(parents=True)
    (clone / "tests").mkdir(parents=True)
    for name in ("conftest.py", "chance.py"):
        shutil.copy(HERE / name, clone / "tests")
    (clone / "tests" / "test_careless.py").write_text(CARELESS)
    (clone / "stubcli").symlink_to(HERE.parent / "stubcli")
    environment = {
        **os.environ,
        "HOME": str(real),
        "XDG_CONFIG_HOME": str(real / "config"),
        "XDG_STATE_HOME": str(real / "state"),
        "STUB_HOME": str(real / "store"),
        "STUB_THRESHOLD": "16MiB",
    }
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={clone}", f"--basetemp={tmp_path}/base"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(clone / "tests")],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert sorted(path.name for path in real.rglob("*")) == ["config", "state", "store"]
