"""Anthropic Messages: `tool_use` blocks, answered by `tool_result` blocks of the next message."""

from typing import Any

from stubcli.messages.formats.common import command_of, string, text_slots
from stubcli.messages.model import ASSISTANT, CALL, RESULT, SPEECH, USER, ListShape, Piece, Slot

_ROLES = {"assistant": ASSISTANT, "user": USER}
_TEXT = ("text",)


class Anthropic:
    name = "anthropic"

    def accepts(self, shape: ListShape) -> bool:
        return shape.objects and shape.container in ("", "messages") and shape.roles <= {*_ROLES}

    def recognises(self, shape: ListShape) -> bool:
        return "system" in shape.envelope or bool(shape.blocks & {"tool_use", "tool_result"})

    def pieces(self, item: Any) -> list[Piece]:
        role = _ROLES.get(string(item.get("role"))) if isinstance(item, dict) else None
        if role is None:
            return []
        content = item.get("content")
        if isinstance(content, str):
            return [Piece(SPEECH, role, (Slot(("content",), content),))]
        found = []
        for number, block in enumerate(content if isinstance(content, list) else []):
            if isinstance(block, dict) and (piece := self._piece(block, number, role)):
                found.append(piece)
        return found

    def _piece(self, block: dict[str, Any], number: int, role: str) -> Piece | None:
        kind, path = block.get("type"), ("content", number)
        if kind == "tool_use":
            return Piece(
                CALL,
                role,
                call_id=string(block.get("id")),
                tool=string(block.get("name")),
                command=command_of(block.get("input")),
            )
        if kind == "tool_result":
            slots = tuple(text_slots(block.get("content"), (*path, "content"), _TEXT))
            return Piece(RESULT, USER, slots, string(block.get("tool_use_id")))
        if kind == "text" and isinstance(block.get("text"), str):
            return Piece(SPEECH, role, (Slot((*path, "text"), block["text"]),))
        return None
