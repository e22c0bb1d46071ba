"""What is ours put into an agent's settings, renewed, and taken out again. Documents in and out."""

import os
import shlex
from typing import Any

from stubcli.agents.hosts import SHELL, Commands, Document, Host
from stubcli.errors import RefusedError, UsageError


def plugged(host: Host, document: Document, commands: Commands) -> Document:
    """The settings with what is ours, renewed in its place. Raises RefusedError, UsageError."""
    new = (
        _with_shell(document, host.shell_key, commands.shell) if host.shell_key else dict(document)
    )
    if host.hook is None:
        return new
    if host.name in ("copilot", "cursor"):
        new.setdefault("version", 1)
    hooks = dict(_member(document, "hooks", dict))
    wanted, groups = host.hook(commands), []
    for group in _member(hooks, host.event, list):
        left = _without(group, host.name)
        if left is None and wanted not in groups:
            groups.append(wanted)
        elif left is not None:
            groups.append(left)
    hooks[host.event] = groups if wanted in groups else [*groups, wanted]
    return new | {"hooks": hooks}


def unplugged(host: Host, document: Document) -> Document:
    """The settings without anything of ours, and without what is empty only because of that."""
    new = _without_shell(document, host.shell_key)
    hooks = document.get("hooks")
    groups = hooks.get(host.event) if isinstance(hooks, dict) else None
    if not isinstance(hooks, dict) or not isinstance(groups, list):
        return new
    left = [rest for group in groups if (rest := _without(group, host.name)) is not None]
    if left == groups:
        return new
    if left:
        return new | {"hooks": {**hooks, host.event: left}}
    others = _less(hooks, host.event)
    return new | {"hooks": others} if others else _less(new, "hooks")


def _with_shell(document: Document, keys: tuple[str, ...], shell: str) -> Document:
    if len(keys) > 1:
        below = _member(document, keys[0], dict)
        return document | {keys[0]: _with_shell(below, keys[1:], shell)}
    given = document.get(keys[0])
    if given and not _is_shell(given):
        raise RefusedError(
            f"another one is set: {keys[0]} is {given!r}", "remove it, then run this again"
        )
    return document | {keys[0]: shell}


def _without_shell(document: Document, keys: tuple[str, ...]) -> Document:
    value = document.get(keys[0]) if keys else None
    if isinstance(value, dict) and keys[1:]:
        left = _without_shell(value, keys[1:])
        if left or not value:
            return document | {keys[0]: left}
        return _less(document, keys[0])
    return _less(document, keys[0]) if _is_shell(value) and not keys[1:] else dict(document)


def _less(document: Document, key: str) -> Document:
    return {name: value for name, value in document.items() if name != key}


def _member(document: Document, name: str, kind: type[dict[Any, Any]] | type[list[Any]]) -> Any:
    value = document.get(name, kind())
    if not isinstance(value, kind):
        what = "object" if kind is dict else "array"
        raise UsageError(f"{name!r} in it is no {what}", "set it right, then run this again")
    return value


def _is_shell(value: object) -> bool:
    return isinstance(value, str) and os.path.basename(value) == SHELL


def _without(group: Any, host: str) -> Any:
    """A group of hooks, or a hook, without ours; None where nothing else is in it."""
    if not isinstance(group, dict):
        return group
    hooks = group.get("hooks")
    if not isinstance(hooks, list):
        return None if _is_ours(group, host) else group
    left = [hook for hook in hooks if not _is_ours(hook, host)]
    if len(left) == len(hooks):
        return group
    return {**group, "hooks": left} if left else None


def _is_ours(hook: Any, host: str) -> bool:
    """Whether this hook runs `stub hook HOST`, wherever stub is or was installed."""
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
