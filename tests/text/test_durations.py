"""Spans of time in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.durations import rough, span

SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86_400}


@pytest.mark.parametrize(
    ("seconds", "exact", "about"),
    [
        (0, "0 s", "0 s"),
        (0.3, "300 ms", "0 s"),
        (0.9999, "1 s", "0 s"),
        (1.04, "1 s", "1 s"),
        (1.5, "1.5 s", "1 s"),
        (59.94, "59.9 s", "59 s"),
        (59.96, "1 min", "59 s"),
        (90, "1 min 30 s", "1 min"),
        (3600, "1 h", "1 h"),
        (3661, "1 h 1 min", "1 h"),
        (86_400, "1 d", "1 d"),
        (100 * 86_400 + 7200, "100 d 2 h", "100 d"),
    ],
)
def test_a_span_has_two_units_at_most(seconds: float, exact: str, about: str) -> None:
    assert (span(seconds), rough(seconds)) == (exact, about)


@given(st.floats(0, 10**9))
def test_a_span_says_what_it_is_within_its_smaller_unit(seconds: float) -> None:
    parts = re.findall(r"([0-9.,]+) (\w+)", span(seconds))
    said = sum(float(number.replace(",", "")) * SECONDS[unit] for number, unit in parts)
    smallest = {"d": 3600, "h": 60, "min": 1}.get(parts[0][1], 0.1)
    assert abs(said - seconds) <= smallest
