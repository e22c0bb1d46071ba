"""Somebody else's JSON file is changed where it must be, and nowhere else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.agents.json_nodes import JsonSyntaxError
from stubcli.agents.jsonedit import parse, rewrite

KEYS = st.sampled_from(["a", "b", "c", "hooks", "é", 'q"uote', ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)
INDENTS = st.sampled_from([None, 2, 4, "\t"])


@given(DOCUMENTS, DOCUMENTS, INDENTS, st.booleans())
def test_any_document_becomes_any_other(
    before: Any, after: Any, indent: Any, windows: bool
) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False) + "\n"
    text = text.replace("\n", "\r\n") if windows else text
    new = rewrite(text, after)
    assert json.loads(new) == after
    assert new.endswith("}\r\n" if windows else "}\n")
    assert not windows or "\n" not in new.replace("\r\n", "")


@given(DOCUMENTS, INDENTS)
def test_what_is_the_same_stays_to_the_byte(document: Any, indent: Any) -> None:
    text = json.dumps(document, indent=indent)
    assert rewrite(text, document) == text


@given(DOCUMENTS, st.dictionaries(st.sampled_from(["new", "newer"]), VALUES, min_size=1), INDENTS)
def test_what_was_added_is_taken_out_again_to_the_byte(
    document: Any, more: Any, indent: Any
) -> None:
    text = json.dumps(document, indent=indent)
    with_more = rewrite(text, document | more)
    left = rewrite(with_more, document)
    assert left == text or not document


COMMENTED = """\
// my settings
{
\t"theme" : "dark", // not light
\t/* a list, { with } brackets " and quotes */
\t"list": [1, /* two */ 2,3],
\t"number": 1.50e1,
\t"escaped": "\\u00e9 // no comment"
\t// the end
}
"""


def test_comments_order_and_spelling_of_everything_else_stay() -> None:
    document = parse(COMMENTED, comments=True)
    new = rewrite(COMMENTED, document | {"hooks": {"A": []}}, comments=True)
    kept = [line for line in COMMENTED.splitlines() if "escaped" not in line]
    assert [line for line in new.splitlines() if line in kept] == kept
    assert '\t"escaped": "\\u00e9 // no comment",' in new
    assert '\t"hooks": {\n\t\t"A": []\n\t}\n}' in new
    assert rewrite(new, document, comments=True) == COMMENTED


def test_a_member_is_cut_out_and_the_comments_beside_it_stay() -> None:
    document = parse(COMMENTED, comments=True)
    for name in document:
        left = {key: value for key, value in document.items() if key != name}
        new = rewrite(COMMENTED, left, comments=True)
        for comment in ("// my settings", "// not light", "/* a list, {", "// the end"):
            assert comment in new
        assert parse(new, comments=True) == left


def test_one_line_stays_one_line() -> None:
    assert rewrite('{"a": 1}', {"a": 1, "b": 2}) == '{"a": 1, "b": 2}'
    assert rewrite('{"a": [1]}', {"a": [1, "x"]}) == '{"a": [1, "x"]}'


def test_an_element_is_replaced_in_its_place() -> None:
    text = '[\n  {"x": 1},\n  {"y": 2}\n]'
    assert rewrite(text, [{"x": 3}, {"y": 2}]) == '[\n  {"x": 3},\n  {"y": 2}\n]'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}x",
        '{"a":1,}',
        '{"a" 1}',
        "{'a': 1}",
        '{"a": 01}',
        '{"a": NaN}',
        '{"a": tru}',
        '{"a": "\n"}',
        "[1 2]",
        "[1,]",
        '{"a": 1} // a comment',
        '{"a": 1, "a": 2}',
        "[" * 5000,
    ],
)
def test_what_is_not_plain_json_is_refused(text: str) -> None:
    with pytest.raises(JsonSyntaxError, match=r"line 1, column \d+"):
        rewrite(text, {"a": 1})
