"""Somebody else's JSON file, changed where it must be and nowhere else.

The wanted document is compared with the one that the text means; what differs is inserted, cut
out or replaced in the text itself. Comments, order, indentation and line ends of everything else
stay, byte for byte. Works on text; knows no file and no agent.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

# White space, and comments where the reader of the file allows them.
_PLAIN = re.compile(r"[ \t\r\n]*")
_WITH_COMMENTS = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?[0-9][-+.eE0-9]*|true|false|null')
_DEEPEST = 200


class NotJson(ValueError):
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


Edit = tuple[int, int, str]


def parsed(text: str, *, comments: bool = False) -> Any:
    """The value that `text` means. Raises NotJson."""
    return _Reader(text, comments).whole().value


def rewritten(text: str, wanted: Any, *, comments: bool = False) -> str:
    """`text` changed so that it means `wanted`. Raises NotJson."""
    node = _Reader(text, comments).whole()
    edits = _Writer(text).changes(node, wanted)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    if parsed(text, comments=comments) != wanted:
        raise NotJson("the change cannot be written into this text")
    return text


class _Reader:
    def __init__(self, text: str, comments: bool) -> None:
        self._text = text
        self._space = _WITH_COMMENTS if comments else _PLAIN

    def whole(self) -> Node:
        node = self._value(self._skip(0), 0)
        if self._skip(node.end) != len(self._text):
            raise self._wrong(self._skip(node.end))
        return node

    def _skip(self, at: int) -> int:
        found = self._space.match(self._text, at)
        return found.end() if found else at

    def _wrong(self, at: int, what: str = "this is not JSON") -> NotJson:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        return NotJson(f"{what} (line {line}, column {column})")

    def _value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self._wrong(at, "this is nested too deeply")
        if self._text[at : at + 1] == "{":
            return self._object(at, depth)
        if self._text[at : at + 1] == "[":
            return self._array(at, depth)
        token = _TOKEN.match(self._text, at)
        try:
            return Node(at, token.end(), json.loads(token[0])) if token else self._none(at)
        except ValueError:
            raise self._wrong(at) from None

    def _none(self, at: int) -> Node:
        raise self._wrong(at)

    def _object(self, start: int, depth: int) -> Node:
        entries: list[tuple[str, int, Node]] = []
        value: dict[str, Any] = {}
        at = self._skip(start + 1)
        while self._text[at : at + 1] != "}" or entries:
            begin = at
            token = _TOKEN.match(self._text, at)
            if not token or token[0][0] != '"':
                raise self._wrong(at)
            key = str(self._value(at, depth).value)
            if key in value:
                raise self._wrong(at, f"the key {key!r} stands there twice")
            at = self._skip(token.end())
            if self._text[at : at + 1] != ":":
                raise self._wrong(at)
            node = self._value(self._skip(at + 1), depth + 1)
            entries.append((key, begin, node))
            value[key] = node.value
            at = self._next(node.end, "}")
            if self._text[at - 1] == "}":
                return Node(start, at, value, tuple(entries))
        return Node(start, at + 1, value)

    def _array(self, start: int, depth: int) -> Node:
        entries: list[tuple[str, int, Node]] = []
        at = self._skip(start + 1)
        while self._text[at : at + 1] != "]" or entries:
            node = self._value(at, depth + 1)
            entries.append(("", at, node))
            at = self._next(node.end, "]")
            if self._text[at - 1] == "]":
                values = [entry[2].value for entry in entries]
                return Node(start, at, values, tuple(entries))
        return Node(start, at + 1, [])

    def _next(self, at: int, close: str) -> int:
        """Behind the closing bracket, or where the next entry begins behind a comma."""
        at = self._skip(at)
        if self._text[at : at + 1] == close:
            return at + 1
        if self._text[at : at + 1] != ",":
            raise self._wrong(at)
        return self._skip(at + 1)


class _Writer:
    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        indent = re.search(r"[\[{]\s*\n([ \t]+)[^\s]", text)
        self._unit = indent[1] if indent else "  "

    def changes(self, node: Node, wanted: Any) -> list[Edit]:
        """The edits that make `node` mean `wanted`."""
        if type(node.value) is type(wanted) and node.value == wanted:
            return []
        if isinstance(node.value, dict) and isinstance(wanted, dict):
            kept = [entry for entry in node.entries if entry[0] in wanted]
            edits = [e for key, _, each in kept for e in self.changes(each, wanted[key])]
            new = [
                (f"{json.dumps(key, ensure_ascii=False)}: ", value)
                for key, value in wanted.items()
                if key not in node.value
            ]
            return edits + self._entries(node, {entry[1] for entry in kept}, new)
        if isinstance(node.value, list) and isinstance(wanted, list):
            return self._elements(node, wanted)
        return [(node.start, node.end, self._dumped(wanted, self._margin(node.start)))]

    def _elements(self, node: Node, wanted: list[Any]) -> list[Edit]:
        if len(wanted) == len(node.entries):
            pairs = zip(node.entries, wanted, strict=True)
            return [edit for entry, value in pairs for edit in self.changes(entry[2], value)]
        kept, rest = set(), list(wanted)
        for _, start, each in node.entries:
            if rest and each.value == rest[0]:
                kept.add(start)
                rest.pop(0)
        return self._entries(node, kept, [("", value) for value in rest])

    def _entries(self, node: Node, kept: set[int], new: list[tuple[str, Any]]) -> list[Edit]:
        """Cut out the entries that do not begin at one of `kept`; add `new` behind the last."""
        edits = self._cuts(node, kept)
        if not new:
            return edits
        close = node.end - 1
        place = node.start + len(self._text[node.start : close].rstrip())
        inline = bool(node.entries) and "\n" not in self._text[node.start : node.entries[0][1]]
        margin = self._margin(node.start)
        inner = margin + self._unit
        between = " " if inline else self._newline + inner
        lines = [key + self._dumped(value, inner) for key, value in new]
        last = max((each.end for _, start, each in node.entries if start in kept), default=None)
        added = ("" if inline and last is None else between) + ("," + between).join(lines)
        if last is None:
            end = "" if inline else self._newline + margin
            return [*edits, (max(place, node.start + 1), close, added + end)]
        if last == place:
            return [*edits, (place, place, "," + added)]
        # Behind the last entry stands a comment, which stays with it, or what is cut out.
        return [*edits, (last, last, ","), (place, place, added)]

    def _cuts(self, node: Node, kept: set[int]) -> list[Edit]:
        edits: list[Edit] = []
        entries = node.entries
        ends = [each.end for _, start, each in entries if start in kept]
        for number, (_, start, each) in enumerate(entries):
            if start in kept:
                continue
            before = len(self._text[:start].rstrip())
            edits.append((before, each.end, ""))
            # One comma goes with each: the one before it, or behind it where none is kept before.
            if any(end < start for end in ends):
                previous = entries[number - 1][2].end
                edits.append(self._comma(previous, start))
            elif number + 1 < len(entries):
                edits.append(self._comma(each.end, entries[number + 1][1]))
        return edits

    def _comma(self, start: int, end: int) -> Edit:
        """The comma between two entries, which no comment before it hides."""
        between = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
        found = between.match(self._text, start, end)
        at = found.end() if found else start
        return (at, at + 1, "")

    def _margin(self, at: int) -> str:
        """The white space that the line of `at` begins with."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _dumped(self, value: Any, margin: str) -> str:
        text = json.dumps(value, indent=self._unit, ensure_ascii=False)
        return text.replace("\n", self._newline + margin)
