"""Whatever comes in, no kind raises, the page keeps its budget, and its numbers are true."""

import json
import re
from collections import Counter
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect import registry, words
from stubcli.detect.reading import InMemory, sampled_lines
from stubcli.detect.text.claim import signs
from stubcli.spill.stub import take_sample
from stubcli.store.records import Origin
from tests.chance import examples
from tests.detect.cases.strategies import (
    anything,
    damaged,
    json_arrays,
    json_records,
    shaped,
    tables,
)
from tests.detect.cases.whole_way import above_preview, label_of, page_of, synopsis_of, tallied
from tests.detect.conftest import raise_what_is_swallowed

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
ANSI = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
MIMES = st.sampled_from(
    [None, None, "application/json", "text/csv", "text/xml", "application/yaml"]
)
NAMES = {",": "csv/comma", ";": "csv/semicolon", "|": "csv/pipe", "\t": "tsv/tab"}


@pytest.fixture(autouse=True)
def _no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    raise_what_is_swallowed(monkeypatch)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def long_enough(data: bytes) -> bytes:
    """Repeated until a stub of any budget is worth it."""
    while len(data.decode("utf-8", "surrogateescape")) <= 7500:
        data = data * 2 + b"\n"
    return data


def check(page: str, data: bytes, budget: int) -> None:
    """What holds of every page."""
    characters = len(data.decode("utf-8", "surrogateescape"))
    assert len(page) <= min(budget, characters - 1)
    assert len(page.encode("utf-8")) < len(data)
    assert not CONTROL.search(page)
    counts = re.search(r"^\[stub artifact:\S+\] [^\n]*?, ([\d,]+) lines?, ([\d,]+) bytes?\n", page)
    assert counts
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    assert (number(counts[1]), number(counts[2])) == (lines, len(data))
    said = re.search(r"(?m)^  ([\d,]+) lines?(?:,|$)", above_preview(page))
    if said and label_of(page).startswith("text/"):
        assert number(said[1]) == lines


@examples(100)
@given(damaged() | anything | shaped, MIMES, st.sampled_from([800, 1500, 5000]), st.booleans())
def test_a_page_of_anything_keeps_its_promises(
    data: bytes, mime: str | None, budget: int, as_json: bool
) -> None:
    data = long_enough(data)
    page = page_of(data, budget=budget, mime=mime, as_json=as_json)
    assert page
    if not as_json:
        check(page, data, budget)
        return
    found = json.loads(page)
    assert len(page) <= budget
    assert not CONTROL.search(page.removesuffix("\n"))
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    assert (found["bytes"], found["lines"]) == (len(data), lines)


@examples(80)
@given(damaged() | anything | shaped, MIMES)
def test_no_kind_raises_on_what_another_would_have_claimed(data: bytes, mime: str | None) -> None:
    tally, _, scan = tallied(data)
    source = InMemory(data)
    sample = take_sample(source, tally.head, tally.tail, Origin(mime=mime))
    for kind in registry.kinds():
        claim = import_module(f"stubcli.detect.{kind}.claim").claim(sample)
        if claim.holds:
            facts = import_module(f"stubcli.detect.{kind}.read").read(claim, sample, source, scan)
            assert facts is None or words.synopsis_of(facts).label == facts.label


@examples(80)
@given(damaged() | anything | shaped)
def test_no_form_raises_on_lines_that_it_holds_for(data: bytes) -> None:
    tally, _, scan = tallied(data)
    source = InMemory(data)
    lines = [
        line
        for line in sampled_lines(take_sample(source, tally.head, tally.tail, Origin()))
        if line
    ]
    for sign in signs():
        form = import_module(f"stubcli.detect.text.forms.{sign.form}")
        if lines and sign.holds(lines):
            assert isinstance(form.words(form.read(source, scan).facts), list)


@examples(80)
@given(damaged() | shaped)
def test_a_notable_line_is_a_part_of_the_line_of_its_number(data: bytes) -> None:
    found = synopsis_of(data)
    lines = data.split(b"\n") if found.encoding == "utf-8" else []
    for one in found.notable if lines else ():
        line = ANSI.sub("", lines[one.number - 1].decode("utf-8", "surrogateescape"))
        assert one.text.strip().removesuffix("…") in line
        assert 0 <= one.folded < len(lines)


@examples(60)
@given(damaged(), st.integers(1, 4000))
def test_pieces_make_no_difference(data: bytes, piece: int) -> None:
    assert tallied(data, piece)[1:] == tallied(data)[1:]


@examples(60)
@given(json_arrays)
def test_the_items_of_an_array_are_counted(items: list[object]) -> None:
    found = synopsis_of(json.dumps(items, indent=1).encode())
    assert found.label == "json/document"
    assert f"array of {len(items):,} items" in "\n".join(found.summary)


@examples(60)
@given(json_records)
def test_the_records_of_lines_are_counted(records: list[dict[str, object]]) -> None:
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    found = synopsis_of(data)
    assert found.label == "json/lines"
    assert f"{len(records):,} records" in found.summary[0]


