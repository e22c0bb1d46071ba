"""What is displayed is found, where it stands, whatever escapes, overstrike and frames it is in."""

import re
from collections.abc import Iterator

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
from stubcli.store.surface import Session
from stubcli.text.characters import encode
from stubcli.text.display import last_frame
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import artifact, session_of

ANY = examples(150)

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
