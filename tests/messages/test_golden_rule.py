"""Texts are edited in place, and nothing else of a conversation is ever touched.

For conversations of all four APIs as they are, and as they should not be.
"""

import json
import re
import tempfile
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import stubcli
from stubcli.api import Store
from stubcli.messages.jsontext import JsonTextError
from stubcli.messages.model import Report
from stubcli.messages.rewrite import Conversation, compact_conversation, offload_conversation
from stubcli.messages.transcript import Transcript
from tests.chance import examples
from tests.messages.made import (
    APIS,
    Message,
    Place,
    conversations,
    documents,
    ref_in,
    said,
    texts_of,
    turn,
)

TOKEN = re.compile(rb'("(?:[^"\\]|\\.)*")', re.DOTALL)
# So small that a text of a thousand characters gives way.
TIGHT: Any = {"threshold": "1500", "budget": "800", "turn_budget": "1000", "turn_floor": "900"}
slowly = examples(30)


def flags(home: str, **more: str) -> dict[str, str]:
    return {"home": home, "session": "test", **TIGHT, **more}


def run(verb: Any, data: bytes, api: str | None, given: dict[str, str]) -> tuple[bytes, Report]:
    transcript = Transcript(data)
    source = Conversation(
        transcript, transcript.container, transcript.envelope, lambda: transcript.written({})
    )
    edits, report = verb(source, api, given)
    return b"".join(transcript.written(edits)), report


def bare(data: bytes) -> Any:
    """The document with its keys in order, its numbers as they are spelled, and no key lost."""
    text = data.decode("utf-8-sig")
    return json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str)


def items_of(data: bytes) -> list[Message]:
    document = json.loads(data.decode("utf-8-sig"))
    if isinstance(document, list):
        return document
    return next(document[key] for key in ("messages", "input", "contents") if key in document)


def at(item: Any, place: Place) -> Any:
    for step in place:
        item = item[step]
    return item


def assert_only_strings_changed(before: bytes, after: bytes) -> int:
    """Outside of replaced strings the bytes are equal; how many strings were replaced."""
    old, new = TOKEN.split(before), TOKEN.split(after)
    assert len(old) == len(new)
    assert old[::2] == new[::2]
    changed = [(a, b) for a, b in zip(old[1::2], new[1::2], strict=True) if a != b]
    for a, b in changed:
        assert len(json.loads(b)) < len(json.loads(a))
    return len(changed)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("api", APIS)
