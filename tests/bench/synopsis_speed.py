"""A log of 160 MB in memory through `stub`, beside `tee FILE` and, where it is, `szr pipe`.

python -m tests.bench.synopsis_speed [--size 160MB] [--where /dev/shm]
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from tests.bench.side_by_side import best, peak_memory, seconds, stub_command
from tests.bench.throughput import write_log


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", default="160MB", type=read_bytes)
    parser.add_argument("--where", default="/dev/shm")
    parser.add_argument("--rounds", default=5, type=int)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=arguments.where))
    try:
        measure(folder, arguments.size, arguments.rounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(folder: Path, size: int, rounds: int) -> None:
    source, copy, home = folder / "input", folder / "copy", folder / "store"
    write_log(source, size)
    # Others keep their state under the home; it is as short-lived as ours.
    environment = {
        **os.environ,
        "STUB_HOME": str(home),
        "STUB_SESSION": "bench",
        "HOME": str(folder / "home"),
    }
    (folder / "home").mkdir()

    def run(command: str) -> float:
        shutil.rmtree(home, ignore_errors=True)
        copy.unlink(missing_ok=True)
        return seconds(["sh", "-c", f"cat {source} | {command} >/dev/null"], env=environment)

    runs = {"tee": lambda: run(f"tee {copy}"), "stub": lambda: run(stub_command())}
    if shutil.which("szr"):
        runs["szr pipe"] = lambda: run("szr pipe")
    times = dict(zip(runs, best(rounds, *runs.values()), strict=True))
    for name, time in times.items():
        print(
            f"{name:10} {time:6.2f} s  {size / time / 1e6:7,.0f} MB/s  "
            f"{time / times['tee']:6.2f} times tee",
            flush=True,
        )
    shutil.rmtree(home, ignore_errors=True)
    os.environ.update(environment)
    print(f"stub: peak memory {peak_memory([stub_command()], source) >> 20} MiB")


if __name__ == "__main__":
    main()
