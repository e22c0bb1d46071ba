"""JSON as it comes out of other programs: page, schema and a SELECT tell of the same records.

What is no value, or could not be read as it stands, is said with its line or its byte; every word
of the rest comes back in a cell or a name.
"""

import json
import re
from dataclasses import dataclass

import pytest

from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.words import synopsis_of
from tests.conftest import Store
from tests.retrieve.query_asked import asker, facts_of

TOWNS = ("Ulm", "Köln", "Bonn")
RECORDS = [{"id": n, "town": f"{TOWNS[n % 3]}{n}", "amount": n + 0.5} for n in range(1, 41)]
TEXTS = [json.dumps(one, ensure_ascii=False) for one in RECORDS]
TOTAL = str(sum(n + 0.5 for n in range(1, 41)))
NAMES = ("id", "town", "amount")


def lines(texts: list[str] = TEXTS, end: str = "\n") -> str:
    return end.join([*texts, ""])


def array(texts: list[str] = TEXTS) -> str:
    return "[\n" + ",\n".join(texts) + "\n]\n"


def tenth(text: str) -> list[str]:
    """The records with another tenth one."""
    return [*TEXTS[:9], text, *TEXTS[10:]]


def indented(between: str) -> str:
    return "".join(json.dumps(one, indent=1, ensure_ascii=False) + between for one in RECORDS)


@dataclass(frozen=True)
class Dirty:
    """text: what came in. names: the columns; records: how many. page: what the page must say, and
    each answer too; notes: what answers say besides. amount: the sum; number: how it is written.
    """

    text: str
    names: tuple[str, ...] = NAMES
    records: int = 40
    page: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    amount: str = TOTAL
    number: str = "amount"
    encoding: str = "utf-8"
    left_out: str = ""


HALF = '{"id": 10, "town": "cut \\ud83d", "amount": 10.5}'
TWICE = '{"id": 9, "id": 10, "town": "x", "amount": 10.5}'
EMPTY = '{"id": 10, "": "none", "town": "x", "amount": 10.5}'
AGAIN = "1 value (line 10) has a key more than once; the last one counts"
NO_NAME = "1 value (line 10) has a key without characters, in column empty_key"
LARGE = "9" * 400
AS_DOUBLE = "TRY_CAST(amount AS DOUBLE)"
DIRTY: dict[str, Dirty] = {
    "half a surrogate pair in a line": Dirty(
        lines(tenth(HALF)), page=("1 escape is half of a surrogate pair, the first at line 10",)
    ),
    "half a surrogate pair in an array": Dirty(
        array(tenth(HALF)), page=("1 escape is half of a surrogate pair, the first at line 11",)
    ),
    "a key twice in a line": Dirty(lines(tenth(TWICE)), notes=(AGAIN,), left_out="9"),
    "a key twice in an array": Dirty(
        array(tenth(TWICE)), notes=(AGAIN.replace("10", "11"),), left_out="9"
    ),
    "a key without characters in a line": Dirty(
        lines(tenth(EMPTY)), (*NAMES, "empty_key"), notes=(NO_NAME,)
    ),
    "a key without characters in an array": Dirty(
        array(tenth(EMPTY)), (*NAMES, "empty_key"), notes=(NO_NAME.replace("10", "11"),)
    ),
    "keys that differ in case": Dirty(
        lines(tenth('{"id": 10, "ID": "x", "town": "y", "amount": 10.5}')), (*NAMES, "ID_1")
    ),
    "a number of four hundred digits": Dirty(
        lines(tenth(f'{{"id": 10, "town": "x", "amount": {LARGE}}}')),
        notes=("amount holds numbers that no type keeps",),
        number=f"CASE WHEN id <> 10 THEN {AS_DOUBLE} ELSE 10.5 END",
    ),
    "a number of thirty digits": Dirty(
        lines(tenth(f'{{"id": {LARGE[:30]}, "town": "x", "amount": 10.5}}')),
        notes=("id holds numbers that no type keeps",),
    ),
    "an exponent too large in an array": Dirty(
        array(tenth('{"id": 10, "town": "x", "amount": 1e400}')),
        notes=("amount holds numbers that no type keeps",),
        number=f"CASE WHEN id <> 10 THEN {AS_DOUBLE} ELSE 10.5 END",
    ),
    "another encoding in lines": Dirty(
        lines(), notes=("14 bytes are not UTF-8; shown as \\xNN",), encoding="iso-8859-1"
    ),
    "another encoding in an array": Dirty(
        array(), notes=("14 bytes are not UTF-8; shown as \\xNN",), encoding="iso-8859-1"
    ),
    "text before an array": Dirty(
        "slow disk\nretry\n" + array(), page=("2 lines before it: slow disk",)
    ),
    "text before lines": Dirty(
        "slow disk\nretry\n" + lines(),
        page=("2 other lines, the first at line 1",),
        left_out="slow disk retry",
    ),
    "text behind an array": Dirty(
        array() + "done: 40\nbye\n", page=("other text after it, from byte 1,817: done: 40 bye",)
    ),
    "text behind lines": Dirty(
        lines() + "done\n", page=("1 other line, the first at line 41",), left_out="done"
    ),
    "text between lines": Dirty(
        lines([*TEXTS[:20], "-- part two", "", *TEXTS[20:]]),
        page=("1 other line, the first at line 21",),
        left_out="part two",
    ),
    "text between documents": Dirty(
        indented("\n--- next ---\n").removesuffix("--- next ---\n"),
        page=("39 other lines, the first at line 6",),
        left_out="next",
    ),
    "documents of several lines": Dirty(indented("\n")),
    "documents without space between": Dirty("".join(TEXTS)),
    "documents, two in each line": Dirty(
        "".join(f"{one} {two}\n" for one, two in zip(TEXTS[::2], TEXTS[1::2], strict=True))
    ),
    "record separators": Dirty("".join(f"\x1e{text}\n" for text in TEXTS)),
    "a comma behind each line": Dirty(lines([text + "," for text in TEXTS])),
    "a comma behind the last item": Dirty(
        "[\n" + ",\n".join(TEXTS) + ",\n]\n", page=("invalid JSON at byte ",)
    ),
    "a comment in an array": Dirty(
        array(tenth("// the tenth\n" + TEXTS[9])),
        page=("1 other line, the first at line 11",),
        left_out="the tenth",
    ),
    "a line that is no record": Dirty(
        lines(tenth('{"id": 10, "town": "x\\q", "amount": 10.5}')),
        records=39,
        page=("1 other line, the first at line 10",),
        amount=str(float(TOTAL) - 10.5),
        left_out="10 x q 10.5",
    ),
    "a line that is cut off": Dirty(
        lines()[:-12],
        records=39,
        page=("1 other line, the first at line 40",),
        amount=str(float(TOTAL) - 40.5),
        left_out="40 Köln40 amo",
    ),
    "an array that is cut off": Dirty(
        array()[:-16],
        records=39,
        page=("incomplete JSON: the input ends at byte ",),
        amount=str(float(TOTAL) - 40.5),
        left_out="40 Köln40",
    ),
    "values that are no objects": Dirty(
        lines([*TEXTS, '["x", 1]']),
        (*NAMES, "json"),
        records=41,
        notes=("1 value (line 41) is no object, in column json",),
    ),
    "control characters in texts": Dirty(
        lines(tenth('{"id": 10, "town": "a\tb", "amount": 10.5}'))
    ),
    "not a number": Dirty(
        lines(tenth('{"id": 10, "town": "x", "amount": NaN}')),
        number="if(isnan(amount), 10.5, amount)",
        left_out="NaN",
    ),
    "a byte order mark": Dirty("\ufeff" + lines()),
    "CR LF": Dirty(lines(end="\r\n")),
    "CR alone": Dirty(lines(end="\r")),
}


