"""Somebody else's JSON file, changed where it must be and nowhere else.

The wanted document is compared with the one that the text means; what differs is inserted, cut
out or replaced in the text itself. Comments, order, indentation and line ends of everything else
stay, byte for byte. Works on text; knows no file and no agent.
"""

import json
import re
from typing import Any

from stubcli.agents.json_nodes import JsonSyntaxError, Node, parse_nodes, skip_space

Edit = tuple[int, int, str]


def parse(text: str, *, comments: bool = False) -> Any:
    """The value that `text` means. Raises JsonSyntaxError."""
    return parse_nodes(text, comments=comments).value


def rewrite(text: str, wanted: Any, *, comments: bool = False) -> str:
    """`text` changed so that it means `wanted`. Raises JsonSyntaxError."""
    node = parse_nodes(text, comments=comments)
    edits = _Editor(text).edit_value(node, wanted)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    if parse(text, comments=comments) != wanted:
        raise JsonSyntaxError("the change cannot be written into this text")
    return text


class _Editor:
    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        indent = re.search(r"[\[{]\s*\n([ \t]+)[^\s]", text)
        self._unit = indent[1] if indent else "  "

    def edit_value(self, node: Node, wanted: Any) -> list[Edit]:
        """The edits that make `node` mean `wanted`."""
        if type(node.value) is type(wanted) and node.value == wanted:
            return []
        if isinstance(node.value, dict) and isinstance(wanted, dict):
            kept = [entry for entry in node.entries if entry[0] in wanted]
            edits = [e for key, _, each in kept for e in self.edit_value(each, wanted[key])]
            new = [
                (f"{json.dumps(key, ensure_ascii=False)}: ", value)
                for key, value in wanted.items()
                if key not in node.value
            ]
            return edits + self._edit_entries(node, {entry[1] for entry in kept}, new)
        if isinstance(node.value, list) and isinstance(wanted, list):
            return self._edit_elements(node, wanted)
        return [(node.start, node.end, self._dump(wanted, self._margin_at(node.start)))]

    def _edit_elements(self, node: Node, wanted: list[Any]) -> list[Edit]:
        if len(wanted) == len(node.entries):
            pairs = zip(node.entries, wanted, strict=True)
            return [edit for entry, value in pairs for edit in self.edit_value(entry[2], value)]
        kept, rest = set(), list(wanted)
        for _, start, each in node.entries:
            if rest and each.value == rest[0]:
                kept.add(start)
                rest.pop(0)
        return self._edit_entries(node, kept, [("", value) for value in rest])

    def _edit_entries(self, node: Node, kept: set[int], new: list[tuple[str, Any]]) -> list[Edit]:
        """Cut out the entries that do not begin at one of `kept`; add `new` after the last."""
        edits = self._cut_entries(node, kept)
        if not new:
            return edits
        close = node.end - 1
        place = node.start + len(self._text[node.start : close].rstrip())
        inline = bool(node.entries) and "\n" not in self._text[node.start : node.entries[0][1]]
        margin = self._margin_at(node.start)
        inner = margin + self._unit
        between = " " if inline else self._newline + inner
        lines = [key + self._dump(value, inner) for key, value in new]
        last = max((each.end for _, start, each in node.entries if start in kept), default=None)
        added = ("" if inline and last is None else between) + ("," + between).join(lines)
        if last is None:
            end = "" if inline else self._newline + margin
            return [*edits, (max(place, node.start + 1), close, added + end)]
        if last == place:
            return [*edits, (place, place, "," + added)]
        # After the last entry comes a comment, which stays with it, or what is cut out.
        return [*edits, (last, last, ","), (place, place, added)]

    def _cut_entries(self, node: Node, kept: set[int]) -> list[Edit]:
        edits: list[Edit] = []
        entries = node.entries
        ends = [each.end for _, start, each in entries if start in kept]
        for number, (_, start, each) in enumerate(entries):
            if start in kept:
                continue
            before = len(self._text[:start].rstrip())
            edits.append((before, each.end, ""))
            # One comma goes with each: the one before it, or after it where none is kept before.
            if any(end < start for end in ends):
                previous = entries[number - 1][2].end
                edits.append(self._cut_comma(previous, start))
            elif number + 1 < len(entries):
                edits.append(self._cut_comma(each.end, entries[number + 1][1]))
        return edits

    def _cut_comma(self, start: int, end: int) -> Edit:
        """The comma between two entries, which no comment before it hides."""
        at = skip_space(self._text, start, end)
        return (at, at + 1, "")

    def _margin_at(self, at: int) -> str:
        """The white space that the line of `at` begins with."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _dump(self, value: Any, margin: str) -> str:
        text = json.dumps(value, indent=self._unit, ensure_ascii=False)
        return text.replace("\n", self._newline + margin)
