"""Tables: what a header may be, which columns there are, and records over several lines."""

from collections.abc import Callable
from hashlib import sha1

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect import reading
from stubcli.detect.charset import charset_of
from stubcli.detect.model import Synopsis
from stubcli.detect.reading import InMemory
from stubcli.detect.table import places
from stubcli.detect.table.facts import Outside, TableFacts
from stubcli.detect.table.header import is_header
from stubcli.detect.table.places import line_start, start_from_end
from tests.detect.conftest import Describe

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_instructions_in_columns_are_no_table(synopsis: Summarise) -> None:
    lines = ["", "/bin/cat:     file format elf64-x86-64", "", "0000000000002000 <.init>:"]
    lines += [
        f"    {0x2000 + 4 * i:x}:\t48 83 ec {i % 256:02x}          \tsub    $0x8,%rsp"
        for i in range(3000)
    ]
    assert not synopsis("\n".join(lines) + "\n").label.startswith(("tsv", "csv"))


def test_modes_and_hashes_before_paths_are_a_listing_and_no_table(synopsis: Summarise) -> None:
    rows = [
        f"100{'755' if i % 9 else '644'} {sha1(b'%d' % i).hexdigest()} 0\tsrc/part{i}/f.py\n"
        for i in range(158)
    ]
    found = synopsis("".join(rows))
    assert found.label == "text/listing"
    assert found.structure[0] == "158 paths"


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        (["2000:", "sub"], [["2004:", "mov"], ["200b:", "test"]]),
        (["48 83 ec 08", "sub"], [["74 02", "je"], ["ff d0", "call"]]),
        (["7ec078de89", "tests"], [["fa98418a19", "docs"], ["e0d40cb90c", "more"]]),
        (["a/b.py", "new"], [["c/d.py", "gone"], ["e/f.py", "moved"]]),
        (["jo@x.invalid", "Jo"], [["al@y.invalid", "Al"], ["cy@z.invalid", "Cy"]]),
    ],
)
def test_a_first_row_like_those_below_is_data(first: list[str], rows: list[list[str]]) -> None:
    assert not is_header([first, *rows])


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        (["id", "name"], [["1", "jo"], ["2", "al"]]),
        (["user_id", "created-at"], [["u_1", "a-b"], ["u_2", "c-d"]]),
        (["Q1 2024", "p95 ms"], [["1", "2"], ["3", "4"]]),
        (["date/time", "e-mail"], [["01/02/2024", "a@b.c"], ["01/03/2024", "d@e.f"]]),
        (["größe", "名前"], [["1", "山"], ["2", "川"]]),
    ],
)
def test_words_above_values_are_a_header(first: list[str], rows: list[list[str]]) -> None:
    assert is_header([first, *rows])


def test_a_column_that_is_empty_everywhere_makes_no_table(synopsis: Summarise) -> None:
    assert synopsis("1,\n" * 3000).label.startswith("text")
    assert synopsis("".join(f"{i},\n" for i in range(3000))).label.startswith("text")
    assert synopsis("".join(f"{i},{i * 7},\n" for i in range(3000))).label == "csv/comma"
    assert synopsis("id,note\n" + "".join(f"{i},\n" for i in range(3000))).label == "csv/comma"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_first_record_of_several_lines_is_shown_whole(
    end: str, synopsis: Summarise, everything: Everything
) -> None:
    rows = [f'{i},"first {i}{end}second, with comma{end}third ""q""",t{end}' for i in range(900)]
    shown = everything(synopsis(f"id,note,tag{end}" + "".join(rows)))
    assert 'first record: 0,"first 0\\nsecond, with comma\\nthird ""q""",t\n' in shown + "\n"


