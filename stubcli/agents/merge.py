"""Our entries in an agent's settings: added, renewed and taken out. Documents in and out."""

import os
import shlex
from typing import Any

from stubcli.agents.host import Commands, Host
from stubcli.errors import RefusedError, UsageError

SHELL = "stub-shell"
Document = dict[str, Any]


def add_entries(host: Host, document: Document, commands: Commands) -> Document:
    """The settings with our entries, renewed in their place. Raises RefusedError, UsageError."""
    new = _set_shell(document, host.shell_key, commands.shell) if host.shell_key else document
    if host.hook_entry is None:
        return new
    new = new | {name: value for name, value in host.required.items() if name not in new}
    hooks = dict(_get_member(document, "hooks", dict))
    wanted, groups = host.hook_entry(commands), []
    for group in _get_member(hooks, host.event, list):
        left = _without_ours(group, host.name)
        if left is None and wanted not in groups:
            groups.append(wanted)
        elif left is not None:
            groups.append(left)
    hooks[host.event] = groups if wanted in groups else [*groups, wanted]
    return new | {"hooks": hooks}


def remove_entries(host: Host, document: Document) -> Document:
    """The settings without our entries, and without what is empty only because of that."""
    new = _unset_shell(document, host.shell_key)
    hooks = document.get("hooks")
    groups = hooks.get(host.event) if isinstance(hooks, dict) else None
    if not isinstance(hooks, dict) or not isinstance(groups, list):
        return new
    left = [rest for group in groups if (rest := _without_ours(group, host.name)) is not None]
    if left == groups:
        return new
    if left:
        return new | {"hooks": {**hooks, host.event: left}}
    others = _without_key(hooks, host.event)
    return new | {"hooks": others} if others else _without_key(new, "hooks")


def _set_shell(document: Document, keys: tuple[str, ...], shell: str) -> Document:
    if len(keys) > 1:
        below = _get_member(document, keys[0], dict)
        return document | {keys[0]: _set_shell(below, keys[1:], shell)}
    given = document.get(keys[0])
    if given and not _is_our_shell(given):
        raise RefusedError(
            f"{keys[0]} is already set, to {given!r}", "remove it, then run this again"
        )
    return document | {keys[0]: shell}


def _unset_shell(document: Document, keys: tuple[str, ...]) -> Document:
    value = document.get(keys[0]) if keys else None
    if isinstance(value, dict) and keys[1:]:
        left = _unset_shell(value, keys[1:])
        if left or not value:
            return document | {keys[0]: left}
        return _without_key(document, keys[0])
    ours = _is_our_shell(value) and not keys[1:]
    return _without_key(document, keys[0]) if ours else dict(document)


def _without_key(document: Document, key: str) -> Document:
    return {name: value for name, value in document.items() if name != key}


def _get_member(document: Document, name: str, kind: type[dict[Any, Any]] | type[list[Any]]) -> Any:
    value = document.get(name, kind())
    if not isinstance(value, kind):
        what = "an object" if kind is dict else "an array"
        raise UsageError(f"{name!r} is not {what}", "correct it, then run this again")
    return value


def _is_our_shell(value: object) -> bool:
    return isinstance(value, str) and os.path.basename(value) == SHELL


def _without_ours(group: Any, host: str) -> Any:
    """A group of hooks, or a hook, without ours; None where nothing else is in it."""
    if not isinstance(group, dict):
        return group
    hooks = group.get("hooks")
    if not isinstance(hooks, list):
        return None if _is_our_hook(group, host) else group
    left = [hook for hook in hooks if not _is_our_hook(hook, host)]
    if len(left) == len(hooks):
        return group
    return {**group, "hooks": left} if left else None


def _is_our_hook(hook: Any, host: str) -> bool:
    """Whether this hook runs `stub hook HOST`, wherever stub is or has been installed."""
    if not isinstance(hook, dict):
        return False
    line, args = hook.get("command", hook.get("bash")), hook.get("args", [])
    if not isinstance(line, str) or not isinstance(args, list):
        return False
    try:
        words = [line, *args] if args else shlex.split(line)
    except ValueError:
        return False
    return words[1:3] == ["hook", host] and os.path.basename(words[0]) == "stub"
