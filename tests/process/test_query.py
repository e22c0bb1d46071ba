"""`stub query` as a process: what is printed, said and returned."""

import csv
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Store
from tests.helpers import Ran, assert_one_line_of_advice, ended, forked, names, started, wait_until
from tests.retrieve.text_tables import TABLES

ROWS = [f"{n},name {n % 3},{n}.5" for n in range(3000)]
TABLE = ("id,name,score\n" + "".join(row + "\n" for row in ROWS)).encode()
API = {
    "meta": {"page": 1},
    "users": [{"id": n, "teamId": n % 3, "name": f"u{n}"} for n in range(300)],
    "teams": [{"id": n, "label": f"t{n}"} for n in range(3)],
    "orders": [
        {"id": n, "user_id": n % 350, "state": "failed" if n % 7 == 0 else "ok", "total": n * 1.5}
        for n in range(500)
    ],
}


@pytest.fixture
def kept(store: Store) -> Store:
    """A store that holds TABLE."""
    assert forked(store, TABLE).out.startswith(b"[stub artifact:")
    return store


def query(store: Store, *arguments: str, status: int = 0, **environment: str) -> Ran:
    done = forked(store, b"", "query", *arguments, environment=environment)
    assert done.status == status, done
    return done


def typed(command: str) -> list[str]:
    """The arguments of a command that was printed."""
    words = shlex.split(command)
    assert words[:2] == ["stub", "query"]
    return words[2:]


def test_rows_are_a_table_and_the_total_is_said(kept: Store) -> None:
    done = query(kept, "last", "SELECT name, count(*) AS n FROM artifact GROUP BY name ORDER BY 1")
    assert done.out.decode().splitlines() == [
        "name       n",
        "name 0  1000",
        "name 1  1000",
        "name 2  1000",
    ]
    assert done.lines == ["stub: 3 rows"]


@pytest.mark.parametrize("form", ["table", "csv", "json", "jsonl", "markdown"])
@pytest.mark.parametrize("limit", ["600", "100000"])
def test_pages_that_follow_each_other_are_all_rows(kept: Store, form: str, limit: str) -> None:
    found: list[str] = []
    arguments = ["--format", form, "--page", "40000", "--limit", limit, "last"]
    arguments.append("SELECT id FROM artifact WHERE id < 2000 ORDER BY id DESC")
    for _ in range(40):
        done = query(kept, *arguments)
        assert len(done.out) <= 40_000 + 1000
        lines = done.out.decode().splitlines()
        if form == "json":
            document = json.loads(done.out)
            found += [str(row["id"]) for row in document["rows"]]
            assert (document["total"], document["has_more"]) == (2000, len(found) < 2000)
            following = document["next"]
        else:
            header = {"table": 1, "csv": 1, "markdown": 2, "jsonl": 0}[form]
            found += [line.strip('|{}": id') for line in lines[header:]]
            assert " of 2,000" in done.lines[-1] or done.lines[-1] == "stub: 2,000 rows"
            following = done.lines[-1].partition("; next: ")[2]
        if not following:
            break
        arguments = typed(following)
    assert found == [str(n) for n in range(1999, -1, -1)]


def test_past_the_end_the_true_total_is_said(kept: Store) -> None:
    done = query(kept, "--skip", "5000", "last", "SELECT id FROM artifact")
    assert done.lines == ["stub: nothing here: 3,000 rows"]
    assert query(kept, "last", "SELECT id FROM artifact WHERE false").lines == ["stub: 0 rows"]


def test_a_question_on_several_lines_goes_on_as_it_is_printed(kept: Store) -> None:
    sql = "-- it's\nSELECT id AS \u00e9,\t'a\\b' AS b\nFROM artifact"
    done = query(kept, "-n", "2", "--format", "csv", "--", "last", sql)
    following = done.lines[0].partition("; next: stub ")[2]
    again = kept.shell(f"$STUB {following}")
    assert again.text.splitlines() == ["é,b", "2,a\\b", "3,a\\b"]


EXACT = (
    "SELECT 123456789012345678901234567890::HUGEINT AS big, 1.50::DECIMAL(9,2) AS money, "
    "0.1::DOUBLE AS tenth, 'nan'::DOUBLE AS none, NULL AS nothing, '' AS empty, true AS yes, "
    "DATE '2024-02-29' AS day, TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS nano, "
    "INTERVAL '14 months' AS span, 'a,\"b\"' AS text, [1, NULL] AS list, {'k': 'v'} AS obj, "
    "'\\xAA'::BLOB AS blob"
)


