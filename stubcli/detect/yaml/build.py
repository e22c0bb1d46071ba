"""Builds the values of YAML documents from their lines, one at a time: no parser, so no aliases.

Lines of block scalars, comments and markers are not fed. What it does not understand is left out;
scalars keep their text, and their type is what the text looks like.
"""

import re
from typing import Any

from stubcli.detect.fields.values import Block, Constant, Number

_KEY = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?|[^\s"'\[{][^:]*?):(?:\s+(.*))?$"""
)
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$")
_PROPERTY = re.compile(r"[&!][^\s,\[\]{}]*\s*")
_COMMENT = re.compile(r"\s#.*$")
_BOOLEANS = {"true", "false"}
_NULLS = {"null", "~", ""}
_PART = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*"|'[^']*')|[^,]+""")
_DEEPEST = 40
_LONGEST = 200


class _Unfinished:
    """A mapping or list that goes on; waits: for the value of its last key or item."""

    __slots__ = ("indent", "key", "value", "waits")

    def __init__(self, indent: int, value: dict[str, Any] | list[Any]) -> None:
        self.indent = indent
        self.value = value
        self.key = ""
        self.waits = False

    def place(self, value: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key] = value
        self.waits = False


class YamlBuilder:
    """`feed` lines of a document, then `finish` it."""

    def __init__(self) -> None:
        self._stack: list[_Unfinished] = []
        self._root: Any = None

    def feed(self, line: str, block: bool = False) -> None:
        """One line; block: whether its value is a text on the lines that follow."""
        rest = line.lstrip(" ")
        at = len(line) - len(rest)
        while rest == "-" or rest.startswith("- "):
            if not self._item(at):
                return
            inner = rest[1:].lstrip(" ")
            at += len(rest) - len(inner)
            rest = inner
        if not rest:
            return
        key = _KEY.match(rest)
        if key is not None:
            self._member(at, key[1].strip("\"'"), key[2] or "", block)
        elif self._stack and self._stack[-1].waits and isinstance(self._stack[-1].value, list):
            self._stack[-1].place(Block() if block else scalar(rest))

    def finish(self) -> Any:
        """The value of the document; None where there is none."""
        self._close(-1)
        root, self._root = self._root, None
        return root

    def _item(self, at: int) -> bool:
        """A dash at that column; whether it begins an item that can be built."""
        self._close(at)
        top = self._stack[-1] if self._stack else None
        if top is not None and isinstance(top.value, list) and top.indent == at:
            self._settle(top)
        elif not self._begin(at, []):
            return False
        self._stack[-1].waits = True
        return True

    def _member(self, at: int, key: str, value: str, block: bool) -> None:
        self._close(at)
        if self._stack and self._stack[-1].indent == at and isinstance(self._stack[-1].value, list):
            self._pop()  # a list at the column of its key ends with the next one
        top = self._stack[-1] if self._stack else None
        if top is not None and isinstance(top.value, dict) and top.indent == at:
            self._settle(top)
        elif not self._begin(at, {}):
            return
        top = self._stack[-1]
        top.key, top.waits = key, True
        text = _PROPERTY.sub("", value, count=1) if value[:1] in "&!" else value
        text = text.strip()
        if block:
            top.place(Block())
        elif text and text[0] != "#":
            top.place(scalar(text))

    def _begin(self, at: int, value: dict[str, Any] | list[Any]) -> bool:
        """Open a container where a value is awaited, or as the root."""
        if len(self._stack) >= _DEEPEST:
            return False
        if self._stack and not self._stack[-1].waits:
            return False
        if not self._stack and self._root is not None:
            return False
        self._stack.append(_Unfinished(at, value))
        return True

    def _close(self, at: int) -> None:
        """Close what is indented deeper than that column."""
        while self._stack and self._stack[-1].indent > at:
            self._pop()

    def _pop(self) -> None:
        done = self._stack.pop()
        self._settle(done)
        if self._stack:
            self._stack[-1].place(done.value)
        else:
            self._root = done.value

    @staticmethod
    def _settle(one: _Unfinished) -> None:
        if one.waits:
            one.place(None)


def scalar(text: str, nested: bool = False) -> Any:
    """A value on one line: a scalar of its type, or a short flow list or mapping of such."""
    if text[:1] in "\"'":
        end = text.find(text[0], 1)
        return text[1:end][:_LONGEST] if end > 0 else text[1:][:_LONGEST]
    text = _COMMENT.sub("", text).strip()
    if not nested and text[:1] in "[{" and text[-1:] in "]}" and len(text) < 2000:
        return _flow(text)
    if _NUMBER.match(text):
        return Number(text)
    if text.lower() in _NULLS:
        return None
    return Constant(text) if text.lower() in _BOOLEANS else text[:_LONGEST]


def _flow(text: str) -> Any:
    body = text[1:-1].strip()
    if "[" in body or "{" in body:
        return text[:_LONGEST]
    parts = [part.strip() for part in _PART.findall(body) if part.strip()]
    if text[0] == "[":
        return [scalar(part, True) for part in parts]
    pairs = (part.partition(":") for part in parts)
    return {key.strip(" \"'"): scalar(value.strip(), True) for key, _, value in pairs}
