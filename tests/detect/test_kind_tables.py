"""Tables: what a header may be, which columns there are, and records over several lines."""

from collections.abc import Callable
from hashlib import sha1

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.table.header import is_header

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_instructions_in_columns_are_no_table(synopsis: Summarise) -> None:
    lines = ["", "/bin/cat:     file format elf64-x86-64", "", "0000000000002000 <.init>:"]
    lines += [
        f"    {0x2000 + 4 * i:x}:\t48 83 ec {i % 256:02x}          \tsub    $0x8,%rsp"
        for i in range(3000)
    ]
    assert not synopsis("\n".join(lines) + "\n").label.startswith(("tsv", "csv"))


def test_a_first_record_of_modes_and_hashes_is_no_header(synopsis: Summarise) -> None:
    rows = [
        f"100{'755' if i % 9 else '644'} {sha1(b'%d' % i).hexdigest()} 0\tsrc/part{i}/f.py\n"
        for i in range(158)
    ]
    found = synopsis("".join(rows))
    assert found.label == "tsv/tab"
    assert found.summary[0] == "158 records (no header), 2 columns, delimiter tab"


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
