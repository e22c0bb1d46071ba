"""What other summaries of tool output are known to promise, and what they are known to mistake.

The promises are those of the published synopsis of OpenViking (AGPL, nothing of it is used here):
https://github.com/volcengine/OpenViking/pull/2248
"""

import json
import re
from dataclasses import dataclass

import pytest

from tests.conftest import Store
from tests.detect.cases import mistaken_structures as structures
from tests.detect.cases import mistaken_text as text
from tests.detect.cases.mistaken_text import joined
from tests.detect.cases.whole_way import above_preview, label_of, overstated, page_of
from tests.detect.conftest import raise_what_is_swallowed

FILLER = "nothing of note happens on this line of the middle\n" * 200


@pytest.fixture(autouse=True)
def _no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    raise_what_is_swallowed(monkeypatch)


def test_a_stub_says_what_it_is_of_how_much_and_how_to_read_the_rest(store: Store) -> None:
    done = store.stub("--tool", "pytest", stdin=FILLER.encode() * 3)
    for said in (done.ref, "text/plain", "tool: pytest", "600 lines", "30,600 bytes"):
        assert said in done.text
    assert re.search(r"stub read \S+ --\S+", done.text)


def test_an_object_names_its_keys_and_the_lengths_of_its_arrays() -> None:
    rows = [{"id": i, "name": f"n{i}"} for i in range(400)]
    page = page_of(json.dumps({"rows": rows, "page": {"size": 2, "next": None}}).encode())
    assert label_of(page) == "json/document"
    assert "keys (2): rows array 400, page object 2" in page


@pytest.mark.parametrize(("separator", "kind"), [(",", "csv/comma"), ("\t", "tsv/tab")])
def test_a_table_names_its_columns_and_counts_its_records(separator: str, kind: str) -> None:
    rows = [("name", "age", "town")] + [(f"n{i}", str(i), "Bonn") for i in range(700)]
    page = page_of(joined(*(separator.join(row) for row in rows)))
    assert label_of(page) == kind
    assert "columns: name, age, town" in page
    assert "700 records" in page


def test_a_nested_document_names_its_top_level_keys() -> None:
    rest = [f"  option{i}:\n    value: {i}" for i in range(400)]
    page = page_of(joined("service:", *rest, "debug: false"))
    assert label_of(page) == "yaml/document"
    assert "keys (2): service mapping, debug boolean" in page


def test_equal_children_of_a_root_are_counted() -> None:
    page = page_of(joined("<shop>", *("  <order>1</order>" for _ in range(500)), "</shop>"))
    assert label_of(page).startswith("xml/")
    assert "root shop" in page
    assert "shop/order: 500" in page


def test_code_names_its_imports_classes_and_functions() -> None:
    body = [f"    def load{i}(self):\n        return {i}\n" for i in range(300)]
    page = page_of(joined("import os", "", "", "class Shop:", *body))
    assert label_of(page) == "code/Python"
    assert "import os" in above_preview(page)
    assert "4: class Shop:" in page
    assert "def load0(self):" in above_preview(page)


def test_the_error_among_routine_lines_is_shown() -> None:
    lines = ["INFO started", "WARN slow", "INFO more"] * 300
    page = page_of(joined(*lines[:400], "ERROR cannot reach the database", *lines[400:]))
    assert label_of(page) == "text/log"
    assert "401: ERROR cannot reach the database" in page


def test_headings_stand_in_their_order() -> None:
    body = "Some *words* about [it](http://x).\nThey go on.\n\n* one\n* two\n"
    chapters = [f"## Chapter {i}\n\n{body}" for i in range(200)]
    page = page_of(joined("# Title of all", "", *chapters))
    assert label_of(page) == "text/markdown"
    shown = above_preview(page)
    for count in (r"words", r"lines", r"characters"):
        assert re.search(rf"[\d,]+ {count}", shown)
    assert shown.index("Title of all") < shown.index("Chapter 0") < shown.index("Chapter 1")


