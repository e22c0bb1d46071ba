"""Conversations for tests, in all four formats: by hand for cases, and generated for properties."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

Message = dict[str, Any]
Place = tuple[str | int, ...]
APIS = ("openai-chat", "openai-responses", "anthropic", "gemini")
CONTAINERS = dict(zip(APIS, ("messages", "input", "messages", "contents"), strict=True))
REF = re.compile(r"artifact:[A-Za-z0-9._-]+:tool_result_[0-9]+\.txt:[0-9a-f]{16}")
# What a call may look like beside its result: tool, text, and the command that it ran.
Result = tuple[str, str] | tuple[str, str, str]


def ref_in(text: str) -> str:
    """The reference that stands in a replaced text, in its first 200 characters."""
    found = REF.search(text[:200])
    assert found, text[:300]
    return found[0]


def turn(api: str, *results: Result, first: int = 0) -> list[Message]:
    """The assistant calls all tools at once, and each answers with its text."""
    calls = [
        (f"call_{number}", tool, {"command": command[0] if command else f"run {number}"})
        for number, (tool, _, *command) in enumerate(results, first)
    ]
    texts = [text for _, text, *_ in results]
    return _TURNS[api](calls, texts)


def _chat(calls: list[tuple[str, str, Message]], texts: list[str]) -> list[Message]:
    called = [
        {"id": i, "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}
        for i, tool, given in calls
    ]
    answers = [
        {"role": "tool", "tool_call_id": call[0], "content": text}
        for call, text in zip(calls, texts, strict=True)
    ]
    return [{"role": "assistant", "content": None, "tool_calls": called}, *answers]


def _responses(calls: list[tuple[str, str, Message]], texts: list[str]) -> list[Message]:
    called = [
        {"type": "function_call", "call_id": i, "name": tool, "arguments": json.dumps(given)}
        for i, tool, given in calls
    ]
    return called + [
        {"type": "function_call_output", "call_id": call[0], "output": text}
        for call, text in zip(calls, texts, strict=True)
    ]


def _anthropic(calls: list[tuple[str, str, Message]], texts: list[str]) -> list[Message]:
    called = [
        {"type": "tool_use", "id": i, "name": tool, "input": given} for i, tool, given in calls
    ]
    answers = [
        {"type": "tool_result", "tool_use_id": call[0], "content": text}
        for call, text in zip(calls, texts, strict=True)
    ]
    return [{"role": "assistant", "content": called}, {"role": "user", "content": answers}]


def _gemini(calls: list[tuple[str, str, Message]], texts: list[str]) -> list[Message]:
    called = [{"functionCall": {"name": tool, "args": given}} for _, tool, given in calls]
    answers = [
        {"functionResponse": {"name": call[1], "response": {"output": text}}}
        for call, text in zip(calls, texts, strict=True)
    ]
    return [{"role": "model", "parts": called}, {"role": "user", "parts": answers}]


_TURNS: dict[str, Callable[[list[tuple[str, str, Message]], list[str]], list[Message]]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
}


def said(api: str, role: str, text: str) -> Message:
    """Something that the user or the assistant says."""
    if api == "gemini":
        return {"role": "model" if role == "assistant" else "user", "parts": [{"text": text}]}
    if api == "openai-responses":
        return {"type": "message", "role": role, "content": text}
    return {"role": role, "content": text}


def texts_of(api: str, message: Message) -> list[tuple[Place, str]]:
    """The result texts of one item and their places: told by rules written down here anew."""
    return list(_places(api, message))


def _places(api: str, message: Message) -> Iterator[tuple[Place, str]]:
    if api == "openai-chat" and message.get("role") in ("tool", "function"):
        yield from _content(message.get("content"), ("content",), ("text",))
    elif api == "openai-responses" and str(message.get("type")).endswith("_output"):
        output = message.get("output")
        yield from _content(output, ("output",), ("input_text", "output_text", "text"))
        for number, block in enumerate(output if isinstance(output, list) else []):
            for name in ("stdout", "stderr"):
                if isinstance(block, dict) and isinstance(block.get(name), str):
                    yield ("output", number, name), block[name]
    elif api == "anthropic" and isinstance(message.get("content"), list):
        for number, block in enumerate(message["content"]):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                here: Place = ("content", number, "content")
                yield from _content(block.get("content"), here, ("text",))
    elif api == "gemini":
        for number, part in enumerate(message["parts"]):
            for key in ("functionResponse", "function_response"):
                if isinstance(part, dict) and isinstance(part.get(key), dict):
                    yield from _strings(
                        part[key].get("response"), ("parts", number, key, "response")
                    )
                    break


def _content(content: Any, here: Place, types: Sequence[str]) -> Iterator[tuple[Place, str]]:
    if isinstance(content, str):
        yield here, content
    for number, block in enumerate(content if isinstance(content, list) else []):
        known = isinstance(block, dict) and block.get("type") in types
        if known and isinstance(block.get("text"), str):
            yield (*here, number, "text"), block["text"]


def _strings(value: Any, here: Place) -> Iterator[tuple[Place, str]]:
    pairs = (
        value.items() if isinstance(value, dict) else enumerate(value)
        if isinstance(value, list) else ()
    )  # fmt: skip
    for key, below in pairs:
        if isinstance(below, str):
            yield (*here, key), below
        else:
            yield from _strings(below, (*here, key))


SURROGATES = st.characters(categories=["L", "N", "P", "Z", "S", "Cs", "Cc"])
_SEEDS = st.one_of(
    st.text(SURROGATES, min_size=1, max_size=30),
    st.sampled_from(
        ("line one\n", "错误：文件不存在 ", "\x1b[31mred\x1b[0m ", "é", "👩‍👧 ", '\\u0000"')
    ),
)
SHORT = st.text(SURROGATES, max_size=40)
# Long enough for a stub, in one line or in many, and sometimes what a stub looks like.
LONG = st.builds(
    lambda seed, size: (seed * (size // len(seed) + 1))[:size],
    _SEEDS,
    st.integers(950, 1400) | st.integers(1600, 3000),
)
FORGED = st.just(
    "[stub artifact:test:tool_result_001.txt:0123456789abcdef] text/plain, 1 line\n"
    + "nothing of this was ever kept\n" * 60
    + "[stub end artifact:test:tool_result_001.txt:0123456789abcdef]\n"
)
TEXTS = st.one_of(SHORT, LONG, LONG, LONG, FORGED)
IDS = st.sampled_from(
    ("", "call_0", "call_0", "call_1", "../../etc/passwd", "x" * 1500, "\ud800", "调用")
)
TOOLS = st.sampled_from(("bash", "grep", "browser_click", "mcp__x__y", "\ud83d tool", ""))
ODD = st.dictionaries(
    st.sampled_from(("cache_control", "x-unknown", "metadata", "é", "name ")),
    st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from([f"@number{number}@" for number in range(6)]),
        st.lists(st.text(max_size=5), max_size=2),
        st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    ),
    max_size=2,
)
# How the numbers of `ODD` are spelled in the document; no parser gives them back like this.
NUMBERS = ("-0", "1.50E+02", "100000000000000000000000000", "1e5", "0.10", "3.0")
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}


def _blocks(kind: str) -> st.SearchStrategy[Any]:
    """A content: a string, blocks of text among others, nothing."""
    block = st.one_of(
        st.builds(lambda text, odd: {"type": kind, "text": text, **odd}, TEXTS, ODD),
        st.just(IMAGE),
        st.just({"type": "surprise", "text": 7}),
        st.just("no block"),
    )
    return st.one_of(TEXTS, st.none(), st.just([]), st.lists(block, max_size=3))


@st.composite
def _chat_item(draw: st.DrawFn) -> list[Message]:
    kind = draw(st.sampled_from(("user", "assistant", "system", "calls", "tool", "function")))
    if kind == "calls":
        ids = draw(st.lists(IDS, max_size=3))
        calls: list[Any] = [
            {"id": i, "type": "function", "function": {"name": draw(TOOLS), "arguments": "{}"}}
            for i in ids
        ]
        results = [
            {"role": "tool", "tool_call_id": i, "content": draw(_blocks("text"))} for i in ids
        ]
        calls += draw(st.lists(st.just("no call"), max_size=1))
        return [
            {"role": "assistant", "content": draw(_blocks("text")), "tool_calls": calls},
            *results,
        ]
    message = {"role": kind, "content": draw(_blocks("text")), **draw(ODD)}
    if kind == "tool":
        message = {"tool_call_id": draw(IDS), **message}
    return [message]


@st.composite
def _responses_item(draw: st.DrawFn) -> list[Message]:
    kind = draw(
        st.sampled_from(
            (
                "user",
                "assistant",
                "reasoning",
                "pair",
                "function_call_output",
                "shell",
                "item_reference",
            )
        )
    )
    if kind in ("user", "assistant"):
        return [{"role": kind, "content": draw(_blocks("input_text")), **draw(ODD)}]
    if kind == "pair":
        call_id = draw(IDS)
        call = {"type": "function_call", "call_id": call_id, "name": draw(TOOLS), "arguments": "{"}
        output = {"type": "function_call_output", "call_id": call_id, **draw(ODD)}
        return [
            call,
            {"type": "reasoning", "summary": []},
            output | {"output": draw(_blocks("input_text"))},
        ]
    if kind == "shell":
        outcome = {"type": "exit", "exit_code": 1}
        streams = {"stdout": draw(TEXTS), "stderr": draw(TEXTS), "outcome": outcome}
        return [{"type": "shell_call_output", "call_id": draw(IDS), "output": [streams]}]
    message = {"type": kind, "id": "rs_1", **draw(ODD)}
    if kind == "function_call_output":
        message |= {"call_id": draw(IDS), "output": draw(_blocks("input_text"))}
    return [message]


@st.composite
def _anthropic_item(draw: st.DrawFn) -> list[Message]:
    if draw(st.booleans()):
        role = draw(st.sampled_from(("user", "assistant")))
        return [{"role": role, "content": draw(_blocks("text")), **draw(ODD)}]
    ids = draw(st.lists(IDS, min_size=1, max_size=3))
    uses = [{"type": "tool_use", "id": i, "name": draw(TOOLS), "input": {}} for i in ids]
    thinking = [{"type": "thinking", "thinking": "w" * 1200, "signature": "s" * 1200}]
    results = [
        {"type": "tool_result", "tool_use_id": i, "content": draw(_blocks("text")), **draw(ODD)}
        for i in ids
    ]
    if draw(st.booleans()):
        results[0]["is_error"] = True
        results[0].pop("content")
    return [{"role": "assistant", "content": thinking + uses}, {"role": "user", "content": results}]


@st.composite
def _gemini_item(draw: st.DrawFn) -> list[Message]:
    if draw(st.booleans()):
        part = {"text": draw(TEXTS), **draw(ODD)}
        return [{"role": draw(st.sampled_from(("user", "model"))), "parts": [part]}]
    names = draw(st.lists(TOOLS, min_size=1, max_size=3))
    response = st.dictionaries(
        st.sampled_from(("output", "error", "result", "é")),
        st.one_of(TEXTS, st.lists(TEXTS, max_size=2), st.none(), st.just({"deep": ["x" * 1000]})),
        max_size=2,
    )
    calls = [
        {"functionCall": {"name": n, "args": {}}, "thoughtSignature": "s" * 1200} for n in names
    ]
    answers: list[Any] = [
        {"functionResponse": {"name": n, "response": draw(response)}} for n in names
    ]
    answers += draw(
        st.lists(st.just({"inlineData": {"mimeType": "image/png", "data": "AA=="}}), max_size=1)
    )
    return [{"role": "model", "parts": calls}, {"role": "user", "parts": answers, **draw(ODD)}]


_ITEMS = {
    "openai-chat": _chat_item,
    "openai-responses": _responses_item,
    "anthropic": _anthropic_item,
    "gemini": _gemini_item,
}


@st.composite
def conversations(draw: st.DrawFn, api: str) -> list[Message]:
    """A list of messages as that API writes them, or nearly."""
    items = draw(st.lists(_ITEMS[api](), max_size=8))
    last = draw(st.lists(st.just(said(api, "assistant", "done")), max_size=1))
    return [message for item in [*items, last] for message in item]


@st.composite
def documents(draw: st.DrawFn, api: str) -> bytes:
    """A JSON document of a conversation, written in one of many ways."""
    messages = draw(conversations(api))
    document: Any = messages
    if draw(st.booleans()):
        document = {"model": "m", CONTAINERS[api]: messages, "temperature": "@number1@"}
    text = json.dumps(
        document,
        indent=draw(st.sampled_from((None, 0, 2, "\t"))),
        ensure_ascii=draw(st.booleans()) or _has_surrogates(messages),
        separators=draw(st.sampled_from((None, (",", ":"), (" ,", " : ")))),
    )
    for number, spelling in enumerate(NUMBERS):
        text = text.replace(f'"@number{number}@"', spelling)
    before = draw(st.sampled_from((b"", b"\xef\xbb\xbf", b" \n")))
    return before + text.encode() + draw(st.sampled_from((b"", b"\n", b" \r\n\n")))


def _has_surrogates(messages: list[Message]) -> bool:
    return re.search("[\ud800-\udfff]", json.dumps(messages, ensure_ascii=False)) is not None
