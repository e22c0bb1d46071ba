"""Questions to a 1 GiB CSV and to 500 MB of JSON lines: `stub query` beside DuckDB by itself.

Both are processes of their own with the same number of threads; `stub` verifies every byte too.

python -m tests.bench.query [--csv 1GiB] [--json 500MB] [--where /var/tmp] [--rounds 3]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from tests.bench.side_by_side import best, seconds, stub_command

QUESTIONS = (
    ("count", "SELECT count(*) AS n FROM artifact"),
    ("group by", "SELECT name, count(*) AS n FROM artifact GROUP BY name ORDER BY name"),
    ("min, max", "SELECT min(id) AS low, max(id) AS high, max(score) AS top FROM artifact"),
)
# What a user would write without `stub`: the columns of the answer as JSON lines.
DIRECT = """
import duckdb, sys
reader, path, sql = sys.argv[1:]
connection = duckdb.connect()
connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reader}('{path}')")
for row in connection.execute(sql).fetchall():
    print(*row)
"""
NAMES = 97


def write_csv(path: Path, size: int) -> int:
    """A table of at least `size` bytes; the number of its records."""
    count = 0
    with path.open("w") as file:
        file.write("id,name,score,day,note\n")
        while file.tell() < size:
            file.writelines(
                f"{n},name {n % NAMES},{n * 13 % 997}.25,2024-01-{n % 28 + 1:02d},of {n * 7919}\n"
                for n in range(count, count + 100_000)
            )
            count += 100_000
    return count


def write_json(path: Path, size: int) -> int:
    count = 0
    with path.open("w") as file:
        while file.tell() < size:
            file.writelines(
                f'{{"id":{n},"name":"name {n % NAMES}","score":{n * 13 % 997}.25,'
                f'"at":{{"host":"h{n % 40}","path":"/items/{n}"}},"tags":["a","b"]}}\n'
                for n in range(count, count + 100_000)
            )
            count += 100_000
    return count


def expected(question: str, count: int) -> list[list[object]]:
    if question == "count":
        return [[count]]
    if question == "min, max":
        return [[0, count - 1, 996.25]]
    names = sorted(f"name {n}" for n in range(NAMES))
    return [[name, len(range(int(name[5:]), count, NAMES))] for name in names]


def compare(source: Path, reader: str, count: int, rounds: int) -> bool:
    subprocess.run([stub_command()], stdin=source.open("rb"), stdout=subprocess.DEVNULL, check=True)
    right = True
    for question, sql in QUESTIONS:
        asked = [stub_command(), "query", "--format", "jsonl", "last", sql]
        direct = [sys.executable, "-c", DIRECT, reader, str(source), sql]
        out = subprocess.run(asked, capture_output=True, check=True).stdout.splitlines()
        rows = [list(json.loads(line).values()) for line in out]
        right = right and rows == expected(question, count)
        mine, theirs = best(
            rounds,
            partial(seconds, asked, capture_output=True),
            partial(seconds, direct, capture_output=True),
        )
        print(
            f"{reader} {source.stat().st_size / 1e6:,.0f} MB, {question}: stub {mine:.2f} s, "
            f"duckdb {theirs:.2f} s: {mine / theirs:.2f} times; "
            f"{'right' if rows == expected(question, count) else 'WRONG'}",
            flush=True,
        )
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--csv", default="1GiB", type=read_bytes)
    parser.add_argument("--json", default="500MB", type=read_bytes)
    parser.add_argument("--where", default="/var/tmp")
    parser.add_argument("--rounds", default=3, type=int)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=arguments.where))
    try:
        os.environ.update(STUB_HOME=str(folder / "store"), STUB_SESSION="bench")
        table, lines = folder / "table.csv", folder / "lines.json"
        right = compare(table, "read_csv", write_csv(table, arguments.csv), arguments.rounds)
        count = write_json(lines, arguments.json)
        right = compare(lines, "read_json", count, arguments.rounds) and right
        if not right:
            raise SystemExit(1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