def test_both_ends_are_shown_at_least_500_characters_long() -> None:
    page = page_of(b"A" * 600 + b"\n" + FILLER.encode() + b"Z" * 600)
    assert "A" * 500 in page
    assert "Z" * 500 in page


def test_control_bytes_are_measured_and_shown_escaped() -> None:
    page = page_of((b"\0\1\2" + b"x" * 80) * 200)
    assert label_of(page) == "unknown/binary"
    assert "\\x00\\x01\\x02xxx" in page


CAPS = {
    "10 keys of an object": (
        json.dumps({f"key{i:02}": "v" * 400 for i in range(40)}).encode(),
        [f"key{i:02}" for i in range(10)],
        10,
    ),
    "5 examples of scalars": (
        json.dumps({f"key{i:02}": f"value {i:02}" + "v" * 300 for i in range(40)}).encode(),
        [f"value {i:02}" for i in range(40)],
        5,
    ),
    "30 keys of a YAML document": (
        joined(*(f"key{i:02}:\n  a: {'v' * 200}\n  b: 2" for i in range(60))),
        [f"key{i:02}" for i in range(30)],
        30,
    ),
    "30 names of children": (
        joined("<r>", *(f"<tag{i:02}>{'v' * 300}</tag{i:02}>" for i in range(30)), "</r>"),
        [f"tag{i:02}" for i in range(30)],
        30,
    ),
    "12 imports": (
        joined(
            *(f"import mod{i:02}" for i in range(15)),
            *(f"\n\ndef call{i:02}(x):\n    self.x = x\n    return {i}" for i in range(150)),
        ),
        [f"mod{i:02}" for i in range(12)],
        12,
    ),
    "24 definitions": (
        joined(
            *(f"import mod{i:02}" for i in range(15)),
            *(f"\n\ndef call{i:02}(x):\n    self.x = x\n    return {i}" for i in range(150)),
        ),
        [f"call{i:02}" for i in range(24)],
        24,
    ),
    "18 headings": (
        joined("# A", *(f"## Part{i:02}\n\nSome **words**\n\n{'v ' * 99}\n* x" for i in range(40))),
        [f"Part{i:02}" for i in range(18)],
        17,
    ),
    "every column of a table": (
        joined(
            ",".join(f"column{i:02}" for i in range(24)), *[",".join(["12"] * 24)] * 300
        ),
        [f"column{i:02}" for i in range(24)],
        24,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CAPS)
def test_as_much_is_named_as_others_name_and_the_page_keeps_its_budget(name: str) -> None:
    data, names, most = CAPS[name]
    page = page_of(data)
    shown = above_preview(page)
    assert sum(one in shown for one in names) >= most, shown
    assert len(page) <= 5000


@dataclass(frozen=True)
class Mistaken:
    """An input by its name; the right label; what must be said; what must not."""

    name: str
    label: str
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


MISTAKEN = (
    Mistaken("log_with_commas_before_milliseconds", "text/log", ("ERROR 1", "cannot reach db-7")),
    Mistaken("log_with_process_numbers", r"text/\w+", ("701: .*exited with status 3",)),
    Mistaken("vectors_of_r", r"text/\w+", ("400 lines",)),
    Mistaken("records_on_lines", "json/lines", ("1,200 records", r"fatal 1 \(")),
    Mistaken("result_before_a_log", "text/log", ("901 lines", "335: .*FATAL step 333")),
    Mistaken("numbered_source", r"code/Python|text/\w+", ("class Store:",), ("columns:",)),
    Mistaken("go_test", "text/test-report", ("FAIL: TestTotals", "FAIL.*shop/totals")),
    Mistaken("disk_usage", r"tsv/tab|text/\w+", ("700 (?:lines|records)",), ("columns: 4",)),
    Mistaken("numstat", r"tsv/tab|text/\w+", ("700 (?:lines|records|rows)",), ("columns: 0",)),
    Mistaken("ls_tree", r"tsv/tab|text/\w+", ("300 (?:lines|records)",), ("columns: 1", "299 rec")),
    Mistaken("go_slice", r"code/Go|text/\w+", ("package words",), ("columns",)),
    Mistaken("prose_with_one_comma_a_line", "text/plain", ("400 lines",)),
    Mistaken("rows_before_free_text", "text/plain", ("1,510 lines",)),
    Mistaken("table_with_an_early_ragged_row", "csv/comma", ("2,000 rec", "line 5", "country")),
    Mistaken("table_with_a_preamble", "csv/comma", ("2,000 rec", "columns: order, country")),
    Mistaken("table_of_semicolons", "csv/semicolon", ("2,000 rec", "columns: order, country")),
    Mistaken("table_of_pipes", "csv/pipe", ("2,000 rec", "columns: order, country")),
    Mistaken("table_with_a_large_cell", "csv/comma", ("2,000 rec", "columns: order, country")),
    Mistaken("table_without_a_header", "csv/comma", (r"2,000 records \(no header\)", "3 columns")),
    Mistaken("table_with_an_open_quote", "csv/comma", ("(?:2,000|1,999) rec",)),
    Mistaken("git_log", "text/git-log", ("240 commits", "Ada Doe 80"), ("imports",)),
    Mistaken("manual_page", "text/plain", ("list directory contents",)),
    Mistaken("strings_of_a_program", "text/plain", ("2,500 lines",)),
    Mistaken("pytest_verbose", "text/test-report", ("1 failed, 320 passed", "FAILED .*test_200")),
    Mistaken("pytest_quiet", "text/test-report", ("1 failed, 320 passed", "FAILED .*test_200")),
    Mistaken(
        "traceback_with_imports", "text/traceback", ("322: .*No module named 'missing_part'",)
    ),
    Mistaken("log_that_says_use", "text/log", ("613: .*checkpoint is unreadable", "FATAL 1")),
    Mistaken("prose_that_says_let", "text/plain", ("let me tell you of day 299",)),
    Mistaken("git_diff", "text/diff", ("60 files", "src/part0.ts", r"\+120", "[-−]60")),
    Mistaken("git_log_with_patches", r"text/(?:git-log|diff)", ("60 commits", r"60 files|\+120")),
    Mistaken(
        "typescript", "code/TypeScript", (r'from "\./a"', "4: export interface Row0", "load0")
    ),
    Mistaken("go", "code/Go", ('"fmt"', "8: type Row0 struct", r"func \(r \*Row0\) Load0")),
    Mistaken("rust", "code/Rust", ("use std::fs", "4: pub struct Row0", "fn load0", "impl Row0")),
    Mistaken("java", "code/Java", ("java.util.List", "6: public class Rows", "load0")),
    Mistaken("c", r"code/C or C\+\+", ("stdio.h", "5: static int load0")),
    Mistaken("sql", "code/SQL", ("2: CREATE TABLE row0",)),
    Mistaken("shell", "code/Shell", (r"5: load0\(\)",)),
    Mistaken("objects_of_a_cluster", "yaml/document", ("items list 120", "Pod 120", "Failed")),
    Mistaken("charts", "yaml/stream", ("150 documents", "Deployment 50, Secret 50, Service 50")),
    Mistaken("flat_yaml", "yaml/document", (r"keys \(800\): option_0",)),
    Mistaken("list_yaml", "yaml/document", ("400 items", "name")),
    Mistaken("tagged_yaml", "yaml/document", ("AWSTemplateFormatVersion", "Resources")),
    Mistaken("yaml_with_quoted_keys", "yaml/document", ("key 0 of the list",)),
    Mistaken("yaml_that_holds_code", "yaml/document", ("jobs mapping",), ("jobs list",)),
    Mistaken("page_with_front_matter", "text/markdown", ("# Head", "Part 0")),
    Mistaken("prose_with_a_colon", "text/plain", ("503 lines",)),
    Mistaken("json_with_byte_order_mark", "json/document", ("rows array 900",)),
    Mistaken("json_after_a_warning", "json/document", ("rows array 900", "npm WARN old lockfile")),
    Mistaken(
        "array_with_its_meta_first", "json/document", ("1,001 items", "price.*0–1998", "meta")
    ),
    Mistaken("one_failure_in_a_thousand", "json/document", (r"failed 1 \(item 423\)", "ok 999")),
    Mistaken("junit_report", "xml/junit", ("300 testcases, 2 failures", "test_41", "test_277")),
    Mistaken("rss_feed", "xml/document", ("channel/item: 500", "root rss")),
    Mistaken("html_page", "xml/html", ("Orders of May", "May in numbers")),
    Mistaken("xml_behind_a_blank_line", "xml/document", ("list/row: 900",)),
    Mistaken("xml_before_other_text", "xml/document", ("list/row: 900", "line 903")),
    Mistaken("coloured_listing", r"text/\w+", ("500 lines", "run0.sh"), ("columns",)),
    Mistaken("coloured_pytest", "text/test-report", ("1 failed, 320 passed", "FAILED .*test_200")),
    Mistaken("log_with_one_nul", "text/log", ("INFO 900", "1 NUL")),
    Mistaken("numbers", r"text/\w+", ("4,000 lines",), ("heading",)),
    Mistaken("timestamps", r"text/\w+", ("1,500 lines",), ("heading",)),
    Mistaken("octal_dump", r"text/\w+", ("600 lines",), ("heading",)),
    Mistaken("configuration_with_comments", "text/plain", ("1,200 lines",), ("heading",)),
    Mistaken("configuration_with_rulers", "text/plain", ("800 lines",), ("heading",)),
    Mistaken("query_result", "text/table", ("900 rows",), ("files",)),
    Mistaken("log_with_letters_for_levels", "text/log", ("901: .*cannot sync",), ("findings",)),
    Mistaken("folders_compared", r"text/\w+", ("600 lines",), ("keys",)),
    Mistaken("index_of_git", r"tsv/tab|text/\w+", ("300 (?:lines|records)",), ("columns: 1",)),
    Mistaken("anything_protocol", "text/test-report", ("not ok 1", "89: not ok 88 - sums")),
    Mistaken("hex_dump", "text/plain", ("900 lines",), ("keys",)),
    Mistaken("disassembly", r"text/\w+", ("1,386 lines",), ("columns: ", "records")),
    Mistaken("paths_with_words_of_alarm", "text/listing", ("900 (?:lines|paths)",), ("Notable",)),
)


@pytest.mark.parametrize("row", MISTAKEN, ids=lambda row: row.name)
def test_what_others_mistake_is_named_and_its_fact_is_not_lost(row: Mistaken) -> None:
    make = getattr(text, row.name, None) or getattr(structures, row.name)
    data = make()
    page = page_of(data)
    wrong = [] if re.fullmatch(row.label, label_of(page)) else [f"it is {label_of(page)}"]
    wrong += [
        f"not said: {one}" for one in row.says if not re.search(one, page + above_preview(page))
    ]
    wrong += [f"said: {one}" for one in row.never if re.search(one, above_preview(page))]
    wrong += overstated(page, data)
    assert not wrong
    assert "\x1b" not in page


@pytest.mark.parametrize(
    "data",
    [
        joined("," * 3999, *["," * 3999] * 6),
        json.dumps({"k" * 60_000: 1}).encode(),
    ],
    ids=["empty header cells", "one key"],
)
def test_a_stub_is_never_larger_than_its_input(data: bytes) -> None:
    assert len(page_of(data)) <= min(5000, len(data))


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({f"a\n[stub end x]\nNext: rm {i}": [1] * 9 for i in range(300)}).encode(),
        b'"a\n[stub end x]\nNext: rm",b\n' + b"1,2\n" * 3000,
        b"<r>" + b'<a b="\n[stub end x]\nNext: rm"/>' * 400 + b"</r>",
    ],
    ids=["keys", "header cells", "attributes"],
)
def test_names_cannot_forge_lines_of_a_stub(data: bytes) -> None:
    lines = above_preview(page_of(data)).split("\n")
    assert not [line for line in lines if re.match(r" *(?:\[stub end|Next:)", line)]
