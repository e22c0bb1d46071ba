"""A JSON array of 1 GiB through `stub`: are its counts right, and what do they cost?

python -m tests.bench.json_array [--size 1GiB] [--where /var/tmp]
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from tests.bench.side_by_side import peak_memory, stub_command

# Every so many items lack a key, or have another value.
NO_OWNER, FAILED = 7, 1_000_003
KEYS = ("id", "owner", "state", "took", "tags", "at")


def write_array(path: Path, size: int) -> int:
    """An array of objects of at least `size` bytes; the number of its items."""
    count = 0
    with path.open("wb") as file:
        file.write(b"[")
        while file.tell() < size:
            items = []
            for number in range(count, count + 20_000):
                owner = "" if number % NO_OWNER == 0 else f'"owner":"team-{number % 5}",'
                state = "failed" if number % FAILED == FAILED - 1 else "ok"
                items.append(
                    f'{{"id":{number},{owner}"state":"{state}","took":{number * 13 % 997}.5,'
                    f'"tags":["a","b"],"at":{{"host":"h{number % 40}","path":"/items/{number}"}}}}'
                )
            file.write((b",\n" if count else b"") + ",\n".join(items).encode())
            count += len(items)
        file.write(b"]\n")
    return count


def missing(page: str, count: int) -> tuple[list[str], list[str]]:
    """What a page about an array of `count` items must say and does not; what it could say."""
    owners = count - (count + NO_OWNER - 1) // NO_OWNER
    presence = rf"(?:{owners:,}|{count - owners:,}|\b{100 * owners / count:.0f}(?:\.\d)? ?%)"
    must = {
        "the kind": r"^\[stub \S+ json/document,",
        "the number of items": rf"\b{count:,} items",
        **{f"the key {key}": rf"\b{key}\b" for key in KEYS},
        "the presence of owner": rf"\bowner\b.*{presence}",
    }
    could = {
        "the least and the greatest id": rf"\bid\b.*\b0–{count - 1}\b",
        "the failures": rf"\bfailed {count // FAILED:,}\b" if count >= FAILED else "",
    }
    synopsis = page.partition("\n--- head ")[0]

    def lacking(facts: dict[str, str]) -> list[str]:
        return [what for what, one in facts.items() if not re.search(one, synopsis, re.MULTILINE)]

    return lacking(must), lacking(could)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", default="1GiB", type=read_bytes)
    parser.add_argument("--where", default="/var/tmp")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=arguments.where))
    try:
        source, home = folder / "array.json", folder / "store"
        count = write_array(source, arguments.size)
        os.environ.update(STUB_HOME=str(home), STUB_SESSION="bench")
        started = time.perf_counter()
        with source.open("rb") as file:
            done = subprocess.run([stub_command()], stdin=file, capture_output=True, check=True)
        took = time.perf_counter() - started
        shutil.rmtree(home, ignore_errors=True)
        peak = peak_memory([stub_command()], source)
        page = done.stdout.decode("utf-8")
        wrong, unsaid = missing(page, count)
        print(page.partition("\n--- head ")[0])
        print(
            f"{count:,} items in {source.stat().st_size:,} bytes: {took:.1f} s, "
            f"peak memory {peak >> 20} MiB"
        )
        print(f"wrong: {', '.join(wrong)}" if wrong else "right: number of items, keys, presence")
        if unsaid:
            print(f"not said: {', '.join(unsaid)}")
        if wrong or done.stderr:
            raise SystemExit(1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
