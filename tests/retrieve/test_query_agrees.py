"""A page, the schema and every query tell of the same rows: the facts decide once for all."""

import json
from collections.abc import Callable

import pytest

from stubcli.detect.facts import KindFacts, dump, load
from stubcli.detect.json import words as json_words
from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.table import words as table_words
from stubcli.detect.table.facts import TableFacts
from stubcli.detect.words import synopsis_of
from stubcli.errors import UsageError
from stubcli.retrieve.query.asking import Asker
from tests.conftest import Store
from tests.retrieve.query_asked import asked, asker, facts_of, types_of

ITEMS = [{"id": n, "name": f"n{n % 5}", "total": n / 4} for n in range(400)]
LINES = "".join(json.dumps(item) + "\n" for item in ITEMS)
TABLE = "id,name,total\n" + "".join(f"{n},n{n % 5},{n / 4}\n" for n in range(400))
QUOTED = "id,name,total\n" + "".join(f'{n},"Doe, J{n % 5}",{n / 4}\n' for n in range(400))

DEEP = f'{{"id":7,"name":{"[" * 400}1{"]" * 400}}}\n'

# What comes in, and how many rows are in it.
INPUTS: dict[str, tuple[bytes, int]] = {
    "an array": (json.dumps(ITEMS).encode(), 400),
    "an array with text after it": ((json.dumps(ITEMS) + "\ndone: 400 rows\n").encode(), 400),
    "an array after a warning": (("WARN slow disk\n" + json.dumps(ITEMS)).encode(), 400),
    "an object": (json.dumps({"items": ITEMS, "page": 1}).encode(), 1),
    "lines": (LINES.encode(), 400),
    "lines among others": ((LINES + "-- end of part 1\n" + LINES).encode(), 800),
    "lines with CRLF": (LINES.replace("\n", "\r\n").encode(), 400),
    "lines after a BOM": (b"\xef\xbb\xbf" + LINES.encode(), 400),
    "half a surrogate pair": ((LINES + '{"id":7,"name":"cut \\ud83d"}\n').encode(), 401),
    "a byte that is not UTF-8": (LINES.encode() + b'{"id":7,"name":"\xe9t\xe9"}\n', 401),
    "a control character": ((LINES + '{"id":7,"name":"a\tb"}\n').encode(), 401),
    "a key twice": ((LINES + '{"id":7,"id":8}\n').encode(), 401),
    "documents, the last cut off": (
        (json.dumps(ITEMS[0], indent=1) * 30 + '{"id": 1').encode(),
        30,
    ),
    "too deep for types": ((LINES + DEEP).encode(), 401),
    "keys that differ in case alone": ((LINES + '{"ID":7,"id":8}\n').encode(), 401),
    "a table": (TABLE.encode(), 400),
    "a table with CRLF": (TABLE.replace("\n", "\r\n").encode(), 400),
    "a table of mixed line ends": ((TABLE + TABLE[14:].replace("\n", "\r\n")).encode(), 800),
    "quoted cells": (QUOTED.encode(), 400),
    "quoted cells with CRLF after a preamble": (
        ("Export of 2026\n" + QUOTED).replace("\n", "\r\n").encode(),
        400,
    ),
    "a quote that is not closed": ((TABLE + '400,"open,1\n').encode(), 401),
    "a title": (("Sales report,,\n" + TABLE).encode(), 400),
    "a title and an empty row": (("Sales report,,\n,,\n" + TABLE).encode(), 400),
    "a title and an empty line": (("Sales report,,\n\n" + TABLE).encode(), 400),
    "a total below": ((TABLE + ",,\nTotal,,\n").encode(), 400),
    "rows that grew wider": (
        ("id,name\n1,a\n2,b\n" + "".join(f"{n},n{n},x\n" for n in range(400))).encode(),
        402,
    ),
    "blank and repeated names": (
        (",name,name\n" + "".join(f"{n},n{n % 5},{n}\n" for n in range(400))).encode(),
        400,
    ),
    "decimal commas": (
        ("id;name;total\n" + "".join(f"{n};n{n % 5};{n},5\n" for n in range(400))).encode(),
        400,
    ),
    "tabs": (TABLE.replace(",", "\t").encode(), 400),
}


def columns_of(one: Asker) -> list[tuple[str, str]]:
    answer = one.answer("FROM artifact", skip=0, limit=1)
    return [(column.name, column.type.name) for column in answer.columns]


