"""The configuration file: YAML in, checked keys and values out. The only place that knows yaml."""

from typing import Any

from stubcli.advice import Advice
from stubcli.errors import UsageError, nearest, reason_of
from stubcli.files import read_regular
from stubcli.settings.option import Option, read_value
from stubcli.settings.table import BY_NAME, EXEMPT, TOOL_KEYS

_TOP: dict[str, Option[Any]] = {**BY_NAME, EXEMPT.name: EXEMPT}
_POLICY = {name: _TOP[name] for name in TOOL_KEYS} | {EXEMPT.name: EXEMPT}
# Larger is no configuration; an alias bomb needs a few hundred bytes, and aliases are refused.
_LARGEST = 1 << 20


def read_file(path: str) -> dict[str, object]:
    """The file as setting name → text, and `tools` → tool → setting name → text.

    Raises UsageError that names the file, the key, and the nearest valid one.
    """
    loaded = _load(path)
    document: dict[str, object] = {}
    for key, value in loaded.items():
        if key == "tools":
            document["tools"] = _tools(path, value)
        else:
            document[key] = _checked(path, "", key, value, _TOP, (*_TOP, "tools"))
    return document


def _load(path: str) -> dict[str, object]:
    import yaml

    try:
        data = read_regular(path, _LARGEST + 1)
        if len(data) > _LARGEST:
            raise UsageError(f"{path}: larger than 1 MiB; not a configuration file")
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(data)):
            raise UsageError(f"{path}: aliases are not accepted")
        loaded = yaml.safe_load(data)
    except OSError as error:
        raise UsageError(f"{path}: {reason_of(error)}", Advice("config")) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{path}: this is not YAML: {reason}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise UsageError(f"{path}: expected keys and values, such as threshold: 20000")
    return loaded


def _tools(path: str, value: object) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict):
        raise UsageError(f"{path}: tools: expected the names of tools")
    tools: dict[str, dict[str, str]] = {}
    for tool, policy in value.items():
        where = f"tools.{tool}."
        if not isinstance(policy, dict):
            raise UsageError(f"{path}: {where[:-1]}: expected keys and values")
        tools[str(tool)] = {
            key: _checked(path, where, key, item, _POLICY, tuple(_POLICY))
            for key, item in policy.items()
        }
    return tools


def _checked(
    path: str,
    where: str,
    key: object,
    value: object,
    known: dict[str, Option[Any]],
    names: tuple[str, ...],
) -> str:
    if key not in known:
        raise UsageError(f"{path}: {where}{key}: no such key", nearest(str(key), names))
    if isinstance(value, dict | list):
        raise UsageError(f"{path}: {where}{key}: expected one value")
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    read_value(known[str(key)], text, f"{path}: {where}{key}")
    return text
