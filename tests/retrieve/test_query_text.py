"""What is laid out for human eyes is a table too, with the rows that the page counts."""

import errno
import io
import os
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect import tabular
from stubcli.detect.facts import KindFacts
from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.reading import InMemory
from stubcli.detect.tabular import LineSource
from stubcli.detect.text.facts import TextFacts
from stubcli.detect.text.rows import log
from stubcli.detect.xml.facts import XmlFacts
from stubcli.errors import UsageError
from stubcli.retrieve.query.engine import Bounds
from stubcli.value import Value
from tests.chance import examples
from tests.conftest import Store
from tests.detect.cases.generators import generated
from tests.detect.test_golden import CASES
from tests.retrieve.query_asked import asked, asker, facts_of
from tests.retrieve.text_tables import TABLES

NAMED = pytest.mark.parametrize("name", sorted(TABLES))


@NAMED
def test_rows_and_columns_are_those_of_the_page(store: Store, name: str) -> None:
    table = TABLES[name]
    assert facts_of(table.data).label == table.label
    answer = asked(store, table.data)
    assert tuple(column.name for column in answer.columns) == ("line_number", *table.columns)
    assert answer.total == table.rows == counted_on_the_page(facts_of(table.data))
    sql, row = table.asked
    assert asked(store, table.data, sql).rows[0] == row


@NAMED
def test_each_row_leads_back_to_its_line(store: Store, name: str) -> None:
    table = TABLES[name]
    for number, *cells in asked(store, table.data).rows:
        line = table.lines[int(number or 0) - 1]
        said = [cell.split("\n")[0].rpartition("/")[2] for cell in cells if cell]
        assert any(text in line for text in said), (line, cells)


@NAMED
def test_what_is_in_no_row_is_counted_and_said(store: Store, name: str) -> None:
    table = TABLES[name]
    notes = [note for note in asked(store, table.data).notes if "outside" in note]
    assert len(notes) == bool(table.outside)
    if table.outside:
        lines = f"{len(table.lines):,} lines"
        stands = "stands" if table.outside == 1 else "stand"
        assert notes[0].startswith(f"{table.outside:,} of {lines} {stands} outside of the table: ")


@NAMED
def test_the_schema_lists_tables_and_questions_that_work(store: Store, name: str) -> None:
    with asker(store, TABLES[name].data) as one:
        schema = one.schema()
        assert schema.rows == TABLES[name].rows
        for entity in schema.entities:
            assert entity.beside
            assert entity.rows == one.answer(entity.sql, skip=0, limit=1).total
        assert len(schema.examples) == 3
        for example in schema.examples:
            one.answer(example, skip=0, limit=5)


def counted_on_the_page(facts: KindFacts) -> int | None:
    """How many rows the page counts; None where it counts none."""
    if isinstance(facts, XmlFacts):
        return facts.junit.tests if facts.junit else None
    if not isinstance(facts, TextFacts) or facts.body is None:
        return None
    body = facts.body
    counts: dict[str, Callable[[], int | None]] = {
        "table": lambda: max(table.rows for table in many(body, "tables")),
        "matches": lambda: number(body, "matches"),
        "diff": lambda: number(body, "files"),
        "access": lambda: sum(n for _, n in many(body, "statuses")),
        "compiler": lambda: sum(n for _, n in many(body, "severities")),
        "listing": lambda: sum(n for _, n in many(body, "types")) or body.paths.total,  # type: ignore[attr-defined]
        "records": lambda: number(body, "blocks") or number(body, "fields"),
        "testreport": lambda: sum(n for _, n in many(body, "results")),
        "log": lambda: sum(n for _, n in many(body, "levels")) or None,
    }
    return counts[body.file]() if body.file in counts else None


def many(body: Value, name: str) -> list:  # type: ignore[type-arg]
    return list(getattr(body, name))


def number(body: Value, name: str) -> int:
    return int(getattr(body, name))


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_every_table_of_a_golden_case_can_be_counted(store: Store, path) -> None:  # type: ignore[no-untyped-def]
    data = generated(path.read_text(encoding="utf-8").splitlines()[1].removeprefix("# "))
    facts = facts_of(data)
    if tabular.reader(facts) is None and facts.columns() is None:
        return
    with asker(store, data) as one:
        schema = one.schema()
        for entity in schema.entities:
            counted = one.answer(f"SELECT count(*) FROM {entity.source}", skip=0, limit=1)
            assert counted.rows == ((str(entity.rows),),)
        if isinstance(facts, JsonFacts) and facts.documents == 1:
            listed = {group.path: group.count for group in facts.groups if group.word == "item"}
            for entity in schema.entities:
                assert listed.get(entity.name, entity.rows) == entity.rows
        elif (rows := counted_on_the_page(facts)) is not None:
            assert schema.rows == rows


def test_what_holds_no_table_says_so_in_one_line(store: Store) -> None:
    prose = b"".join(
        b"And then they went down to the river, all %d of them.\n" % n for n in range(900)
    )
    with pytest.raises(UsageError) as caught:
        asked(store, prose)
    assert "holds no table" in caught.value.message
    assert "stub search PATTERN" in str(caught.value.hint)


