"""What the tests of messages share: a session of their own, and a configuration file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import stubcli
from stubcli.api import Report, Store
from tests.messages.made import Message


@dataclass(frozen=True)
class Session:
    """The library's three calls on one session; settings as keywords."""

    home: Path
    name: str = "test"

    def offload(self, messages: list[Message], **settings: Any) -> tuple[list[Any], Report]:
        return stubcli.offload_messages(
            messages, home=str(self.home), session=self.name, **settings
        )

    def compact(self, messages: list[Message], **settings: Any) -> tuple[list[Any], Report]:
        return stubcli.compact_messages(
            messages, home=str(self.home), session=self.name, **settings
        )

    def read(self, ref: str) -> bytes:
        return Store(home=str(self.home), session=self.name).read(ref)

    @property
    def folder(self) -> Path:
        return self.home / "sessions" / self.name

    def artifacts(self) -> list[Path]:
        return sorted(self.folder.glob("tool-results/tool_result_*.txt"))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "store")


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration file that is the effective one; empty until it is written."""
    path = tmp_path / "config.yaml"
    path.write_text("{}\n")
    monkeypatch.setenv("STUB_CONFIG", str(path))
    return path
