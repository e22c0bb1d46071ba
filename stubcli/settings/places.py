"""The two directories of a user: where the configuration stands and where the store is kept.

The rules are those of platformdirs, to which a test compares them; importing it would more than
double the start (18 ms on top of 8), and a small input pays the start only.
"""

import os
import sys

from stubcli.errors import NotStoredError

APP = "stub"


def _base(variable: str, linux: str) -> str:
    given = os.environ.get(variable, "")
    if given.startswith("/"):
        return given
    below = "~/Library/Application Support" if sys.platform == "darwin" else linux
    if os.environ.get("HOME", "/").startswith("/"):
        return os.path.expanduser(below)
    import pwd

    try:  # a relative or empty HOME names no place: the store would move with the directory
        return pwd.getpwuid(os.getuid()).pw_dir.rstrip("/") + below[1:]
    except KeyError:
        return below


def config_file() -> str:
    """Where the configuration file is looked for; it need not exist."""
    given = os.environ.get("STUB_CONFIG")
    return (
        given if given else os.path.join(_base("XDG_CONFIG_HOME", "~/.config"), APP, "config.yaml")
    )


def state_home() -> str:
    """The default directory of the store. Raises NotStoredError where the user has no home."""
    path = os.path.join(_base("XDG_STATE_HOME", "~/.local/state"), APP)
    if not os.path.isabs(path):
        raise NotStoredError("no home directory is known", "set STUB_HOME or HOME")
    return path
