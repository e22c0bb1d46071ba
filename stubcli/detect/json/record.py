"""Whether a line is a record of JSON lines."""

from typing import Any

from stubcli.detect.fields.values import Number


def decoder() -> Any:
    """A decoder that keeps numbers as they were written."""
    import json

    keep: Any = Number
    return json.JSONDecoder(parse_float=keep, parse_int=keep, parse_constant=keep, strict=False)


def is_record(line: str) -> bool:
    try:
        return isinstance(decoder().decode(line), dict | list)
    except (ValueError, RecursionError):
        return False
