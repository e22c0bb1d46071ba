"""Text in pieces as a terminal shows it: line for line, harmless, the same however it comes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text import screen
from stubcli.text.display import last_frame, neutralise
from stubcli.text.screen import Screen
from tests.text.test_ansi import terminal_text

# Without colours no control character but these two, with them those of colours alone.
COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
STRING = re.compile("\x1b[PX\\]^_]|[\x90\x98\x9d-\x9f]")
DRIVES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
PIECES = st.lists(
    st.one_of(
        terminal_text,
        st.text(max_size=6),
        st.sampled_from(["\x1b[31m", "\x1b[0m", "\x1b[8m", "\x1b[38;5;8m", "\r\n", "\u202e"]),
    ),
    max_size=12,
)


def shown(*pieces: str, colours: bool = False) -> str:
    made = Screen(colours=colours)
    return "".join([*map(made.add, pieces), made.rest()])


@given(PIECES, st.booleans())
def test_each_line_of_the_text_is_one_line_of_what_is_shown(
    pieces: list[str], colours: bool
) -> None:
    assert shown(*pieces, colours=colours).count("\n") == "".join(pieces).count("\n")


@given(PIECES, st.booleans())
def test_how_the_text_is_cut_makes_no_difference(pieces: list[str], colours: bool) -> None:
    assert shown(*pieces, colours=colours) == shown("".join(pieces), colours=colours)


@given(PIECES, st.booleans())
def test_nothing_that_is_shown_drives_a_terminal(pieces: list[str], colours: bool) -> None:
    text = shown(*pieces, colours=colours)
    assert not DRIVES.search(COLOURS.sub("", text) if colours else text)


@given(PIECES)
def test_a_line_is_its_last_frame_made_harmless(pieces: list[str]) -> None:
    # A string that runs into a line end is none, which a line alone cannot tell.
    lines = [line for line in "".join(pieces).split("\n") if not STRING.search(line)]
    for line in lines:
        assert shown(line) == neutralise(last_frame(line))


@given(PIECES)
def test_colours_change_nothing_else(pieces: list[str]) -> None:
    assert COLOURS.sub("", shown(*pieces, colours=True)) == shown(*pieces)


@pytest.mark.parametrize(
    ("text", "with_colours"),
    [
        ("\x1b[31mred\x1b[0m\n", "\x1b[31mred\x1b[0m\n\x1b[0m"),
        ("\x1b[1;38;2;8;8;8mgrey", "\x1b[1;38;2;8;8;8mgrey\x1b[0m"),
        ("\x1b[48:5:8mon\n", "\x1b[48:5:8mon\n\x1b[0m"),
        ("\x1b[8mhidden\x1b[0;08m\n", "hidden\n\x1b[0m"),
        ("\x1b[2Jgone\x1b[3;4H\n", "gone\n\x1b[0m"),
        ("\x1b]0;title\x07plain\n", "plain\n"),
        ("\x1b[32mok\x1b[0m\r\n", "\x1b[32mok\x1b[0m\n\x1b[0m"),
        ("1%\r\x1b[32m2%\n", "2%\n"),
    ],
)
def test_colours_are_kept_unless_they_hide(text: str, with_colours: str) -> None:
    assert shown(text, colours=True) == with_colours


def test_a_line_that_is_too_long_to_hold_is_shown_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "_LONGEST", 100)
    line = "ž" * 90 + "\x1b[31m" + "x" * 400
    assert shown(*line, "\n") == "ž" * 90 + "x" * 400 + "\n"
    frames = [f"\r{number:3}%" for number in range(101)]
    assert shown(*frames, "\nnext") == "100%\nnext"
