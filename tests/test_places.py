"""The two directories of a user are those that platformdirs would name."""

import os
import pwd
import sys

import pytest

from stubcli.errors import NotStoredError
from stubcli.settings.load import config_file, state_home

HOMES = ["/home/some one", "/home/x/", "/", "relative/home", "", None]
GIVEN = ["/srv/with space", "/srv/end/", "relative/base", " /srv", "/srv ", " ", "", None]


def _set(monkeypatch: pytest.MonkeyPatch, name: str, value: str | None) -> None:
    if value is None:
        monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setenv(name, value)


def _expected(platform: str) -> tuple[str, str]:
    from platformdirs.macos import MacOS
    from platformdirs.unix import Unix

    kind = MacOS if platform == "darwin" else Unix
    oracle = kind("stub", appauthor=False)
    return os.path.join(oracle.user_config_dir, "config.yaml"), oracle.user_state_dir


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("home", HOMES)
def test_without_xdg_variables_the_home_decides(
    monkeypatch: pytest.MonkeyPatch, platform: str, home: str | None
) -> None:
    _set(monkeypatch, "HOME", home)
    expected = _expected(platform)
    monkeypatch.setattr(sys, "platform", platform)
    assert (config_file(), state_home()) == expected


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("given", GIVEN)
def test_an_xdg_variable_counts_where_it_is_absolute(
    monkeypatch: pytest.MonkeyPatch, platform: str, given: str | None
) -> None:
    _set(monkeypatch, "XDG_CONFIG_HOME", given)
    _set(monkeypatch, "XDG_STATE_HOME", given)
    expected = _expected(platform)
    monkeypatch.setattr(sys, "platform", platform)
    assert (config_file(), state_home()) == expected


def test_another_configuration_file_is_taken_as_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STUB_CONFIG", "other config.yaml")
    assert config_file() == "other config.yaml"


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> pwd.struct_passwd:
        raise KeyError("uid not found")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(NotStoredError, match="set STUB_HOME or HOME"):
        state_home()
