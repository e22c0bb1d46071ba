"""1 GiB through the filter, beside `tee FILE` followed by `sync FILE` on the same file system."""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from tests.bench.side_by_side import best, peak_memory, seconds, stub_command


def write_log(path: Path, size: int) -> None:
    """A log of ordinary lines, one error in ten thousand."""
    with path.open("wb") as file:
        number = 0
        while file.tell() < size:
            lines = []
            for _ in range(10_000):
                number += 1
                level = b"ERROR" if number % 10_000 == 5_000 else b"INFO"
                lines.append(
                    b"2026-07-08T21:%02d:%02dZ [%s] req=req_%08d lat=%d status=200 path=/items\n"
                    % (number // 60 % 60, number % 60, level, number, number * 13 % 900)
                )
            file.write(b"".join(lines)[: size - file.tell()])


def measure(where: str, size: int, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-", dir=where))
    try:
        source, copy, home = folder / "input", folder / "copy", folder / "store"
        write_log(source, size)
        environment = {**os.environ, "STUB_HOME": str(home), "STUB_SESSION": "bench"}

        def tee() -> float:
            copy.unlink(missing_ok=True)
            script = f"cat {source} | tee {copy} >/dev/null && sync {copy}"
            return seconds(["sh", "-c", script])

        def stub() -> float:
            shutil.rmtree(home, ignore_errors=True)
            script = f"cat {source} | {stub_command()} >/dev/null"
            return seconds(["sh", "-c", script], env=environment)

        tee_time, stub_time = best(rounds, tee, stub)
        shutil.rmtree(home, ignore_errors=True)
        copy.unlink(missing_ok=True)
        os.environ.update(environment)
        peak = peak_memory([stub_command()], source)
        print(
            f"{where}: {size >> 20} MiB: tee+sync {tee_time:.2f} s, stub {stub_time:.2f} s: "
            f"{tee_time / stub_time:.2f} of its speed; peak memory {peak >> 20} MiB",
            flush=True,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1GiB", type=read_bytes)
    parser.add_argument("--where", nargs="+", default=["/dev/shm", "/var/tmp"])
    parser.add_argument("--rounds", default=3, type=int)
    arguments = parser.parse_args()
    for where in arguments.where:
        measure(where, arguments.size, arguments.rounds)


if __name__ == "__main__":
    main()
