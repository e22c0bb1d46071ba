"""How the synopsis is shortened."""

from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import NotableLine, Synopsis
from stubcli.render.sections import sections


def many(count: int, length: int = 10) -> Synopsis:
    lines = tuple(f"{n} ".ljust(length, "x") for n in range(count))
    return Synopsis(
        "json", "", lines, lines, tuple(NotableLine(n + 1, lines[n]) for n in range(count))
    )


def test_with_room_for_everything_everything_is_kept() -> None:
    shown = sections(many(5), 2000)
    assert len(shown.summary.kept) == len(shown.structure.kept) == len(shown.notable) == 5
    assert (shown.summary.more, shown.structure.more, shown.notable_more) == (0, 0, 0)


@given(st.integers(0, 30), st.integers(3, 400), st.integers(-50, 3000))
def test_what_is_left_out_is_counted(count: int, length: int, room: int) -> None:
    shown = sections(many(count, length), room)
    assert len(shown.summary.kept) + shown.summary.more == count
    assert len(shown.structure.kept) + shown.structure.more == count
    skipped = sum(one.skipped for one in shown.notable)
    assert len(shown.notable) + skipped + shown.notable_more == count


def test_notable_lines_are_left_out_from_the_middle() -> None:
    shown = sections(many(12, 100), 1200)
    numbers = [one.line for one in shown.notable]
    assert numbers[0] == 1
    assert numbers[-1] == 12
    assert len(numbers) < 12


def test_a_section_with_little_to_say_leaves_its_room_to_the_others() -> None:
    synopsis = Synopsis("text", "", ("short",), tuple("x" * 50 for _ in range(20)))
    assert len(sections(synopsis, 1300).structure.kept) == 20


def test_a_line_cannot_take_the_page_and_says_what_was_cut() -> None:
    (line,) = sections(Synopsis("text", "", ("y" * 5000,)), 3000).summary.kept
    assert line == "y" * 600 + "… (+4,400 characters)"


def test_terminal_sequences_and_line_ends_do_not_reach_a_line_of_the_synopsis() -> None:
    (line,) = sections(Synopsis("text", "", ("a\x1b[31mb\nc\u202e\udcff",)), 300).summary.kept
    assert line == "ab\\nc<U+202E>\\xff"


def test_notable_lines_are_cut_before_any_is_left_out() -> None:
    lines = tuple(NotableLine(number, "y" * 200) for number in range(1, 9))
    shown = sections(Synopsis("text", "", (), (), lines), 1600)
    assert [one.line for one in shown.notable] == list(range(1, 9))
    assert all("characters)" in one.text for one in shown.notable)


def test_a_tab_stands_as_it_is() -> None:
    (line,) = sections(Synopsis("text", "", ("FAIL\tpkg/one",)), 300).summary.kept
    assert line == "FAIL\tpkg/one"
