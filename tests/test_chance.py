"""No run rolls dice: two of them try the same, and a failure says what repeats it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# A property that fails, one that does not, and a test that fails by the other kind of chance.
PLANTED = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_planted(number):
    assert number < 1000

@given(st.lists(st.text()))
def test_sound(texts):
    assert texts == list(texts)

def test_thrown(dice):
    print("it threw", dice.random())
    raise AssertionError
"""


def run(clone: Path, *arguments: str, **environment: str) -> str:
    """What pytest prints of a run in that clone, whatever comes of it."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HYPOTHESIS", "PYTEST"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=clone,
        env=inherited | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder of tests with our conftest and PLANTED."""
    (tmp_path / "clone" / "tests").mkdir(parents=True)
    for name in ("conftest.py", "chance.py"):
        shutil.copy(HERE / name, tmp_path / "clone" / "tests")
    (tmp_path / "clone" / "tests" / "test_planted.py").write_text(PLANTED)
    return tmp_path / "clone"


def test_two_runs_try_the_same_examples_in_any_order(tmp_path: Path) -> None:
    files = ["tests/text/test_decode.py", "tests/render/test_sections.py"]
    logs = [tmp_path / "first", tmp_path / "second"]
    first = run(HERE.parent, "-n0", "--examples-log", str(logs[0]), *files, PYTHONHASHSEED="1")
    second = run(
        HERE.parent, "-n2", "--examples-log", str(logs[1]), *files[::-1], PYTHONHASHSEED="2"
    )
    tried = logs[0].read_text()
    assert len(tried.splitlines()) == 5, first
    assert all(int(line.split("\t")[1]) >= 100 for line in tried.splitlines())
    assert logs[1].read_text() == tried, second


def test_a_failure_says_what_repeats_it(clone: Path) -> None:
    out = run(clone, "tests")
    assert "2 failed, 1 passed" in out
    assert re.search(r"test_planted\(\nE +number=1000,\n", out)
    assert "@reproduce_failure(" in out
    command = "STUB_TEST_SEED=0 python -m pytest -n 0 tests/test_planted.py::test_thrown"
    assert f"this repeats it: {command}" in out
    assert threw(run(clone, command.split()[-1], STUB_TEST_SEED="7")) != threw(out)
    assert not (clone / ".hypothesis" / "examples").exists()


def threw(out: str) -> str:
    found = re.search("it threw [0-9.]+", out)
    assert found, out
    return found[0]


def test_exploring_keeps_what_it_finds_and_says_what_repeats_it(clone: Path) -> None:
    explore = {"HYPOTHESIS_PROFILE": "explore", "STUB_TEST_TIMES": "1"}
    out = run(clone, "tests", **explore)
    assert "@reproduce_failure(" in out
    assert list((clone / ".hypothesis" / "examples").iterdir())
    seed = re.search("this repeats it: STUB_TEST_SEED=([0-9]+) ", out)
    assert seed, out
    again = run(clone, "tests", "-k", "thrown", STUB_TEST_SEED=seed[1])
    assert threw(again) == threw(out)


def sources() -> dict[str, str]:
    own = ("chance.py", Path(__file__).name)
    return {
        str(path.relative_to(HERE)): path.read_text()
        for path in HERE.rglob("*.py")
        if path.name not in own and "bench" not in path.parts
    }


def found(pattern: str) -> list[str]:
    return [
        f"{name}: {match[0]}"
        for name, text in sources().items()
        for match in re.finditer(pattern, text)
    ]


def test_no_property_has_settings_that_are_not_those_of_the_profile() -> None:
    assert found(r"(?m)^from hypothesis import .*\bsettings\b") == []
    assert found(r"\b(?:deadline|derandomize|database|print_blob|max_examples)=") == []


def test_no_test_has_a_chance_of_its_own() -> None:
    unseeded = r"\brandom\.(?!Random\b)[a-z]\w*\(|\bRandom\(\)|\buuid[14]\(|\burandom\(|\bsecrets\."
    assert found(unseeded) == []


def test_no_test_measures_how_long_something_takes(request: pytest.FixtureRequest) -> None:
    assert found(r"\b(?:perf_counter|process_time|thread_time)\b|assert [^\n]*monotonic\(") == []
    # What hangs meets this limit.
    assert 0 < float(request.config.getini("timeout")) <= 120
    longer = found(r"\btimeout\(([0-9]+)\)")
    assert [one for one in longer if int(one.rpartition("(")[2][:-1]) > 300] == []
