"""Where things are: the configuration file, the store, and which session is meant.

The directories follow the rules of platformdirs, to which a test compares them; importing it would
more than double the start (18 ms on top of 8). A session is one for each workspace, the git root
above the current directory or that directory itself, unless the settings name one.
"""

import hashlib
import os
import re
import sys

from stubcli.errors import NotStoredError
from stubcli.settings.table import Settings

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


def home_of(settings: Settings) -> str:
    """The store's directory. Raises NotStoredError where the user has no home."""
    return settings.home or state_home()


def session_of(settings: Settings) -> str:
    """The session that numbers, and that numbers and `last` mean."""
    return settings.session or workspace_session()


def workspace_session() -> str:
    """The session of the workspace here: its name, and a digest of its whole path."""
    try:
        return session_name(_workspace(os.getcwd()))
    except OSError:  # the current directory was removed
        return "nowhere"


def session_name(folder: str) -> str:
    """The name of the session of a workspace."""
    root = os.path.realpath(folder)
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    slug = re.sub(r"[^a-z0-9]+", "-", os.path.basename(root).lower()).strip("-")[:40].strip("-")
    return f"{slug or 'root'}-{digest}"


def _workspace(directory: str) -> str:
    place = directory
    while True:
        if os.path.exists(os.path.join(place, ".git")):
            return place
        parent = os.path.dirname(place)
        if parent == place:
            return directory
        place = parent
