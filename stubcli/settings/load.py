"""The effective settings: flag, then environment, then `tools.<tool>`, then the file, then default.

Reads the environment and the configuration file; decides nothing by itself.
"""

import os

from stubcli.settings.option import read_value
from stubcli.settings.places import config_file
from stubcli.settings.table import DISABLE, EXEMPT, SETTINGS, TOOL_KEYS, Setting, Settings

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