def test_json_has_every_digit(kept: Store) -> None:
    done = query(kept, "--json", "last", EXACT)
    assert b'"big": 123456789012345678901234567890,' in done.out
    assert b'"money": 1.50,' in done.out
    document = json.loads(done.out)
    assert document["columns"][0] == {"name": "big", "type": "HUGEINT"}
    assert document["rows"][0] == {
        "big": 123456789012345678901234567890,
        "money": 1.5,
        "tenth": 0.1,
        "none": "nan",
        "nothing": None,
        "empty": "",
        "yes": True,
        "day": "2024-02-29",
        "nano": "2024-01-01 00:00:00.123456789",
        "span": "1 year 2 months",
        "text": 'a,"b"',
        "list": [1, None],
        "obj": {"k": "v"},
        "blob": "\\xAA",
    }


def test_csv_has_every_digit_and_tells_null_from_empty(kept: Store) -> None:
    done = query(kept, "--format", "csv", "last", EXACT)
    header, row = csv.reader(io.StringIO(done.out.decode()))
    assert header[:3] == ["big", "money", "tenth"]
    assert row[:2] == ["123456789012345678901234567890", "1.50"]
    assert row[10:12] == ['a,"b"', "[1,null]"]
    assert b'nan,,"",true,' in done.out


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_is_json_that_every_reader_takes(kept: Store, form: str) -> None:
    sql = "SELECT {'a': 'nan'::DOUBLE} AS a, 'inf'::DOUBLE AS b, chr(8238) AS c, 1 AS x, 2 AS x"
    out = query(kept, "--format", form, "last", sql).out

    def refuse(word: str) -> object:
        raise AssertionError(word)

    document = json.loads(out, parse_constant=refuse)
    row = document["rows"][0] if form == "json" else document
    assert row == {"a": '{"a":NaN}', "b": "inf", "c": "\u202e", "x": 1, "x_1": 2}
    assert "\u202e".encode() not in out


def test_what_could_drive_a_terminal_is_shown_escaped(kept: Store) -> None:
    sql = "SELECT chr(27) || '[2J' || chr(8238) || chr(10) || 'x' AS a"
    for form in ("table", "markdown"):
        out = query(kept, "--format", form, "last", sql).out
        assert b"\\x1b[2J<U+202E>\\nx" in out
        assert b"\x1b" not in out


def test_a_wide_cell_is_cut_with_a_count_in_a_table_and_whole_elsewhere(kept: Store) -> None:
    sql = "SELECT repeat('x', 5000) AS wide, 1 AS n"
    out = query(kept, "last", sql).out.decode()
    assert "x… (+4,920 characters)" in out
    assert query(kept, "--format", "csv", "last", sql).out.decode().split(",")[1] == (
        "n\n" + "x" * 5000
    )


def test_a_row_too_large_for_a_page_is_no_half_a_row(kept: Store) -> None:
    sql = "SELECT repeat('x', 50000) AS wide"
    done = query(kept, "--format", "csv", "last", sql, status=2)
    assert done.out == b""
    assert "one row takes 50,005 characters" in done.lines[0]
    done = query(kept, "--format", "csv", "--page", "60000", "last", sql)
    assert len(done.out) == 50_006


def test_the_schema_shows_tables_references_and_questions_that_run(store: Store) -> None:
    forked(store, json.dumps(API).encode())
    done = query(store, "last")
    out = done.out.decode()
    assert "Table artifact: 1 row, 4 columns" in out
    assert "  meta.page         BIGINT" in out
    assert "  orders[].user_id  BIGINT" in out
    assert "  users: 300 rows: SELECT * FROM users" in out
    assert "  users.teamId -> teams.id: 3 of 3 values stand there" in out
    assert "  orders.user_id -> users.id: 300 of 350 values stand there" in out
    questions = [line.strip() for line in out.partition("Ask:\n")[2].splitlines()]
    assert len(questions) == 3
    answers = [query(store, *typed(question)) for question in questions]
    assert answers[0].out.decode().splitlines()[1:] == ["ok      428", "failed   72"]
    assert answers[2].lines == ["stub: 5 rows"]
    assert query(store, "last").out == done.out


