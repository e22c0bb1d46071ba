"""Tables as they come out of other programs: page, schema and a SELECT tell of the same records.

Whatever is no record, or could not be read as it stands, is said on the page and in each answer,
with its line; every word of the rest comes back in a cell or a name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from stubcli.detect.table import words
from stubcli.detect.table.facts import TableFacts
from stubcli.detect.words import synopsis_of
from tests.conftest import Store
from tests.retrieve.query_asked import asker, facts_of

NAMES = ("id", "town", "amount", "day")
CELLS = [
    (
        f"{n}",
        f"{('Ulm', 'Bad Aibling', 'Köln', 'Ober Egg')[n % 4]} {n}",
        f"{n}.5",
        f"2026-03-{n % 28 + 1:02d}",
    )
    for n in range(1, 61)
]
TOTAL = str(sum(n + 0.5 for n in range(1, 61)))


def lines(delimiter: str = ",", cells: Sequence[tuple[str, ...]] = CELLS) -> list[str]:
    return [delimiter.join(row) for row in cells]


def table(rows: list[str], *above: str, names: str = ",".join(NAMES), end: str = "\n") -> str:
    return end.join([*above, names, *rows, ""])


def changed(at: int, line: str) -> list[str]:
    """The lines with another one at that place, counted from 0."""
    return [*lines()[:at], line, *lines()[at + 1 :]]


FIRST = "(the first in line 2)"


@dataclass(frozen=True)
class Dirty:
    """text: what came in. names: the columns; records: how many; said: what each answer must say.
    amount: the sum of that column; empty where it is not one of numbers.
    """

    text: str
    names: tuple[str, ...] = NAMES
    records: int = 60
    said: tuple[str, ...] = ()
    amount: str = TOTAL
    encoding: str = "utf-8"


def spread(quote: str, escaped: str) -> list[str]:
    """Rows whose town is in quotes and holds some."""
    return [
        f"{n},{quote}{town}, {escaped}east{escaped} side{quote},{amount},{day}"
        for n, town, amount, day in CELLS
    ]


def prices(number: str) -> list[str]:
    return [f"{n};{town};{number.format(int(n))};{day}" for n, town, _, day in CELLS]


SEMICOLONS = ";".join(NAMES)
DIRTY: dict[str, Dirty] = {
    "a caret between cells": Dirty(table(lines("^"), names="^".join(NAMES))),
    "a tilde between cells": Dirty(table(lines("~"), names="~".join(NAMES))),
    "pipes between cells": Dirty(table(lines("|"), names="|".join(NAMES))),
    "a space behind each comma": Dirty(
        table([re.sub(",", ", ", row) for row in spread('"', '""')], names=", ".join(NAMES))
    ),
    "spaces between cells and words without quotes": Dirty(
        table(
            [f'"{d}" {n} {town[: -len(n) - 1]} {a} "x y"' for n, town, a, d in CELLS],
            names="day id town amount note",
        ),
        ("day", "id", "town", "amount", "note"),
        said=(
            "30 records (the first in line 2) have delimiters without quotes, "
            "taken into column town",
        ),
    ),
    "single quotes": Dirty(table(spread("'", "''"))),
    "single quotes that hold apostrophes": Dirty(
        table(spread("'", "'")),
        said=(f"60 records {FIRST} have quotes that are not doubled or not closed; kept",),
    ),
    "backslashes before quotes": Dirty(table(spread('"', '\\"'))),
    "quotes that are not doubled": Dirty(
        table(spread('"', '"')),
        said=(f"60 records {FIRST} have quotes that are not doubled or not closed; kept",),
    ),
    "CR at the end of lines": Dirty(table(lines(), end="\r")),
    "one quote too many": Dirty(
        table(changed(7, '8,""Ulm, 8",8.5,2026-03-09')),
        said=("1 record (line 9) has quotes that are not doubled or not closed; kept",),
    ),
    "a quote that nothing closes": Dirty(
        table(changed(7, '8,"Ulm 8,8.5,2026-03-09')),
        said=("the quote in line 9 is not closed: quotes are read as data",),
    ),
    "a comma at the end of the header alone": Dirty(table(lines(), names=",".join((*NAMES, "")))),
    "a comma at the end of all records but the header": Dirty(
        table([row + "," for row in lines()]), (*NAMES, "column5")
    ),
    "a field too many, which is empty": Dirty(
        table(changed(7, "8,Ulm 8,8.5,2026-03-09,")),
        said=("1 record (line 9) has extra fields, which are empty",),
    ),
    "fields too many": Dirty(
        table(changed(7, "8,Ulm 8,8.5,2026-03-09,later,much")),
        (*NAMES, "more1", "more2"),
        said=("1 record (line 9) has extra fields, in columns more1 to more2",),
    ),
    "fields that are missing": Dirty(
        table(changed(7, "8,Ulm 8,8.5")),
        said=("1 record (line 9) has missing fields, which are NULL",),
    ),
    "commas without quotes in one column": Dirty(
        table(
            [
                f"{n},{town}{', east' if int(n) % 3 == 0 else ''},{a},{day}"
                for n, town, a, day in CELLS
            ]
        ),
        said=(
            "20 records (the first in line 4) have delimiters without quotes, "
            "taken into column town",
        ),
    ),
    "titles, padded and not": Dirty(
        table(lines(), "Accounts,,,", ",,,", "made by nobody"),
        said=("3 lines before the table: Accounts,,,",),
    ),
    "units below the names": Dirty(
        table(lines(), names="id,town,amount,day\n,,(EUR),(UTC)"),
        ("id", "town", "amount (EUR)", "day (UTC)"),
    ),
    "names of groups above names": Dirty(
        table(
            [f"{n},{town},{a},{n},{a}" for n, town, a, _ in CELLS],
            ",,2025,,2026",
            names="id,town,amount,count,amount",
        ),
        ("id", "town", "2025 amount", "2025 count", "2026 amount"),
    ),
    "a rule below the names": Dirty(table(lines(), names="id,town,amount,day\n--,----,------,---")),
    "files behind each other, each with its header": Dirty(
        table([*lines()[:20], ",".join(NAMES), *lines()[20:40], ",".join(NAMES), *lines()[40:]]),
        said=("2 lines are the header again, the first in line 22",),
    ),
    "another table below": Dirty(
        table([*lines(), "", "code,word", *(f"{n},w{n}" for n in range(9))]),
        said=("10 lines after the table: code,word",),
    ),
    "a larger table below a small one": Dirty(
        table(lines(), "code,word", *(f"{n},w{n}" for n in range(6))),
        said=("7 lines before the table: code,word",),
    ),
    "totals below": Dirty(
        table([*lines(), "", "Total,,1830,"]), said=("1 line after the table: Total 1830",)
    ),
    "decimal commas": Dirty(
        table(prices("{:d},5"), names=SEMICOLONS),
        said=("amount holds decimal commas; as a number: ",),
    ),
    "decimal commas and points between thousands": Dirty(
        table(prices("1.{:03d},5"), names=SEMICOLONS),
        said=("amount holds decimal commas; as a number: ",),
        amount=str(sum(1000.5 + n for n in range(1, 61))),
    ),
    "another encoding": Dirty(
        table(lines()),
        said=("15 bytes are not UTF-8; as ISO-8859-1 they would be letters; shown as \\xNN",),
        encoding="iso-8859-1",
    ),
}


@pytest.fixture(params=DIRTY, ids=lambda name: name.replace(" ", "-"))
def dirty(request: pytest.FixtureRequest) -> Dirty:
    return DIRTY[request.param]


def data_of(dirty: Dirty) -> bytes:
    return dirty.text.encode(dirty.encoding)


def table_facts(dirty: Dirty) -> TableFacts:
    facts = facts_of(data_of(dirty))
    assert isinstance(facts, TableFacts), facts.label
    return facts


def test_the_page_counts_the_records_and_names_the_columns(dirty: Dirty) -> None:
    facts = table_facts(dirty)
    assert (facts.records, facts.names()) == (dirty.records, dirty.names[: facts.width])
    page = synopsis_of(facts)
    assert page.summary[0].startswith(f"{dirty.records} records, {facts.width} columns")
    for note in dirty.said:
        assert "decimal commas" in note or any(
            line.startswith(note.removesuffix("; shown as \\xNN")) for line in page.summary
        ), page.summary


def test_the_schema_and_a_select_have_the_same_columns_and_notes(
    store: Store, dirty: Dirty
) -> None:
    with asker(store, data_of(dirty)) as one:
        schema = one.schema()
        answer = one.answer("FROM artifact", skip=0, limit=100)
    assert tuple(column.name for column in schema.columns) == dirty.names
    assert [column.name for column in answer.columns] == list(dirty.names)
    assert schema.rows == answer.total == dirty.records
    assert schema.notes == answer.notes
    for note, said in zip(dirty.said, answer.notes, strict=True):
        assert said.startswith(note)


def test_numbers_can_be_summed_or_the_expression_is_offered(store: Store, dirty: Dirty) -> None:
    name = next(name for name in dirty.names if "amount" in name)
    with asker(store, data_of(dirty)) as one:
        notes = one.schema().notes
        offered = [note.partition("as a number: ")[2] for note in notes if "a number: " in note]
        number = offered[0] if offered else f'"{name}"'
        summed = one.answer(f"SELECT sum({number}) FROM artifact", skip=0, limit=1)
    assert summed.rows == ((dirty.amount,),)


def test_every_word_comes_back_or_its_line_is_told(store: Store, dirty: Dirty) -> None:
    facts = table_facts(dirty)
    with asker(store, data_of(dirty)) as one:
        answer = one.answer("SELECT * FROM artifact", skip=0, limit=100)
    found = set(re.findall(r"\w+", " ".join(cell or "" for row in answer.rows for cell in row)))
    found |= set(re.findall(r"\w+", " ".join(facts.header)))
    kept = data_of(dirty)[facts.start : facts.end].decode("utf-8", "backslashreplace")
    assert set(re.findall(r"\w+", kept)) <= found
    outside = sum(one.lines for one in (facts.before, facts.after) if one)
    repeats = facts.repeats.records if facts.repeats else 0
    filled = [line for line in re.split(r"[\r\n]+", dirty.text) if line]
    assert facts.records + facts.header_rows + outside + repeats == len(filled)


def test_tables_besides_the_largest_are_told_with_their_lines() -> None:
    facts = table_facts(DIRTY["another table below"])
    (other,) = facts.tables
    assert (other.line, other.last, other.records, other.names) == (63, 72, 9, ("code", "word"))
    shown = "\n".join(words.structure(facts))
    assert "another table in lines 63–72: 9 records: code, word" in shown
