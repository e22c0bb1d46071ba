"""What a kind found is a value: stored as plain JSON with a version, and read back as it was."""

import json
from functools import reduce
from importlib import import_module
from types import UnionType
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect import registry
from stubcli.detect.facts import BareFacts, KindFacts, dump, load
from stubcli.detect.text.claim import signs
from stubcli.detect.text.facts import FormFacts, TextFacts
from stubcli.detect.words import synopsis_of
from stubcli.value import Value
from tests.chance import examples
from tests.detect.cases.strategies import anything, damaged, shaped
from tests.detect.conftest import described
from tests.detect.test_registry import MIMES, SEEDS

TEXT = st.text(
    st.characters(codec="utf-8") | st.sampled_from(["\udc80", "\udcff", "…", "\n", '"']), max_size=8
)
SCALARS = {str: TEXT, int: st.integers(-3, 1 << 70), bool: st.booleans(), type(None): st.none()}


def facts_classes() -> list[type[KindFacts]]:
    return [import_module(f"stubcli.detect.{kind}.facts").FACTS for kind in registry.kinds()]


def form_classes() -> list[type[FormFacts]]:
    names = [sign.form for sign in signs()]
    return [import_module(f"stubcli.detect.text.forms.{name}").FACTS for name in names]


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    if kind in SCALARS:
        return SCALARS[kind]
    if isinstance(kind, UnionType):
        return reduce(lambda one, other: one | other, map(values, get_args(kind)))
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner[1:] == (...,):
            return st.lists(values(inner[0]), max_size=2).map(tuple)
        return st.tuples(*map(values, inner))
    if kind is FormFacts:
        return st.sampled_from(form_classes()).flatmap(built)
    return built(kind)


def built(kind: type[Value]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({name: values(field) for name, field in kind._kinds.items()}).map(
        lambda fields: kind(**fields)
    )


def through_json(facts: KindFacts) -> KindFacts | None:
    return load(json.loads(json.dumps(dump(facts))))


@examples(100)
@given(st.sampled_from([*facts_classes(), BareFacts]).flatmap(built))
def test_facts_come_back_from_json_as_they_went(facts: KindFacts) -> None:
    assert through_json(facts) == facts
    assert hash(through_json(facts)) == hash(facts)


@examples(80)
@given(damaged() | anything | shaped | st.sampled_from(SEEDS), MIMES)
def test_what_was_found_in_any_stream_comes_back_and_says_the_same(
    data: bytes, mime: str | None
) -> None:
    facts = described(data, mime)
    again = through_json(facts)
    assert again == facts
    assert synopsis_of(again) == synopsis_of(facts)


def test_the_document_names_kind_form_detector_and_version() -> None:
    document = dump(described("a;b\n" + "1;2\n" * 20))
    head = [document[name] for name in ("kind", "form", "detector", "version")]
    assert head == ["csv", "semicolon", "table", 5]
    document = dump(described("2026-01-01 10:00:00 INFO x\n" * 20))
    assert document["detector"] == "text"
    assert document["body"]["file"] == "log"
    assert document["body"]["version"] == 3


def test_what_has_its_default_is_left_out() -> None:
    document = dump(described("plain words only\n" * 20))
    assert "bulk" in document
    assert not {"body", "declared", "within", "encoding"} & document.keys()


TABLE = dump(described("a;b\n" + "1;2\n" * 20))
LOG = dump(described("2026-01-01 10:00:00 INFO x\n" * 20))


@pytest.mark.parametrize(
    "document",
    [
        {},
        {**TABLE, "version": 7},
        {**TABLE, "version": "1"},
        {**TABLE, "detector": "notable"},
        {**TABLE, "detector": "os"},
        {**TABLE, "detector": "../table"},
        {**TABLE, "detector": 7},
        {**TABLE, "records": "20"},
        {**TABLE, "records": True},
        {**TABLE, "records": None},
        {**TABLE, "header": "ab"},
        {**TABLE, "header": [1, 2]},
        {**TABLE, "columns_read": [{"type": "text"}]},
        {**TABLE, "more": 1},
        {name: value for name, value in TABLE.items() if name != "width"},
        {name: value for name, value in TABLE.items() if name != "detector"},
        {**LOG, "body": {**LOG["body"], "version": 7}},
        {**LOG, "body": {**LOG["body"], "file": "nothing"}},
        {**LOG, "body": {**LOG["body"], "levels": [["INFO"]]}},
        {**LOG, "body": []},
        {"kind": "csv", "form": "comma", "summary": ["3 records"]},
    ],
)
def test_another_version_and_what_is_malformed_are_no_facts(document: dict[str, Any]) -> None:
    assert load(document) is None


def test_facts_cannot_be_changed() -> None:
    facts = described("plain words only\n" * 20)
    with pytest.raises(AttributeError, match="TextFacts cannot be changed"):
        facts.kind = "json"  # type: ignore[misc]
    assert facts.replace(form="log") != facts
    assert isinstance(facts, TextFacts)
    with pytest.raises(TypeError, match="its fields are"):
        facts.replace(colour="red")
    with pytest.raises(TypeError, match="needs counts"):
        TextFacts(kind="text", form="plain")  # type: ignore[call-arg]


def test_facts_are_small_whatever_the_stream() -> None:
    wide = ",".join(f"column {n}" for n in range(3000))
    for data in (
        wide + "\n" + (",".join(["12"] * 3000) + "\n") * 4,
        json.dumps({"k" * 300 + str(n): n for n in range(5000)}),
        json.dumps([{f"key {n}": "v" * 500 for n in range(200)}] * 30),
        "".join(f"{'k' * 300}{n}: 1\n" for n in range(5000)),
        "error: " + "x" * 300_000 + "\n",
        "<r>" + "".join(f"<t{n}/>" for n in range(10_000)) + "</r>",
    ):
        assert len(json.dumps(dump(described(data)))) < 100_000
