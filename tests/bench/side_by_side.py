"""What the benchmarks share: run commands in turn, keep the best, print a ratio."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def stub_command() -> str:
    """The installed `stub` of this interpreter."""
    path = Path(sys.executable).parent / "stub"
    if not path.exists():
        raise SystemExit(f"{path} is missing: install the project into this environment first")
    return str(path)


def seconds(command: Sequence[str] | str, **options: object) -> float:
    """Wall time of one run, which must succeed."""
    started = time.perf_counter()
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]
    return time.perf_counter() - started


def best(rounds: int, *runs: Callable[[], float]) -> list[float]:
    """The best time of each, taken in turns, so that noise falls on all alike."""
    times = [[run() for run in runs] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]


def peak_memory(command: Sequence[str], stdin: Path) -> int:
    """The largest resident set of one run, in bytes."""
    with stdin.open("rb") as source, Path(os.devnull).open("wb") as sink:
        child = subprocess.Popen(command, stdin=source, stdout=sink)
        _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{command[0]} failed")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
