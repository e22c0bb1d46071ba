"""OpenAI Chat Completions: `tool_calls` of the assistant, answered by messages of role `tool`.

The older `function_call` is answered by role `function`, by name: it has no id.
"""

from collections.abc import Iterator
from typing import Any

from stubcli.messages.formats.common import command_of, string, text_slots
from stubcli.messages.model import ASSISTANT, CALL, RESULT, SPEECH, SYSTEM, USER, ListShape, Piece

_ROLES = {"assistant": ASSISTANT, "user": USER, "system": SYSTEM, "developer": SYSTEM}
_TYPES = ("text",)


class Chat:
    name = "openai-chat"

    def accepts(self, shape: ListShape) -> bool:
        known = {*_ROLES, "tool", "function"}
        return shape.objects and shape.container in ("", "messages") and shape.roles <= known

    def recognises(self, shape: ListShape) -> bool:
        return True

    def pieces(self, item: Any) -> list[Piece]:
        if not isinstance(item, dict):
            return []
        role = string(item.get("role"))
        slots = tuple(text_slots(item.get("content"), ("content",), _TYPES))
        if role == "tool":
            return [Piece(RESULT, USER, slots, string(item.get("tool_call_id")))]
        if role == "function":
            return [Piece(RESULT, USER, slots, tool=string(item.get("name")))]
        if role not in _ROLES:
            return []
        said = [Piece(SPEECH, _ROLES[role], slots)]
        calls = item.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, dict):
                said += self._call(call.get("function"), string(call.get("id")))
        return said + list(self._call(item.get("function_call"), ""))

    def _call(self, function: Any, call_id: str) -> Iterator[Piece]:
        if isinstance(function, dict):
            yield Piece(
                CALL,
                ASSISTANT,
                call_id=call_id,
                tool=string(function.get("name")),
                command=command_of(function.get("arguments")),
            )
