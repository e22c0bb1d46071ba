"""A user's home for `stub init`."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from stubcli import entry
from stubcli.agents.host import host_names, load_host
from tests.agents.samples import sample_of
from tests.helpers import Ran


@dataclass(frozen=True)
class Home:
    """A user with `stub` and `stub-shell` on the PATH, and a project to work in."""

    path: Path
    capture: pytest.CaptureFixture[str]

    @property
    def stub(self) -> Path:
        return self.path / "bin" / "stub"

    @property
    def project(self) -> Path:
        return self.path / "project"

    def settings(self, host: str) -> Path:
        return self.path / sample_of(host).settings

    def write(self, host: str, text: str) -> Path:
        path = self.settings(host)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def init(self, *arguments: str, **environment: str) -> Ran:
        """`stub init`, in this process: a hundred of them are started here."""
        with pytest.MonkeyPatch.context() as patch:
            for name in host_names():
                patch.delenv(load_host(name).variable.partition("/")[0], raising=False)
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
        """Every file of the home but the commands, with its contents."""
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
