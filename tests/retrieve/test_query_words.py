"""No word of an input steers how it is read, not even the product's own.

Every text constant of the package stands in a preamble, in a cell, as a key, as a line among
records, before and after a document: the rows beside it are the same.
"""

import ast
import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import stubcli
from stubcli.detect.facts import dump
from stubcli.detect.json.record import is_record
from stubcli.detect.table.facts import TableFacts
from tests.conftest import Store
from tests.retrieve.query_asked import asked, asker, facts_of

PACKAGE = Path(stubcli.__file__).parent
LONGEST = 120
ROWS = [(n, f"name {n % 7}", n * 2) for n in range(300)]
TOTAL = str(sum(total for _, _, total in ROWS))
COLUMNS = 12


def constants() -> Iterator[str]:
    """Each text of the package's sources, also the parts of those with values in them."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value.encode("utf-8", "ignore").decode()


def phrases() -> list[str]:
    """The texts as words on one line, without what means something to CSV by itself."""
    found = {
        " ".join(re.sub(r'[",\x00-\x1f]', " ", text).split())[:LONGEST] for text in constants()
    }
    return sorted(text for text in found if len(text) > 2)


PHRASES = phrases()


def table(rows: Sequence[tuple[object, ...]], header: tuple[str, ...]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


WIDE = table(
    [(*row, *("x",) * (COLUMNS - 3)) for row in ROWS],
    ("id", "name", "total", *(f"more {n}" for n in "abcdefghi")),
)


def test_the_package_has_words() -> None:
    assert len(PHRASES) > 1000
    assert any("quotes are read as data" in text for text in PHRASES)


def test_words_in_a_preamble_change_nothing(store: Store) -> None:
    plain = facts_of(WIDE.encode())
    assert isinstance(plain, TableFacts)
    lines = ["# " + " / ".join(PHRASES[at : at + 12]) for at in range(0, len(PHRASES), 12)]
    for at in range(0, len(lines), 16):
        batch = lines[at : at + 16]
        data = ("\n".join(batch) + "\n" + WIDE).encode()
        facts = facts_of(data)
        assert isinstance(facts, TableFacts), (facts.label, batch)
        assert facts.before is not None
        assert facts.before.lines == len(batch)
        same = ("delimiter", "quotes", "balanced", "line_end", "header", "records", "ragged")
        assert [getattr(facts, one) for one in same] == [getattr(plain, one) for one in same]
        assert data[facts.start : facts.end] == WIDE.encode()[plain.start : plain.end]
    answer = asked(store, data, "SELECT sum(total), count(*) FROM artifact")
    assert answer.rows == ((TOTAL, "300"),)


@pytest.mark.parametrize("several", [1, 16])
def test_words_of_its_own_in_a_preamble_change_no_answer(store: Store, several: int) -> None:
    own = [
        "quotes are not balanced: read as data",
        "with BOM and CRLF line ends",
        "3 other lines, the first at line 7",
        "1 line before it: nothing",
        "other text after it, from byte 12: none",
        "2,999 records, 3 columns, delimiter tab",
        "incomplete JSON: the input ends at byte 4",
        "5,000 physical lines: cells hold line ends or lines are blank",
    ]
    quoted = table([(n, f"Doe, J{n}", n * 2) for n in range(300)], ("id", "name", "total"))
    for words in own:
        data = ("".join(f"# {words}\n" for _ in range(several)) + quoted).encode()
        answer = asked(store, data, "SELECT sum(total), min(name) FROM artifact")
        assert answer.rows == ((TOTAL, "Doe, J0"),)


def test_words_in_cells_come_back_and_change_nothing(store: Store) -> None:
    rows = [(n, text, n * 2) for n, text in enumerate(PHRASES)]
    data = table(rows, ("id", "words", "total")).encode()
    facts = facts_of(data, "text/csv")
    assert isinstance(facts, TableFacts)
    assert (facts.records, facts.ragged, facts.balanced) == (len(PHRASES), 0, True)
    with asker(store, data, mime="text/csv") as one:
        answer = one.answer("SELECT words, total FROM artifact", skip=0, limit=len(PHRASES))
    assert [row[0] for row in answer.rows] == PHRASES
    assert answer.rows[-1][1] == str(2 * (len(PHRASES) - 1))
    assert answer.notes == ()


def test_words_on_lines_among_records_are_other_lines(store: Store) -> None:
    others = [text for text in PHRASES if not is_record(text)]
    records = [json.dumps({"id": n, "total": n * 2}) for n in range(2 * len(others))]
    lines = [line for n, text in enumerate(others) for line in (text, *records[2 * n : 2 * n + 2])]
    lines.insert(0, records.pop())
    facts = facts_of("\n".join(lines).encode(), "application/json")
    assert facts.label == "json/lines"
    answer = asked(store, "\n".join(lines).encode(), "SELECT count(*), sum(total) FROM artifact")
    assert answer.notes == (f"{len(others):,} other lines, the first at line 2",)
    assert int(answer.rows[0][0] or 0) == facts.rows()


def test_words_as_keys_are_columns(store: Store) -> None:
    keys = [text for text in PHRASES if text.lower() not in ("id", "total")]
    for at in range(0, len(keys), 190):
        batch = {text.lower(): text for text in keys[at : at + 190]}.values()
        records = [{"id": n, "total": n * 2, **dict.fromkeys(batch, 1)} for n in range(3)]
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        answer = asked(store, data, "SELECT * FROM artifact")
        assert {column.name for column in answer.columns} == {"id", "total", *batch}
        assert [row[:2] for row in answer.rows] == [("0", "0"), ("1", "2"), ("2", "4")]
        assert answer.notes == ()


def test_words_before_and_after_a_document_are_no_part_of_it(store: Store) -> None:
    items = [{"id": n, "total": total, "pad": "x" * 2000} for n, _, total in ROWS]
    beside = [text for text in PHRASES if text[:1] not in "{["]
    after = "\n".join(beside)
    before = [" / ".join(beside[at : at + 500]) for at in range(0, len(beside), 500)]
    for data in (
        *(f"{words}\n{json.dumps(items)}" for words in before),
        f"{json.dumps(items)}\n{after}\n",
        f"{before[0]}\n{json.dumps(items)}\n{after}\n",
    ):
        answer = asked(store, data.encode(), "SELECT count(*), sum(total) FROM artifact")
        assert answer.rows == (("300", TOTAL),)
        assert len(answer.notes) == (data[0] != "[") + (data[-1] == "\n")


def test_show_repeats_words_and_has_the_facts(store: Store) -> None:
    rows = [(n, text, n * 2) for n, text in enumerate(PHRASES)]
    data = table(rows, ("id", "words", "total")).encode()
    printed = store.stub("--mime", "text/csv", stdin=data)
    assert store.stub("show", "last").out == printed.out
    document = json.loads(store.stub("show", "last", "--json").out)
    facts = facts_of(data, "text/csv")
    assert document["facts"] == json.loads(json.dumps(dump(facts)))
    assert "synopsis" not in document
