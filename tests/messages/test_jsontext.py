"""JSON is edited as text: what is not replaced keeps its bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.messages.jsontext import JsonTextError, parsed, replaced, written
from stubcli.messages.transcript import Transcript, apply_edits

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda below: (
        st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=4), below, max_size=4)
    ),
    max_leaves=20,
)


def strings(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, str):
        return [here] if here else []
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    return [found for key, below in pairs for found in strings(below, (*here, key))]


@given(VALUES, st.data(), st.sampled_from((None, 2)))
def test_an_edit_of_the_text_is_an_edit_of_the_value(
    value: Any, data: st.DataObject, indent: int | None
) -> None:
    places = strings(value)
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    edits = {place: data.draw(st.text(max_size=5)) for place in chosen}
    text = json.dumps(value, indent=indent)
    assert parsed(replaced(text, edits)) == apply_edits([value], {0: edits} if edits else {})[0]


def test_spelling_and_space_outside_of_the_string_stay() -> None:
    text = '{ "n" : 1.50E+02,\t"a":"\\u00e9\\/" , "b" :\n["x", -0 ] }'
    assert replaced(text, {("b", 0): 'new "é" \n'}) == text.replace('"x"', '"new \\"é\\" \\n"')


def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    assert replaced('["x"]', {(0,): "\ud83d é"}) == '["\\ud83d \\u00e9"]'


def test_a_key_that_stands_twice_means_its_last_value() -> None:
    text = '{"a": "old", "a": ["x"], "a": {"b": "y", "b": "z"}}'
    assert replaced(text, {("a", "b"): "new"}) == text.replace('"z"', '"new"')


@pytest.mark.parametrize("path", [("b",), ("a", "b"), ("a", 0, 0), ("c",)])
def test_a_place_without_a_text_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(JsonTextError):
        replaced('{"a": ["x"], "b": 7}', {path: "new"})


def test_bytes_in_a_parsed_list_are_kept_in_base64() -> None:
    assert json.loads(written([{"signature": b"\x00\xff", "text": "\ud800"}])) == [
        {"signature": "AP8=", "text": "\ud800"}
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no list and no object"),
        (b"7", "no list and no object"),
        (b'"messages"', "no list and no object"),
        (b"{}", "no list of messages"),
        (b'{"messages": "text"}', "no list of messages"),
        (b'{"messages": [], "input": []}', "both messages and input"),
        (b'{"role": "user"}\n{"role": "user"}', "no list of messages"),
        (b"[]\n[]\n", "more than one document: the next begins at 3"),
        (b"[1,]", "no JSON value"),
        (b"[1 2]", "no end of an array"),
        (b"[1", "no end of an array"),
        (b"[", "no JSON value"),
        (b'{"messages": [1,]}', "no JSON value"),
        (b'{"messages": [],}', "no key"),
        (b'{"messages" []}', "no ':'"),
        (b'{"messages": []', "no end of an object"),
        (b'["a\nb"]', "Invalid control character"),
        (b"\xff\xfe[\x00]\x00", "no list and no object"),
    ],
)
def test_what_is_no_list_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(JsonTextError, match=reason):
        Transcript(data)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b" \t\r\n"])
@pytest.mark.parametrize("behind", [b"", b"\n", b"\r\n \t"])
def test_what_stands_around_a_document_stays(before: bytes, behind: bytes) -> None:
    data = before + b'{"a": 1, "messages" : [ {"x": "y"} , [] ], "b": null}' + behind
    transcript = Transcript(data)
    assert (transcript.container, transcript.envelope) == ("messages", frozenset("ab"))
    assert [transcript[index] for index in range(len(transcript))] == [{"x": "y"}, []]
    assert b"".join(transcript.written({})) == data
    assert b"".join(transcript.written({0: {("x",): "z"}})) == data.replace(b'"y"', b'"z"')


def test_an_item_that_is_no_utf_8_is_refused_and_the_others_are_read() -> None:
    transcript = Transcript(b'["\xc3\xa9", "\xff"]')
    assert transcript[0] == "é"
    with pytest.raises(JsonTextError, match="item 1 is no UTF-8"):
        transcript[1]


def test_an_edit_of_a_parsed_list_copies_only_what_it_changes() -> None:
    items: list[Any] = [{"a": [{"b": "x"}, {"c": "y"}]}, {"d": "z"}]
    new = apply_edits(items, {0: {("a", 0, "b"): "new"}})
    assert new == [{"a": [{"b": "new"}, {"c": "y"}]}, {"d": "z"}]
    assert items[0] == {"a": [{"b": "x"}, {"c": "y"}]}
    assert new[1] is items[1]
    assert new[0]["a"][1] is items[0]["a"][1]
