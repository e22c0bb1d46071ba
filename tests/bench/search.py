"""1 GiB of log, searched by `stub search` (which verifies every block) and by ripgrep in turns.

ripgrep is `rg` on PATH, or given: --rg FILE. It prints every match or, with -c, counts lines;
`stub search` always has the exact totals of matches and lines. And 10,000 artifacts in a session.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from stubcli.store import open_session
from tests.bench.side_by_side import best, seconds, stub_command
from tests.bench.throughput import write_log
from tests.helpers import keep

CASES = (
    ("literal, no hit", ("-F", "nothing_like_it")),
    ("literal, one hit", ("-F", "req_00000777 ")),
    ("literal, 1 line in 10,000", ("-F", "ERROR")),
    ("literal, every line", ("-F", "INFO")),
    ("ignoring case, no hit", ("-i", "NOTHING_like_it")),
    ("ignoring case, 1 line in 10,000", ("-i", "error")),
    ("ignoring case, every line", ("-i", "info")),
    ("regex, no hit", ("[a-z]+_like_it$",)),
    ("regex, 1 line in 10,000", ("^2026.*ERROR",)),
    ("regex, 1 line in 1,000", ("req=req_[0-9]+777 ",)),
    ("regex, 1 line in 10", ("lat=[0-9]+7 ",)),
)


def measure(where: str, size: int, rounds: int, rg: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=where))
    try:
        source, home = folder / "input", folder / "store"
        write_log(source, size)
        os.environ.update({"STUB_HOME": str(home), "STUB_SESSION": "bench"})
        subprocess.run(f"{stub_command()} < {source} >/dev/null", shell=True, check=True)
        for name, arguments in CASES:
            for count in (True, False):
                _row(name, arguments, count, source, rounds, rg)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _row(
    name: str, arguments: tuple[str, ...], count: bool, source: Path, rounds: int, rg: str
) -> None:
    kind = ["--count"] if count else []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def ripgrep() -> float:
        return _any([rg, "-n", "-a", *kind, *arguments, str(source)], **quiet)

    def stub() -> float:
        return _any([stub_command(), "search", *kind, *arguments, "last"], **quiet)

    theirs, ours = best(rounds, ripgrep, stub)
    what = "count" if count else "show"
    print(f"{name}, {what}: rg {theirs:.2f} s, stub {ours:.2f} s: {ours / theirs:.1f}", flush=True)


def _any(command: list[str], **options: object) -> float:
    """Wall time of a run that may find nothing."""
    return seconds(["sh", "-c", '"$@" || [ $? = 1 ]', "-", *command], **options)


def many(where: str, number: int) -> None:
    """A session of so many artifacts of 30 kB, searched as a whole."""
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=where))
    os.environ.update({"STUB_HOME": str(folder / "store"), "STUB_SESSION": "bench"})
    try:
        session = open_session(str(folder / "store"), "bench", create=True)
        for one in range(number):
            lines = (b"line %d of thing %d, an output\n" % (line, one) for line in range(950))
            keep(session, b"".join(lines), stub="s" * 3000)
        session.close()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        (taken,) = best(3, lambda: _any([stub_command(), "search", "thing 777,"], **quiet))
        print(f"{number} artifacts of 30 kB: {taken:.2f} s", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1GiB", type=read_bytes)
    parser.add_argument("--where", default="/dev/shm")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--artifacts", default=10_000, type=int)
    parser.add_argument("--rg", default="rg")
    arguments = parser.parse_args()
    measure(arguments.where, arguments.size, arguments.rounds, arguments.rg)
    many(arguments.where, arguments.artifacts)


if __name__ == "__main__":
    main()