def test_bytes_that_are_no_text_are_shown_and_counted(store: Store) -> None:
    lines = list(TABLES["log"].lines)
    data = "".join(f"{line}\n" for line in lines).encode()
    data = data.replace(b"query 7 ", b"query \xff\xfe\x00 ")
    answer = asked(store, data, "SELECT message FROM artifact WHERE message LIKE '%ff%'")
    assert answer.rows == (
        ("query \\xff\\xfe\x00 took 7 ms\nTraceback (most recent call last):\nValueError: 7",),
    )
    assert any(note.startswith("2 bytes are not UTF-8") for note in answer.notes)


def test_lines_are_read_as_they_are_displayed(store: Store) -> None:
    coloured = [
        line.replace("ERROR", "\x1b[31mERROR\x1b[0m") + "\r" for line in TABLES["log"].lines
    ]
    data = "".join(f"{line}\n" for line in coloured).encode()
    answer = asked(
        store, data, "SELECT count(*), max(length(header)) FROM artifact WHERE level = 'ERROR'"
    )
    assert answer.rows == (("30", "5"),)


def test_columns_of_one_name_are_told_apart(store: Store) -> None:
    lines = [f"{'NAME':<10} {'line_number':<12} {'NAME':<10} AGE"]
    lines += [f"{f'a{n}':<10} {n:<12} {f'b{n}':<10} {n}d" for n in range(60)]
    data = "".join(f"{line}\n" for line in lines).encode()
    answer = asked(store, data, "FROM artifact LIMIT 1")
    names = [column.name for column in answer.columns]
    assert len({name.lower() for name in names}) == 5
    assert answer.rows[0] == ("2", "a0", "0", "b0", "0d")


def test_of_a_line_that_is_too_long_the_beginning_is_read() -> None:
    lines = LineSource(InMemory(b"a\n" + b"x" * (9 << 20) + b"\r\nb\r\n\nc"))
    found = [(number, len(line)) for number, line in lines]
    assert found == [(1, 1), (2, 4 << 20), (3, 1), (4, 0), (5, 1)]
    assert (lines.cut, lines.number) == (1, 5)


@given(
    st.lists(st.sampled_from(["alpha", "be ta", "", "x\r", "\x1b[1mbold\x1b[0m"]), max_size=30),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
@examples(60)
def test_lines_have_the_numbers_that_they_have_in_the_stream(
    texts: list[str], end: str, closed: bool
) -> None:
    data = (end.join(texts) + (end if closed else "")).encode()
    expected = data.split(b"\n")
    expected = expected[:-1] if expected[-1] == b"" else expected
    found = list(LineSource(InMemory(data)))
    assert [number for number, _ in found] == list(range(1, len(expected) + 1))
    assert not any(b"\x1b" in line for _, line in found)


WORDS = st.text(st.sampled_from("abc :=[]ä\"'|,.0"), max_size=8)
ENTRIES = st.tuples(st.sampled_from(["INFO", "WARN", "ERROR"]), WORDS, st.lists(WORDS, max_size=2))


@given(st.lists(ENTRIES, min_size=30, max_size=60))
@examples(60)
def test_every_line_of_a_log_is_in_a_row(entries: list[tuple[str, str, list[str]]]) -> None:
    lines, expected = [], []
    for second, (level, word, more) in enumerate(entries):
        lines.append(f"2026-04-01 10:00:{second:02d} {level} said {word}")
        lines += [f"    at {one}" for one in more]
        expected.append((level, [f"said {word}".rstrip(), *(f"    at {one}" for one in more)]))
    source = InMemory("\n".join(lines).encode())
    names: list[str] = []
    found = []
    for row in log.rows(LineSource(source)):
        assert row.table is not None
        names = [column.name for column in row.table.columns]
        cells = dict(zip(names, row.cells, strict=True))
        # What ends like the name of a source may be taken for one.
        said = " ".join(filter(None, (cells.get("source"), cells["message"])))
        found.append((cells["level"], said.count("\n") + 1))
    assert found == [(level, len(parts)) for level, parts in expected]


class FullDisk(io.BytesIO):
    def write(self, data: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_rows_for_which_there_is_no_room_are_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", FullDisk)
    with pytest.raises(UsageError, match=r"No space left on device.*TMPDIR"):
        asked(store, TABLES["log"].data)

    def missing() -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", missing)
    with pytest.raises(UsageError, match=r"No usable temporary directory.*TMPDIR"):
        asked(store, TABLES["log"].data)


def test_reading_the_rows_ends_at_the_deadline(store: Store) -> None:
    data = b"".join(TABLES["log"].data for _ in range(40))
    with (
        asker(store, data, bounds=Bounds(1 << 30, 0.0)) as one,
        pytest.raises(UsageError, match="no answer within 0 s"),
    ):
        one.schema()


def test_a_kind_without_rows_has_no_reader() -> None:
    assert tabular.reader(facts_of(b"plain words\n" * 40)) is None
    assert tabular.reader(facts_of(b"a,b\n" + b"1,2\n" * 40)) is None