def test_the_schema_as_json_says_the_same(store: Store) -> None:
    forked(store, json.dumps(API).encode())
    document = json.loads(query(store, "--json", "last").out)
    assert document["rows"] == 1
    assert {"path": "users[].teamId", "type": "BIGINT"} in document["fields"]
    assert [(one["name"], one["rows"]) for one in document["tables"]] == [
        ("users", 300),
        ("teams", 3),
        ("orders", 500),
    ]
    assert document["references"][1] == {
        "source": "orders.user_id",
        "target": "users.id",
        "found": 300,
        "distinct": 350,
        "bounded": False,
    }


def test_names_of_any_kind_are_asked_as_printed(store: Store) -> None:
    keys = ["order", "it's", 'a"b', "x y", "é", "$k", "Group"]
    records = [dict.fromkeys(keys, n % 2) | {"in side": [{"a'b": n}]} for n in range(2000)]
    forked(store, "".join(json.dumps(record) + "\n" for record in records).encode())
    document = json.loads(query(store, "--json", "last").out)
    for example in document["examples"]:
        assert query(store, *typed(example)).out
    for entity in document["tables"]:
        assert query(store, "last", entity["sql"]).lines[0].startswith("stub: rows 1-200 of 2,000")


def test_what_is_laid_out_is_asked_from_the_schema_to_the_line(store: Store) -> None:
    grep = TABLES["matches"]
    forked(store, grep.data * 30)
    done = query(store, "last")
    out = done.out.decode()
    assert out.startswith("Table artifact: 1,500 rows, 4 columns\n  line_number  BIGINT\n")
    assert "Tables beside it:\n  context: 1,500 rows: SELECT * FROM context\n" in out
    assert "    line_number BIGINT, path VARCHAR, line BIGINT, text VARCHAR\n" in out
    questions = [line.strip() for line in out.partition("Ask:\n")[2].splitlines()]
    for question in questions:
        assert query(store, *typed(question)).out
    sql = "SELECT line_number FROM artifact WHERE line = 11 LIMIT 1"
    found = json.loads(query(store, "--format", "jsonl", "last", sql).out)
    read = forked(store, b"", "read", "last", "--lines", str(found["line_number"]))
    assert read.out == b"src/a1.py:11:import x: 1\n"


def test_records_of_hundreds_of_keys_are_answered_within_the_memory(store: Store) -> None:
    keys = "".join(f"Key{n}x: {{}}{n}\n" for n in range(380))
    data = "".join(f"Name: b{n}\n{keys.replace('{}', str(n + 1))}\n" for n in range(60))
    forked(store, data.encode())
    done = query(store, "--format", "csv", "last", 'SELECT max("Key379x") FROM artifact')
    assert done.out.decode().splitlines()[1] == "60379"


def test_the_schema_as_json_has_the_columns_of_each_table(store: Store) -> None:
    forked(store, TABLES["compiler"].data * 9)
    document = json.loads(query(store, "--json", "last").out)
    assert [one["name"] for one in document["tables"]] == ["notes"]
    assert document["tables"][0]["columns"][1] == {"name": "path", "type": "VARCHAR"}
    assert document["notes"][0].startswith("1,080 of 1,890 lines stand outside of the table: 2, 3")


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT nam FROM artifact", "did you mean name?"),
        ("SELECT id FROM artefact", "artefact does not exist; did you mean artifact?"),
        ("SELEC id", "syntax error"),
        ("SELECT id + name FROM artifact", "+(bigint, varchar)"),
        ("SELECT nosuchthing(id) FROM artifact", "nosuchthing does not exist"),
        ("DROP VIEW artifact", "DROP is refused"),
        ("SELECT 1; SELECT 2", "2 statements at once"),
        ("", "no statement"),
    ],
)
def test_a_mistake_is_one_line_that_helps(kept: Store, sql: str, said: str) -> None:
    done = query(kept, "last", sql, status=2)
    assert done.out == b""
    assert_one_line_of_advice(done, 2)
    assert said.lower() in done.lines[0].lower()


def test_options_out_of_range_and_kinds_without_a_table_are_one_line(store: Store) -> None:
    forked(store, b"some words\n" * 5000)
    assert "holds no table" in query(store, "last", "SELECT 1", status=2).lines[0]
    assert "did you mean json?" in query(store, "--format", "jsno", "1", status=2).lines[0]
    assert query(store, "nothing", "SELECT 1", status=2).out == b""
    assert query(store, "99", "SELECT 1", status=3).out == b""


