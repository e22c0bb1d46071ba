"""A query reads one artifact and does nothing else, whatever is tried."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stubcli.errors import IntegrityError, UsageError
from stubcli.retrieve.query.asking import Asker
from stubcli.retrieve.query.engine import Bounds
from stubcli.retrieve.query.onefile import URL
from tests.conftest import Store
from tests.helpers import sha256
from tests.retrieve.query_asked import asker

DATA = b"id,name\n" + b"".join(b"%d,n%d\n" % (n, n % 3) for n in range(50))
OTHER = b"a,b\n1,secret\n2,secret\n"


@pytest.fixture
def one(store: Store) -> Iterator[Asker]:
    with asker(store, DATA) as found:
        yield found


def everything(store: Store) -> dict[str, tuple[str, int, int]]:
    """Every file of the store: its digest, its time, its mode."""
    return {
        str(path): (sha256(path.read_bytes()), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(store.home.rglob("*"))
        if path.is_file() and ".index" not in path.parts
    }


def _unchecked(sql: str, connection: Any) -> Callable[[], object]:
    return lambda: connection.execute(sql).fetchall()


def refused(one: Asker, sql: str) -> str:
    with pytest.raises(UsageError) as caught:
        one.answer(sql, skip=0, limit=10)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 600
    return said


CHANGING = [
    "COPY artifact TO '{out}'",
    "COPY artifact TO '{file}'",
    "COPY artifact TO '{url}' (USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '/dev/stdout'",
    "CREATE TABLE t AS SELECT 1",
    "CREATE OR REPLACE VIEW artifact AS SELECT 1",
    "CREATE TEMP MACRO f() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO artifact VALUES (1, 'x')",
    "UPDATE artifact SET id = 1",
    "DELETE FROM artifact",
    "DROP VIEW artifact",
    "ALTER VIEW artifact RENAME TO a",
    "ATTACH '{out}' AS x",
    "DETACH memory",
    "USE memory",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '{out}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "FORCE INSTALL httpfs FROM 'http://127.0.0.1:1/'",
    "SET enable_external_access = true",
    "SET memory_limit = '100GB'",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DEALLOCATE p",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY artifact TO '{out}'",
    "EXPLAIN COPY artifact TO '{out}'",
    "EXPLAIN ANALYZE COPY artifact TO '{out}'",
    "EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1",
    "EXPLAIN EXPLAIN ANALYZE COPY artifact TO '{out}'",
    "/* x */ EXPLAIN ANALYZE COPY artifact TO '{out}'",
    "EXPLAIN (ANALYZE, FORMAT json) COPY artifact TO '{out}'",
    # A SELECT by its type, and yet it writes.
    "WITH w AS (COPY artifact TO '{out}') FROM w",
    "WITH w AS (COPY artifact TO '{file}' (USE_TMP_FILE false)) FROM w",
    "WITH w AS (COPY artifact TO '{url}' (USE_TMP_FILE false)) FROM w",
    "EXPLAIN ANALYZE WITH w AS (COPY artifact TO '{out}') FROM w",
    "WITH w AS (INSERT INTO artifact VALUES (1, 'x') RETURNING *) FROM w",
    "WITH w AS (DELETE FROM artifact RETURNING *) FROM w",
    "WITH w AS (UPDATE artifact SET id = 1 RETURNING *) FROM w",
    "FROM (WITH w AS (COPY artifact TO '{out}') FROM w)",
    "SELECT (WITH w AS (COPY artifact TO '{out}') SELECT count(*) FROM w)",
    "FROM query('COPY artifact TO ''{out}''')",
    "SELECT 1) AS x; COPY artifact TO '{out}'; SELECT * FROM (SELECT 1",
    "SELECT 1) TO '{out}' --",
    "",
    "-- nothing",
    ";",
    "/* not closed",
    "SELECT '",
    "SELECT ?",
]
READING = [
    "FROM '{other}'",
    'FROM "{other}"',
    "FROM '{link}'",
    "FROM '/etc/passwd'",
    "FROM read_csv('{other}')",
    "FROM read_csv(['{url}', '{other}'])",
    "FROM read_csv('{link}')",
    "FROM read_csv('{file}')",
    "FROM read_csv_auto('{other}')",
    "FROM read_json('{other}')",
    "FROM read_json_objects('{other}')",
    "FROM read_ndjson('{other}')",
    "FROM read_text('{other}')",
    "FROM read_text('stub://other')",
    "FROM read_text('stub://*')",
    "FROM read_text('file://{other}')",
    "FROM read_blob('{other}')",
    "FROM read_blob('/proc/self/environ')",
    "FROM read_blob('/proc/self/fd/*')",
    "FROM read_blob('/dev/fd/0')",
    "FROM read_parquet('{other}')",
    "FROM parquet_metadata('{other}')",
    "FROM parquet_schema('{other}')",
    "FROM sniff_csv('{other}')",
    "FROM glob('{folder}/*')",
    "FROM glob('**')",
    "FROM read_text('http://127.0.0.1:1/x')",
    "FROM 'https://127.0.0.1:1/x.csv'",
    "FROM 's3://bucket/x.parquet'",
    "FROM read_csv('hf://datasets/x')",
    "FROM read_duckdb('{other}')",
    "FROM query('SELECT * FROM read_text(''{other}'')')",
    "FROM query_table('{other}')",
    "SELECT (SELECT count(*) FROM read_text('{other}'))",
    "SELECT * FROM artifact WHERE id IN (SELECT 1 FROM read_text('{other}'))",
    "SELECT getenv('HOME')",
    "SELECT getvariable('HOME') || read_text('{other}')",
    "FROM duckdb_extensions()",
    "FROM sqlite_scan('{other}', 'x')",
    "FROM postgres_scan('', '', '')",
    "FROM st_read('{other}')",
    "FROM DATA",
    "FROM one",
    "FROM everything",
    "FROM python_arrow_scan(1)",
    "FROM pandas_scan(1)",
    "FROM arrow_scan(1, 2, 3)",
    "EXPLAIN SELECT * FROM read_text('{other}')",
    "EXPLAIN ANALYZE SELECT * FROM read_text('{other}')",
    "DESCRIBE FROM read_csv('{other}')",
    "SUMMARIZE FROM read_csv('{other}')",
    "DESCRIBE '{other}'",
]


def filled(sql: str, one: Asker, tmp_path: Path) -> str:
    other, link = tmp_path / "other.csv", tmp_path / "link.csv"
    other.write_bytes(OTHER)
    link.unlink(missing_ok=True)
    link.symlink_to(other)
    names = {"out": tmp_path / "out", "other": other, "link": link, "folder": tmp_path}
    return sql.format(file=one.artifact.path, url=URL, **names)


@pytest.mark.parametrize("sql", CHANGING)
def test_what_is_not_one_question_is_refused_and_changes_nothing(
    store: Store, one: Asker, tmp_path: Path, sql: str
) -> None:
    asked = filled(sql, one, tmp_path)
    before = everything(store)
    refused(one, asked)
    assert everything(store) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("sql", READING)
def test_nothing_but_the_artifact_can_be_read(
    store: Store, one: Asker, tmp_path: Path, sql: str
) -> None:
    asked = filled(sql, one, tmp_path)
    before = everything(store)
    assert "secret" not in refused(one, asked)
    assert everything(store) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 7 AS n",
        "SELECT 7 AS n;;",
        "SELECT 7 AS n -- and a comment",
        "  /* first */ FROM (SELECT 7 AS n)",
        "WITH w AS (SELECT 7 AS n) FROM w",
        "VALUES (7)",
        "FROM query('SELECT 7 AS n')",
        """SELECT 7 AS n WHERE '"type":"COPY_QUERY_NODE"' <> ''""",
        "SELECT count(*) + 6 FROM duckdb_views() WHERE view_name = 'artifact'",
    ],
)
def test_what_only_selects_is_answered(one: Asker, sql: str) -> None:
    assert one.answer(sql, skip=0, limit=10).rows == (("7",),)


@pytest.mark.parametrize(
    "sql", ["DESCRIBE artifact", "SUMMARIZE artifact", "EXPLAIN FROM artifact", "SHOW TABLES"]
)
def test_what_describes_is_answered(one: Asker, sql: str) -> None:
    assert one.answer(sql, skip=0, limit=100).rows


def test_the_bytes_cannot_be_written_even_by_a_statement_that_was_let_through(
    store: Store, one: Asker, tmp_path: Path
) -> None:
    before = everything(store)
    for form in ("COPY artifact TO '{}' (USE_TMP_FILE false)", "WITH w AS ({}) FROM w"):
        for path in (URL, one.artifact.path, str(tmp_path / "out")):
            copy = f"COPY (SELECT 1) TO '{path}' (USE_TMP_FILE false)"
            sql = form.format(path if form.startswith("COPY") else copy)
            with pytest.raises(UsageError):
                one.ask(partial(_unchecked, sql))
    with pytest.raises(UsageError):
        one.ask(partial(_unchecked, "CREATE TABLE t AS SELECT 1"))
    assert everything(store) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(100000000000000)",
        "SELECT * FROM artifact a, artifact b, artifact c, artifact d, artifact e, artifact f "
        "ORDER BY hash(a.id, f.id)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    ],
)
def test_time_and_memory_are_bounded(store: Store, sql: str) -> None:
    with asker(store, DATA, bounds=Bounds(100 << 20, 2)) as one:
        assert refused(one, sql).endswith(("give --seconds DURATION", "give --memory SIZE"))


@pytest.mark.parametrize(
    "sql", ["FROM artifact LIMIT 1", "SELECT count(*) FROM artifact", "SELECT 1"]
)
@pytest.mark.parametrize("where", [0, 1 << 20, -1])
def test_no_row_of_a_damaged_artifact_is_shown(store: Store, sql: str, where: int) -> None:
    data = b"id,name\n" + b"".join(b"%d,name\n" % n for n in range(120_000))
    with asker(store, data) as one:
        path = Path(one.artifact.path)
        path.chmod(0o600)
        damaged = bytearray(data)
        damaged[where] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(IntegrityError):
            one.answer(sql, skip=0, limit=10)


@pytest.mark.parametrize(
    "name", ["it's", "a*b?c[d]", 'quo"te', "new\nline", "{x,y}", "%s", "$HOME", "žluť", "a b"]
)
def test_no_name_of_the_store_is_read_as_anything_else(tmp_path: Path, name: str) -> None:
    with asker(Store(tmp_path / name), DATA) as one:
        assert one.answer("SELECT count(*) FROM artifact", skip=0, limit=1).rows == (("50",),)
