"""Cells that are lists of keys with values: each key is a column of its own."""

import random

import pytest

from tests.detect.cases.whole_way import synopsis_of


def _said(data: str) -> str:
    synopsis = synopsis_of(data.encode())
    return "\n".join((synopsis.kind, *synopsis.summary, *synopsis.structure))


def _table(cell: str, odd: str, records: int = 300) -> str:
    chance = random.Random(3)
    rows = ["name\tplace\tsaid"]
    for at in range(records):
        one = (odd if at == 211 else cell).replace("N", str(chance.randint(100, 999)))
        rows.append(f"n{at:04d}\t{chance.randint(10_000, 99_999)}\t{one}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("cell", "odd"),
    [
        ("depth=N;effect=silent;hot", "depth=N;effect=stop;hot"),
        ("depth=N,effect=silent", "depth=N,effect=stop"),
        ("depth=N effect=silent", "depth=N effect=stop"),
        ("depth: N; effect: silent", "depth: N; effect: stop"),
        ('depth "N"; effect "silent";', 'depth "N"; effect "stop";'),
        ('depth "N"; note "a; b"; effect "silent"', 'depth "N"; note "a; b"; effect "stop"'),
    ],
)
def test_keys_in_cells_are_counted_as_columns_and_the_record_that_differs_is_told(
    cell: str, odd: str
) -> None:
    said = _said(_table(cell, odd))
    assert "said.effect: text: silent 299, stop 1 (record 212)" in said
    assert "said.depth: integer, 1" in said
    assert "differs: record 212: n0211" in said


def test_a_key_that_one_record_has_is_told_with_it() -> None:
    said = _said(_table("depth=N;effect=silent", "depth=N;effect=silent;recalled=yes"))
    assert "said.recalled: text, 299 empty: yes 1 (record 212)" in said or "recalled=yes" in said


@pytest.mark.parametrize("cell", ["see: N; it was late", "at 10:N, and 11:N", "a=N"])
def test_prose_and_times_and_single_pairs_stay_cells(cell: str) -> None:
    assert "keys" not in _said(_table(cell, cell))


def test_values_of_the_first_records_only_are_said_to_be_so() -> None:
    said = _said(_table("depth=N;effect=silent", "depth=N;effect=stop", 9000))
    assert "said.effect: text: silent 7,999, stop 1 (record 212) (of the first 8,000" in said


@pytest.mark.parametrize("comments", [1, 25, 300, 1200, 3600])
def test_comments_of_any_number_stand_before_the_names_of_a_table(comments: int) -> None:
    above = "".join(f"##contig=<ID=c{at},length={at * 7}>\n" for at in range(comments))
    table = _table("a=N;b=N;c=silent", "a=N;b=N;c=stop").removeprefix("name")
    said = _said(f"{above}#name{table}")
    assert said.startswith("tsv\n300 records, 3 columns, delimiter tab")
    assert "columns: #name, place, said" in said
    assert f"{comments:,} line{'s' if comments > 1 else ''} before the table" in said
    assert "another table" not in said
