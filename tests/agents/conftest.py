"""The home of a user who plugs stub into agents, and an adapter over a store."""

import copy
from pathlib import Path
from typing import Any

import pytest

from stubcli.agents.host import load_host
from stubcli.agents.offloader import Offloader
from tests.agents.home import Home, home_at
from tests.agents.samples import Ask
from tests.conftest import Store


@pytest.fixture
def home(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Home:
    return home_at(tmp_path / "user", capfd)


@pytest.fixture
def ask(store: Store, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What the adapter of a host answers to an event, which it must not change."""
    monkeypatch.setenv("STUB_HOME", str(store.home))
    monkeypatch.setenv("STUB_SESSION", store.session)
    for name in ("CURSOR_VERSION", "COPILOT_CLI"):
        monkeypatch.delenv(name, raising=False)

    def answer(host: str, event: Any) -> Any:
        before = copy.deepcopy(event)
        adapter = load_host(host).answer
        assert adapter
        found = adapter(event, Offloader())
        assert event == before
        return found

    return answer
