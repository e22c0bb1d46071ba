"""A printed command line is one that a shell takes: what must not be shown is escaped for it."""

import subprocess
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.advice import Advice, quote_word
from stubcli.text.display import one_line
from tests.chance import examples

# NUL can be in no argument, a lone surrogate other than an undecodable byte in none either.
argument = st.text(
    st.one_of(
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
        st.sampled_from(
            "'\"\\\n\t\r $`!*?~#;&|()<>{}[]\x1b\x07\x7f\x9b\u202e\u2066\u200b\u2028"
            "\U000e0041\U000e0100\udc80\udcff01234567abcdefx"
        ),
    ),
    max_size=40,
)


@examples(60)
@given(st.lists(argument, min_size=1, max_size=8))
def test_a_shell_gives_back_the_bytes_of_every_word(words: list[str]) -> None:
    script = f"printf '%s\\0' {' '.join(map(quote_word, words))}"
    out = subprocess.run(["bash", "-c", script], capture_output=True, check=True, timeout=60).stdout
    assert out.split(b"\0")[:-1] == [word.encode("utf-8", "surrogateescape") for word in words]


@given(argument)
def test_a_quoted_word_drives_no_terminal_and_what_makes_text_safe_does_not_change_it(
    word: str,
) -> None:
    quoted = quote_word(word)
    assert one_line(quoted) == quoted
    assert {unicodedata.category(char) for char in quoted}.isdisjoint({"Cc", "Cf", "Zl", "Zp"})


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("plain-1.txt", "plain-1.txt"),
        ("", "''"),
        ("a b", "'a b'"),
        ("it's", "'it'\"'\"'s'"),
        ("größe", "'größe'"),
        ("a\x1bb\nc", "$'a\\033b\\nc'"),
        ("\x001", "$'\\0001'"),
        ("\t'\\\r", "$'\\t\\'\\\\\\r'"),
        ("\u202e\udcff", "$'\\342\\200\\256\\377'"),
        ("\U000e0100", "$'\\363\\240\\204\\200'"),
        ("\ud800", "$'\\355\\240\\200'"),
    ],
)
def test_how_a_word_is_quoted(word: str, quoted: str) -> None:
    assert quote_word(word) == quoted


def test_the_options_that_are_repeated_are_quoted_too() -> None:
    where = (("home", "/a\x1bb\nc"), ("session", "s"))
    assert Advice("read", "7").shell(where) == "stub read 7 --home $'/a\\033b\\nc' --session s"


def test_what_advice_says_itself_is_not_said_again_by_the_place() -> None:
    advice = Advice("read", "7", session="b", limit=3)
    where = (("home", "/h"), ("session", "a"))
    assert advice.shell(where) == "stub read 7 --session b --limit 3 --home /h"