@pytest.mark.parametrize("name", INPUTS)
def test_the_schema_and_each_query_that_is_proposed_agree(store: Store, name: str) -> None:
    data, rows = INPUTS[name]
    with asker(store, data) as one:
        schema = one.schema()
        assert schema.rows == rows == one.facts.rows()
        assert columns_of(one) == [(column.name, column.type.name) for column in schema.columns]
        for sql in schema.examples:
            answer = one.answer(sql, skip=0, limit=5)
            assert answer.total > 0
            assert answer.notes == schema.notes


@pytest.mark.parametrize("name", INPUTS)
def test_what_a_page_names_can_be_asked(store: Store, name: str) -> None:
    data, rows = INPUTS[name]
    names = synopsis_of(facts_of(data)).columns
    if names:
        quoted = ", ".join(f'"{one}"' for one in names)
        assert asked(store, data, f"SELECT {quoted} FROM artifact").total == rows


@pytest.mark.parametrize("name", INPUTS)
def test_what_stands_outside_of_the_rows_is_said_on_the_page_and_in_each_answer(
    store: Store, name: str
) -> None:
    data, _ = INPUTS[name]
    facts = facts_of(data)
    outside = table_words.outside(facts) if isinstance(facts, TableFacts) else []
    outside += json_words.outside(facts) if isinstance(facts, JsonFacts) else []
    notes = asked(store, data, "SELECT 1", limit=1).notes
    assert set(outside) <= set(notes)
    assert set(outside) <= set(synopsis_of(facts).summary)


def test_facts_that_were_read_back_give_the_same_answers(store: Store) -> None:
    for data, rows in INPUTS.values():
        facts = facts_of(data)
        again = load(json.loads(json.dumps(dump(facts))))
        assert again == facts
        assert again.rows() == rows


def header_of(data: str) -> tuple[str, ...]:
    facts = facts_of(data.encode())
    assert isinstance(facts, TableFacts)
    return facts.header


BODY = "".join(f"{n},R{n % 5},{n}.50,2026-10-{1 + n % 28:02d}\n" for n in range(300))


@pytest.mark.parametrize(
    "above",
    [
        "Sales report,,,\n",
        '"Sales report","","",""\n',
        "Sales report October,,,\n,,,\n",
        ",,,\nSales report,,,\nin EUR,,,\n",
        "Sales report\nin EUR\n\n",
        "Sales report,,,\n\n\nin EUR,,,\n",
        "a,b,,\n,,,\n",
        "Name,Region\nx,y\n",
    ],
)
def test_a_header_is_found_below_titles(above: str) -> None:
    if above.startswith("a,b"):
        # Two names are no title, and they name no columns.
        assert header_of(above + "id,region,amount,date\n" + BODY) in ((), ("a", "b", "", ""))
    else:
        assert header_of(above + "id,region,amount,date\n" + BODY) == (
            *("id", "region", "amount", "date"),
        )


def test_the_largest_of_several_tables_is_the_table(store: Store) -> None:
    small = "card,paid,,\n" + "".join(f"A,{n},,\n" for n in range(40))
    data = (
        f"Expenses,,,\n,,,\n{small},,,\nDetails,,,\nid,region,amount,date\n{BODY},,,\nTotal,,99,\n"
    )
    with asker(store, data.encode()) as one:
        assert types_of(one.answer("FROM artifact", skip=0, limit=1)) == {
            "id": "BIGINT",
            "region": "VARCHAR",
            "amount": "DOUBLE",
            "date": "DATE",
        }
        schema = one.schema()
    assert schema.rows == 300
    assert schema.notes == (
        "45 lines before the table: Expenses,,,",
        "2 lines after the table: Total 99",
    )


def test_a_table_without_a_header_loses_no_row_to_a_sparse_one(store: Store) -> None:
    rows = "".join(f"n{n},,x{n % 3}\n" if n % 7 else f"n{n},,\n" for n in range(200))
    with asker(store, rows.encode(), mime="text/csv") as one:
        assert one.schema().rows == 200


def test_rows_that_stand_apart_and_fit_are_rows(store: Store) -> None:
    apart = TABLE + "\n" + "400,n1,3.5\n401,n2,4.5\n"
    with asker(store, apart.encode()) as one:
        assert one.schema().rows == 402


