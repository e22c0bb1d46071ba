"""Every match, each once, where it is; in linear time, whatever the pattern or the bytes."""

import re
import shlex
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stubcli.retrieve.blocks
import stubcli.retrieve.pattern
import stubcli.retrieve.search
import stubcli.retrieve.segments
import stubcli.store.measure
from stubcli.retrieve.pattern import Pattern, compile_pattern
from stubcli.retrieve.position import line_of_byte
from stubcli.retrieve.search import Hit, search
from stubcli.store.artifact import Artifact
from stubcli.store.surface import Session
from tests.chance import examples
from tests.conftest import Store
from tests.helpers import Ran, artifact, forked, matches_in, session_of

ANY = examples(100)

texts = st.lists(
    st.sampled_from([b"a", b"b", b"ab", b" ", b"\n", b"\r\n", b"\0", b"aaaa", b"B", b"ba\n"]),
    min_size=1,
    max_size=150,
).map(b"".join)

PATTERNS = [
    "a", "ab", "aa", "a+", "a+b", "^a", "a$", "^$", "^", "$", "b|a", "[^a]", "[^ab]+", ".", "a.b",
    "bab", "aaaa", "[ab]+aab", "\\bab\\b", "(?i)b", "\\x00", "^a*$", "aba", "a{3}", "x*", "a|",
]  # fmt: skip


