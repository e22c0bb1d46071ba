"""Tables as they really come, and what only looks like one."""

import csv
import io
from collections.abc import Callable

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]
Everything = Callable[[Synopsis], str]


def test_a_semicolon_wins_over_commas_inside_cells(synopsis: Summarise) -> None:
    # https://github.com/python/cpython/issues/119123
    lines = ["id;f1;f2;f3;a;b;c;d;cost;grp;sub;merge"]
    for i in range(6000):
        group = f"['{i}', '{i + 1}']" if i % 4 == 0 else f"['{i}']"
        lines.append(f"{i};False;False;True;;;;{i % 300}.5;{i}.25;{group};['ALL'];UNKNOWN")
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "csv/semicolon"
    assert found.summary[0] == "6,000 records, 12 columns, delimiter semicolon"


def test_a_clock_is_no_delimiter_and_no_header_is_invented(synopsis: Summarise) -> None:
    # https://github.com/alan-turing-institute/CleverCSV/issues/35
    found = synopsis(
        "".join(
            f"bytearray(b'blob {i % 9}'),{i % 24:02d}:{i % 60:02d}:{i * 7 % 60:02d},"
            f"20{10 + i % 16}-0{1 + i % 9}-{10 + i % 18}T{i % 24:02d}:{i % 60:02d}:00\n"
            for i in range(5000)
        )
    )
    assert found.label == "csv/comma"
    assert found.summary[0] == "5,000 records (no header), 3 columns, delimiter comma"


def test_records_and_physical_lines_are_two_numbers(synopsis: Summarise) -> None:
    # https://github.com/docling-project/docling/issues/3985
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "note", "tag"])
    for i in range(3000):
        writer.writerow([i, f'first {i}\nsecond, with comma\nthird "q"', "t"])
    found = synopsis(out.getvalue())
    assert found.summary[0].startswith("3,000 records, 3 columns")
    assert found.summary[1].startswith("9,001 physical lines")


def test_a_byte_order_mark_is_not_part_of_the_first_name(synopsis: Summarise) -> None:
    # https://github.com/johnkerl/miller/issues/161
    rows = ['"id","name","mail"'] + [f'"{i}","n{i}","n{i}@x.invalid"' for i in range(4000)]
    found = synopsis(b"\xef\xbb\xbf" + ("\r\n".join(rows) + "\r\n").encode())
    assert found.structure[0] == "columns: id, name, mail"
    assert found.summary[0].startswith("4,000 records")


def test_quotes_in_tab_separated_cells_are_data(
    synopsis: Summarise, everything: Everything
) -> None:
    # https://github.com/johnkerl/miller/issues/1533
    values = {2: '"efg', 3: '5" pipe', 4: '"klm"', 0: 'oh"', 1: "abc"}
    lines = ["c1\tc2\tc3"]
    lines += [
        f"{i}\t{values[i % 5]}\tz" + ("\textra" if i % 500 == 499 else "") for i in range(1, 10001)
    ]
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "tsv/tab"
    assert found.summary[0].startswith("10,000 records, 3 columns")
    assert (
        found.summary[1] == "20 records (the first in line 500) have extra fields, in column more1"
    )
    assert '"efg 2,000' in everything(found)


def test_a_markdown_table_is_no_table_of_pipes(synopsis: Summarise) -> None:
    # https://github.com/FelisDiligens/joplin-plugin-multimd-table-tools/issues/4
    rows = "".join(f"| n{i} | {i} | a \\| b |\n" for i in range(3000))
    found = synopsis("# Results\n\nSee below.\n\n| name | value | note |\n|---|--:|:--|\n" + rows)
    assert found.label == "text/markdown"


def test_the_default_log_time_with_a_comma_is_no_table(synopsis: Summarise) -> None:
    found = synopsis(
        "".join(f"2026-01-01 10:00:00,{i % 1000:03d} worker {i} is done\n" for i in range(500))
    )
    assert found.label == "text/log"


def test_prose_with_commas_is_text(synopsis: Summarise) -> None:
    found = synopsis("He came home late, and it was dark when he opened the door.\n" * 400)
    assert found.kind == "text"


def test_numbered_lines_are_no_table(synopsis: Summarise) -> None:
    found = synopsis("".join(f"{i:6}\tsome line of a file\n" for i in range(1, 500)))
    assert found.kind == "text"


def test_regular_rows_before_free_text_are_no_table(synopsis: Summarise) -> None:
    text = "This is a line of free text that goes on.\n" * 1500
    assert synopsis("a,b,c\n" + "1,2,3\n" * 10 + text).kind == "text"


def test_the_outlier_is_shown_as_it_is_written(synopsis: Summarise) -> None:
    rows = "".join(f"{i},{i % 5}.50,DE\n" for i in range(5000))
    found = synopsis("order,quantity,country\n" + rows + "9999,-40.0,DE\n")
    assert any("-40.0–4.50" in line for line in found.structure)


def test_an_open_quote_does_not_swallow_the_records(synopsis: Summarise) -> None:
    rows = "".join(f"{i},{chr(34) if i == 30 else 'x'},DE\n" for i in range(5000))
    found = synopsis("order,note,country\n" + rows)
    assert found.summary[0].startswith("5,000 records")