def test_offload_replaces_result_texts_and_nothing_else(api: str) -> None:
    reasons = Counter[str]()

    @slowly
    @given(documents(api))
    def holds(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as home:
            after, report = run(offload_conversation, data, api, flags(home))
            reasons.update(change.reason for change in report.changes)
            assert assert_only_strings_changed(data, after) == len(report.changes)
            assert report.failures == ()
            assert _read_back(api, data, after, home) == len(report.changes)
            assert report.before - report.after == sum(c.before - c.after for c in report.changes)
            # As it was seen it stays: the same list again, and its own output, give the same.
            assert run(offload_conversation, data, api, flags(home))[0] == after
            again, nothing = run(offload_conversation, after, api, flags(home))
            assert (again, nothing.changes) == (after, ())

    holds()
    assert reasons, "no text was replaced in any of them"


def _read_back(api: str, data: bytes, after: bytes, home: str) -> int:
    """How many result texts are a stub now; each is read back whole by its reference."""
    changed = 0
    for old, new in zip(items_of(data), items_of(after), strict=True):
        for place, text in texts_of(api, old):
            if (shown := at(new, place)) != text:
                changed += 1
                assert Store(home=home).read(ref_in(shown)) == encoded(text)
    return changed


@pytest.mark.parametrize("api", APIS)
def test_compact_replaces_old_texts_and_all_of_them_can_be_read(api: str) -> None:
    reasons = Counter[str]()

    @slowly
    @given(documents(api), st.integers(0, 3))
    def holds(data: bytes, keep: int) -> None:
        with tempfile.TemporaryDirectory() as home:
            tight = flags(home, max_messages="0", max_tokens="0", keep=str(keep))
            after, report = run(compact_conversation, data, api, tight)
            reasons.update(change.reason for change in report.changes)
            assert assert_only_strings_changed(data, after) == len(report.changes)
            items, new_items = items_of(data), items_of(after)
            for change in report.changes:
                assert change.ref in json.dumps(new_items[change.index], ensure_ascii=False)
                kept = Store(home=home).read(change.ref)
                texts = [encoded(text) for _, text in texts_of(api, items[change.index])]
                assert kept in (texts if change.reason == "reclaimed" else [data])
            spoken = [number for number, item in enumerate(items) if _spoke(api, item)]
            first = max(0, min(len(items) - keep, spoken[-1] if spoken else 0))
            assert items[first:] == new_items[first:]
            for old, new in zip(items, new_items, strict=True):
                assert old == new or old.get("role") != "system"
            assert run(compact_conversation, data, api, tight)[0] == after
            again, nothing = run(compact_conversation, after, api, tight)
            assert (again, nothing.changes) == (after, ())

    holds()
    assert reasons, "no text was replaced in any of them"


def _spoke(api: str, item: Message) -> bool:
    """Whether the assistant has a word or a call in it, by rules written down here anew."""
    if api == "gemini":
        return item["role"] == "model" and bool(item["parts"])
    if api == "openai-responses":
        return item.get("role") == "assistant" or item.get("type") == "function_call"
    if api == "anthropic" and isinstance(item.get("content"), list):
        kinds = ("text", "tool_use")
        blocks = [block for block in item["content"] if isinstance(block, dict)]
        known = any(
            block.get("type") in kinds
            and (block["type"] != "text" or isinstance(block["text"], str))
            for block in blocks
        )
        return item["role"] == "assistant" and known
    return item.get("role") == "assistant" and (
        api == "openai-chat" or isinstance(item.get("content"), str)
    )


@slowly
@given(st.sampled_from(APIS).flatmap(lambda api: st.tuples(st.just(api), conversations(api))))
def test_parsed_messages_get_the_texts_that_written_ones_get(
    made: tuple[str, list[Message]],
) -> None:
    api, messages = made
    frozen = json.dumps(messages)
    data = json.dumps(messages).encode()
    with tempfile.TemporaryDirectory() as home:
        new, report = stubcli.offload_messages(
            messages, api=api, home=home, session="test", **TIGHT
        )
        after, _ = run(offload_conversation, data, api, flags(home))
        assert json.loads(after) == new
        assert json.dumps(messages) == frozen
        touched = {change.index for change in report.changes}
        for index, (old, one) in enumerate(zip(messages, new, strict=True)):
            assert (one is old) == (index not in touched)


@examples(150)
@example(b'[{"role": "tool", "content": "x", "content": "y"}]')
@example(b'[{"role": [], "type": {}, "content": [{"type": []}]}]')
@example(b"[" * 100_000)
@example(b'{"messages": ' * 5000)
@example(b'[{"role":"user","content":"\xff"}]')
@given(st.one_of(st.binary(max_size=60), st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(
        st.sampled_from(("role", "content", "type", "parts", "messages", "output", "tool_calls",
                         "function", "id", "text", "functionCall", "response", "action")),
        below, max_size=4),
    max_leaves=25).map(lambda value: json.dumps(value).encode())))  # fmt: skip
def test_whatever_comes_it_is_done_or_refused_in_one_line(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as home:
        for verb in (offload_conversation, compact_conversation):
            try:
                after, _ = run(verb, data, None, flags(home, max_messages="0", max_tokens="0"))
            except (stubcli.StubError, JsonTextError) as error:
                refusal = str(error)
            else:
                refusal = ""
                assert_only_strings_changed(data, after)
            assert "\n" not in refusal


@pytest.mark.parametrize("api", APIS)
def test_pairs_stay_whole_under_the_hardest_pressure(api: str) -> None:
    texts = [f"line {number}\n" * 300 for number in range(6)]
    messages = [said(api, "user", "go " * 200)]
    for number in range(0, 6, 2):
        results = (("bash", texts[number]), ("grep", texts[number + 1]))
        messages += [*turn(api, *results, first=number), said(api, "assistant", "word " * 200)]
    with tempfile.TemporaryDirectory() as home:
        new, _ = stubcli.compact_messages(
            messages, home=home, session="test", max_messages=0, max_tokens=0, keep=0
        )
    assert len(new) == len(messages)
    names = ("id", "call_id", "tool_call_id", "tool_use_id", "functionCall", "name", "role", "type")
    for name in names:
        assert _values(new, name) == _values(messages, name)


def _values(value: Any, name: str) -> list[Any]:
    if isinstance(value, dict):
        own = [value[name]] if name in value else []
        return own + [found for below in value.values() for found in _values(below, name)]
    if isinstance(value, list):
        return [found for below in value for found in _values(below, name)]
    return []
