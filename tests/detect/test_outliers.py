"""What differs from all others is told with its owner, whatever the format: one mechanism."""

import csv
import io
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.fields.extremes import Extremes
from stubcli.detect.fields.measure import measured
from stubcli.detect.model import Synopsis
from tests.chance import examples

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]
Rows = list[dict[str, Any]]


def in_json(rows: Rows) -> str:
    return json.dumps({"found": {"machines": rows}})


def in_lines(rows: Rows) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def in_csv(rows: Rows) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*rows[0]], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def in_yaml(rows: Rows) -> str:
    lines = ["machines:"]
    for row in rows:
        pairs = [f"{key}: {value}" for key, value in row.items()]
        lines += [f"  - {pairs[0]}", *(f"    {pair}" for pair in pairs[1:])]
    return "\n".join(lines) + "\n"


def in_xml(rows: Rows) -> str:
    items = (
        f'<machine name="{row["name"]}">'
        + "".join(f"<{key}>{value}</{key}>" for key, value in row.items() if key != "name")
        + "</machine>\n"
        for row in rows
    )
    return "<site><hall><machines>\n" + "".join(items) + "</machines></hall></site>\n"


FORMATS = [in_json, in_lines, in_csv, in_yaml, in_xml]


def machines(key: str, usual: Callable[[int], Any], odd: Any) -> Rows:
    """A hundred and fifty machines, of which the 73rd has another value, or none."""
    rows: Rows = [{"name": f"m{n}", "hall": f"h{n % 3}", key: usual(n)} for n in range(150)]
    rows[73][key] = odd
    if odd is None:
        del rows[73][key]
    return rows


ODD: dict[str, tuple[Callable[[int], Any], Any]] = {
    "a number beyond the range of the rest": (lambda n: 40 + n % 30, 9400),
    "a number far below": (lambda n: 40 + n % 30, -7000),
    "a fraction": (lambda n: f"{1 + n % 90 / 100:.2f}", "77.50"),
    "a size": (lambda n: f"{100 + n % 80}MiB", "3GiB"),
    "a duration": (lambda n: f"{1 + n % 60}ms", "12s"),
    "a share": (lambda n: f"{n % 20}%", "99%"),
    "a date": (lambda n: f"2026-11-{1 + n % 28:02d}", "2020-02-03"),
    "a time": (lambda n: f"2026-11-{1 + n % 28:02d}T10:00:{n % 60:02d}Z", "2020-02-03T10:00:00Z"),
    "a word": (lambda n: ("up", "idle")[n % 2], "burnt"),
    "nothing": (lambda n: f"v{n}", None),
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("form", FORMATS)
def test_the_odd_one_is_told_with_its_owner(
    form: Callable[[Rows], str], what: str, synopsis: Summarise
) -> None:
    usual, odd = ODD[what]
    said = synopsis(form(machines("load", usual, odd))).structure
    differing = [line for line in said if line.lstrip().startswith("differs: ")]
    assert any("m73" in line and (odd is None or str(odd) in line) for line in differing)
    assert not any(f"m{n}<" in line or f"m{n}," in line for n in (0, 1, 149) for line in differing)


@pytest.mark.parametrize("form", FORMATS)
def test_where_all_are_alike_none_differs(
    form: Callable[[Rows], str], synopsis: Summarise, everything: Everything
) -> None:
    rows = machines("load", lambda n: 40 + n % 30, 55)
    shown = everything(synopsis(form(rows)))
    assert "differs" not in shown
    assert "far from" not in shown


def test_the_range_of_the_rest_stands_beside_the_outlier(
    synopsis: Summarise, everything: Everything
) -> None:
    shown = everything(synopsis(in_json(machines("load", lambda n: 40 + n % 30, 9400))))
    assert "load: number, 31 distinct, 40–9400, far from 40–69: 9400 (item 73: m73)" in shown


def test_a_value_beyond_five_times_nearly_all_others_is_told(
    synopsis: Summarise, everything: Everything
) -> None:
    numbers = [*range(1, 200), 1100]
    shown = everything(synopsis(json.dumps([{"ms": n} for n in numbers])))
    assert "far from 1–199: 1100 (item 199)" in shown


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("900kB", "1 MB"),
        ("1000 B", "1KiB"),
        ("1023K", "1.5G"),
        ("999ms", "1s"),
        ("59s", "1min"),
        ("1m30s", "1h2m"),
        ("80us", "1ms"),
        ("2026-01-31", "2026-02-01"),
        ("2026-02-01T10:00:00+02:00", "2026-02-01T09:00:00Z"),
        ("31.01.2026", "01.02.2026"),
        ("9:59", "10:00"),
        ("3%", "12.5 %"),
        ("10 MB/s", "1 GB/s"),
        ("$9.50", "$1,200"),
        ("-$3", "$0.10"),
    ],
)
def test_texts_that_measure_the_same_are_compared(small: str, large: str) -> None:
    less, more = measured(small), measured(large)
    assert less is not None
    assert more is not None
    assert less[0] == more[0]
    assert less[1] < more[1]


@pytest.mark.parametrize(
    "text", ["", "m5", "1.2.3.4", "v1", "12 apples", "2026-13-01", "1_000", "-"]
)
def test_other_texts_measure_nothing(text: str) -> None:
    assert measured(text) is None