@pytest.mark.parametrize("form", ["array", "lines", "concatenated", "csv"])
@examples(25)
@given(count=st.integers(30, 300), failing=st.sets(st.integers(0, 29), min_size=1, max_size=8))
def test_what_most_records_have_and_what_some_have_are_counted(
    form: str, count: int, failing: set[int]
) -> None:
    records = [
        {"id": number, "state": "failed" if number in failing else "ok"} for number in range(count)
    ]
    if form == "csv":
        text = "id,state,unit\n" + "".join(f"{one['id']},{one['state']},x\n" for one in records)
    elif form == "array":
        text = json.dumps(records)
    else:
        indent = 1 if form == "concatenated" else None
        text = "".join(json.dumps(one, indent=indent) + "\n" for one in records)
    found = synopsis_of(text.encode())
    assert form in ("array", *found.label.split("/"))
    told = next(line for line in found.structure if line.strip().startswith("state: "))
    assert re.search(rf"\bok {count - len(failing)}\b", told), told
    assert re.search(rf"\bfailed {len(failing)}\b", told), told


@pytest.mark.parametrize("form", ["array", "lines", "csv"])
@examples(25)
@given(numbers=st.lists(st.integers(-(10**20), 10**20), min_size=30, max_size=120, unique=True))
def test_the_least_and_the_greatest_number_keep_every_digit(form: str, numbers: list[int]) -> None:
    if form == "csv":
        text = "id,took,unit\n" + "".join(f"{n},{took},x\n" for n, took in enumerate(numbers))
    else:
        records = [json.dumps({"id": n, "took": took}) for n, took in enumerate(numbers)]
        text = "[" + ",".join(records) + "]" if form == "array" else "\n".join(records)
    found = synopsis_of(text.encode())
    told = next(line for line in found.structure if line.strip().startswith("took: "))
    assert f"{min(numbers)}–{max(numbers)}" in told


@examples(60)
@given(tables())
def test_what_is_called_a_table_has_its_records_and_columns(
    table: tuple[str, int, int, bytes],
) -> None:
    delimiter, columns, records, data = table
    found = synopsis_of(data)
    if found.kind in ("csv", "tsv"):
        assert found.label == NAMES[delimiter]
        counted = re.search(
            r"^([\d,]+) records?(?: \(no header\))?, (\d+) columns", found.summary[0]
        )
        assert counted
        assert number(counted[1]) in (records, records + 1)
        assert number(counted[2]) == columns


@examples(30)
@given(st.lists(st.sampled_from(["DEBUG", "INFO", "WARN", "ERROR"]), min_size=20, max_size=300))
def test_the_levels_of_a_log_are_counted(levels: list[str]) -> None:
    lines = [
        f"2026-01-01T10:{n // 60:02d}:{n % 60:02d}Z {level} unit {n} of {len(levels)}"
        for n, level in enumerate(levels)
    ]
    found = synopsis_of(("\n".join(lines) + "\n").encode())
    assert found.label == "text/log"
    told = next(line for line in found.structure if line.startswith("levels: "))
    counts = (one.split() for one in told.removeprefix("levels: ").split(", "))
    assert {level: number(count) for level, count in counts} == Counter(levels)


@examples(30)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=60))
def test_the_files_and_lines_of_a_diff_are_counted(changes: list[tuple[int, int]]) -> None:
    parts = [
        f"diff --git a/f{n}.py b/f{n}.py\n--- a/f{n}.py\n+++ b/f{n}.py\n"
        f"@@ -1,{minus + 1} +1,{plus + 1} @@\n same\n" + "-old\n" * minus + "+new\n" * plus
        for n, (plus, minus) in enumerate(changes)
    ]
    found = synopsis_of("".join(parts).encode())
    assert found.label == "text/diff"
    plus, minus = (sum(column) for column in zip(*changes, strict=True))
    told = "\n".join((*found.summary, *found.structure))
    assert re.search(
        rf"\b{len(changes)} files changed(?:, \d+ hunks?)?, \+{plus} [-−]{minus}\b", told
    ), told


@examples(30)
@given(st.integers(2, 60), st.sampled_from(["", "# a comment\n", "\n"]))
def test_the_documents_of_a_stream_are_counted(count: int, between: str) -> None:
    one = "---\n" + between + "kind: Pod\nmetadata:\n  name: a\nspec:\n  - x: 1\n"
    found = synopsis_of((one * count).encode())
    assert found.label == "yaml/stream"
    assert f"{count} documents" in found.summary[0]
    assert f"kinds: Pod {count}" in found.structure


@examples(30)
@given(st.integers(2, 60), st.sets(st.integers(0, 59)))
def test_the_tests_of_a_report_are_counted(count: int, failing: set[int]) -> None:
    cases = [
        f'<testcase classname="c" name="t{n}">{"<failure>x</failure>" * (n in failing)}</testcase>'
        for n in range(count)
    ]
    found = synopsis_of(f'<testsuite name="s">{"".join(cases)}</testsuite>'.encode())
    assert found.label == "xml/junit"
    failures = len([n for n in failing if n < count])
    told = "\n".join(found.summary)
    assert re.search(rf"\b{count} testcases, {failures} failures?\b", told), told
