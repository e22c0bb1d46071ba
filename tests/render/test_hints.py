"""Advice as a call: every value of it comes through, and nothing is said that cannot be called."""

import ast
import inspect
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli import Leases, Store
from stubcli.advice import Advice
from stubcli.render.hints import (
    METHODS,
    format_tool_call,
    python_call,
    tool_arguments,
    tool_call,
)

REF = "9f86d081884c"
WORDS = st.text(max_size=20)


@pytest.mark.parametrize(
    ("advice", "tool", "python"),
    [
        (
            Advice("read", REF, lines="15-40"),
            f'stub_read {{"ref": "{REF}", "lines": "15-40"}}',
            f'store.read("{REF}", lines="15-40")',
        ),
        (
            Advice("read", REF, offset=20, limit=5),
            f'stub_read {{"ref": "{REF}", "offset": 20, "limit": 5}}',
            f'store.page("{REF}", offset=20, limit=5)',
        ),
        (
            Advice("search", 'say "x"', REF, fixed_strings=True, max_count=3, skip=6),
            f'stub_search {{"pattern": "say \\"x\\"", "ref": "{REF}", "literal": true, '
            '"max_matches": 3, "skip": 6}',
            f'store.search(\'say "x"\', "{REF}", literal=True, limit=3, skip=6)',
        ),
        (
            Advice("query", REF, "SELECT 'a' FROM artifact"),
            f'stub_query {{"ref": "{REF}", "sql": "SELECT \'a\' FROM artifact"}}',
            f'store.query("{REF}", "SELECT \'a\' FROM artifact")',
        ),
        (Advice("query", REF), f'stub_query {{"ref": "{REF}"}}', f'store.query("{REF}")'),
        (Advice("ls"), "stub_list {}", "store.list()"),
        (Advice("ls", json=True), "stub_list {}", "store.list()"),
    ],
)
def test_advice_is_worded_as_a_call_of_a_tool_and_of_python(
    advice: Advice, tool: str, python: str
) -> None:
    assert tool_call(advice) == tool
    assert python_call(advice) == python


@pytest.mark.parametrize(
    ("advice", "words"),
    [
        (Advice("check", repair=True), "`stub check --repair --home /x` in a shell"),
        (Advice("read", REF, all=True), f"`stub read {REF} --all --home /x` in a shell"),
        (Advice("ls", all_sessions=True), "`stub ls --all-sessions --home /x` in a shell"),
        (Advice("search", "a", "1", "2"), "`stub search a 1 2 --home /x` in a shell"),
    ],
)
def test_what_no_tool_does_is_the_command_with_the_options_of_its_place(
    advice: Advice, words: str
) -> None:
    assert tool_call(advice, (("home", "/x"),)) == words


@pytest.mark.parametrize(
    ("advice", "call"),
    [
        (Advice("read", REF), f'store.page("{REF}")'),
        (Advice("read", REF, all=True), f'store.read("{REF}")'),
        (Advice("show", REF, run=3), f'store.show("{REF}", run=3)'),
        (Advice("show", REF, json=True), f'store.record("{REF}")'),
        (Advice("ls", all_sessions=True), "store.list(all_sessions=True)"),
        (Advice("lease ls", pending=True), "store.leases.list(pending=True)"),
        (Advice("gc"), "store.plan_gc()"),
        (Advice("gc", apply=True), "`stub gc --apply` in a shell"),
        (Advice("search", "a", REF, count=True), f"`stub search a {REF} --count` in a shell"),
        (Advice("search", "a", "1", "2"), "`stub search a 1 2` in a shell"),
    ],
)
def test_python_is_told_the_method_that_does_it(advice: Advice, call: str) -> None:
    assert python_call(advice) == call


@pytest.mark.parametrize("verb", METHODS)
def test_every_method_that_is_advised_exists_and_takes_what_is_given(verb: str) -> None:
    for name, count, options in METHODS[verb]:
        owner, _, method = name.rpartition(".")
        called = getattr(Leases if owner else Store, method)
        given = {parameter: None for parameter in options.values() if parameter}
        inspect.signature(called).bind("self", *["argument"] * count, **given)


def test_what_the_library_does_not_offer_is_the_command() -> None:
    assert python_call(Advice("check", repair=True)) == "`stub check --repair` in a shell"


@given(WORDS, WORDS)
def test_a_tool_call_is_the_name_and_json_of_the_arguments_on_one_line(
    pattern: str, ref: str
) -> None:
    called = tool_call(Advice("search", pattern, ref))
    name, _, arguments = called.partition(" ")
    assert name == "stub_search"
    assert json.loads(arguments) == {"pattern": pattern, "ref": ref}
    assert len(called.splitlines()) == 1


@given(WORDS, WORDS, st.integers(0))
def test_a_python_call_is_python_that_passes_the_same_values(
    pattern: str, ref: str, skip: int
) -> None:
    call = ast.parse(python_call(Advice("search", pattern, ref, skip=skip)), mode="eval").body
    assert isinstance(call, ast.Call)
    assert [ast.literal_eval(one) for one in call.args] == [pattern, ref]
    assert [(one.arg, ast.literal_eval(one.value)) for one in call.keywords] == [("skip", skip)]


@given(WORDS)
def test_what_a_tool_is_told_is_what_its_words_say(ref: str) -> None:
    advice = Advice("read", ref, lines="15-40")
    found = tool_arguments(advice)
    assert found == ("stub_read", {"ref": ref, "lines": "15-40"})
    assert tool_call(advice) == format_tool_call(*found)
