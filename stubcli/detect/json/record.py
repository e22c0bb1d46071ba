"""Whether a line is a record of JSON lines, or one of an array whose items have a line each."""

import re
from typing import Any

from stubcli.detect.fields.values import Number

# Where a value may begin again behind text that is none.
OPENS = re.compile(r"\n(?=[\[{])")
# The brackets of an array whose items have a line each.
_BRACKETS = ("[", "]", "],", "];")


def decoder() -> Any:
    """A decoder that keeps numbers as they were written."""
    import json

    keep: Any = Number
    return json.JSONDecoder(parse_float=keep, parse_int=keep, parse_constant=keep, strict=False)


def record_text(line: str) -> str:
    """The line as a record may be read: without the space and the separators around it.

    Record separators (RFC 7464) are space here. Empty where nothing else stands in it.
    """
    text = line.strip()
    if text in _BRACKETS:
        return ""
    return text[:-1].rstrip() if text[-2:-1] in ("}", "]", " ") and text[-1] == "," else text


def is_record(line: str) -> bool:
    try:
        return isinstance(decoder().decode(line), dict | list)
    except (ValueError, RecursionError):
        return False
