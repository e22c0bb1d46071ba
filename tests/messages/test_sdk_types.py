"""The SDKs' own types accept what comes out, and their objects may go in as they are."""

from typing import Any

import pytest

from tests.messages.conftest import Session
from tests.messages.made import Message, said, turn

LINES = "a line of an ordinary log\n" * 1_200
WORDS = "why it is so " * 200


def both(session: Session, messages: list[Any], **settings: Any) -> list[list[Any]]:
    """The list offloaded, and compacted as far as it goes."""
    tight: Any = {"max_messages": 0, "max_tokens": 0, "keep": 0}
    new, first = session.offload(messages, **settings)
    old, second = session.compact(messages, **tight)
    assert {change.reason for change in first.changes} == {"single_threshold"}
    assert {change.reason for change in second.changes} == {"reclaimed", "history"}
    return [new, old]


def talk(api: str) -> list[Message]:
    last = said(api, "assistant", "done")
    return [said(api, "user", WORDS), *turn(api, ("bash", LINES), ("grep", "one")), last]


def test_openai_takes_chat_messages(session: Session) -> None:
    pytest.importorskip("openai", reason="the SDK of OpenAI is not installed")
    from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageParam
    from pydantic import TypeAdapter

    messages: list[Any] = talk("openai-chat")
    messages[1] = ChatCompletionMessage.model_validate(messages[1])
    for new in both(session, messages):
        assert new[1] is messages[1]
        plain = [one if isinstance(one, dict) else one.to_dict() for one in new]
        TypeAdapter(list[ChatCompletionMessageParam]).validate_python(plain, strict=True)


def test_openai_takes_items_of_responses(session: Session) -> None:
    pytest.importorskip("openai", reason="the SDK of OpenAI is not installed")
    from openai.types.responses import ResponseFunctionToolCall, ResponseInputItemParam
    from pydantic import TypeAdapter

    messages: list[Any] = talk("openai-responses")
    call = ResponseFunctionToolCall.model_validate(messages[1])
    messages[1] = call
    for new in both(session, messages):
        assert new[1] is call
        plain = [one if isinstance(one, dict) else one.to_dict() for one in new]
        TypeAdapter(list[ResponseInputItemParam]).validate_python(plain, strict=True)


def test_anthropic_takes_messages(session: Session) -> None:
    pytest.importorskip("anthropic", reason="the SDK of Anthropic is not installed")
    from anthropic.types import MessageParam, ToolUseBlock
    from pydantic import TypeAdapter

    messages: list[Any] = talk("anthropic")
    # As its documentation has it: the content of the answer, which is objects, is appended.
    uses = [ToolUseBlock.model_validate(block) for block in messages[1]["content"]]
    messages[1] = {"role": "assistant", "content": uses}
    for new in both(session, messages):
        assert new[1] is messages[1]
        plain = [*new[:1], {**new[1], "content": [use.to_dict() for use in uses]}, *new[2:]]
        TypeAdapter(list[MessageParam]).validate_python(plain)


def test_google_takes_contents(session: Session) -> None:
    pytest.importorskip("google.genai", reason="the SDK of Google is not installed")
    from google.genai.types import Content

    messages: list[Any] = [Content.model_validate(one) for one in talk("gemini")]
    messages[1].parts[0].thought_signature = b"\x00\xffsigned"
    for new in both(session, messages):
        assert new[1] is messages[1]
        contents = [one if isinstance(one, Content) else Content.model_validate(one) for one in new]
        names = [
            part.function_response.name
            for part in contents[2].parts or ()
            if part.function_response
        ]
        assert names == ["bash", "grep"]
