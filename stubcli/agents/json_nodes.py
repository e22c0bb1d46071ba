"""JSON read into nodes that know where in the text they are, comments and all.

Stricter than `json` in one thing: a key that is there twice is an error, since an edit would not
know which of the two counts. Works on text; knows no file.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

# White space, and comments where the reader of the file allows them.
_SPACE = re.compile(r"[ \t\r\n]*")
_SPACE_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?[0-9][-+.eE0-9]*|true|false|null')
_DEEPEST = 200


class JsonSyntaxError(ValueError):
    """The text is not JSON, or says one thing twice. The message tells what and where."""


@dataclass(frozen=True)
class Node:
    """A value in the text: text[start:end], and what it means.

    entries of an object: its members (key, where the member begins, its value); of an array: its
    elements, without a key.
    """

    start: int
    end: int
    value: Any
    entries: "tuple[tuple[str, int, Node], ...]" = ()


def parse_nodes(text: str, *, comments: bool) -> Node:
    """The value that all of `text` is. Raises JsonSyntaxError."""
    return _NodeParser(text, comments).parse()


def skip_space(text: str, start: int, end: int) -> int:
    """Where the white space and the comments from `start` on end."""
    found = _SPACE_AND_COMMENTS.match(text, start, end)
    return found.end() if found else start


class _NodeParser:
    def __init__(self, text: str, comments: bool) -> None:
        self._text = text
        self._space = _SPACE_AND_COMMENTS if comments else _SPACE

    def parse(self) -> Node:
        node = self._parse_value(self._skip(0), 0)
        if self._skip(node.end) != len(self._text):
            self._fail(self._skip(node.end))
        return node

    def _skip(self, at: int) -> int:
        found = self._space.match(self._text, at)
        return found.end() if found else at

    def _fail(self, at: int, what: str = "this is not JSON") -> NoReturn:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise JsonSyntaxError(f"{what} (line {line}, column {column})") from None

    def _parse_value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            self._fail(at, "this is nested too deeply")
        if self._text[at : at + 1] == "{":
            return self._parse_object(at, depth)
        if self._text[at : at + 1] == "[":
            return self._parse_array(at, depth)
        token = _TOKEN.match(self._text, at)
        if token is None:
            self._fail(at)
        try:
            return Node(at, token.end(), json.loads(token[0]))
        except ValueError:
            self._fail(at)

    def _parse_object(self, start: int, depth: int) -> Node:
        entries: list[tuple[str, int, Node]] = []
        value: dict[str, Any] = {}
        at = self._skip(start + 1)
        while self._text[at : at + 1] != "}" or entries:
            begin = at
            token = _TOKEN.match(self._text, at)
            if not token or token[0][0] != '"':
                self._fail(at)
            key = str(self._parse_value(at, depth).value)
            if key in value:
                self._fail(at, f"duplicate key {key!r}")
            at = self._skip(token.end())
            if self._text[at : at + 1] != ":":
                self._fail(at)
            node = self._parse_value(self._skip(at + 1), depth + 1)
            entries.append((key, begin, node))
            value[key] = node.value
            at = self._pass_separator(node.end, "}")
            if self._text[at - 1] == "}":
                return Node(start, at, value, tuple(entries))
        return Node(start, at + 1, value)

    def _parse_array(self, start: int, depth: int) -> Node:
        entries: list[tuple[str, int, Node]] = []
        at = self._skip(start + 1)
        while self._text[at : at + 1] != "]" or entries:
            node = self._parse_value(at, depth + 1)
            entries.append(("", at, node))
            at = self._pass_separator(node.end, "]")
            if self._text[at - 1] == "]":
                values = [entry[2].value for entry in entries]
                return Node(start, at, values, tuple(entries))
        return Node(start, at + 1, [])

    def _pass_separator(self, at: int, close: str) -> int:
        """After the closing bracket, or where the next entry begins after a comma."""
        at = self._skip(at)
        if self._text[at : at + 1] == close:
            return at + 1
        if self._text[at : at + 1] != ",":
            self._fail(at)
        return self._skip(at + 1)
