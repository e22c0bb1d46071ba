"""Records say of themselves how grave they are: by a level, an outcome, an error they carry."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.fields import severity
from stubcli.detect.fields.gravity import Gravity
from stubcli.detect.fields.telling import telling
from stubcli.detect.model import Synopsis
from tests.chance import examples

Summarise = Callable[..., Synopsis]
Record = dict[str, Any]

STACK = (
    "StockError: shelf 4 is empty\n    at node:internal/run:7:1\n    at take (/app/shelf.js:31:9)"
)
SCALARS = st.none() | st.booleans() | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=6), inner)
)


def in_lines(rows: list[Record]) -> str:
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def quiet(many: int, **level: Any) -> list[Record]:
    return [{**level, "seq": n, "msg": "request served", "took": n % 7} for n in range(many)]


def quoted(found: Synopsis) -> dict[int, str]:
    return {line.number: line.text for line in found.notable}


@pytest.mark.parametrize(
    ("usual", "grave"),
    [
        ({"level": 30}, {"level": 50}),
        ({"level": 20}, {"level": 40}),
        ({"level": 6}, {"level": 3}),
        ({"level": "info"}, {"level": "error"}),
        ({"@l": "Information"}, {"@l": "Fatal"}),
        ({"log": {"level": "INFO"}}, {"log": {"level": "ERROR"}}),
        ({"severity": "DEBUG"}, {"severity": "CRITICAL"}),
        ({"status": 200}, {"status": 503}),
        ({"res": {"statusCode": 204}}, {"res": {"statusCode": 500}}),
        ({"outcome": "passed"}, {"outcome": "failed"}),
        ({}, {"err": {"type": "StockError", "message": "shelf 4 is empty"}}),
    ],
)
def test_the_lines_of_grave_records_are_notable_whatever_says_so(
    synopsis: Summarise, usual: Record, grave: Record
) -> None:
    rows = quiet(60, **usual)
    rows[33] = {**grave, "seq": 33, "msg": "order was left", "took": 1}
    found = quoted(synopsis(in_lines(rows)))
    assert list(found) == [34]
    assert "order was left" in found[34]


def test_records_that_say_the_same_are_one_line_and_a_number(synopsis: Summarise) -> None:
    rows = quiet(90, level="info")
    for n in (20, 21, 50):
        rows[n] = {"level": "error", "seq": n, "msg": f"shelf {n} is empty"}
    found = synopsis(in_lines(rows)).notable
    assert [(line.number, line.folded) for line in found] == [(21, 2)]


def test_a_level_outranks_the_words_beside_it(synopsis: Summarise) -> None:
    rows = quiet(60, level="info")
    rows[10]["state"] = "failed"
    assert quoted(synopsis(in_lines(rows))) == {}


def test_what_a_third_of_the_records_say_is_no_alarm() -> None:
    gravity = Gravity()
    for n in range(60):
        gravity.add({"id": n, "outcome": ("failed", "passed")[n % 2]}, "", n)
    assert gravity.found() == []


def test_of_a_long_line_what_tells_is_quoted_as_it_stands(synopsis: Summarise) -> None:
    rows = quiet(60, level=30)
    long = {"padding": "x" * 400, "err": {"type": "StockError", "stack": STACK}}
    rows[33] = {"level": 50, **long, "msg": "order was left"}
    source = json.dumps(rows[33], separators=(",", ":"))
    shown = quoted(synopsis(in_lines(rows)))[34]
    assert all(part in source for part in shown.split(" … "))
    assert "/app/shelf.js:31:9" in shown
    assert "order was left" in shown
    assert len(shown) <= 240


def test_a_record_deep_in_a_document_tells_its_error_and_its_own_place(
    synopsis: Summarise,
) -> None:
    cells: list[Record] = [{"id": f"c{n}", "outputs": [{"kind": "stream"}]} for n in range(30)]
    arrow = ["Traceback " + "-" * 240, "----> 1 order[SHELVES]", "/usr/lib/python3/frame.py:8"]
    cells[17]["outputs"] = [
        {"kind": "error", "ename": "KeyError", "evalue": "no such shelf", "traceback": arrow}
    ]
    shown = "\n".join(synopsis(json.dumps({"cells": cells}, indent=1)).structure)
    assert "item 17[0]: evalue: no such shelf, traceback: ----> 1 order[SHELVES]" in shown


def test_a_state_that_few_records_have_is_told_with_the_first(synopsis: Summarise) -> None:
    rows = [{"name": f"node-{n}", "state": "RUNNING", "zone": "abc"[n % 3]} for n in range(80)]
    for n in (11, 44, 45, 61):
        rows[n]["state"] = "STOPPED"
    shown = "\n".join(synopsis(json.dumps({"nodes": rows}, indent=1)).structure)
    assert "state: string: RUNNING 76, STOPPED 4" in shown
    assert "state STOPPED (4, first): item 11: name: node-11" in shown


@pytest.mark.parametrize(
    ("word", "rank"),
    [
        ("CRITICAL", severity.FATAL),
        ("failed", severity.ERROR),
        ("ImagePullBackOff", severity.ERROR),
        ("timed_out", severity.ERROR),
        ("NotReady", severity.ERROR),
        ("warn", severity.WARNING),
        ("no_error", severity.NONE),
        ("ok", severity.NONE),
        ("Running", severity.NONE),
        ("error in line 3", severity.NONE),
    ],
)
def test_a_state_is_judged_as_one_word(word: str, rank: int) -> None:
    assert severity.of_word(word) == rank


@examples(30)
@given(st.lists(st.dictionaries(st.text(max_size=8), VALUES), max_size=20))
def test_any_records_are_judged_and_none_is_counted_twice(rows: list[Record]) -> None:
    gravity = Gravity()
    for n, row in enumerate(rows):
        gravity.add(row, "", n)
        assert all(isinstance(text, str) for _, text in telling(row))
    assert sum(kept.count for kept in gravity.found()) <= len(rows)
