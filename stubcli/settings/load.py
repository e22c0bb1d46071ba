"""The effective settings, and the places that they mean: configuration file, store, session.

Flag, then environment, then `tools.<tool>`, then the file, then the default. The directories follow
the rules of platformdirs, to which a test compares them; importing it would more than double the
start (18 ms on top of 8). A session is one for each workspace, unless the settings name one.
"""

import os
import sys

from stubcli.errors import NotStoredError, UsageError
from stubcli.settings.option import read_value
from stubcli.settings.table import DISABLE, EXEMPT, SETTINGS, TOOL_KEYS, Setting, Settings

APP = "stub"
# Writable for everybody, and sticky: stat.S_IWOTH | stat.S_ISVTX.
_SHARED = 0o1002

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def disabled() -> bool:
    """Whether STUB_DISABLE asks for a plain copy. Anything but an off word does."""
    return os.environ.get(DISABLE, "").strip().lower() not in ("", "0", "false", "no", "off")


def load(flags: dict[str, str], tool: str | None = None) -> Settings:
    """The effective settings for `flags` (setting name → typed text) and the tool of that name.

    Raises UsageError that names the flag, the variable, or the file and the key.
    """
    path = config_file()
    document: dict[str, object] = {}
    if os.path.exists(path) or "STUB_CONFIG" in os.environ:
        from stubcli.settings.file import read_file

        document = read_file(path)
    values: dict[str, object] = {}
    texts: dict[str, str] = {}
    sources: dict[str, str] = {}
    policy = _policy(document, tool)
    for setting in SETTINGS:
        text, source = _find(setting, flags, policy, document, tool, path)
        values[setting.name] = read_value(setting, text, source)
        texts[setting.name], sources[setting.name] = text, source
    exempt = EXEMPT.read(str(policy.get("exempt", document.get("exempt", "false"))))
    if "{" in str(values["session"]):
        from stubcli.settings.template import expand

        values["session"] = expand(str(values["session"]))
    return Settings(values, texts, sources, exempt=exempt)


def configured_tools() -> list[str]:
    """The tools that the configuration file names. Raises UsageError."""
    path = config_file()
    if not os.path.exists(path):
        return []
    from stubcli.settings.file import read_file

    tools = read_file(path).get("tools")
    return sorted(tools) if isinstance(tools, dict) else []


def _policy(document: dict[str, object], tool: str | None) -> dict[str, str]:
    tools = document.get("tools")
    if not tool or not isinstance(tools, dict):
        return {}
    found = tools.get(tool)
    if found is None:
        from fnmatch import fnmatchcase

        # The first pattern that fits: `browser_*`.
        found = next((tools[name] for name in tools if fnmatchcase(tool, name)), None)
    return found if isinstance(found, dict) else {}


def _find(
    setting: "Setting[Any]",
    flags: dict[str, str],
    policy: dict[str, str],
    document: dict[str, object],
    tool: str | None,
    path: str,
) -> tuple[str, str]:
    name = setting.name
    if name in flags:
        return flags[name], setting.flags[-1]
    if given := os.environ.get(setting.variable, ""):
        return given, setting.variable
    if name in TOOL_KEYS and name in policy:
        return policy[name], f"{path}: tools.{tool}.{name}"
    if name in document:
        return str(document[name]), f"{path}: {name}"
    return setting.default or "", "default"


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


def check_home(home: str) -> None:
    """Raises UsageError where it is no full path."""
    if not os.path.isabs(home):
        raise UsageError(
            f"the store's directory {home!r} is not absolute", "set STUB_HOME to a full path"
        )


def session_of(settings: Settings) -> str:
    """The session that numbers, and that numbers and `last` mean."""
    return settings.session or _workspace_session(settings)


def _workspace_session(settings: Settings) -> str:
    """The session of the workspace that holds the current directory: the git root above it; else
    the nearest directory, from this one on, that has a session; else this one.

    A directory that holds all sorts of things is no workspace for what is below it.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # the current directory was removed
        return "nowhere"
    places = [here, *_above(here)]
    root = next((one for one in places if os.path.exists(os.path.join(one, ".git"))), None)
    if root is None:
        try:
            sessions = os.path.join(home_of(settings), "sessions")
        except NotStoredError:
            return session_name(here)
        # In lower case, so that the folder of a session has its name.
        names = (session_name(one) for one in places if not _is_shared(one))
        known = (one for one in names if os.path.isdir(os.path.join(sessions, one, "tool-results")))
        return next(known, "") or session_name(here)
    return session_name(root)


def _above(here: str) -> "list[str]":
    """The directories above this one, but for the root and the user's home, and what is above
    that: there lies everything that the user has."""
    home = os.path.realpath(os.environ.get("HOME") or "/") + "/"
    found = []
    while not home.startswith((here := os.path.dirname(here)).rstrip("/") + "/"):
        found.append(here)
    return found


def _is_shared(place: str) -> bool:
    """Whether everybody may put things there, as into /tmp."""
    try:
        return os.stat(place).st_mode & _SHARED == _SHARED
    except OSError:  # it cannot be seen from here, or was removed
        return True


def session_name(folder: str) -> str:
    """The name of the session of a workspace: its own, and a digest of its whole path."""
    root = os.path.realpath(folder)
    import hashlib
    import re

    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    slug = re.sub(r"[^a-z0-9]+", "-", os.path.basename(root).lower()).strip("-")[:40].strip("-")
    return f"{slug or 'root'}-{digest}"