@pytest.fixture(params=DIRTY, ids=lambda name: name.replace(" ", "-"))
def dirty(request: pytest.FixtureRequest) -> Dirty:
    return DIRTY[request.param]


def data_of(dirty: Dirty) -> bytes:
    return dirty.text.encode(dirty.encoding)


def test_the_page_counts_the_records_and_says_what_is_none(dirty: Dirty) -> None:
    facts = facts_of(data_of(dirty))
    assert isinstance(facts, JsonFacts), facts.label
    assert facts.rows() == dirty.records
    assert set(facts.names) <= set(dirty.names)
    summary = synopsis_of(facts).summary
    for note in dirty.page:
        assert any(line.startswith(note) for line in summary), summary


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
    for note, said in zip((*dirty.page, *dirty.notes), answer.notes, strict=True):
        assert said.startswith(note)


def test_numbers_can_be_summed(store: Store, dirty: Dirty) -> None:
    with asker(store, data_of(dirty)) as one:
        found = one.answer(f"SELECT sum({dirty.number}) FROM artifact", skip=0, limit=1)
    assert found.rows == ((dirty.amount,),)


def test_every_word_comes_back_or_its_line_is_told(store: Store, dirty: Dirty) -> None:
    data = data_of(dirty)
    facts = facts_of(data)
    assert isinstance(facts, JsonFacts)
    with asker(store, data) as one:
        answer = one.answer("FROM artifact", skip=0, limit=100)
    cells = [cell or "" for row in answer.rows for cell in row]
    found = set(re.findall(r"\w+", " ".join([*cells, *dirty.names, dirty.left_out])))
    kept = data[facts.start : facts.end].decode("utf-8", "backslashreplace")
    words = set(re.findall(r"\w+", re.sub(r"\\ud83d|\\t", " ", kept)))
    assert {word for word in words - found if not word.startswith(("ud83d", "1e400"))} <= {"ID"}
