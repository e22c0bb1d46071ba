"""JSON as a table: every key, every digit, every value, whatever shape it comes in."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stubcli.errors import UsageError
from stubcli.retrieve.query.engine import Bounds
from tests.chance import examples
from tests.conftest import Store
from tests.retrieve.query_asked import asked, asker, facts_of, types_of


def lines(*values: object) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def test_records_a_line_are_rows(store: Store) -> None:
    answer = asked(store, lines(*({"id": n, "at": {"host": f"h{n}"}} for n in range(30))))
    assert types_of(answer) == {"id": "BIGINT", "at": "STRUCT(host VARCHAR)"}
    assert answer.rows[7] == ("7", '{"host":"h7"}')
    assert answer.total == 30


@pytest.mark.parametrize("indent", [None, 2])
def test_the_items_of_an_array_are_rows(store: Store, indent: int | None) -> None:
    data = json.dumps([{"id": n, "x": None} for n in range(30)], indent=indent).encode()
    assert asked(store, data, "SELECT count(*), max(id) FROM artifact").rows == (("30", "29"),)


def test_an_object_is_one_row_and_what_it_nests_can_be_reached(store: Store) -> None:
    # A document smaller than a block was read again and again, for ever.
    data = json.dumps({"meta": {"page": 1}, "items": [{"a": n} for n in range(9)]}).encode()
    answer = asked(store, data)
    assert (len(answer.rows), answer.total) == (1, 1)
    nested = asked(store, data, "SELECT item.a FROM (SELECT unnest(items) AS item FROM artifact)")
    assert nested.rows == tuple((str(n),) for n in range(9))


def test_an_object_larger_than_what_duckdb_takes_by_default_is_read(store: Store) -> None:
    # 16 MiB, see https://duckdb.org/docs/stable/data/json/loading_json
    data = json.dumps({"meta": 1, "items": [{"a": "x" * 1000, "n": n} for n in range(18_000)]})
    assert len(data) > 17 << 20
    sql = "SELECT count(*), max(item.n) FROM (SELECT unnest(items) AS item FROM artifact)"
    assert asked(store, data.encode(), sql).rows == (("18000", "17999"),)


def test_values_one_after_the_other_are_rows(store: Store) -> None:
    data = b'{"a":\n1}\n{"a":2} {"a":3}\n{"a":4}\n'
    assert asked(store, data, "SELECT a FROM artifact").rows == (("1",), ("2",), ("3",), ("4",))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9007199254740993", "9007199254740993"),
        ("0.1", "0.1"),
        ("1e300", "1e+300"),
        ("1e400", "1e400"),
        ('"2024-01-01T10:00:00.123456789Z"', "2024-01-01T10:00:00.123456789Z"),
        ('"01/02/2024"', "01/02/2024"),
        ('"007"', "007"),
        ('"10:00"', "10:00"),
        ("true", "true"),
        ("null", None),
        ('""', ""),
        ('"a\\u0000b\\n\\u202e"', "a\0b\n\u202e"),
        ('[1,"a",null]', '[1,"a",null]'),
        ('{"x":{"y":[]}}', '{"x":{"y":[]}}'),
    ],
)
def test_a_value_is_the_one_of_the_document(store: Store, value: str, shown: str | None) -> None:
    data = "".join(f'{{"n":{n},"v":{value}}}\n' for n in range(5)).encode()
    assert asked(store, data, "SELECT v FROM artifact").rows == ((shown,),) * 5


@pytest.mark.parametrize("ends", [("", "\n"), ("[", "]")])
def test_half_of_a_surrogate_pair_costs_no_record(store: Store, ends: tuple[str, str]) -> None:
    # JSON.stringify writes one where a text was cut inside an emoji.
    halves = r'{"v":"cut \ud83d"}', r'{"v":"\\ud83d \uDE00 \ud83d\ude00"}'
    data = (ends[0] + ("," if ends[0] else "\n").join(halves) + ends[1]).encode()
    assert asked(store, data).rows == ((r"cut \ud83d",), (r"\ud83d \uDE00 😀",))


def test_a_record_too_deep_for_columns_is_json(store: Store) -> None:
    deep = f'{{"n":{"[" * 400}1{"]" * 400}}}\n'
    answer = asked(store, (deep + '{"n":[]}\n' * 30).encode())
    assert types_of(answer) == {"n": "JSON"}
    assert (answer.total, answer.rows[1]) == (31, ("[]",))
    assert answer.notes == ("values nest too deeply for types; each column is text or JSON",)


def test_large_numbers_among_fractions_keep_their_digits_at_any_depth(store: Store) -> None:
    # As a DOUBLE 9007199254740993 is 9007199254740992.
    data = (
        b'{"a":0.5,"b":{"c":[{"d":9007199254740993},{"d":0.5}]},"e":{"f":1}}\n'
        b'{"a":9007199254740993,"b":{"c":[]},"e":{"f":2.5}}\n'
    )
    answer = asked(store, data)
    assert types_of(answer)["a"] == "JSON"
    assert types_of(answer)["e"] == "STRUCT(f DOUBLE)"
    assert [row[0] for row in answer.rows] == ["0.5", "9007199254740993"]
    assert answer.rows[0][1] == '{"c":[{"d":9007199254740993},{"d":0.5}]}'


def test_a_key_that_only_the_last_record_has_is_a_column(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stubcli.retrieve.query.ways._SMALL", 0)
    records = [{"a": n} for n in range(21_000)] + [{"a": 1, "late": {"x": "y"}}]
    answer = asked(store, lines(*records), "SELECT late.x FROM artifact WHERE late IS NOT NULL")
    assert answer.rows == (("y",),)


def test_a_type_that_only_the_last_record_has_is_no_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stubcli.retrieve.query.ways._SMALL", 0)
    records = [{"a": n} for n in range(21_000)] + [{"a": "text"}]
    answer = asked(store, lines(*records), "SELECT a FROM artifact", skip=20_999)
    assert answer.rows == (("20999",), ('"text"',))


@pytest.mark.parametrize(
    ("data", "count", "note"),
    [
        (
            lines({"a": 1}, {"a": 2}) + b"warning: x\n" + lines({"a": 3}),
            3,
            "1 other line, the first",
        ),
        (b'{"a":"\xff"}\n{"a":"b"}\n{"a":"c"}\n', 3, "1 byte is not UTF-8; shown as"),
        (
            b'{"a":1,"a":2}\n{"a":1}\n{"a":3}\n',
            3,
            "1 value (line 1) has a key more than once",
        ),
        (b'{"a":1}\n{"A":{"b":1}}\n{"a":3}\n', 3, ""),
        (b'\xef\xbb\xbf{"a":1}\n{"a":2}\n', 2, ""),
        (b'{"a":1}\r\n{"a":2}\r\n', 2, ""),
        (b'{"a":1}\n\n\n{"a":2}\n', 2, ""),
        (b'{"a":"x\ty"}\n{"a":2}\n', 2, ""),
        (b"[1,2]\n[3,4]\n[5]\n", 3, ""),
    ],
    ids=[
        *("other lines", "no UTF-8", "a key twice", "keys alike", "bom", "crlf", "blank lines"),
        *("control character", "arrays"),
    ],
)
def test_every_record_is_a_row_and_the_rest_is_said(
    store: Store, data: bytes, count: int, note: str
) -> None:
    answer = asked(store, data)
    assert len(answer.rows) == answer.total == count
    assert bool(answer.notes) == bool(note)
    assert all(said.startswith(note) for said in answer.notes)


def test_text_around_a_document_is_said(store: Store) -> None:
    body = json.dumps([{"a": n, "b": "x" * 50} for n in range(50)], indent=1)
    answer = asked(store, f"loading…\n{body}\ndone\n".encode())
    assert answer.total == 50
    after = len("loading…\n".encode()) + len(body) + 1
    assert answer.notes == (
        "1 line before it: loading…",
        f"other text after it, from byte {after:,}: done",
    )


def test_of_a_document_that_was_cut_off_the_whole_items_are_rows(store: Store) -> None:
    data = json.dumps([{"a": n, "b": "x" * 50} for n in range(50)]).encode()[:-40]
    answer = asked(store, data, "SELECT count(*), max(a) FROM artifact")
    assert answer.rows == (("49", "48"),)
    assert answer.notes == (f"incomplete JSON: the input ends at byte {len(data):,}",)


def test_a_document_larger_than_the_memory_is_one_honest_line(store: Store) -> None:
    data = json.dumps({"items": [{"a": "x" * 1000} for _ in range(40_000)]}).encode()
    with (
        asker(store, data, bounds=Bounds(48 << 20, 60)) as one,
        pytest.raises(UsageError, match=r"more memory than 50,331,648 bytes.*--memory"),
    ):
        one.answer("SELECT len(items) FROM artifact", skip=0, limit=1)


KEYS = st.text(st.sampled_from('abc"\\.é $'), min_size=1, max_size=3)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def without_nulls(value: Any) -> Any:
    """A key with null and no key are the same to a table."""
    if isinstance(value, dict):
        kept = {key: without_nulls(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner not in (None, {})}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


@examples(40)
@given(st.lists(VALUES, min_size=2, max_size=6))
def test_any_values_come_back_as_they_went(store: Store, values: list[Any]) -> None:
    data = lines(*({"id": n, "value": value} for n, value in enumerate(values)))
    assert facts_of(data).label == "json/lines"
    sql = "SELECT to_json(value) FROM artifact"
    found = [json.loads(row[0] or "null") for row in asked(store, data, sql).rows]
    assert [without_nulls(one) for one in found] == [without_nulls(one) for one in values]
