"""What is told of JSON: over all items, whatever the size, and which of them differ."""

import json
from collections.abc import Callable

import pytest

from stubcli.detect import reading
from stubcli.detect.json import lines, reader
from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.json.halves import halves
from stubcli.detect.model import Synopsis
from stubcli.detect.reading import InMemory
from tests.detect.conftest import Describe

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are only counted after the first block."""
    monkeypatch.setattr(reader, "DETAILED", 1)
    monkeypatch.setattr(reader, "_DETAILED_VALUES", 10)
    monkeypatch.setattr(lines, "DETAILED", 1000)


def test_an_object_of_like_objects_is_a_map_and_the_odd_one_is_shown(
    synopsis: Summarise, everything: Everything
) -> None:
    found = {f"pkg-{i}": {"severity": "low", "via": [{"title": f"t{i}"}]} for i in range(90)}
    found["pkg-7"] = {"severity": "critical", "via": [{"title": "Bypass"}]}
    shown = everything(synopsis(json.dumps({"version": 2, "packages": found}, indent=2)))
    assert "packages: map of 90 keys to objects" in shown
    assert "severity: string: low 89, critical 1 (key pkg-7)" in shown
    assert 'differs: key pkg-7: {"severity":"critical","via":[{"title":"Bypass"}]}' in shown


def test_a_record_with_a_rare_key_is_shown_with_what_is_in_it(
    synopsis: Summarise, everything: Everything
) -> None:
    rows: list[dict[str, object]] = [{"level": "info", "n": i} for i in range(3000)]
    rows[1203]["error"] = {"code": "STOCK_NEGATIVE"}
    shown = everything(synopsis("\n".join(map(json.dumps, rows))))
    assert "error.code: string, in 1 of 3,000, line 1,204: STOCK_NEGATIVE 1" in shown
    assert 'differs: line 1,204: {"level":"info","n":1203,"error":{"code"' in shown


def test_a_text_that_begins_like_no_other_is_shown(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = [{"Output": f"=== RUN Test{i}\n"} for i in range(2000)]
    rows[900]["Output"] = "cache_test.go:118: alive after 61s\n"
    assert "alive after 61s" in everything(synopsis("\n".join(map(json.dumps, rows))))


def test_numbers_of_few_values_are_counted(synopsis: Summarise, everything: Everything) -> None:
    rows = [{"status": 500 if i == 77 else 200} for i in range(1000)]
    shown = everything(synopsis(json.dumps(rows)))
    assert "status: number, 200–500: 200 999, 500 1 (item 77)" in shown


@pytest.mark.parametrize("indent", [None, 1, 2])
@pytest.mark.usefixtures("soon")
def test_items_and_keys_are_counted_when_values_are_not_looked_at(
    indent: int | None, synopsis: Summarise, everything: Everything
) -> None:
    rows: list[dict[str, object]] = [
        {"id": i, "sub": [{"id": 1, "x": '},{"id":'}, {"id": 2}], "name": "n" * (i % 40)}
        for i in range(40_000)
    ]
    rows[39_000]["late"] = True
    shown = everything(synopsis(json.dumps({"rows": rows, "end": 1}, indent=indent)))
    assert "rows array 40,000, end number" in shown
    assert "in 40,000 of all 40,000" in shown
    assert "keys of all" in shown
    assert "late: key only; in 1 of all 40,000" in shown


@pytest.mark.usefixtures("soon")
def test_members_are_counted_when_values_are_not_looked_at(synopsis: Summarise) -> None:
    found = synopsis(json.dumps({f"key {i}": {"a": i} for i in range(60_000)}))
    assert found.summary[0] == "object of 60,000 keys"


@pytest.mark.usefixtures("soon")
def test_digits_that_no_integer_takes_are_counted(synopsis: Summarise) -> None:
    found = synopsis("[" + ",".join(["9" * 5000] * 700) + "]")
    assert found.summary[0] == "array of 700 items"


@pytest.mark.usefixtures("soon")
def test_lines_are_counted_when_values_are_not_looked_at(synopsis: Summarise) -> None:
    lines = [json.dumps({"a": i, "b": "x" * (i % 50)}) for i in range(60_000)]
    lines[50_000] = "no record"
    lines[55_000] = ""
    found = synopsis("\n".join(lines))
    assert found.summary == ("59,998 records, one a line", "1 other line, the first at line 50,001")


@pytest.mark.usefixtures("soon")
def test_documents_are_counted_when_values_are_not_looked_at(synopsis: Summarise) -> None:
    assert synopsis('{"a":1} ' * 300_000).summary[0] == "300,000 documents"


@pytest.mark.usefixtures("soon")
def test_a_cut_array_keeps_its_whole_items(synopsis: Summarise) -> None:
    text = json.dumps([{"id": i, "v": "x" * 40} for i in range(40_000)])
    cut = text[: text.index('{"id": 39000,') + 9]
    assert synopsis(cut).summary == (
        "array of 39,000 items",
        f"incomplete JSON: the input ends at byte {len(cut):,}",
    )


def test_ten_keys_and_five_values_are_named(synopsis: Summarise, everything: Everything) -> None:
    found = synopsis(json.dumps({f"key{i}": i for i in range(400)}))
    shown = everything(found)
    assert all(f"key{i} number" in shown for i in range(10))
    assert all(f"key{i}: {i}" in shown for i in range(5))
    assert "keys (400)" in shown


def test_documents_whose_numbers_only_run_on_do_not_differ(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = ({"title": f"Result {i}", "url": f"http://host.invalid/{i}"} for i in range(2000))
    shown = everything(synopsis(" ".join(map(json.dumps, rows))))
    assert "2,000 documents" in shown
    assert "differs" not in shown


def test_only_what_is_there_is_said_not_to_be_compared(
    synopsis: Summarise, everything: Everything
) -> None:
    shown = everything(synopsis(f'[{{"a":NaN,"b":{"9" * 500},"c":1e999,"d":-Infinity}}]'))
    assert "a: number, some NaN" in shown
    assert "b: number, some too long to compare" in shown
    assert "c: number, some too large to compare" in shown
    assert "d: number, some -Infinity" in shown


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are only counted after some thousand."""
    monkeypatch.setattr(reader, "_DETAILED_VALUES", 1000)
    monkeypatch.setattr(lines, "DETAILED", 100_000)


