"""OpenAI Responses: a flat list of items; calls and their outputs share a `call_id`."""

from collections.abc import Iterator
from typing import Any

from stubcli.messages.formats.common import command_of, command_of_value, string, text_slots
from stubcli.messages.model import (
    ASSISTANT,
    CALL,
    RESULT,
    SPEECH,
    SYSTEM,
    USER,
    ListShape,
    Piece,
    Slot,
)

_ROLES = {"assistant": ASSISTANT, "user": USER, "system": SYSTEM, "developer": SYSTEM}
_CALLS = {
    "function_call": "",
    "custom_tool_call": "",
    "shell_call": "shell",
    "local_shell_call": "shell",
    "apply_patch_call": "apply_patch",
}
_OUTPUTS = frozenset(f"{call}_output" for call in _CALLS)
_TYPES = ("input_text", "output_text", "text")


class Responses:
    name = "openai-responses"

    def accepts(self, shape: ListShape) -> bool:
        return shape.objects and shape.container in ("", "input")

    def recognises(self, shape: ListShape) -> bool:
        known = {*_CALLS, *_OUTPUTS, "message", "reasoning"}
        return shape.container == "input" or bool(shape.types & known)

    def pieces(self, item: Any) -> list[Piece]:
        if not isinstance(item, dict):
            return []
        kind = string(item.get("type", "message"))
        if kind in _CALLS:
            return [self._call(item, kind)]
        if kind in _OUTPUTS:
            slots = tuple(self._output(item.get("output")))
            return [Piece(RESULT, USER, slots, string(item.get("call_id")))]
        role = _ROLES.get(string(item.get("role")))
        if kind != "message" or role is None:
            return []
        return [Piece(SPEECH, role, tuple(text_slots(item.get("content"), ("content",), _TYPES)))]

    def _call(self, item: dict[str, Any], kind: str) -> Piece:
        action = item.get("action")
        if isinstance(action, dict):
            command = command_of_value(action.get("commands") or action.get("command"))
        else:
            command = command_of(item.get("arguments"))
        return Piece(
            CALL,
            ASSISTANT,
            call_id=string(item.get("call_id")),
            tool=string(item.get("name")) or _CALLS[kind],
            command=command,
        )

    def _output(self, output: Any) -> Iterator[Slot]:
        yield from text_slots(output, ("output",), _TYPES)
        for number, block in enumerate(output if isinstance(output, list) else []):
            for stream in ("stdout", "stderr"):
                if isinstance(block, dict) and isinstance(block.get(stream), str):
                    yield Slot(("output", number, stream), block[stream])
