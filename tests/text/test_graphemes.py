"""Cuts that turn no character into another."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.characters import border, clip, first_border, graphemes

regex = import_module("regex")
FLAG = "\U0001f1f0\U0001f1f7"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TONE = "\U0001f44d\U0001f3fd"
ACCENT = "e\u0301"
INDIC = "\u0915\u093f"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
WHOLE = (FLAG, FAMILY, TONE, ACCENT, INDIC, RAINBOW, "\r\n")

parts = st.lists(
    st.sampled_from(
        [*"a \r\n", *"".join(WHOLE), *WHOLE, "中", "\u0600", "\u1100", "\udcff", "\x1b"]
    ),
    max_size=24,
)
mixed = parts.map("".join)


@pytest.mark.parametrize("one", WHOLE)
def test_what_is_seen_as_one_character_is_one_grapheme(one: str) -> None:
    assert graphemes(f"x{one}y{one}{one}") == ["x", one, "y", one, one]


@given(mixed)
def test_graphemes_are_those_of_unicode_and_join_to_the_text(text: str) -> None:
    assert graphemes(text) == regex.findall(r"\X", text)
    assert "".join(graphemes(text)) == text


@given(mixed, st.integers(-2, 80))
def test_the_border_is_the_last_one_at_or_before_the_place(text: str, place: int) -> None:
    borders = [0]
    for one in graphemes(text):
        borders.append(borders[-1] + len(one))
    assert border(text, place) == max([at for at in borders if at <= place], default=0)


@given(mixed, st.integers(0, 20))
def test_a_text_that_begins_anywhere_has_its_first_border_where_the_whole_has_one(
    text: str, skip: int
) -> None:
    borders = {0, len(text)}
    for one in graphemes(text):
        borders.add(max(borders - {len(text)}) + len(one))
    rest = text[skip:]
    assert skip + first_border(rest) in borders or not rest


def test_clipping_cuts_at_a_border() -> None:
    assert clip("ab" + FAMILY, 4) == "ab"
    assert clip("ab", 4) == "ab"


@pytest.mark.parametrize(
    "unit", [FLAG[0], "\u0301", FAMILY[:2], "\u0915\u094d", "\u0600", "\u1100"]
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    # A square of it would meet the time limit of the test.
    graphemes(unit * 500_000)
    border(unit * 500_000, 499_999)
