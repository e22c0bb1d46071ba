"""`stub run -- CMD` beside `python -I -c pass` and the command by itself.

The bound: at most 1.6 times the interpreter's start, plus the command.
"""

import os
import subprocess
import sys
import tempfile
from statistics import median

from tests.bench.side_by_side import seconds, stub_command

ROUNDS = 60
BOUND = 1.6


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": "bench"}
        stub = [stub_command(), "run", "--"]
        runs = {
            "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
            "true": ["true"],
            "stub run -- true": [*stub, "true"],
            "STUB_DISABLE=1 stub run -- true": ["env", "STUB_DISABLE=1", *stub, "true"],
            "sh -c 'seq 1 3000'": ["sh", "-c", "seq 1 3000"],
            "stub run -- sh -c 'seq 1 3000'": [*stub, "sh", "-c", "seq 1 3000"],
            "stub run -- seq 1 50000": [*stub, "seq", "1", "50000"],
        }
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(ROUNDS):
            # In turns, so that noise falls on all alike.
            for name, command in runs.items():
                times[name].append(seconds(command, env=environment, stdout=subprocess.DEVNULL))
    middle = {name: median(each) for name, each in times.items()}
    python = middle["python -I -c pass"]
    for name, time in middle.items():
        print(f"{name:32} {time * 1000:6.1f} ms  {time / python:5.2f} times python")
    ratio = (middle["stub run -- true"] - middle["true"]) / python
    print(f"stub run, less its command: {ratio:.2f} times python, at most {BOUND}")
    if ratio > BOUND:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
