"""What a pattern means: lines are texts of their own, and shortcuts change no result."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.retrieve.pattern
import stubcli.retrieve.segments
from stubcli.retrieve.pattern import compile_pattern
from stubcli.retrieve.required import required
from stubcli.retrieve.search import search
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import artifact, elsewhere, forked, session_of

ANY = examples(150)
atoms = st.sampled_from(
    ["a", "b", "ab", "abc", "\\.", ".", "[ab]", "[^b]", "[]a]", "[[:alpha:]]", "\\b", "^", "$", "c"]
)
repeated = st.tuples(atoms, st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,1}", "+?"])).map(
    lambda pair: pair[0] if pair[0] in ("\\b", "^", "$") else "".join(pair)
)
patterns = st.recursive(
    st.lists(repeated, min_size=1, max_size=5).map("".join),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("|".join),
        inner.map("({})".format),
        inner.map("(?:{})?".format),
        st.tuples(inner, inner).map("".join),
    ),
    max_leaves=5,
)
texts = st.lists(
    st.sampled_from(["a", "b", "c", "abc", ".", "\n", "\r\n", "é", "K", "k", "\0"]), max_size=60
).map("".join)


def spans(pattern: str, text: bytes, **options: bool) -> list[tuple[int, int]]:
    given = {"literal": False, "ignore_case": False, "word": False, **options}
    compiled = compile_pattern(pattern, **given)
    return list(compiled.spans(compiled.text(text), 0, len(text)))


@ANY
@given(patterns, texts, st.booleans())
def test_what_is_required_rules_out_no_match(pattern: str, text: str, fold: bool) -> None:
    compiled = compile_pattern(pattern, literal=False, ignore_case=fold, word=False)
    data = compiled.text(text.encode())
    plain = [match.span() for match in compiled.regex.finditer(data)]
    assert list(compiled.spans(data, 0, len(data))) == plain
    needed = required(pattern)
    folded = text.lower() if fold else text
    assert not plain or needed.lower() in folded or needed in folded


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("^2026.*ERROR", "ERROR"),
        ("lat=[0-9]+7 status", "7 status"),
        ("(foo|bar)needle", "needle"),
        ("needles?", "needle"),
        ("need+le+x*", "need"),
        ("a|needle", ""),
        ("(needle)", ""),
        ("(?i)needle", ""),
        ("\\Qneedle\\E", ""),
        ("\\pLneedle", ""),
        ("[^]needle]long", "long"),
        ("a\\.b\\.c", "a.b.c"),
        ("needle{0}", "needl"),
        ("x{", ""),
    ],
)
def test_what_is_required_is_found_in_the_pattern(pattern: str, needed: str) -> None:
    assert required(pattern) == needed


@ANY
@given(
    st.sampled_from(["a", "ab", "k", "K", "abc", ".", "é", "s"]),
    # Enough of them that the ways of finding change over.
    st.lists(
        st.sampled_from(
            ["a" * 20, "ab", "ABC", "k" * 40, "K", "\u212a", "\u017f", "s", "é", "É", ".", "\n"]
        )
    ).map("".join),
    st.booleans(),
)
def test_counting_in_bulk_counts_the_same(pattern: str, text: str, fold: bool) -> None:
    compiled = compile_pattern(pattern, literal=True, ignore_case=fold, word=False)
    data = text.encode()
    found = list(compiled.spans(data, 0, len(data)))
    assert found == [match.span() for match in compiled.regex.finditer(data)]
    counted = compiled.counted(data)
    if counted:
        lines = {data.count(b"\n", 0, start) for start, _ in found}
        assert counted == (len(found), len(lines))
    else:
        assert fold


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("\\Ab", 2), ("b\\z", 2), ("(?-m:^b)", 2), ("(?i-m)^B", 2), ("[(?-m:]", 5), ("\\QA\\z", 0)],
)
def test_the_text_that_a_pattern_speaks_of_is_the_line(pattern: str, found: int) -> None:
    assert len(spans(pattern, b"ab\nb\nba\n")) == found


def test_bytes_that_are_no_text_are_found() -> None:
    # A command line hands them over as lone surrogates.
    assert spans("\udcff\udcfe", b"ab\xff\xfe\n", literal=True) == [(2, 4)]
    assert spans("a.\udcff", b"ab\xff\xfe\n") == [(0, 3)]


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("foo(", b"a foo( b", 1),
        ("foo(", b"a foo(b", 0),
        ("foo", b"foobar foo_ foo", 1),
        ("né€dlé", "a né€dlé b né€dléx".encode(), 1),
        ("-v", b"x -v y -vv", 1),
    ],
)
def test_a_word_has_no_other_word_beside_it(word: str, text: bytes, found: int) -> None:
    assert len(spans(word, text, literal=True, word=True)) == found


def test_the_byte_order_mark_is_no_part_of_the_first_line(store: Store) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        forked(store, ("first\n" * 5000 + encoding).encode(encoding))
        done = forked(store, b"", "search", "^first$", "last", "--count")
        assert done.out.split()[1] == b"5000"


# https://github.com/VectorCamp/vectorscan/issues/402
@pytest.mark.parametrize("ignore_case", [False, True])
def test_a_literal_of_300_kilobytes_is_found_wherever_it_stands(
    store: Store, monkeypatch: pytest.MonkeyPatch, ignore_case: bool
) -> None:
    monkeypatch.setattr(stubcli.retrieve.segments, "_LONGEST", 1 << 20)
    monkeypatch.setattr(stubcli.retrieve.segments, "OVERLAP", 1 << 16)
    needle = "".join(
        chr(97 + number * 7919 % 23) + "é" * (number % 97 == 0) for number in range(295_000)
    )
    where = ((1 << 20) - 150_000, 3_000_000)
    data = bytearray(b"." * 6_000_000)
    for place in where:
        data[place : place + len(needle.encode())] = needle.encode()
    sought = needle.upper() if ignore_case else needle

    def offsets() -> list[int]:
        pattern = compile_pattern(sought, literal=True, ignore_case=ignore_case, word=False)
        with session_of(store) as session, artifact(session, bytes(data)) as opened:
            parts = search(opened, pattern, range(9))
            return [hit.offset for part in parts for hit in part.hits]

    # It takes 300 MB, which every fork of a later test would copy.
    assert elsewhere(offsets) == list(where)
