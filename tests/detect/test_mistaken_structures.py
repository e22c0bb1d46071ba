"""What looks like markup, cells or a table in a sample, and is another thing."""

import random
from collections.abc import Callable

import pytest

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]


def test_names_in_angle_brackets_are_no_markup(synopsis: Summarise) -> None:
    names = [f"<PART>_{i}_DIR" if i < 30 else f"TILL_{i}_DIR" for i in range(400)]
    assert synopsis("\n".join(names)).label == "text/plain"


@pytest.mark.parametrize("end", ["", "</till>", "<open><again>"])
def test_markup_that_is_cut_off_is_still_markup(synopsis: Summarise, end: str) -> None:
    rows = "".join(f'<row n="{i}"><name>till {i}</name></row>\n' for i in range(200))
    assert synopsis(f"<till>\n{rows}{end}").label.startswith("xml/")


def test_commas_inside_of_brackets_part_no_cells(synopsis: Summarise) -> None:
    row = 'tcp    ESTAB  0     {:<5} {:<15} users:(("till",pid={},fd=3),("shop",pid={},fd=4))'
    rows = [row.format(i % 9, f"10.0.0.{i}:80", i + 900, i + 90) for i in range(200)]
    head = "Netid  State  Recv  Send  Local           Process"
    assert synopsis("\n".join([head, *rows])).label == "text/table"


def test_a_dump_that_is_mostly_rows_of_a_copy_is_sql_and_its_rows_are_counted(
    synopsis: Summarise,
) -> None:
    rows = [f'{i}\tthe till {i}\t{{"open": {i}, "by": "us"}}' for i in range(3000)]
    head = ["SET client_encoding = 'UTF8';", "", "COPY public.till (id, name, more) FROM stdin;"]
    found = synopsis("\n".join([*head, *rows, "\\.", ""]))
    assert found.label == "code/SQL"
    assert any("public.till: 3,000 rows" in line for line in found.structure)


def test_statements_that_insert_are_sql_however_few_words_they_have(synopsis: Summarise) -> None:
    rows = [f"INSERT INTO t VALUES({i},'{i}');" for i in range(900)]
    assert synopsis("\n".join(["BEGIN;", *rows, "COMMIT;"])).label == "code/SQL"


def test_a_text_that_speaks_of_a_copy_is_no_dump(synopsis: Summarise) -> None:
    lines = [f"chapter {i} tells how to COPY a till FROM stdin; it is slow" for i in range(300)]
    assert synopsis("\n".join(lines)).label != "code/SQL"


def test_in_a_text_with_headings_what_a_line_says_of_itself_and_how_it_ended_is_notable(
    synopsis: Summarise,
) -> None:
    words = ("till", "shop", "ledger", "drawer", "copy", "service", "reader", "archive", "sum")
    lines: list[str] = []
    chance = random.Random(7)
    for part in range(1, 30):
        lines += [f"{part}. Checking part {part}", ""]
        lines += [" ".join(chance.choices(words, k=11)) for _ in range(6)] + [""]
    lines[40] = "Warning: two drivers for till.open"
    lines += ["30 passed, 1 failed in 4s"]
    found = synopsis("\n".join(lines))
    assert found.label == "text/prose"
    assert [line.number for line in found.notable] == [41, len(lines)]


FEW_WORDS = {
    "Java": ["package shop.till;", "", "import java.util.List;", "", "class Till {"]
    + [f"    int count{i}(int rate) {{ return rate * {i}; }}" for i in range(300)]
    + ["}"],
    "C#": ["using System;", "", "public class Till {"]
    + [f"    int Count{i}(int rate) {{ return rate * {i}; }}" for i in range(300)]
    + ["}"],
    "Go": ["// Package till counts.", "package till", "", "type Code int", "", "const ("]
    + [f"\t// Wrong{i} says that step {i} went wrong.\n\tWrong{i} Code = {i}" for i in range(300)]
    + [")"],
    "Python": ["import json, re", ""]
    + [f"assert json.dumps({i}) == '{i}'\nlimit_{i} = {i * 3}" for i in range(300)],
    "Rust": ["use std::fs;", ""]
    + [f"pub fn count{i}(rate: i32) -> i32 {{ rate * {i} }}" for i in range(300)],
}


@pytest.mark.parametrize("language", FEW_WORDS)
def test_source_that_says_the_same_again_and_again_is_told_by_its_statements(
    synopsis: Summarise, language: str
) -> None:
    assert synopsis("\n".join(FEW_WORDS[language]) + "\n").label == f"code/{language}"


@pytest.mark.parametrize("language", FEW_WORDS)
def test_source_behind_paths_or_among_other_lines_is_no_source(
    synopsis: Summarise, language: str
) -> None:
    lines = FEW_WORDS[language]
    found = "\n".join(f"src/till.x:{number}:{line}" for number, line in enumerate(lines, 1))
    assert synopsis(found).kind != "code"
    told = [text for line in lines for text in (line, "this line is told in words alone")]
    assert synopsis("\n".join(told)).kind != "code"


def test_a_block_of_comments_makes_no_markdown(synopsis: Summarise) -> None:
    head = ["#", "# A grave error was met by the till:", "#", "#  SIGSEGV at pc=0x7f", "#", ""]
    rows = [f"- cell {i} is kept as {i * 7 % 50}" for i in range(200)]
    assert synopsis("\n".join([*head, *rows])).label != "text/markdown"


@pytest.mark.parametrize(
    ("shares", "label"),
    [
        ([100 - i // 3 for i in range(290)], "text/plain"),
        ([i % 101 for i in range(290)], "text/progress"),
    ],
)
def test_shares_that_fall_are_no_progress(
    synopsis: Summarise, shares: list[int], label: str
) -> None:
    lines = [f"{share:3}%  till {'abcdefgh'[i % 8]} of shop" for i, share in enumerate(shares)]
    found = synopsis("\n".join(lines)).label
    assert (found == "text/progress") == (label == "text/progress")


def test_sentences_that_a_number_tells_apart_are_prose_under_headings(synopsis: Summarise) -> None:
    lines: list[str] = []
    for part in range(1, 21):
        lines += [f"## Part {part}", ""]
        lines += [f"Words of part {part}, line {i}; nothing but words here." for i in range(14)]
    found = synopsis("\n".join(lines))
    assert found.label == "text/prose"
    assert "20 headings:" in found.structure
