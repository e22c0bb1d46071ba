"""Nested lists and maps are tables that can be asked by their path, with the counts of the page."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.detect.json.facts import JsonFacts
from stubcli.errors import UsageError
from tests.chance import examples
from tests.conftest import Store
from tests.retrieve.query_asked import asked, asker, facts_of

PODS = {
    "kind": "List",
    "items": [
        {
            "name": f"web-{n}",
            "tags": ["a", "b"][: n % 3],
            "spec": {"my-parts": [{"image": f"i{m}"} for m in range(n % 4)], "node": f"n{n % 2}"},
        }
        for n in range(30)
    ],
}
PARTS = sum(n % 4 for n in range(30))


def count(store: Store, document: Any, table: str) -> int:
    data = json.dumps(document).encode()
    answer = asked(store, data, f"SELECT count(*) FROM {table}")
    return int(answer.rows[0][0] or "")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("items", 30),
        ("ITEMS", 30),
        ('"items"', 30),
        ('items.spec."my-parts"', PARTS),
        ('items . "spec" . "my-parts"', PARTS),
        ('"my-parts"', PARTS),
        ("items.tags", sum(n % 3 for n in range(30))),
        ("items.spec", 30),
        ("(SELECT * FROM items.tags)", sum(n % 3 for n in range(30))),
        ("items, artifact", 30),
        ("artifact, items.spec", 30),
        ("items i JOIN items.spec s ON i.spec.node = s.node WHERE i.name = 'web-0'", 15),
        ("artifact, unnest(items) AS t(item)", 30),
    ],
)
def test_a_path_is_a_table_at_any_depth(store: Store, table: str, rows: int) -> None:
    assert count(store, PODS, table) == rows


def test_the_keys_of_the_items_are_its_columns(store: Store) -> None:
    data = json.dumps(PODS).encode()
    answer = asked(store, data, 'SELECT "my-parts".image FROM items.spec."my-parts" LIMIT 1')
    assert answer.rows == (("i0",),)
    assert [c.name for c in asked(store, data, "FROM items LIMIT 1").columns] == [
        "name",
        "tags",
        "spec",
    ]
    described = asked(store, data, 'DESCRIBE items.spec."my-parts"')
    assert [row[0] for row in described.rows] == ["image"]


def test_a_name_of_the_statement_hides_that_of_a_path(store: Store) -> None:
    data = json.dumps(PODS).encode()
    answer = asked(store, data, "WITH items AS (SELECT 7 AS n) SELECT n FROM items")
    assert answer.rows == (("7",),)
    answer = asked(store, data, "SELECT items[1].spec.node FROM artifact -- from items.spec")
    assert answer.rows == (("n0",),)
    answer = asked(store, data, "SELECT 'from items.spec', 'ü' FROM items.spec LIMIT 1")
    assert answer.rows == (("from items.spec", "ü"),)


def test_items_of_many_types_are_json(store: Store) -> None:
    document = {"rows": [{"list": [1, "a", {"deep": [{"x": 1}, {"x": 2}]}]}, {"list": 5}]}
    assert count(store, document, "rows.list") == 3
    assert count(store, document, "rows.list.deep") == 2


def test_a_map_is_a_table_of_its_keys_where_the_page_calls_it_one(store: Store) -> None:
    names = ["ann", "bob", "cy", "dan", "eve", "fay", "gus", "hal", "ivy", "jo", "kim", "lee"]
    users = {name: {"id": n, "role": f"r{n % 2}", "seen": "x" * n} for n, name in enumerate(names)}
    document = {"total": 12, "users": users}
    facts = facts_of(json.dumps(document).encode())
    assert isinstance(facts, JsonFacts)
    assert [(one.path, one.word, one.count) for one in facts.groups] == [("users", "key", 12)]
    assert count(store, document, "users") == 12
    data = json.dumps(document).encode()
    answer = asked(store, data, "SELECT key, value.role FROM users WHERE value.id = 3")
    assert answer.rows == (("dan", "r1"),)


@pytest.mark.parametrize(
    ("table", "said", "hint"),
    [
        ("itmes", "itmes does not exist", "did you mean items?"),
        ("items.spec.node", "items.spec.node", "items.spec"),
        ("items.nothing", "items.nothing", "items.tags"),
        ("elsewhere.t", "elsewhere", ""),
    ],
)
def test_a_path_that_leads_nowhere_is_one_line_that_helps(
    store: Store, table: str, said: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        count(store, PODS, table)
    assert said in caught.value.message
    assert hint in str(caught.value.hint)


def test_what_the_schema_lists_can_be_asked(store: Store) -> None:
    document = PODS | {"spec": {"items": [{"a": 1}]}, "teams": [{"members": [{"items": [{}]}]}]}
    with asker(store, json.dumps(document).encode()) as one:
        schema = one.schema()
        assert {entity.name for entity in schema.entities} >= {"items", "my-parts", "members"}
        for entity in schema.entities:
            assert entity.rows == one.answer(entity.sql, skip=0, limit=1).total
        for example in schema.examples:
            one.answer(example, skip=0, limit=1)


SCALARS = st.integers() | st.text(max_size=3)


def lists_of(depth: int) -> st.SearchStrategy[Any]:
    """Records, whose keys a and b hold scalars and whose key `list` holds records."""
    fields: dict[str, st.SearchStrategy[Any]] = {"a": SCALARS, "b": SCALARS}
    if depth:
        fields["list"] = lists_of(depth - 1)
    return st.lists(st.fixed_dictionaries({}, optional=fields), max_size=4)


@given(st.lists(st.fixed_dictionaries({"n": SCALARS, "c d": lists_of(2)}), min_size=8, max_size=12))
@examples(40)
def test_every_list_of_the_page_has_as_many_rows(store: Store, records: Any) -> None:
    document = {"first": 1, "records": records}
    data = json.dumps(document).encode()
    facts = facts_of(data)
    assert isinstance(facts, JsonFacts)
    listed = {group.path: group.count for group in facts.groups if group.word == "item"}
    with asker(store, data) as one:
        for path, rows in listed.items():
            if path.replace("[]", "").replace(".", "").isalnum():
                keys = path.replace("[]", "").split(".")
                table = ".".join(f'"{key}"' for key in keys)
                sql = f"SELECT count(*) FROM {table}"
                assert one.answer(sql, skip=0, limit=1).rows == ((str(rows),),), table
