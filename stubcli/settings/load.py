"""The effective settings: flag, then environment, then `tools.<tool>`, then the file, then default.

Reads the environment and the configuration file; decides nothing by itself.
"""

import os

from stubcli.settings.places import config_file
from stubcli.settings.table import (
    DISABLE,
    EXEMPT,
    SETTINGS,
    TOOL_KEYS,
    Setting,
    Size,
    read_value,
)


class Settings:
    """The value of every setting, and in `sources` where each came from.

    Treat it as frozen. A plain class: a dataclass costs 11 ms at start.
    """

    threshold: Size
    budget: int
    head: int
    tail: int
    on_failure: str
    format: str
    max_bytes: int
    home: str
    session: str
    page: int
    matches: int
    query_memory: int
    query_seconds: int
    turn_budget: int
    turn_floor: int
    turn_preview: int
    turn_preview_floor: int
    max_messages: int
    max_tokens: int
    keep: int
    older_than: str
    max_deletions: str
    keep_bytes: int
    exempt: bool

    def __init__(self, values: dict[str, object], sources: dict[str, str]) -> None:
        self.__dict__.update(values)
        self.sources = sources

    def but(self, **values: object) -> "Settings":
        """The same with other values."""
        mine = {name: value for name, value in self.__dict__.items() if name != "sources"}
        return Settings({**mine, **values}, self.sources)

    def suffix(self, *, session: bool = False) -> str:
        """The options that a printed command must repeat to mean the same store, and session."""
        from shlex import quote

        names = ("home", "session") if session else ("home",)
        given = [name for name in names if self.sources[name] == f"--{name}"]
        return "".join(f" --{name} {quote(getattr(self, name))}" for name in given)


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
    sources: dict[str, str] = {}
    policy = _policy(document, tool)
    for setting in SETTINGS:
        text, source = _find(setting, flags, policy, document, tool, path)
        values[setting.name] = read_value(setting, text, source)
        sources[setting.name] = source
    exempt = policy.get("exempt", document.get("exempt", EXEMPT.default))
    values["exempt"] = EXEMPT.read(str(exempt))
    if "{" in str(values["session"]):
        from stubcli.settings.template import expand

        values["session"] = expand(str(values["session"]))
    return Settings(values, sources)


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
    setting: Setting,
    flags: dict[str, str],
    policy: dict[str, str],
    document: dict[str, object],
    tool: str | None,
    path: str,
) -> tuple[str, str]:
    name = setting.name
    if name in flags:
        return flags[name], setting.flag
    if given := os.environ.get(setting.variable, ""):
        return given, setting.variable
    if name in TOOL_KEYS and name in policy:
        return policy[name], f"{path}: tools.{tool}.{name}"
    if name in document:
        return str(document[name]), f"{path}: {name}"
    return setting.default, "default"