def _states(count: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"id": i, "state": "ok", "flag": i % 3 == 0, "error": None, "name": f"n{i}"}
        for i in range(count)
    ]
    rows[count - 700]["state"] = "failed"
    rows[count - 300]["state"] = "failed"
    rows[count - 100]["error"] = "refused"
    del rows[count - 50]["flag"]
    return rows


@pytest.mark.parametrize("form", ["array", "lines", "documents"])
@pytest.mark.usefixtures("later")
def test_fields_of_few_values_are_counted_over_all_records(
    form: str, synopsis: Summarise, everything: Everything
) -> None:
    rows = _states(60_000)
    written = list(map(json.dumps, rows))
    text = {
        "array": f"[{', '.join(written)}]",
        "lines": "\n".join(written),
        "documents": json.dumps(rows[0], indent=1) + " ".join(written[1:]),
    }[form]
    row = {"array": "item 59,300", "lines": "line 59,301", "documents": "document 59,301"}[form]
    shown = everything(synopsis(text))
    assert "state: string: ok 59,998, failed 2" in shown
    assert f"failed 2 ({row})" in shown
    assert "flag: boolean, in 59,999 of 60,000: false 39,999, true 20,000" in shown
    assert "error: null 59,999 | string 1" in shown
    assert f'differs: {row}: {{"id":59300,"state":"failed"' in shown
    assert "keys of all, values of state, flag, error too" in shown


@pytest.mark.parametrize(
    "others",
    [[1], [[]], [{}], ["x" * 100], [1.5], [f"v{i}" for i in range(40)]],
    ids=["number", "array", "object", "long", "fraction", "many"],
)
@pytest.mark.usefixtures("later")
def test_a_field_that_turns_out_to_hold_other_values_keeps_its_first_counts(
    others: list[object], synopsis: Summarise, everything: Everything
) -> None:
    rows: list[dict[str, object]] = [{"id": i, "flag": True, "on": "y"} for i in range(60_000)]
    for at, other in enumerate(others):
        rows[59_000 + at]["flag"] = other
    shown = everything(synopsis(json.dumps(rows)))
    assert "in 60,000 of all 60,000, others from item 59,0" in shown
    assert "on: string: y 60,000" in shown
    assert "true 60,000" not in shown


@pytest.mark.parametrize(
    ("text", "count", "line"),
    [
        (r'{"a":"\ud83d"}', 1, 1),
        (r'{"a":"\ud83d\ude00"}', 0, 0),
        (r'{"a":"\ude00\ud83d"}', 2, 1),
        (r'{"a":"\\ud83d"}', 0, 0),
        (r'{"a":"\\\uD83D"}', 1, 1),
        ('{"a":1}\n{"b":"x\\ud83d"}\n', 1, 2),
        ('["\\ud83d",\n"\\udc00"]', 2, 1),
    ],
)
@pytest.mark.parametrize("block", [1 << 20, 40, 13])
def test_halves_of_surrogate_pairs_are_counted_whatever_the_blocks(
    text: str, count: int, line: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    before = '{"long": "' + "x" * 30 + '"}\n'
    expected = (count, line + 1 if count else 0)
    assert halves(InMemory((before + text).encode())) == expected


def test_halves_in_lines_that_are_no_records_are_not_counted(describe: Describe) -> None:
    lines = ['{"a":"\\ud83d"}', '{"a":2}', "cut at \\ud83d", '{"a":3}'] * 9
    facts = describe("\n".join(lines))
    assert isinstance(facts, JsonFacts)
    assert (facts.halves, facts.halves_line) == (9, 1)


def test_a_document_is_one_whatever_follows_on_another_line(describe: Describe) -> None:
    array = json.dumps([{"a": n} for n in range(200)])
    facts = describe(f"WARN old\n{array}\ndone\n")
    assert isinstance(facts, JsonFacts)
    assert (facts.label, facts.length) == ("json/document", 200)
    assert facts.before is not None
    assert facts.after is not None
    assert (facts.before.lines, facts.before.text, facts.after.text) == (1, "WARN old", "done")
    data = f"WARN old\n{array}\ndone\n".encode()
    assert json.loads(data[facts.start : facts.end]) == json.loads(array)