def test_a_long_first_record_is_cut_at_two_hundred_characters(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = [f'{i},"' + "a line of some length\n" * 2 + "b" * 300 + f'",{i}\n' for i in range(400)]
    shown = everything(synopsis("id,note,tag\n" + "".join(rows)))
    line = next(each for each in shown.split("\n") if each.startswith("first record: "))
    assert len(line) == len("first record: ") + 200
    assert line.endswith("…")


def test_a_header_of_several_lines_is_not_the_first_record(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = "".join(f"{i},{i * 3}\n" for i in range(900))
    shown = everything(synopsis(f'id,"amount\nof all"\n{rows}'))
    assert "first record: 0,0" in shown


def test_blank_and_repeated_names_are_a_header_where_the_rows_have_types() -> None:
    assert is_header([["", "name", "score"], ["1", "ab", "7"], ["2", "cd", "8"]])
    assert is_header([["a", "a", "A"], ["1", "2", "3"], ["4", "5", "6"]])
    assert not is_header([["", "name", "score"], ["x", "ab", "cd"], ["y", "ef", "gh"]])
    assert not is_header([["Sales report", "", ""], ["1", "2", "3"], ["4", "5", "6"]])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_facts_say_where_the_records_are_in_bytes(describe: Describe, end: str) -> None:
    before, header, after = ["a title"], "id,name", ["", "Total,x,y"]
    records = [f"{n},n{n % 5}" for n in range(60)]
    data = end.join([*before, header, *records, *after, ""]).encode()
    facts = describe(b"\xef\xbb\xbf" + data)
    assert isinstance(facts, TableFacts)
    assert (b"\xef\xbb\xbf" + data)[facts.start : facts.end] == end.join(records).encode()
    assert facts.header == ("id", "name")
    assert (facts.header_line, facts.lines) == (2, 64)
    assert facts.before == Outside(1, 1, "a title")
    assert facts.after == Outside(1, 64, "Total x y")
    assert (facts.bom, facts.line_end) == (True, "lf" if end == "\n" else "crlf")


@pytest.mark.parametrize(
    ("data", "line_end"),
    [
        ("a,b,c\n" + "1,x,y\n" * 30, "lf"),
        ("a,b,c\r\n" + "1,x,y\r\n" * 30, "crlf"),
        ("a,b,c\r\n" + "1,x,y\r\n" * 29 + "1,x,y", "crlf"),
        ("a,b,c\r\n" + '1,"x\ny",z\r\n' * 30, "crlf"),
        ("a,b,c\r\n" + "1,x,y\n" * 30, "mixed"),
        ("a,b,c\n" + "1,x,y\r\n" * 30, "mixed"),
        ("a,b,c\n" + '1,"x\ry",z\n' * 30, "mixed"),
        ("a,b,c\n" + '1,"x\r\ny",z\n' * 30, "mixed"),
    ],
)
def test_line_ends_are_those_of_the_records(describe: Describe, data: str, line_end: str) -> None:
    facts = describe(data)
    assert isinstance(facts, TableFacts)
    assert facts.line_end == line_end


@given(st.lists(st.sampled_from([b"", b"a", b"bc"])), st.integers(1, 12))
def test_lines_are_found_from_the_beginning_and_from_the_end(
    pieces: list[bytes], line: int
) -> None:
    data = b"\n".join(pieces)
    lines = data.splitlines(keepends=True)
    start = sum(map(len, lines[: line - 1]))
    assert line_start(InMemory(data), line) == start
    last = lines[-line:] if lines else []
    assert start_from_end(InMemory(data), line) == len(data) - sum(map(len, last))


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_lines_are_found_across_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reading, places):
        monkeypatch.setattr(module, "BLOCK", block)
    source = InMemory(b"one\ntwo\n\nfour\nfive")
    assert [line_start(source, n) for n in range(1, 8)] == [0, 4, 8, 9, 14, 18, 18]
    assert [start_from_end(source, n) for n in range(1, 7)] == [14, 9, 8, 4, 0, 0]


@pytest.mark.parametrize(
    ("text", "charset", "found"),
    [
        ("caffè città perché", "iso-8859-1", "ISO-8859-1"),
        ("złoty źródło święto", "iso-8859-2", "ISO-8859-2"),
        ("żółć gęślą jaźń śnieg", "windows-1250", "windows-1250"),
        ("привет мир слово", "windows-1251", "windows-1251"),
        ("привет мир слово", "koi8-r", "KOI8-R"),
        ("only ascii", "ascii", ""),
        ("größe straße", "utf-8", ""),
    ],
)
def test_an_encoding_is_guessed_by_what_would_be_words(text: str, charset: str, found: str) -> None:
    assert charset_of([text.encode(charset)]) == found
    assert charset_of([bytes(range(128, 256)) * 9]) == ""