@pytest.fixture(params=[16, 1 << 20])
def session(
    store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Session]:
    monkeypatch.setattr(stubcli.store.measure, "BLOCK", request.param)
    if request.param > 16:
        # Where another way of finding or counting takes over, it goes on at the right place.
        monkeypatch.setattr(stubcli.retrieve.blocks, "_FOUND", 3)
        monkeypatch.setattr(stubcli.retrieve.blocks, "_FEW", 2)
        monkeypatch.setattr(stubcli.retrieve.search, "_MANY", 4)
        monkeypatch.setattr(stubcli.retrieve.pattern, "_FEW", 5)
        monkeypatch.setattr(stubcli.retrieve.pattern, "_CANDIDATES", 2)
    with session_of(store) as opened:
        yield opened


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of more than 64 bytes is too long to hold."""
    monkeypatch.setattr(stubcli.retrieve.segments, "_LONGEST", 64)
    monkeypatch.setattr(stubcli.retrieve.segments, "OVERLAP", 24)


def found_in(session: Session, data: bytes, pattern: str, **options: bool) -> list[tuple[int, int]]:
    """Line and offset of every hit."""
    with artifact(session, data) as opened:
        found = hits_of(opened, pattern_of(pattern, **options))
        return [(line_of_byte(opened, hit.offset), hit.offset) for hit in found]


def pattern_of(pattern: str, **options: bool) -> Pattern:
    given = {"literal": False, "ignore_case": False, "word": False, **options}
    return compile_pattern(pattern, **given)


def hits_of(opened: Artifact, pattern: Pattern) -> list[Hit]:
    """All hits; the counts are the same where none is asked for, or some."""
    parts = list(search(opened, pattern, range(1 << 40)))
    hits = [hit for part in parts for hit in part.hits]
    lines = {line_of_byte(opened, hit.offset) for hit in hits}
    for wanted in (range(1 << 40), range(0), range(3, 5)):
        parts = list(search(opened, pattern, wanted))
        assert sum(part.matches for part in parts) == len(hits)
        assert sum(part.lines for part in parts) == len(lines)
        assert [hit for part in parts for hit in part.hits] == [
            hit for number, hit in enumerate(hits) if number in wanted
        ]
    return hits


def found_by_line(data: bytes, pattern: str, flags: int = 0) -> list[tuple[int, int]]:
    """The same by the simplest means: line by line, without its end."""
    hits, offset = [], 0
    compiled = re.compile(pattern.encode(), flags)
    for number, line in enumerate(re.findall(rb"[^\n]*\n|[^\n]+", data), 1):
        text = line.removesuffix(b"\n")
        text = text.removesuffix(b"\r") if line.endswith(b"\r\n") else text
        hits += [(number, offset + match.start()) for match in compiled.finditer(text)]
        offset += len(line)
    return hits


@ANY
@given(texts, st.sampled_from(PATTERNS))
def test_the_hits_are_those_of_each_line_by_itself(
    session: Session, data: bytes, pattern: str
) -> None:
    hits = found_in(session, data, pattern)
    if pattern in ("a|", "x*", "^a*$"):
        # Two engines may differ on an empty match that touches another match.
        hits = [hit for hit in hits if hit in found_by_line(data, pattern)]
        assert len(set(hits)) == len(hits)
        return
    assert hits == found_by_line(data, pattern)


@ANY
@pytest.mark.usefixtures("windows")
@given(
    st.lists(st.sampled_from([b"a", b"b", b"ab", b"aaa", b" "]), min_size=60, max_size=400).map(
        b"".join
    ),
    st.sampled_from(["a", "ab", "aa", "b+", "aba", "a{3}", "\\bab\\b", "^a", "a$", "b ", "[^a]"]),
)
def test_a_line_too_long_to_hold_gives_the_same_hits(
    session: Session, data: bytes, pattern: str
) -> None:
    assert found_in(session, data, pattern) == found_by_line(data, pattern)


@ANY
@given(texts, st.sampled_from(["a", "ab", "aB", "a.b", "$", "B"]))
def test_literal_word_and_case_are_what_they_say(
    session: Session, data: bytes, pattern: str
) -> None:
    escaped = re.escape(pattern)
    assert found_in(session, data, pattern, literal=True) == found_by_line(data, escaped)
    assert found_in(session, data, pattern, literal=True, ignore_case=True) == found_by_line(
        data, escaped, re.IGNORECASE
    )
    if pattern.isalpha():
        assert found_in(session, data, pattern, word=True) == found_by_line(
            data, rf"\b(?:{pattern})\b"
        )


@ANY
@given(texts, st.sampled_from(["a", "b", "^"]))
def test_the_text_of_a_hit_is_a_part_of_its_line(
    session: Session, data: bytes, pattern: str
) -> None:
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    with artifact(session, data) as opened:
        for hit in hits_of(opened, pattern_of(pattern)):
            line = lines[line_of_byte(opened, hit.offset) - 1]
            line = line.rstrip(b"\n").removesuffix(b"\r")
            assert hit.before + len(hit.text) + (hit.after or 0) == len(line)
            assert line[hit.before : hit.before + len(hit.text)] == hit.text
            assert len(hit.text) <= 200


def stub(store: Store, *arguments: str) -> Ran:
    return forked(store, b"", *arguments)


# https://github.com/VectorCamp/vectorscan/issues/402
# https://github.com/EvanOxfeld/match-stream/issues/2
def test_a_match_across_any_border_is_found_with_its_offset(store: Store) -> None:
    borders = sorted({1 << p for p in range(12, 21)} | {k * 65_536 for k in range(1, 17)})
    data = bytearray(b"." * ((1 << 20) + 5000))
    data[79::80] = b"\n" * len(data[79::80])
    places = []
    for number, border in enumerate(borders):
        start = border - (number % 9 + 1)
        data[start : start + 10] = "né€dlé".encode()
        places.append(start)
    forked(store, bytes(data))
    for arguments in (["né€dlé"], ["-i", "NÉ€DLÉ"], ["n.€dl."], ["-F", "né€dlé"]):
        found, _ = matches_in(stub(store, "search", *arguments, "last", "-m", "100", "--json").out)
        assert len(borders) == 20
        assert [hit["offset"] for hit in found] == places


def test_a_literal_longer_than_any_chunk_is_found(store: Store) -> None:
    needle = "".join(chr(97 + n % 23) for n in range(100_000))
    data = b"x" * 1_000_000 + needle.encode() + b"y" * 1_000_000
    forked(store, data)
    found, _ = matches_in(stub(store, "search", "-F", needle, "last", "--json").out)
    assert [hit["offset"] for hit in found] == [1_000_000]


# https://github.com/anthropics/claude-code/issues/66120
# https://github.com/BurntSushi/ripgrep/issues/1227
# https://github.com/BurntSushi/ripgrep/issues/756
def test_a_nul_hides_nothing(store: Store) -> None:
    data = "".join(
        f"line {n} of a plain build log{' SIGNATURE' if n in (2000, 4000) else ''}"
        f"{chr(0) + 'mid' if n in (1000, 4000) else ''}\n"
        for n in range(1, 5001)
    ).encode()
    forked(store, data)
    done = stub(store, "search", "SIGNATURE", "last")
    assert done.status == 0
    lines = done.out.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["2000", "4000"]
    assert lines[1].endswith("SIGNATURE\\x00mid")
    assert done.err == b"stub: 2 matches\n"


# https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/610
# https://github.com/microsoft/WSL/issues/4180
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("small", [False, True], ids=["whole", "in windows"])
def test_utf_16_is_searched_as_text_and_its_offsets_are_bytes(
    store: Store, encoding: str, small: bool
) -> None:
    text = "".join(f"alpha {n}\r\nbeta é😀 {n}\r\n" for n in range(2000))
    data = ("\ufeff" + text).encode(encoding)
    forked(store, data)

    def tiny() -> None:
        if small:
            stubcli.retrieve.segments._LONGEST = 64
            stubcli.retrieve.segments.OVERLAP = 24

    done = forked(store, b"", "search", "beta", "last", "-m", "3", "--json", prepare=tiny)
    found, summary = matches_in(done.out)
    assert summary["stats"]["matches"] == 2000
    for hit in found:
        assert data[hit["offset"] : hit["offset"] + 8] == "beta".encode(encoding)
    assert [hit["line"] for hit in found] == [2, 4, 6]
    assert found[0]["text"] == "beta é😀 0"
    assert forked(store, b"", "search", "😀 7$", "last", prepare=tiny).status == 0


def test_utf_16_without_its_mark_is_no_plain_silence(store: Store) -> None:
    data = "".join(f"alpha {n}\r\nbeta {n}\r\n" for n in range(2000)).encode("utf-16-le")
    forked(store, data)
    done = stub(store, "search", "beta", "last")
    assert done.status == 0 or b"UTF" in done.err


# https://github.com/dotnet/sdk/issues/32013
def test_the_ascii_in_a_legacy_encoding_is_found(store: Store) -> None:
    data = b"".join(f"BUILD 运行时环境 已还原 {n}\n".encode("gbk") for n in range(5000))
    forked(store, data)
    _, summary = matches_in(stub(store, "search", "BUILD", "last", "--json").out)
    assert summary["stats"]["matches"] == 5000
    done = stub(store, "search", "BUILD", "last")
    done.out.decode("utf-8")
    assert done.err.startswith(b"stub: 5,000 matches, shown 1-20; next: ")


# https://github.com/Aletheore/Aletheore/issues/190
# https://github.com/redimp/otterwiki/issues/434
@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "^(\\s*a*)*x", "(a*)*b\\b", "(.*)*x"])
def test_no_pattern_runs_for_ever(store: Store, pattern: str) -> None:
    forked(store, (b"a" * 60 + b"b" + b" " * 200 + b"\n") * 5000)
    done = stub(store, "search", pattern, "last", "--count")
    assert done.status in (0, 1)


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2000}", "(?<x)", "*a", "(?P<n>a)(?P=n)", "\\8"])
def test_a_bad_pattern_says_what_is_wrong_with_it(store: Store, pattern: str) -> None:
    forked(store, b"a" * 30_000)
    done = stub(store, "search", pattern, "last")
    assert (done.status, done.out) == (2, b"")
    assert done.err.startswith(b"stub: bad pattern ")
    assert b"(?m)" not in done.err
    assert done.err.count(b"\n") == 1
    assert b"-F" in done.err
    assert stub(store, "search", "-F", pattern, "last").status == 1


# https://github.com/dgopsq/netgrep/issues/44
# https://github.com/BurntSushi/ripgrep/issues/1568
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_the_end_of_a_line_stands_before_either_line_end(store: Store, end: str) -> None:
    forked(store, ("a needle" + end).encode() * 3000 + b"z" * 70_000 + end.encode())
    for arguments in (["needle$"], ["^a needle"], ["-w", "needle"], ["\\bneedle\\b"]):
        done = stub(store, "search", *arguments, "last", "--json")
        found, summary = matches_in(done.out)
        assert summary["stats"]["matches"] == 3000
        assert found[0]["text"] == "a needle"
    assert b"\r" not in stub(store, "search", "needle$", "last").out


def test_the_status_is_that_of_grep(store: Store) -> None:
    forked(store, b"something\n" * 3000)
    assert stub(store, "search", "some", "last").status == 0
    none = stub(store, "search", "nothing", "last")
    assert (none.status, none.out) == (1, b"")
    assert none.err == b"stub: 0 matches in 1 artifact (3,000 lines, 30,000 bytes)\n"
    assert stub(store, "search", "(", "last").status == 2
    assert stub(store, "search", "x", "999").status == 3


def test_totals_are_exact_and_the_next_command_goes_on(store: Store) -> None:
    data = b"".join(b"%d needle here\n" % n for n in range(2000))
    forked(store, data)
    offsets: list[int] = []
    arguments = ["needle", "last", "-m", "300", "-ob"]
    for _ in range(20):
        done = stub(store, "search", *arguments)
        rows = done.out.decode().splitlines()
        offsets += [int(row.split(":")[1]) for row in rows]
        said = done.err.decode()
        assert said.startswith("stub: 2,000 matches")
        if "next: " not in said:
            break
        arguments = shlex.split(said.partition("next: ")[2])[2:]
    assert offsets == [m.start() for m in re.finditer(b"needle", data)]


def test_no_reference_means_every_artifact_of_the_session_oldest_first(store: Store) -> None:
    for number in range(1, 4):
        forked(store, b"common line\n" * 3000 + b"only %d\n" % number)
    forked(store, b"common line\n" * 3001, "--session", "other")
    done = stub(store, "search", "only")
    assert [line.split(":")[-1] for line in done.out.decode().splitlines()] == [
        f"only {n}" for n in (1, 2, 3)
    ]
    assert done.err == b"stub: 3 matches in 3 artifacts\n"
    first = done.out.decode().splitlines()[1].split(":")
    assert stub(store, "read", first[0], "--lines", first[1]).out == b"only 2\n"


def test_context_is_shown_around_a_hit(store: Store) -> None:
    forked(store, b"".join(b"line %d\n" % n for n in range(1, 4001)))
    done = stub(store, "search", "line 2000$", "last", "-B", "2", "-A", "1")
    rows = done.out.decode().splitlines()
    assert [row.partition("line ")[2] for row in rows if row != "--"] == [
        "1998", "1999", "2000", "2001",
    ]  # fmt: skip
    even = stub(store, "search", "line 2000$", "last", "-C", "2").out.decode().splitlines()
    assert even[:4] == rows


# https://github.com/google-gemini/gemini-cli/issues/28090
# https://github.com/earendil-works/pi/issues/5662
@pytest.mark.parametrize("options", [[], ["--json"], ["-C", "3"], ["-m", "20", "--json"]])
def test_a_million_hits_on_endless_lines_stay_below_the_threshold(
    store: Store, options: list[str]
) -> None:
    forked(store, (b"needle " * 3000 + b"\n") * 50)
    done = stub(store, "search", "needle", "last", *options)
    assert done.status == 0
    assert len(done.out.decode()) <= 20_000
    if "--json" not in options:
        assert done.err.startswith(b"stub: 150,000 matches on 50 lines, shown 1-20; next: ")


def test_what_is_shown_drives_no_terminal(store: Store) -> None:
    forked(store, "needle \x1b]52;c;x\x07 \u202e \x9b2J\n".encode() * 2000)
    for options in ([], ["--json"], ["-C", "1"]):
        shown = stub(store, "search", "needle", "last", *options).out.decode()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


def test_one_damaged_artifact_hides_none_of_the_others(store: Store) -> None:
    for number in range(3):
        forked(store, b"needle %d\n" % number * 5000)
    first, second, _ = store.artifacts()
    second.chmod(0o600)
    second.write_bytes(second.read_bytes()[:-1])
    done = forked(store, b"", "search", "--count", "needle")
    assert done.status == 4
    assert [line.split()[1] for line in done.out.decode().splitlines()] == ["5000", "5000"]
    assert b"tool_result_002.txt has" in done.err
    assert first.exists()


def test_offsets_in_utf_16_are_those_of_the_artifact(store: Store) -> None:
    text = "".join(f"zeile {n} ä😀 needle\r\n" for n in range(3000))
    data = b"\xff\xfe" + text.encode("utf-16-le")
    forked(store, data)
    found, summary = matches_in(stub(store, "search", "needle", "last", "-m", "400", "--json").out)
    assert summary["stats"]["matches"] == 3000
    word = "needle".encode("utf-16-le")
    assert found
    assert all(data[hit["offset"] :].startswith(word) for hit in found)
    assert all(data[hit["data"]["absolute_offset"] :][:2] == b"z\0" for hit in found[1:])