@pytest.mark.parametrize("rows", ["1", "8", "25", "100"])
def test_rows_wider_than_the_header_are_all_rows_or_it_is_said(store: Store, rows: str) -> None:
    narrow = "".join(f"{n},item{n}\n" for n in range(int(rows)))
    wide = "".join(f"{n},item{n},extra{n}\n" for n in range(3000))
    with asker(store, f"id,name\n{narrow}{wide}".encode()) as one:
        answer = one.answer(
            "SELECT count(*), count(id), count(name) FROM artifact", skip=0, limit=1
        )
    total = str(3000 + int(rows))
    assert answer.rows == ((total, total, total),)
    assert answer.notes == (
        "1 record (line 2) has missing fields, which are NULL"
        if rows == "1"
        else f"{rows} records (the first in line 2) have missing fields, which are NULL",
    )


def test_a_header_narrower_than_every_row_is_said(store: Store) -> None:
    wide = "".join(f"{n},item{n},extra{n}\n" for n in range(3000))
    answer = asked(store, f"id,name\n{wide}".encode(), "SELECT count(*) FROM artifact")
    assert answer.rows == (("3000",),)
    assert answer.notes == ("1 line before the table: id,name",)


def test_decimal_commas_can_be_summed_as_the_note_says(store: Store) -> None:
    rows = "".join(f"{n};1.{n:03d},25;x\n" for n in range(100, 400))
    answer = asked(store, f"id;preis;art\n{rows}".encode(), "SELECT max(preis) FROM artifact")
    (note,) = answer.notes
    number = note.partition("as a number: ")[2]
    assert note.startswith("preis holds decimal commas")
    data = f"id;preis;art\n{rows}".encode()
    summed = asked(store, data, f"SELECT sum({number}) FROM artifact")
    assert summed.rows == ((str(sum(1000 + n + 0.25 for n in range(100, 400))),),)
    with asker(store, data) as one:
        assert any(number in example for example in one.schema().examples)


def test_an_encoding_that_is_not_utf8_is_named_in_each_answer(store: Store) -> None:
    rows = "".join(f"{n};złoty {n};ósmy\n" for n in range(300))
    answer = asked(store, f"id;waluta;dzień\n{rows}".encode("iso-8859-2"), "SELECT 1")
    assert answer.notes == (
        "601 bytes are not UTF-8; as ISO-8859-2 they would be letters; shown as \\xNN",
    )


def test_where_no_columns_fit_each_name_is_refused_with_the_reason_why(store: Store) -> None:
    odd = "".join(json.dumps({f"key {n}": 1}) + "\n" for n in range(90))
    data = (odd + DEEP).encode()
    with pytest.raises(UsageError, match=r'no column "name" \(JSON exceeds.*known: json'):
        asked(store, data, "SELECT name FROM artifact")
    with asker(store, data) as one:
        schema = one.schema()
        (note,) = schema.notes
    assert [column.name for column in schema.columns] == ["json"]
    assert note.startswith("objects have no common columns; each is in column `json`: JSON exceeds")


def test_a_conversion_that_fails_is_the_statements_own_fault(store: Store) -> None:
    with pytest.raises(UsageError, match="Could not convert"):
        asked(store, TABLE.encode(), "SELECT sum(name::INTEGER) FROM artifact")


def test_words_of_duckdbs_errors_in_a_cell_change_no_error(store: Store) -> None:
    for words in ("CSV Error", "state machine", "JSON exceeds maximum recursion depth"):
        data = TABLE.replace("n1", words).encode()
        with pytest.raises(UsageError, match="Could not convert"):
            asked(store, data, "SELECT sum(name::INTEGER) FROM artifact WHERE id % 5 = 1")


Recorded = Callable[[KindFacts], dict[str, object]]


@pytest.mark.parametrize(
    "recorded",
    [
        lambda facts: {},
        lambda facts: {**dump(facts), "version": 999},
        lambda facts: {**dump(facts), "records": "many"},
        lambda facts: {**dump(facts), "detector": "no.such"},
        lambda facts: {"summary": ["400 records"], "kind": "csv", "form": "comma"},
    ],
    ids=["none", "another version", "malformed", "another kind", "words"],
)
def test_without_facts_that_can_be_read_the_bytes_are_described_anew(
    store: Store, recorded: Recorded
) -> None:
    from stubcli.spill.stub import facts_of as facts_of_artifact
    from tests.helpers import artifact, session_of

    data = QUOTED.encode()
    facts = facts_of(data)
    with session_of(store) as session, artifact(session, data, facts=recorded(facts)) as kept:
        assert facts_of_artifact(kept) == facts
