"""What must not reach a terminal does not, and what is only unusual stays."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.display import neutralise, one_line

wild = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\0b\x7f", "a\\x00b\\x7f"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb", "a\\x0db"),
        ("\x85", "<U+0085>"),
        ("\udcff\udc80", "\\xff\\x80"),
        ("\ud800", "<U+D800>"),
        ("\ufeffx\u2028\u2029", "<U+FEFF>x<U+2028><U+2029>"),
        ("\ufff9", "<U+FFF9>"),
        ("\U000e0041\U000e0100", "<U+E0041><U+E0100>"),
    ],
)
def test_what_acts_on_a_reader_is_shown_instead(text: str, shown: str) -> None:
    assert neutralise(text) == shown


# https://github.com/gdamore/tcell/issues/1061
# https://github.com/EONRaider/RootWire/issues/53
@pytest.mark.parametrize(
    "code", [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
def test_a_character_that_reorders_text_is_shown_by_its_number(code: int) -> None:
    assert neutralise(f"a{chr(code)}b") == f"a<U+{code:04X}>b"


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "tab\tand\nline",
        "naïve 中文",
        "👨\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "می\u200cخواهم",
    ],
)
def test_text_that_drives_nothing_stays_as_it_is(text: str) -> None:
    assert neutralise(text) == text


def test_a_line_of_ours_holds_no_line_end_and_no_tab() -> None:
    assert one_line("a\tb\nc\rd") == "a\\tb\\nc\\x0dd"


@given(wild)
def test_the_result_is_encodable_and_without_controls(text: str) -> None:
    shown = neutralise(text)
    shown.encode()
    assert all(unicodedata.category(c) not in ("Cc", "Cs") or c in "\t\n" for c in shown)
    assert all(unicodedata.bidirectional(c) not in _REORDERING for c in shown)
    assert neutralise(shown) == shown


_REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
