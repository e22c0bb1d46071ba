"""What is displayed is found, where it stands, whatever escapes, overstrike and frames it is in."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.retrieve.blocks
import stubcli.retrieve.segments
import stubcli.retrieve.shown
import stubcli.store.measure
from stubcli.retrieve.pattern import compile_pattern
from stubcli.retrieve.position import line_of_byte
from stubcli.retrieve.search import Hit, search
from stubcli.store.resolve import open_reference
from stubcli.store.surface import Session
from stubcli.text.characters import decode, encode
from stubcli.text.display import last_frame
from tests.chance import examples
from tests.conftest import Store
from tests.detect.cases.generators import generated
from tests.helpers import artifact, forked, session_of
from tests.retrieve.shown_lines import not_found, shown_lines

ANY = examples(60)
CASES = sorted(path.stem for path in (Path(__file__).parents[1] / "detect/cases").glob("*.txt"))

pieces = st.sampled_from(
    [
        *("a", "ab", "b ", "31", "m", "é", "e\u0301", "\U0001f600", "\t", "[", "\0"),
        *("\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b[2K", "\x1b[G", "\x1b[1;32mab", "\x9b31m", "\x1b"),
        *("\x1b]8;;http://ab\x07", "\x1b]8;;\x1b\\", "\x1b]0;ab", "\x1bPab", "\x1b(B", "\x1b["),
        *("\r", "\r\r", "\b", "a\ba", "_\bb", "\x1b]"),
    ]
)
lines = st.lists(pieces, max_size=8).map("".join)
texts = st.lists(st.tuples(lines, st.sampled_from(["\n", "\n", "\r\n"])), min_size=1, max_size=25)
PATTERNS = [
    "a",
    "ab",
    "^a",
    "a$",
    "^$",
    "31",
    "m",
    "b ",
    "[ab]+",
    "[^a]",
    ".",
    r"\[",
    "http://ab",
    "é",
]


def hits_of(session: Session, data: bytes, pattern: str, **given: bool) -> list[tuple[int, Hit]]:
    """Line and hit of every match."""
    options = {"literal": False, "ignore_case": False, "word": False, **given}
    with artifact(session, data) as opened:
        parts = search(opened, compile_pattern(pattern, **options), range(1 << 40))
        hits = [hit for part in parts for hit in part.hits]
        return [(line_of_byte(opened, hit.offset), hit) for hit in hits]


@pytest.fixture(params=[16, 1 << 20])
def session(
    store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Session]:
    monkeypatch.setattr(stubcli.store.measure, "BLOCK", request.param)
    with session_of(store) as opened:
        yield opened


@ANY
@given(texts)
def test_what_a_line_displays_finds_that_line(
    session: Session, made: list[tuple[str, str]]
) -> None:
    data = encode("".join(line + end for line, end in made))
    for number, (line, end) in enumerate(made, 1):
        if shown := last_frame(line + end.removesuffix("\n")):
            found = hits_of(session, data, shown, literal=True)
            assert number in [line for line, _ in found]


@ANY
@given(texts, st.sampled_from(PATTERNS))
def test_lines_match_as_they_are_displayed(
    session: Session, made: list[tuple[str, str]], pattern: str
) -> None:
    data = encode("".join(line + end for line, end in made))
    plays = [last_frame(line + end.removesuffix("\n")) for line, end in made]
    shown = {number for number, line in enumerate(plays, 1) if re.search(pattern, line)}
    bare = {number for number, (line, _) in enumerate(made, 1) if re.search(pattern, line)}
    found = {line for line, _ in hits_of(session, data, pattern)}
    assert found.issuperset(shown)
    assert found <= shown | bare
    if pattern in ("^a", "a$", "^$", "[^a]", "."):
        assert found == shown


@ANY
@given(texts, st.sampled_from(["a", "ab", "b", "é", "b "]))
def test_a_hit_stands_where_its_bytes_do(
    session: Session, made: list[tuple[str, str]], pattern: str
) -> None:
    data = encode("".join(line + end for line, end in made))
    for line, hit in hits_of(session, data, pattern, literal=True):
        assert data[hit.offset :].startswith(encode(pattern[0]))
        assert data.count(b"\n", 0, hit.offset) + 1 == line
        assert data.count(b"\n", 0, hit.begin) + 1 == line
        assert encode(pattern) in hit.text


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of more than 40 bytes is too long to be played, one of 64 too long to hold."""
    monkeypatch.setattr(stubcli.retrieve.segments, "LONGEST_SHOWN", 40)
    monkeypatch.setattr(stubcli.retrieve.segments, "_LONGEST", 64)
    monkeypatch.setattr(stubcli.retrieve.segments, "OVERLAP", 24)


