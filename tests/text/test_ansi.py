"""Escape sequences and cursor movement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.display import last_frame, strip_ansi, unfinished, visible_runs

pieces = st.sampled_from(
    [
        "a",
        "bc",
        "\n",
        "\r",
        "\b",
        "\a",
        "\x1b",
        "\x1b[",
        "\x1b]0;",
        "\x1bP",
        "\x1b\\",
        "31",
        "m",
        ";",
        "\x9b",
        "\x9d",
        "\x9c",
        "é",
        "\x1b[K",
        "\x1b[2K",
        "\x1b[1G",
        " ",
        "中",
    ]
)
terminal_text = st.lists(pieces, max_size=20).map("".join)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[38:2::1:2:3mrgb\x1b[m", "rgb"),
        ("\x1b[?25lhidden\x1b[?25h", "hidden"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0;2~\x1b\\image", "image"),
        ("\x1b_apc\x1b\\a\x1b^pm\x1b\\b\x1bXsos\x1b\\c", "abc"),
        ("\x1b(Bcharset\x1b7saved\x1bc", "charsetsaved"),
        ("\x9b31mc1\x9d0;title\x9c", "c1"),
        ("cut\x1b[3", "cut"),
        ("cut\x1b]0;ti", "cut"),
        ("cut\x1b", "cut"),
    ],
)
def test_escape_sequences_are_removed(text: str, plain: str) -> None:
    assert strip_ansi(text) == plain


def test_a_string_that_is_never_ended_hides_no_other_line() -> None:
    assert strip_ansi("a\x1b]0;evil\nsecond") == "a0;evil\nsecond"


def test_a_lone_byte_of_another_encoding_is_no_sequence() -> None:
    assert strip_ansi("\udc9b1m") == "\udc9b1m"


@given(terminal_text)
def test_no_escape_survives_and_the_runs_are_what_is_left(text: str) -> None:
    runs = visible_runs(text)
    assert "\x1b" not in strip_ansi(text)
    assert "".join(run for _, run in runs) == strip_ansi(text)
    assert all(text.startswith(run, place) and run for place, run in runs)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("plain", 5),
        ("a\x1b[31m", 6),
        ("a\x1b[31", 1),
        ("a\x1b", 1),
        ("a\x1b]0;title", 1),
        ("a\x1b]0;title\x1b", 1),
        ("a\x1b]0;title\x1b\\", 11),
        ("a\x1b]0;title\n", 11),
        ("a\x1b(", 1),
        ("\x9b3", 0),
    ],
)
def test_a_sequence_that_the_text_ends_in_is_found(text: str, end: int) -> None:
    assert unfinished(text) == (end if end < 11 else len(text))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("10%\r50%\r100%", "100%"),
        ("10%\r", "10%"),
        ("dos\r", "dos"),
        ("downloading\rdone", "doneloading"),
        ("downloading\r\x1b[Kdone", "done"),
        ("\x1b[2K\x1b[1Gfirst\x1b[2K\x1b[1Gok\r", "ok"),
        ("gone\r\x1b[K", ""),
        ("N\bNA\bAM\bME\bE", "NAME"),
        ("_\bu_\bn", "un"),
        ("|\b/\b-\b", "-"),
        ("\b\bx", "x"),
        ("\x1b[32m1\x1b[0m\r\x1b[32m2\x1b[0m", "2"),
        ("e\u0301e\u0301\rx", "xe\u0301"),
    ],
)
def test_a_line_shows_what_a_terminal_shows_in_the_end(line: str, shown: str) -> None:
    assert last_frame(line) == shown


@given(terminal_text)
def test_the_last_frame_moves_and_drives_nothing(text: str) -> None:
    shown = last_frame(text)
    assert not set(shown) & {"\x1b", "\r", "\b"}
    assert len(shown) <= len(text)


@pytest.mark.parametrize(
    "unit",
    [
        "\x1b",
        "\x1b]",
        "\x1b[",
        "\x90",
        "\x1b]x\n",
        "a\r",
        "a\b",
        "\x1b[1;1",
        "abc\x1b[2Kx\r",
        "\x1b ",
    ],
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    # A square of it would meet the time limit of the test.
    strip_ansi(unit * 500_000)
    last_frame(unit * 500_000)
    unfinished(unit * 500_000)
