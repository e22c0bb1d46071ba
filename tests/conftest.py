"""What every test stands on: a store of its own, and the real `stub` run as a process.

No test can touch the real home: HOME and every variable that leads to it are replaced before
each test, and `test_guard.py` holds that.
"""

import gc
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import stubcli.spill.stub
from stubcli.render.model import Facts, Limits
from stubcli.render.stub_text import render_text
from tests.render.reading import assert_read_back

pytest_plugins = ("tests.chance",)

# A shell starts what it puts into the background with these ignored, and so would every process
# that is tested for how it takes them.
for _number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        default = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
        signal.signal(_number, default)

COMMAND = (sys.executable, "-m", "stubcli")


@dataclass(frozen=True)
class Result:
    """What a process left: its status and both streams, as bytes."""

    status: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def ref(self) -> str:
        """The reference on the first line of a stub, which its last line must repeat."""
        lines = self.text.splitlines()
        first = lines[0].removeprefix("[stub ").partition("]")[0]
        assert first.startswith("artifact:"), lines[0]
        assert lines[-1] == f"[stub end {first}]"
        return first


@dataclass(frozen=True)
class Store:
    """A private store, and `stub` run against it."""

    home: Path
    session: str = "test"

    @property
    def folder(self) -> Path:
        return self.home / "sessions" / self.session

    @property
    def results(self) -> Path:
        return self.folder / "tool-results"

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "STUB_HOME": str(self.home), "STUB_SESSION": self.session, **more}

    def stub(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        check: bool = True,
        **environment: str,
    ) -> Result:
        """Run `stub` to its end. Without stdin its standard input is an empty file."""
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env=self.environment(**environment),
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    def shell(self, script: str, **environment: str) -> Result:
        """Run a bash script in which `$STUB` is the command under test."""
        done = subprocess.run(
            ["bash", "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environment(STUB=" ".join(COMMAND), **environment),
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def artifacts(self) -> Sequence[Path]:
        return sorted(self.results.glob("tool_result_*.txt")) if self.results.exists() else []

    def digests(self) -> list[str]:
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in self.artifacts()]


def pytest_collection_finish() -> None:
    """All that is loaded stays: else each forked child's collector would copy every page of it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_real_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith(("STUB_", "XDG_", "_STUB"))]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))


@pytest.fixture(scope="session", autouse=True)
def _every_page_is_read_back() -> Iterator[None]:
    """Each stub as text that a test makes, here or in a fork, is read back into frames and data."""

    def render_and_read_back(facts: Facts, limits: Limits) -> str | None:
        stub = render_text(facts, limits)
        if stub is not None:
            assert_read_back(stub, facts)
        return stub

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stubcli.spill.stub, "render_text", render_and_read_back)
        yield


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")
