"""Gemini contents: `functionCall` parts of the model, answered by `functionResponse` parts."""

from collections.abc import Iterator
from typing import Any

from stubcli.messages.formats.common import command_of, string
from stubcli.messages.model import (
    ASSISTANT,
    CALL,
    RESULT,
    SPEECH,
    USER,
    ListShape,
    Path,
    Piece,
    Slot,
)

# The REST API and the Python SDK spell the same keys differently.
_CALL = ("functionCall", "function_call")
_RESPONSE = ("functionResponse", "function_response")


class Gemini:
    name = "gemini"

    def accepts(self, shape: ListShape) -> bool:
        return shape.parts and shape.container in ("", "contents")

    def recognises(self, shape: ListShape) -> bool:
        return True

    def pieces(self, item: Any) -> list[Piece]:
        parts = item.get("parts") if isinstance(item, dict) else None
        role = ASSISTANT if isinstance(item, dict) and item.get("role") == "model" else USER
        found = []
        for number, part in enumerate(parts if isinstance(parts, list) else []):
            if isinstance(part, dict) and (piece := self._piece(part, number, role)):
                found.append(piece)
        return found

    def _piece(self, part: dict[str, Any], number: int, role: str) -> Piece | None:
        path = ("parts", number)
        for key in _CALL:
            if isinstance(call := part.get(key), dict):
                return Piece(
                    CALL,
                    ASSISTANT,
                    call_id=string(call.get("id")),
                    tool=string(call.get("name")),
                    command=command_of(call.get("args")),
                )
        for key in _RESPONSE:
            if isinstance(answer := part.get(key), dict):
                slots = tuple(_strings(answer.get("response"), (*path, key, "response")))
                return Piece(
                    RESULT, USER, slots, string(answer.get("id")), string(answer.get("name"))
                )
        if isinstance(part.get("text"), str) and not part.get("thought"):
            return Piece(SPEECH, role, (Slot((*path, "text"), part["text"]),))
        return None


def _strings(value: Any, path: Path, depth: int = 0) -> Iterator[Slot]:
    """Every string inside a response, however it is nested."""
    if isinstance(value, str) and depth:
        yield Slot(path, value)
    elif isinstance(value, dict) and depth < 20:
        for key, below in value.items():
            yield from _strings(below, (*path, key), depth + 1)
    elif isinstance(value, list) and depth < 20:
        for number, below in enumerate(value):
            yield from _strings(below, (*path, number), depth + 1)