@given(st.lists(st.integers(-1000, 10**6), min_size=1, max_size=200), st.integers(1, 50))
@examples(60)
def test_ends_and_outliers_are_the_same_in_any_batches(numbers: list[int], size: int) -> None:
    one, many = Extremes(), Extremes()
    for row, number in enumerate(numbers):
        one.add(float(number), str(number), row)
    for at in range(0, len(numbers), size):
        batch = [float(number) for number in numbers[at : at + size]]
        texts = list(map(str, numbers[at : at + size]))
        many.add_many(batch, texts, range(at, at + len(batch)).__getitem__)
    assert one.ends == many.ends == (str(min(numbers)), str(max(numbers)))
    assert one.outliers() == many.outliers()


@given(st.lists(st.integers(0, 50), min_size=30, max_size=100), st.integers(200, 10**9))
@examples(60)
def test_one_number_far_from_the_others_is_the_outlier(numbers: list[int], odd: int) -> None:
    at = random.Random(len(numbers)).randrange(len(numbers))
    ends = Extremes()
    for row, number in enumerate([*numbers[:at], odd, *numbers[at:]]):
        ends.add(float(number), str(number), row)
    found, rest = ends.outliers()
    assert (str(odd), at) in [(one.text, one.row) for one in found]
    assert rest is not None
    assert float(rest[1]) <= 50


def test_messages_that_differ_in_numbers_only_are_counted_as_one(synopsis: Summarise) -> None:
    reason = (
        "worker {0} was killed while it held {1} of 4,096 pages in the pool of the node at 0x{0:x}"
    )
    rows = [
        {"id": n, "error": reason.format(n, 7 * n) if n % 50 == 7 else None} for n in range(600)
    ]
    found = synopsis("\n".join(map(json.dumps, rows)))
    said = next(line for line in found.structure if line.startswith("  error: "))
    assert said == (
        f"  error: null 588 | string 12, by what they say: {reason.format(7, 49)} 12 (line 8)"
    )


def manifests(several: int, odd: int) -> str:
    """Documents of one kind, one of which has a privileged container of no fixed version."""
    documents = []
    for n in range(several):
        tag, rights = ("latest", "true") if n == odd else (f"1.{n}.3", "false")
        documents.append(
            f"---\nkind: Worker\nmetadata:\n  name: worker-{n}\nspec:\n  parts:\n"
            f"    main:\n      containers:\n        - name: run\n          image: shop/run:{tag}\n"
            f"          rights:\n            privileged: {rights}\n"
        )
    return "".join(documents)


def test_a_document_of_a_stream_that_differs_deep_inside_is_told_with_its_name_and_line(
    synopsis: Summarise,
) -> None:
    text = manifests(60, 41)
    line = text[: text.index("worker-41")].count("\n") - 1
    found = synopsis(text)
    said = next(line for line in found.structure if "privileged: true" in line)
    assert found.structure.index(said) < 4
    assert f"document 42[0] (from line {line:,}) of worker-41: " in said
    assert "image: shop/run:latest" in said


def test_an_element_that_differs_is_told_with_what_the_one_around_it_is_called(
    synopsis: Summarise,
) -> None:
    machines = []
    for n in range(60):
        port = "23" if n == 33 else "22"
        padding = f"<note>{'x' * 300}</note>"
        machines.append(
            f'<machine up="yes">\n<address value="10.0.0.{n}"/>\n{padding}\n'
            f'<ports>\n<port number="443"/>\n<port number="{port}"/>\n</ports>\n</machine>\n'
        )
    text = f"<found>\n{''.join(machines)}</found>\n"
    line = text[: text.index('"23"')].count("\n") + 1
    said = [one for one in synopsis(text).structure if 'number="23"' in one]
    assert said[0].startswith(
        f"differs: found/machine/ports/port number 68 of 10.0.0.33 (line {line:,}): "
    )


@pytest.mark.parametrize(
    "line",
    [
        "probe till-{i}.shop -> {code} in {ms} ms",
        "part {i} copied, rc={code} after {ms} ms",
        "part {i} ended with exit code {code} after {ms} ms",
        "GET /till/{i} {code} {ms}ms",
    ],
)
def test_of_outcomes_that_hardly_a_line_has_each_is_shown(synopsis: Summarise, line: str) -> None:
    usual, odd = ("200", ("503", "404", "301")) if "->" in line or "GET" in line else ("0", "127")
    codes = dict(zip((40, 90, 91), odd, strict=False)) if usual == "200" else {40: "12", 90: "137"}
    lines = [line.format(i=i, code=codes.get(i, usual), ms=4 + i % 40) for i in range(400)]
    found = synopsis("\n".join(lines) + "\n")
    said = "\n".join(found.structure)
    notable = {line.number for line in found.notable}
    for at in codes:
        assert f"  {at + 1}: {lines[at]} (" in said or at + 1 in notable


def test_where_outcomes_differ_as_a_rule_none_is_odd(synopsis: Summarise) -> None:
    lines = [f"probe till-{i}.shop -> {(200, 304, 200, 404)[i % 4]} soon" for i in range(400)]
    assert "unlike the others" not in "\n".join(synopsis("\n".join(lines) + "\n").structure)


def test_two_numbers_far_from_the_rest_are_both_shown_though_one_is_farther(
    synopsis: Summarise,
) -> None:
    amounts = {70: 9_120, 200: 30_011}
    lines = [f"till {i} answered after {amounts.get(i, 4 + i % 37)}ms" for i in range(400)]
    said = "\n".join(synopsis("\n".join(lines) + "\n").structure)
    assert "71: till 70 answered" in said
    assert "201: till 200 answered" in said
    assert "(398 others: 4ms to 40ms)" in said
