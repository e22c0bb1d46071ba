"""Which bytes a preview stands for, and how they are shown."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.model import Synopsis
from stubcli.render.model import Facts, ends
from stubcli.render.preview import Preview, preview

from .made import facts

regex = import_module("regex")
FLAG = "\U0001f1f0\U0001f1f7"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TONE = "\U0001f44d\U0001f3fd"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
CLUSTERS = (FLAG, FAMILY, TONE, "e\u0301", "\u0915\u093f", RAINBOW)


def shown(of: Facts, head: int = 1000, tail: int = 2000) -> Preview:
    return preview(ends(of), head, tail)


def test_an_output_that_fits_is_one_head_and_no_gap() -> None:
    seen = shown(facts(b"one\ntwo\nthree"))
    assert seen.head is not None
    assert (seen.head.text, seen.head.end, seen.head.last_line) == ("one\ntwo\nthree\n", 13, 3)
    assert seen.tail is None
    assert seen.gap is None


def test_previews_break_at_line_ends() -> None:
    data = b"".join(b"line %03d of many\n" % n for n in range(1, 501))
    seen = shown(facts(data), 100, 200)
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.gap is not None
    assert seen.head.text == data[: seen.head.end].decode()
    assert (seen.head.first_line, seen.head.last_line, seen.head.cut) == (1, 5, False)
    assert (seen.tail.first_line, seen.tail.last_line, seen.tail.cut) == (490, 500, False)
    assert (seen.gap.lines, seen.gap.first_line, seen.gap.last_line) == (484, 6, 489)


def test_a_line_longer_than_the_room_is_cut_inside_and_said_to_be() -> None:
    seen = shown(facts(b"short\n" + b"x" * 9000 + b"\nlast\n"), 100, 200)
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.gap is not None
    assert (seen.head.last_line, seen.head.cut, seen.head.end) == (2, True, 99)
    assert (seen.tail.first_line, seen.tail.cut) == (2, True)
    assert (seen.gap.lines, seen.gap.inside, seen.gap.ends_inside) == (0, True, True)


def test_a_line_that_fits_the_room_but_not_what_is_left_of_it_is_not_cut() -> None:
    seen = shown(facts(b"a" * 60 + b"\n" + b"b" * 60 + b"\n" + b"c" * 5000), 100, 0)
    assert seen.head is not None
    assert (seen.head.end, seen.head.cut) == (61, False)


# https://github.com/agentic-os-org/ANOLISA/issues/2096
# https://github.com/nyakang/nyaterm/issues/723
@pytest.mark.parametrize("lead", range(4))
def test_no_character_is_cut_whatever_stands_before_it(lead: int) -> None:
    data = ("x" * lead + "中" * 60_000).encode()
    seen = shown(facts(data))
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text.rstrip("\n") == data[: seen.head.end].decode()
    assert seen.tail.text.rstrip("\n") == data[seen.tail.start :].decode()


# https://github.com/bitrix24/b24ui/issues/364
# https://github.com/handochan/aelix-ai/issues/181
@pytest.mark.parametrize("lead", range(8))
@pytest.mark.parametrize("room", [97, 98, 99, 100, 101, 102, 103])
def test_no_flag_family_or_accent_is_cut(lead: int, room: int) -> None:
    text = "x" * lead + "".join(CLUSTERS) * 4000
    borders = {0}
    for found in regex.finditer(r"\X", text):
        borders.add(found.end())
    seen = shown(facts(text.encode()), room, room)
    assert seen.head is not None
    assert seen.tail is not None
    assert len(text.encode()[: seen.head.end].decode()) in borders
    assert len(text.encode()[: seen.tail.start].decode()) in borders


@given(
    st.lists(st.sampled_from(["a", "b\n", "中", *CLUSTERS]), max_size=60).map("".join),
    st.integers(40, 120),
    st.integers(0, 40),
)
def test_cuts_are_grapheme_borders_whichever_bytes_are_given(
    text: str, end: int, room: int
) -> None:
    data = text.encode()
    seen = shown(facts(data, end=end), room, room)
    borders = {0}
    for found in regex.finditer(r"\X", text):
        borders.add(len(text[: found.end()].encode()))
    assert not seen.head or seen.head.end in borders
    assert not seen.tail or seen.tail.start in borders


# https://github.com/brightio/penelope/issues/128
# https://github.com/scottcrosby-securebine/kali-mcp-server/issues/80
def test_clipboard_and_title_sequences_reach_no_terminal() -> None:
    line = "Server: a\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b[21t\x1b]0;P\x07 needle-{}\n"
    data = "".join(line.format(n) for n in range(3000)).encode()
    seen = shown(facts(data))
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text.startswith("Server: a needle-0\nServer: a needle-1\n")
    assert seen.tail.text.endswith("Server: a needle-2999\n")
    assert not seen.head.cut


def test_a_cut_is_never_inside_an_escape_sequence() -> None:
    data = b"\x1b[31mred\x1b[0m " * 20_000
    for room in range(20, 60):
        seen = shown(facts(data), room, room)
        assert seen.head is not None
        assert seen.tail is not None
        assert "[" not in seen.head.text + seen.tail.text
        assert regex.fullmatch(rb"(\x1b\[\d*m|[^\x1b])*", data[: seen.head.end])


def test_a_tail_that_begins_inside_an_inline_image_shows_none_of_it() -> None:
    image = b"\x1b]1337;File=inline=1:" + b"QUJD" * 40_000 + b"\x07"
    seen = shown(facts(image + b"after\n"))
    assert seen.tail is not None
    assert seen.tail.text == "after\n"


def test_progress_is_shown_as_its_last_frame() -> None:
    frames = b"".join(b"\r%3d%%" % n for n in range(101))
    seen = shown(facts(b"get\n" + frames + b"\r\x1b[Kdone\nbye\n"))
    assert seen.head is not None
    assert seen.head.text == "get\ndone\nbye\n"


def test_progress_longer_than_what_is_given_is_shown_by_its_first_and_last_frame() -> None:
    frames = b"".join(b"\r%d bytes" % n for n in range(30_000))
    seen = shown(facts(b"get\n" + frames + b"\nbye\n"))
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text == "get\n0 bytes\n"
    assert seen.tail.text == "29999 bytes\nbye\n"
    assert seen.head.cut
    assert seen.tail.cut


# https://github.com/BurntSushi/ripgrep/issues/1300
# https://github.com/twaugh/patchutils/issues/62
def test_text_with_carriage_returns_alone_is_readable_and_bounded() -> None:
    data = b"".join(b"row number %d of the file with some text\r" % n for n in range(3000))
    seen = shown(facts(data))
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text.startswith("row number 0 of the file with some text\nrow number 1 of")
    assert seen.tail.text.endswith("\nrow number 2999 of the file with some text\n")
    assert (seen.head.first_line, seen.tail.last_line) == (1, 1)


# https://github.com/kpdecker/jsdiff/issues/701
def test_the_carriage_return_of_a_dos_line_is_not_shown() -> None:
    data = b"".join(b"row %d\r\n" % n for n in range(3000))
    seen = shown(facts(data), 29, 30)
    assert seen.head is not None
    assert seen.head.text == "row 0\nrow 1\nrow 2\nrow 3\n"
    assert data[: seen.head.end].endswith(b"row 3\r\n")


# https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/610
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("odd", [b"", b"\x41", b"\xff"])
def test_utf_16_is_readable_and_cut_between_characters(encoding: str, odd: bytes) -> None:
    text = "".join(f"alpha {n}\r\nbeta é😀 {n}\r\n" for n in range(6000))
    of = facts(
        text.encode(encoding) + odd, synopsis=Synopsis("unknown", "encoding", (), encoding=encoding)
    )
    seen = shown(of)
    assert seen.head is not None
    assert seen.tail is not None
    assert seen.head.text.startswith("alpha 0\nbeta é😀 0\nalpha 1\n")
    assert "beta é😀 5999\n" in seen.tail.text
    assert seen.head.end % 2 == seen.tail.start % 2 == 0
    assert not seen.head.cut
    assert not seen.tail.cut


def test_no_row_is_longer_than_a_host_takes() -> None:
    seen = shown(facts(b"\x01" * 300_000), 9000, 9000)
    assert seen.head is not None
    assert seen.tail is not None
    assert max(map(len, (seen.head.text + seen.tail.text).split("\n"))) <= 2000


@pytest.mark.parametrize(
    "unit",
    [
        "\x1b]",
        "\x1b[",
        "\x9d",
        "a\b",
        "a\r\r",
        "\u0301",
        FLAG[0],
        "👩\u200d",
        "\n",
        "\x1b[2Kx",
        "\r\n",
    ],
)
def test_a_hostile_output_is_previewed_at_once(unit: str) -> None:
    # A square of it would meet the time limit of the test.
    shown(facts(unit.encode() * 500_000))
