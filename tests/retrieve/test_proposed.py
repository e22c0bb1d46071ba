"""What a page or an answer proposes can be run: all fixtures that are tables or JSON."""

import inspect
import shlex
from collections.abc import Callable, Iterator

import pytest

from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.table.facts import TableFacts
from stubcli.detect.words import synopsis_of
from stubcli.retrieve.query.types import quoted
from tests.conftest import Store
from tests.detect.cases import bombs, generators, mistaken_structures, mistaken_text
from tests.retrieve import test_dirty_json, test_dirty_tables, test_query_agrees
from tests.retrieve.query_asked import asker, facts_of

# Larger ones are there for the time they take.
_LARGEST = 512 << 10


def made() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Every input that the tests of detection and of queries make, by name."""
    for module in (bombs, generators, mistaken_structures, mistaken_text):
        for name, make in inspect.getmembers(module, inspect.isfunction):
            plain = make.__module__ == module.__name__ and not name.startswith("_")
            if plain and not inspect.signature(make).parameters:
                yield f"{module.__name__.rpartition('.')[2]}-{name}", make
    for name, table in test_dirty_tables.DIRTY.items():
        yield f"table-{name}", lambda table=table: test_dirty_tables.data_of(table)  # type: ignore[misc]
    for name, text in test_dirty_json.DIRTY.items():
        yield f"json-{name}", lambda text=text: test_dirty_json.data_of(text)  # type: ignore[misc]
    for name, (data, _) in test_query_agrees.INPUTS.items():
        yield f"input-{name}", lambda data=data: data  # type: ignore[misc]


MADE = dict(made())


@pytest.mark.parametrize("name", MADE)
def test_every_statement_that_is_proposed_answers(store: Store, name: str) -> None:
    data = MADE[name]()
    facts = facts_of(data) if len(data) <= _LARGEST else None
    if not isinstance(facts, TableFacts | JsonFacts) or facts.rows() is None:
        return
    names = [one for one in synopsis_of(facts).columns or () if one.isprintable()][:4]
    listed = ", ".join('"' + one.replace('"', '""') + '"' for one in names) or "*"
    with asker(store, data) as one:
        schema = one.schema()
        assert schema.rows == facts.rows()
        columns = ", ".join(quoted(column.name) for column in schema.columns)
        proposed = [
            f"SELECT {listed} FROM artifact LIMIT 10",
            f"SELECT {columns} FROM artifact LIMIT 10",
            *schema.examples,
            *(f"{entity.sql} LIMIT 5" for entity in schema.entities),
        ]
        for sql in proposed:
            assert one.answer(sql, skip=0, limit=10).notes == schema.notes, sql


@pytest.mark.parametrize(
    "name",
    [
        "table-titles, padded and not",
        "table-decimal commas",
        "table-another table below",
        "table-fields too many",
        "json-half a surrogate pair in a line",
        "json-a key without characters in an array",
        "json-an array that is cut off",
        "json-text between documents",
        "input-blank and repeated names",
        "generators-json_lines_with_noise",
    ],
)
def test_every_command_that_is_printed_runs(store: Store, name: str) -> None:
    page = store.stub("--threshold", "800", stdin=MADE[name]())
    following = next(line for line in page.text.splitlines() if line.startswith("Next: "))
    commands = following.removeprefix("Next: ").split(" · ")
    schema = store.stub("query", page.ref)
    commands += [line.strip() for line in schema.text.partition("Ask:\n")[2].splitlines()]
    assert sum(" query " in command for command in commands) >= 3
    for command in commands:
        words = shlex.split(command.replace("PATTERN", "."))
        assert words[0] == "stub"
        assert store.stub(*words[1:]).text