@ANY
@pytest.mark.usefixtures("windows")
@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b",
                "ab",
                "é",
                " ",
                "\x1b[31m",
                "\x1b[0m",
                "\x1b]8;;http://x\x07",
                "\x1b[1;2",
                "\x1b",
            ]
        ),
        min_size=30,
        max_size=200,
    ).map("".join),
    st.sampled_from(["a", "ab", "aa", "b a", "a{3}", "é", "^a", "b$"]),
)
def test_a_line_too_long_to_play_is_matched_without_its_sequences(
    session: Session, line: str, pattern: str
) -> None:
    data = encode(line)
    shown = last_frame(line)
    hits = [hit for _, hit in hits_of(session, data, pattern)]
    if len(data) > 40 and re.search("\x1b", line):
        wanted = [decode(data[hit.offset :])[0] for hit in hits]
        assert [hit.column for hit in hits] == [
            len(encode(shown[: found.start()])) for found in re.finditer(pattern, shown)
        ]
        assert wanted == [found[0][0] for found in re.finditer(pattern, shown)]


def coloured(lines: int) -> Iterator[str]:
    for number in range(lines):
        level = "\x1b[1;31mERROR\x1b[0m" if number % 499 == 77 else "\x1b[32mINFO\x1b[0m"
        worker = f"worker-\x1b[1m{number % 7}\x1b[m"
        yield f"\x1b[2m12:00:{number % 60:02d}\x1b[0m {level} {worker}: job {number}"


def linked(lines: int) -> Iterator[str]:
    for number in range(lines):
        link = f"\x1b]8;;https://ci.example/{number}\x1b\\\x1b[4mtest_{number}\x1b[0m\x1b]8;;\x1b\\"
        yield f"{link} \x1b[31mFAILED\x1b[0m: timed out" if number % 499 == 77 else f"{link} passed"


def struck(lines: int) -> Iterator[str]:
    for number in range(lines):
        bold = "".join(f"{char}\b{char}" for char in f"OPTION {number}")
        yield f"  {bold} takes a _\bf_\bi_\bl_\be of line {number}"


def redrawn(lines: int) -> Iterator[str]:
    for number in range(lines):
        frames = "".join(f"layer {number}: {done:3d}%\r" for done in range(0, 100, 20))
        end = "error: no space left" if number == lines // 2 else f"layer {number}: done\x1b[K"
        yield f"{frames}\x1b[2K{end}"


def of_windows(lines: int) -> Iterator[str]:
    for line in coloured(lines):
        yield f"{line}\x1b[K\r"


@pytest.mark.parametrize("name", CASES)
def test_every_line_that_a_page_prints_is_found_where_it_says(store: Store, name: str) -> None:
    page = forked(store, generated(name.replace("-", "_"))).out.decode()
    with open_reference(str(store.home), store.session, "last") as opened:
        assert not_found(opened, page) == []


@pytest.mark.parametrize("made", [coloured, linked, struck, redrawn, of_windows])
def test_every_line_of_a_page_is_found_though_it_is_not_what_the_bytes_are(
    store: Store, made: Callable[[int], Iterator[str]]
) -> None:
    data = "".join(line + "\n" for line in made(800)).encode()
    page = forked(store, data).out.decode()
    assert len(shown_lines(page)) > 20
    with open_reference(str(store.home), store.session, "last") as opened:
        assert not_found(opened, page) == []
