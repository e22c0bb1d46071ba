"""What the formats share: texts in strings and lists of blocks, and what a call runs."""

from collections.abc import Iterator
from typing import Any

from stubcli.messages.model import Path, Slot


def text_slots(content: Any, path: Path, types: tuple[str, ...]) -> Iterator[Slot]:
    """The texts of a content that is a string or a list of blocks; other blocks are left alone."""
    if isinstance(content, str):
        yield Slot(path, content)
    elif isinstance(content, list):
        for number, block in enumerate(content):
            if (
                isinstance(block, dict)
                and block.get("type") in types
                and isinstance(block.get("text"), str)
            ):
                yield Slot((*path, number, "text"), block["text"])


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def command_of(arguments: Any) -> str:
    """The shell command in the arguments of a call, "" where there is none."""
    import json

    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return ""
    if isinstance(arguments, dict):
        for key in ("command", "cmd", "commands", "script"):
            if key in arguments:
                return command_of_value(arguments[key])
    return ""


def command_of_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(string(word) for word in value)
    return string(value)
