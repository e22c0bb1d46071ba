"""The home of a user who plugs stub into agents."""

from pathlib import Path

import pytest

from tests.agents.made import Home, home_at


@pytest.fixture
def home(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Home:
    return home_at(tmp_path / "user", capfd)
