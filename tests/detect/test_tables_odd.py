"""Tables as they come: quotes that are data or not closed, lines between, cells of another type."""

from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis
from stubcli.detect.table.facts import TableFacts
from tests.conftest import Store
from tests.detect.conftest import Describe

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_quotes_beside_tabs_are_read_where_nearly_all_cells_have_them(describe: Describe) -> None:
    notes = ("left\tright" if n % 40 == 7 else f"remark {n % 5}" for n in range(400))
    rows = [f'"n{n}"\t"c{n % 9}"\t"{note}"' for n, note in enumerate(notes)]
    facts = describe("\n".join(['"name"\t"city"\t"note"', *rows, ""]))
    assert isinstance(facts, TableFacts)
    assert (facts.records, facts.ragged, facts.header) == (400, 0, ("name", "city", "note"))
    plain = describe("id\tsaid\tby\n" + "".join(f'{n}\t"{n}\tx\n' for n in range(300)))
    assert isinstance(plain, TableFacts)
    assert (plain.quotes, plain.records) == (False, 300)


def test_a_quote_that_swallows_the_rest_is_told_by_its_line(describe: Describe) -> None:
    rows = [f"k{n},{n},box {n}" for n in range(3000)]
    rows[1200] = 'k1200,1200,"box 1200'
    facts = describe("key,shelf,note\n" + "\n".join(rows) + "\n")
    assert isinstance(facts, TableFacts)
    assert (facts.records, facts.balanced, facts.unclosed_line) == (3000, False, 1202)
    assert [one.text for one in facts.between] == ['k1200,1200,"box 1200']


def test_a_quote_that_glues_two_lines_leaves_both_their_records(store: Store) -> None:
    rows = [f'k{n},{n % 40},"left of the door, box {n}"' for n in range(1500)]
    rows[700] = rows[700][:-1]
    done = store.stub(stdin=("key,shelf,note\n" + "\n".join(rows) + "\n").encode())
    assert "1,500 records, 3 columns" in done.text
    assert "a quote is not closed, the first in line 702" in done.text
    asked = store.stub("query", done.ref, "SELECT count(*), max(shelf) FROM artifact")
    assert asked.text.split()[-2:] == ["1500", "39"]


@pytest.mark.parametrize("lines", [2, 9])
def test_a_quote_in_one_of_the_last_lines_leaves_their_records(
    lines: int, describe: Describe
) -> None:
    rows = [f'k{n},{n % 40},"left of the door, box {n}"' for n in range(900)]
    rows[-lines:] = [f"k,{n},box" for n in range(lines)]
    rows[-lines] = 'k,1,"box'
    facts = describe("key,shelf,note\n" + "\n".join(rows) + "\n")
    assert isinstance(facts, TableFacts)
    assert (facts.records, facts.ragged, facts.unclosed) == (900, 0, 1)


def test_lines_without_a_delimiter_between_records_are_quoted(synopsis: Summarise) -> None:
    half = [f"{n},item{n},{n % 7}" for n in range(300)]
    text = "\n".join([*half, "-- second part follows", *half, ""])
    assert "line 301: -- second part follows" in synopsis(text).structure


def test_statements_with_rows_between_them_are_no_table(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = "".join(f"{n}\titem{n}\t{n % 7}\n" for n in range(900))
    before = "CREATE TABLE a (id int);\nCOPY a (id, b, c) FROM stdin;\n"
    data = f"{before}{rows}\\.\nGRANT ALL ON a TO b;\n"
    assert synopsis(data).kind in ("text", "code")
    assert "CREATE TABLE a (id int)" in everything(synopsis(data))


def test_a_range_is_one_of_the_type_of_the_column(
    synopsis: Summarise, everything: Everything
) -> None:
    rows = [f"{n},2026-10-{1 + n % 28:02d}" for n in range(400)]
    rows[300] = "300,date"
    shown = everything(synopsis("id,day\n" + "\n".join(rows) + "\n"))
    assert "day: date, 2026-10-01–2026-10-28, 1 other, first date in record 301" in shown
    assert "differs: record 301: 300,date" in shown


def test_a_record_whose_cell_is_empty_where_no_other_is_is_quoted(synopsis: Summarise) -> None:
    rows = [f"{n},o{n % 4},x" for n in range(300)]
    rows[120] = "120,,x"
    said = synopsis("id,owner,tag\n" + "\n".join(rows) + "\n").structure
    assert "differs: record 121 (without owner): 120,,x" in said


def test_records_keep_their_numbers_after_one_of_another_width(synopsis: Summarise) -> None:
    rows = [f"{n},ok,{n % 50}" for n in range(400)]
    rows[10] += ",more"
    rows[200] = "200,lost,7"
    said = synopsis("id,state,shelf\n" + "\n".join(rows) + "\n").structure
    assert "differs: record 201: 200,lost,7" in said


def test_a_record_of_several_lines_is_quoted_whole(synopsis: Summarise) -> None:
    rows = [f'{n},ok,"a\nb"' for n in range(300)]
    rows[150] = '150,lost,"c\nd"'
    said = synopsis("id,state,note\n" + "\n".join(rows) + "\n").structure
    assert 'differs: record 151: 150,lost,"c\\nd"' in said


def test_the_last_of_several_lines_without_an_end_is_told(store: Store) -> None:
    lines = "".join(f"{n},{n * 2}\n" for n in range(4000))
    assert "no LF at the end of the last line" in store.stub(stdin=lines[:-1].encode()).text
    assert "no LF" not in store.stub(stdin=lines.encode()).text


def test_tables_under_headings_of_their_own_are_each_told(synopsis: Summarise) -> None:
    lines = []
    for place, (heading, rows) in enumerate((("Pool one (mode open)", 40), ("Pool two (idle)", 0))):
        lines += [heading, "  used state      owner      from"]
        lines += [f"{i:6} ready      web        10.0.{place}.{i}" for i in range(rows)] + [""]
    lines += ["Pool three (mode shut)", "  used state      owner      from"]
    lines += [f"{i:6} closed     db         10.1.0.{i}" for i in range(30)]
    found = "\n".join(synopsis("\n".join(lines)).structure)
    assert "70 rows in 3 tables" in found
    assert "40 rows of 4 columns under “Pool one (mode open)”" in found
    assert "0 rows under “Pool two (idle)”" in found
    assert "state: closed 30" in found


@pytest.mark.parametrize(("share", "quoted"), [("1.7", False), ("97.0", True)])
def test_a_small_share_beside_zeros_is_not_odd(
    synopsis: Summarise, share: str, quoted: bool
) -> None:
    lines = ["USER    PID  %CPU  NAME"]
    lines += [f"web   {i:5}   0.0  worker-{i}" for i in range(100, 160)]
    lines.insert(9, f"web   {99:5}  {share:>4}  worker-99")
    numbers = [line.number for line in synopsis("\n".join(lines)).notable]
    assert (10 in numbers) is quoted
