"""Which API wrote a list, and which of its texts may be replaced."""

from typing import Any

import pytest

from stubcli.errors import UsageError
from stubcli.messages.formats.recognise import FORMATS, NAMES, format_of
from stubcli.messages.model import CALL, RESULT, SPEECH
from stubcli.messages.survey import survey
from tests.messages.made import APIS, said, turn


def pieces(api: str, item: Any) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Kind, call id, tool and texts of each piece."""
    form = next(one for one in FORMATS if one.name == api)
    return [
        (one.kind, one.call_id, one.tool, tuple(slot.text for slot in one.slots))
        for one in form.pieces(item)
    ]


@pytest.mark.parametrize("api", APIS)
def test_a_list_is_recognised_by_its_shape(api: str) -> None:
    messages = [said(api, "user", "go"), *turn(api, ("bash", "done"))]
    assert format_of(messages, None).name == api


@pytest.mark.parametrize(
    ("container", "envelope", "api"),
    [
        ("messages", {"model"}, "openai-chat"),
        ("messages", {"model", "system"}, "anthropic"),
        ("input", {"model"}, "openai-responses"),
    ],
)
def test_what_stands_beside_the_list_tells_more(
    container: str, envelope: set[str], api: str
) -> None:
    items = [{"role": "user", "content": "hello"}]
    assert format_of(items, None, container, frozenset(envelope)).name == api


def test_the_one_result_in_a_long_list_tells_the_api_wherever_it_stands() -> None:
    talk = [said("anthropic", "user" if n % 2 else "assistant", "word") for n in range(500)]
    talk[237:237] = turn("anthropic", ("bash", "done"))
    assert format_of(talk, None).name == "anthropic"


def test_an_answer_of_anthropic_that_was_appended_as_it_came_is_no_item_of_responses() -> None:
    call, result = turn("anthropic", ("bash", "done"))
    answer = {"id": "msg_1", "type": "message", "stop_reason": "tool_use", **call}
    assert format_of([said("anthropic", "user", "go"), answer, result], None).name == "anthropic"


@pytest.mark.parametrize(
    "items", [[1], [None], [{}], [{"role": "critic", "content": "x"}], [{"role": ["user"]}], ["x"]]
)
def test_what_no_api_writes_is_refused(items: list[Any]) -> None:
    with pytest.raises(UsageError, match="is not a list of chat messages"):
        format_of(items, None)


@pytest.mark.parametrize("api", APIS)
def test_a_format_that_is_named_is_held_to_its_word(api: str) -> None:
    with pytest.raises(UsageError, match=f"not a list of {api} items"):
        format_of([{"role": "user", "parts": []}, 7], api)


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean anthropic"):
        format_of([], "antropic")


def test_chat_results_are_strings_and_blocks_of_text() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:"}}
    block = {"type": "text", "text": "two"}
    item = {"role": "tool", "tool_call_id": "a", "content": [block, image, block]}
    assert pieces("openai-chat", item) == [(RESULT, "a", "", ("two", "two"))]
    assert pieces("openai-chat", item | {"content": "one"}) == [(RESULT, "a", "", ("one",))]
    assert pieces("openai-chat", item | {"content": None}) == [(RESULT, "a", "", ())]


def test_the_older_function_call_is_paired_by_name() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    answer = {"role": "function", "name": "f", "content": "out"}
    assert pieces("openai-chat", call)[1] == (CALL, "", "f", ())
    assert pieces("openai-chat", answer) == [(RESULT, "", "f", ("out",))]
    found = survey([call, answer], format_of([call, answer], None))
    assert found.made[0] == found.answered[1] != ()


def test_anthropic_keeps_images_thinking_and_server_tools_to_itself() -> None:
    text, image = {"type": "text", "text": "out"}, {"type": "image", "source": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [text, image]}
    item = {"role": "user", "content": [result, {"type": "text", "text": "and then"}]}
    assert pieces("anthropic", item) == [
        (RESULT, "a", "", ("out",)),
        (SPEECH, "", "", ("and then",)),
    ]
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    server = {"type": "server_tool_use", "id": "b", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "b", "content": [text]}
    assert pieces("anthropic", {"role": "assistant", "content": [thinking, server, found]}) == []
    empty = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]}
    assert pieces("anthropic", empty) == [(RESULT, "c", "", ())]


@pytest.mark.parametrize(
    "kind",
    ["function_call", "custom_tool_call", "shell_call", "local_shell_call", "apply_patch_call"],
)
def test_every_call_of_responses_has_its_output(kind: str) -> None:
    call = {"type": kind, "call_id": "c", "name": "n", "arguments": "{}", "input": "x"}
    output = {"type": f"{kind}_output", "call_id": "c", "output": "out"}
    assert pieces("openai-responses", call)[0][:2] == (CALL, "c")
    assert pieces("openai-responses", output) == [(RESULT, "c", "", ("out",))]


def test_an_output_of_responses_may_come_without_its_call() -> None:
    items = [{"type": "function_call_output", "call_id": "c", "output": "out"}]
    assert format_of(items, None).name == "openai-responses"
    blocks = [{"type": "input_text", "text": "a"}, {"type": "input_image"}, {"type": "input_file"}]
    assert pieces("openai-responses", items[0] | {"output": blocks}) == [(RESULT, "c", "", ("a",))]


def test_the_streams_of_a_shell_are_texts() -> None:
    part = {"stdout": "o", "stderr": "e", "outcome": {"type": "exit", "exit_code": 0}}
    item = {"type": "shell_call_output", "call_id": "c", "output": [part, part]}
    texts = pieces("openai-responses", item)[0][3]
    assert sorted(texts) == ["e", "e", "o", "o"]


def test_a_response_of_gemini_stays_an_object_of_which_strings_are_replaced() -> None:
    answer = {"id": "a", "name": "f", "response": {"output": "o", "more": [{"error": "e"}, 7]}}
    for key in ("functionResponse", "function_response"):
        item = {"role": "user", "parts": [{key: answer}, {"inlineData": {}}]}
        assert pieces("gemini", item) == [(RESULT, "a", "f", ("o", "e"))]
    # No object: nothing in it may be replaced.
    odd = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": "text"}}]}
    assert pieces("gemini", odd) == [(RESULT, "", "f", ())]


def test_results_of_gemini_without_ids_answer_the_calls_of_their_tool_in_order() -> None:
    items = turn("gemini", ("bash", "one", "stub read 7"), ("bash", "two"), ("grep", "three"))
    found = survey(items, format_of(items, None))
    assert [(text.tool, text.reads) for text in found.texts] == [
        ("bash", True),
        ("bash", False),
        ("grep", False),
    ]
    assert found.made[0] == found.answered[1]


@pytest.mark.parametrize("depth", [5, 500])
def test_a_response_of_any_depth_is_looked_at(depth: int) -> None:
    value: Any = "leaf"
    for _ in range(depth):
        value = {"below": value}
    item = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": value}}]}
    assert len(pieces("gemini", item)[0][3]) == (1 if depth < 20 else 0)


def test_every_format_has_one_name() -> None:
    assert sorted(NAMES) == sorted(APIS)