def without(module: str) -> Callable[[], None]:
    def prepare() -> None:
        sys.modules[module] = None  # type: ignore[assignment]

    return prepare


@pytest.mark.parametrize("module", ["duckdb", "fsspec"])
def test_without_the_extra_one_line_says_how_to_install_it(kept: Store, module: str) -> None:
    done = forked(kept, b"", "query", "last", "SELECT 1", prepare=without(module))
    assert (done.status, done.out) == (2, b"")
    assert done.lines == [
        f"stub: a query needs {module}, which is not installed; pip install 'stubcli[query]'"
    ]


def test_a_damaged_artifact_is_status_4_and_no_row(kept: Store) -> None:
    path = kept.artifacts()[0]
    path.chmod(0o600)
    path.write_bytes(TABLE[:-3] + b"x" + TABLE[-2:])
    for arguments in (["last"], ["last", "SELECT 1"], ["last", "FROM artifact LIMIT 1"]):
        done = query(kept, *arguments, status=4)
        assert done.out == b""
        assert len(done.lines) == 1


def test_an_interrupt_ends_a_query_at_once(kept: Store) -> None:
    endless = "SELECT count(*) FROM range(1000000000000000) a WHERE hash(a.range) = 1"
    with started(kept, "query", "--seconds", "600", "last", endless) as process:
        wait_until(lambda: process.poll() is not None or seconds_of(process.pid) > 1.5)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        done = ended(process)
    assert (done.status, done.out) == (130, b"")
    assert b"Traceback" not in done.err


def seconds_of(pid: int) -> float:
    """What a process has computed so far: a query soon more than all that comes before it."""
    if sys.platform != "linux":
        time.sleep(2)
        return 2
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_settings_bound_a_query(kept: Store) -> None:
    endless = "SELECT count(*) FROM range(1000000000000000)"
    done = query(kept, "last", endless, status=2, STUB_QUERY_SECONDS="1")
    assert done.lines == ["stub: no answer within 1 s; ask for less, or give --seconds DURATION"]
    large = "SELECT list(range) FROM range(100000000)"
    done = query(kept, "--memory", "50MiB", "last", large, status=2)
    assert "more memory than 52,428,800 bytes" in done.lines[0]


def test_a_process_leaves_a_query_that_notices_no_interrupt() -> None:
    # list_sort(range(1000000000)) notices none, and at exit DuckDB waited a minute for it.
    program = """
import time
from stubcli.retrieve.query.engine import URL, Bounds, Engine
from stubcli.retrieve.query.onefile import ArtifactFile

class Slow(ArtifactFile):
    size, failure = 9, None
    def __init__(self):
        pass
    def read_at(self, offset, length):
        time.sleep(600)

with Engine(Slow(), Bounds(0, 1), time.monotonic() + 1, iter) as engine:
    engine.run(lambda connection: connection.execute(f"FROM read_csv('{URL}')"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert b"UsageError: no answer within 1 s" in done.stderr
    assert done.returncode == 2


def test_memory_bounds_a_single_call_of_a_function_too(kept: Store) -> None:
    # 8 GB by itself: without a bound of the process this is what it took.
    done = forked(kept, b"", "query", "last", "SELECT len(list_sort(range(1000000000)))")
    assert done.status == 2
    assert b"needs more memory than 2,147,483,648 bytes" in done.err


def test_nothing_is_left_behind(kept: Store, tmp_path: Path) -> None:
    before = names(kept)
    work = tmp_path / "work"
    work.mkdir()
    large = "SELECT * FROM range(3000000) ORDER BY hash(range) LIMIT 1"
    done = forked(kept, b"", "query", "last", large, prepare=lambda: os.chdir(work))
    assert done.status == 0
    assert list(work.iterdir()) == []
    assert names(kept) == before
    assert not (Path(os.environ["HOME"]) / ".duckdb").exists()


def test_an_artifact_adopted_after_a_crash_is_asked_too(store: Store) -> None:
    with started(store) as process:
        assert process.stdin
        process.stdin.write(TABLE)
        time.sleep(1.5)
        process.kill()
    assert forked(store, b"", "check", "--repair").status in (0, 4)
    done = query(store, "--format", "csv", "last", "SELECT count(*) > 100 AS many FROM artifact")
    assert done.out == b"many\ntrue\n"
