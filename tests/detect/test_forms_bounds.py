"""What forms look at is bounded in bytes and in lines, and they say how much it was."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.detect.reading import (
    FEWER_LINES,
    MOST_BYTES,
    MOST_LINES,
    InMemory,
    beginning,
    reach,
)
from stubcli.detect.reading import plain_lines as lines
from tests.detect.cases.counting import calls_in

Summarise = Callable[..., Synopsis]


def structure(found: Synopsis) -> str:
    return "\n".join(found.structure)


def logged(number: int, level: str = "INFO") -> str:
    return f"2026-01-02 03:{number // 60 % 60:02d}:{number % 60:02d} [{level}] part {number} done\n"


@given(st.lists(st.sampled_from([b"", b"a", b"bc"])), st.integers(1, 9), st.integers(1, 30))
def test_the_reach_ends_behind_a_line_or_at_the_bound_of_bytes(
    pieces: list[bytes], most: int, limit: int
) -> None:
    data = b"\n".join(pieces)
    end = reach(InMemory(data), limit, most)
    whole = b"".join(data.splitlines(keepends=True)[:most])
    assert end == min(len(whole), limit)


def test_the_reach_is_found_in_any_block() -> None:
    data = b"x" * 99 + b"\n"
    source = InMemory(data * 40_000)
    for most in (1, 10_485, 10_486, 10_487, 39_999, 40_000, 50_000):
        end = reach(source, source.size, most)
        assert end == min(most, 40_000) * 100
        assert sum(1 for _ in lines(source, end)) == min(most, 40_000)


def test_a_beginning_holds_whole_lines_and_says_how_many_they_are() -> None:
    small = beginning(InMemory(b"a\n\x1b[1mb\x1b[0m\nc"))
    assert (small.lines, small.whole) == ([b"a", b"b", b"c"], True)
    assert beginning(InMemory(b"")).lines == []
    many = beginning(InMemory(b"\n" * 1_000_000))
    assert (len(many.lines), many.seen, many.whole) == (MOST_LINES, MOST_LINES, False)
    cut = beginning(InMemory(b"0123456789\n" * 400 + b"y" * MOST_BYTES))
    assert (len(cut.lines), cut.seen) == (400, 4400)


def test_four_times_as_many_blank_lines_cost_hardly_more(synopsis: Summarise) -> None:
    synopsis(b"\n" * 10_000)
    once, more = (calls_in(partial(synopsis, b"\n" * n)) for n in (500_000, 2_000_000))
    assert more <= 1.5 * once


def test_headings_and_groups_say_within_what_they_were_counted(synopsis: Summarise) -> None:
    head = "##[group]Fetch\nTo do first:\n  one\nTo do next:\n  two\n"
    whole = synopsis(head + "row\n" * 1000)
    assert "groups (1): Fetch" in structure(whole)
    assert "2 headings: 2: To do first, 4: To do next" in structure(whole)
    long = synopsis(head + "row\n" * 200_000 + head)
    within = f" in the first {MOST_LINES:,} lines ("
    assert f"groups{within}" in structure(long)
    assert f"headings{within}" in structure(long)
    assert "): 2: To do first, 4: To do next" in structure(long)


def test_templates_are_counted_to_the_end_of_two_megabytes(synopsis: Summarise) -> None:
    text = "".join(
        logged(number, "WARN" if number % 1000 == 7 else "INFO") for number in range(45_000)
    )
    assert len(text) > 1_900_000
    found = structure(synopsis(text))
    assert "levels: INFO 44,955, WARN 45" in found
    assert "lines by template:" in found
    assert "45,000 × part … done" in found


def test_of_a_long_log_fewer_lines_are_compared_and_rare_levels_still_counted(
    synopsis: Summarise,
) -> None:
    line = logged(1)
    before, after = line * (FEWER_LINES // 2), line * 230_000
    text = before + "2026-01-02 04:00:00 <NOTICE> moved\n" * 3 + after + logged(2, "ERROR")
    found = structure(synopsis(text))
    assert f"lines by template in the first {FEWER_LINES:,} lines (" in found
    assert f"INFO {FEWER_LINES // 2 + 230_000:,}, NOTICE 3, ERROR 1" in found
    assert "time: 2026-01-02 03:00:01 to 2026-01-02 03:00:02" in found


def test_indents_and_tabs_make_no_other_line(synopsis: Summarise) -> None:
    text = "".join(f"read\tpage {number}\n  read page {number}\n" for number in range(300))
    assert "600 × read" in structure(synopsis(text))


@pytest.mark.parametrize("blank", [1000, 400_000])
def test_a_form_says_where_its_lines_ended(synopsis: Summarise, blank: int) -> None:
    text = (
        "# One\n\n- [a](b)\n\n```\nrun\n```\n\n# Two\n\n```\nrun\n```\n\n- [c](d)\n\n- [e](f)\n" * 9
    )
    found = synopsis(text + "\n" * blank + text)
    assert found.label == "text/markdown"
    told = f"looked at the first {len(text) + 249_847:,} of " in structure(found)
    assert told == (blank > 250_000)
    assert ("36 headings" in structure(found)) == (not told)
