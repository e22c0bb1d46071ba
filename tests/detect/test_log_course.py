"""The course of a log: entries and errors in equal slices of its time, as blocks."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.detect.text import course
from tests.chance import examples

Summarise = Callable[..., Synopsis]


def test_a_burst_is_seen_with_the_time_of_its_beginning(synopsis: Summarise) -> None:
    calm = [f"2026-04-01 {10 + n // 60}:{n % 60:02d}:00 INFO basin {n} is full" for n in range(240)]
    burst = [f"2026-04-01 12:03:{n % 60:02d} ERROR sluice {n} is stuck" for n in range(400)]
    said = "\n".join(synopsis("\n".join(calm[:124] + burst + calm[124:])).structure)
    row = next(row for row in said.split("\n") if row.startswith("entries per 10 min: "))
    assert "(most 410, from 2026-04-01 12:00:00)" in row
    assert row.endswith("errors ············█··········· (most 400, from 2026-04-01 12:03:00)")
    assert row.count("▁") == 23


@pytest.mark.parametrize(
    ("first", "second", "seconds"),
    [
        ("2026-02-28 23:59:59", "2026-03-01 00:00:01", 2),
        ("2024-02-28T23:59:59.5Z", "2024-03-01T00:00:01.5Z", 86402),
        ("Dec 31 10:00:00", "Jan 1 10:00:00", -364 * 86400),
        ("Jul 9 10:00:00", "Jul 10 10:00:00", 86400),
        ("[Sun Dec 04 04:47:44 2005", "[Mon Dec 05 04:47:44 2005", 86400),
        ("10/Apr/2026:10:00:00", "11/Apr/2026:10:00:00", 86400),
        ("1117838570 2005.06.03", "1117838580 2005.06.03", 10),
        ("260401 100000", "260401 100130", 90),
        ("26/04/01 10:00:00", "26/04/03 10:00:00", 2 * 86400),
        ("12:00:00.123", "12:00:05", 5),
    ],
)
def test_times_of_any_form_are_as_far_apart_as_they_say(
    first: str, second: str, seconds: int
) -> None:
    found = course._seconds({first.encode(), second.encode()})
    assert found[second.encode()] - found[first.encode()] == seconds


@pytest.mark.parametrize(
    "times",
    [
        ["01/02/03 10:00:00", "02/03/03 10:00:00", "03/04/03 10:00:00"],
        ["soon", "later", "never"],
        ["99:99:99", ""],
        ["2026-13-45 10:00:00"] * 9,
        [],
    ],
)
def test_where_times_cannot_be_told_nothing_is_said(times: list[str]) -> None:
    assert course.find([time.encode() for time in times], [b""] * len(times)) is None


@given(st.lists(st.tuples(st.integers(0, 86399), st.sampled_from([b"INFO", b"ERROR"])), min_size=1))
@examples(60)
def test_slices_add_up_to_all_entries(made: list[tuple[int, bytes]]) -> None:
    times = [b"2026-04-01 %02d:%02d:%02d" % (n // 3600, n // 60 % 60, n % 60) for n, _ in made]
    found = course.find(times, [level for _, level in made])
    if found is not None:
        assert sum(found.entries) == len(made)
        assert sum(found.errors) == sum(level == b"ERROR" for _, level in made)
        assert found.most is not None
        assert found.most.count == max(found.entries)
        assert 4 <= len(found.entries) <= 30


@given(st.lists(st.text("0123456789:.-/ JanTZ", max_size=30)))
@examples(100)
def test_no_time_is_an_error(times: list[str]) -> None:
    course.find([time.encode() for time in times], [b"ERROR"] * len(times))
