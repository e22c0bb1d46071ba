"""A small input, and a small store of a large one, beside `python -I -c pass`."""

import os
import subprocess
import sys
import tempfile

from tests.bench.side_by_side import best, seconds, stub_command


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": "bench"}
        quiet = {"stdout": subprocess.DEVNULL}

        def python() -> float:
            return seconds([sys.executable, "-I", "-c", "pass"], **quiet)

        def stub(data: bytes, *options: str) -> float:
            return seconds([stub_command(), *options], input=data, env=environment, **quiet)

        runs = (
            ("python -I -c pass", python),
            ("100 bytes | stub", lambda: stub(b"x" * 99 + b"\n")),
            ("100 bytes | stub --tool grep", lambda: stub(b"x" * 99 + b"\n", "--tool", "grep")),
            ("15,000 bytes | stub", lambda: stub((b"y" * 74 + b"\n") * 200)),
            ("30,000 bytes | stub", lambda: stub((b"z" * 74 + b"\n") * 400)),
        )
        times = best(40, *(run for _, run in runs))
    for (name, _), time in zip(runs, times, strict=True):
        print(f"{name:30} {time * 1000:6.1f} ms  {time / times[0]:5.2f} times python")


if __name__ == "__main__":
    main()
