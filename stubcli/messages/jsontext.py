"""JSON text edited in place: everything but the edited strings stays as it was, byte for byte.

Works on text, never on a parsed and re-written document: the order of keys, numbers, escapes and
white space of whoever wrote it are kept.
"""

import json
import re
from collections.abc import Iterator, Mapping
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from json.scanner import make_scanner
from typing import Any

from stubcli.messages.model import Path

# Texts by where they stand: keys and indices, outermost first, each to a text or to more of them.
Tree = dict[str | int, Any]

_scan = make_scanner(JSONDecoder())  # type: ignore[arg-type]
_SPACE = re.compile(r"[ \t\n\r]*")


class JsonTextError(ValueError):
    """The text is not what a list of messages is written as."""


def tree_of(edits: Mapping[Path, str]) -> Tree:
    """The same edits by their first step, then by the next."""
    tree: Tree = {}
    for path, text in edits.items():
        below = tree
        for step in path[:-1]:
            below = below.setdefault(step, {})
        below[path[-1]] = text
    return tree


def skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def skip_value(text: str, at: int) -> int:
    """Behind the value that begins at `at`. Raises JsonTextError."""
    try:
        return int(_scan(text, at)[1])
    except (StopIteration, ValueError, RecursionError) as error:
        raise JsonTextError(f"no JSON value at {at:,}: {error}") from None


def members(text: str, at: int, lists: tuple[str, ...] = ()) -> Iterator[tuple[str, int, int]]:
    """Key, begin and end of every value of the object that begins at `at`. Raises JsonTextError.

    The last one is an empty key with begin and end just behind the object. lists: keys of long
    lists, which are walked and not parsed whole: that took as much memory again as the text.
    """
    at = skip_space(text, at + 1)
    while text[at : at + 1] == '"':
        try:
            key, at = scanstring(text, at + 1)
        except ValueError as error:
            raise JsonTextError(str(error)) from None
        at = end = _expect(text, at, ":")
        if key in lists and text[at : at + 1] == "[":
            *_, (_, end) = elements(text, at)
        else:
            end = skip_value(text, at)
        yield key, at, end
        at = skip_space(text, end)
        if text[at : at + 1] != ",":
            break
        at = skip_space(text, at + 1)
        if text[at : at + 1] != '"':
            raise JsonTextError(f"no key at {at:,}")
    if text[at : at + 1] != "}":
        raise JsonTextError(f"no end of an object at {at:,}")
    yield "", at + 1, at + 1


def elements(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Begin and end of every value of the array that begins at `at`. Raises JsonTextError.

    The last pair stands just behind the array.
    """
    at = skip_space(text, at + 1)
    while text[at : at + 1] != "]":
        end = skip_value(text, at)
        yield at, end
        at = skip_space(text, end)
        if text[at : at + 1] == ",":
            at = skip_space(text, at + 1)
            if text[at : at + 1] == "]":
                raise JsonTextError(f"no JSON value at {at:,}")
        elif text[at : at + 1] != "]":
            raise JsonTextError(f"no end of an array at {at:,}")
    yield at + 1, at + 1


def _expect(text: str, at: int, sign: str) -> int:
    at = skip_space(text, at)
    if text[at : at + 1] != sign:
        raise JsonTextError(f"no {sign!r} at {at:,}")
    return skip_space(text, at + 1)


def replaced(text: str, edits: Mapping[Path, str]) -> str:
    """The JSON value `text` with the strings at these paths replaced. Raises JsonTextError."""
    parts, last = [], 0
    for begin, end, new in sorted(_spans(text, skip_space(text, 0), tree_of(edits))):
        parts += [text[last:begin], quoted(new)]
        last = end
    return "".join([*parts, text[last:]])


def quoted(text: str) -> str:
    """A JSON string. A lone surrogate has no UTF-8 and is written as its escape."""
    return json.dumps(text, ensure_ascii=any("\ud800" <= char <= "\udfff" for char in text))


def _spans(text: str, at: int, wanted: Tree | str) -> list[tuple[int, int, str]]:
    """Where the wanted strings stand within the value at `at`, and what replaces each."""
    if isinstance(wanted, str):
        if text[at] != '"':
            raise JsonTextError(f"no text at {at:,}")
        return [(at, skip_value(text, at), wanted)]
    # A key that stands twice means its last value, as for every reader.
    places = {key: begin for key, begin in _parts(text, at) if key in wanted}
    if len(places) < len(wanted):
        raise JsonTextError(f"not all of {', '.join(map(str, wanted))} at {at:,}")
    return [span for key, begin in places.items() for span in _spans(text, begin, wanted[key])]


def _parts(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    if text[at] == "{":
        yield from ((key, begin) for key, begin, end in members(text, at) if end > begin)
    elif text[at] == "[":
        for number, (begin, end) in enumerate(elements(text, at)):
            if end > begin:
                yield number, begin


def parsed(text: str) -> Any:
    """The value that `text` means. Raises JsonTextError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JsonTextError(str(error)) from None


def written(value: Any) -> bytes:
    """The JSON text of a parsed value, for keeping. Raises JsonTextError where it is none."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=_shown)
    except (ValueError, TypeError, RecursionError) as error:
        raise JsonTextError(str(error)) from None
    return text.encode("utf-8", "surrogatepass")


def _shown(value: Any) -> str:
    """What JSON has no word for: bytes (signatures, images) in base64, anything else as text."""
    if isinstance(value, bytes | bytearray):
        import base64

        return base64.b64encode(value).decode("ascii")
    return str(value)
