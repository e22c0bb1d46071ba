"""opencode: its shell is replaced, and it has no hook."""

from tests.agents.home import Home
from tests.agents.samples import Sample
from tests.conftest import Store
from tests.helpers import Ran, forked

SAMPLE = Sample(".config/opencode/opencode.json")


def test_its_settings_get_the_shell(home: Home) -> None:
    home.done("opencode")
    assert home.settings("opencode").read_text() == f'{{\n  "shell": "{home.stub}-shell"\n}}\n'


def test_xdg_config_home_moves_its_files(home: Home) -> None:
    home.done("opencode", XDG_CONFIG_HOME=str(home.path / "moved"))
    assert list(home.files()) == ["moved/opencode/opencode.json"]


def test_settings_with_comments_are_changed_where_they_are(home: Home) -> None:
    path = home.settings("opencode").with_suffix(".jsonc")
    path.parent.mkdir(parents=True)
    path.write_text('{\n  // mine\n  "model": "m"\n}\n')
    home.done("opencode")
    assert f'  // mine\n  "model": "m",\n  "shell": "{home.stub}-shell"\n' in path.read_text()
    assert not home.settings("opencode").exists()


def test_its_hook_answers_nothing(store: Store) -> None:
    assert forked(store, b"{}", "hook", "opencode") == Ran(0, b"", b"")
