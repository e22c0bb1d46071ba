"""What a hook costs an agent for a small output and for a large one, beside `python -I -c pass`."""

import json
import os
import subprocess
import sys
import tempfile

from tests.bench.side_by_side import best, seconds, stub_command


def _event(output: str) -> bytes:
    response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    event = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "seq"},
        "tool_response": response,
        "cwd": "/",
    }
    return json.dumps(event).encode()


def main() -> None:
    small, large = _event("x" * 99 + "\n"), _event("".join(f"{n}\n" for n in range(20_000)))
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": "bench"}
        quiet = {"stdout": subprocess.DEVNULL}

        def python() -> float:
            return seconds([sys.executable, "-I", "-c", "pass"], **quiet)

        def hook(event: bytes) -> float:
            command = [stub_command(), "hook", "claude"]
            return seconds(command, input=event, env=environment, **quiet)

        runs = (
            ("python -I -c pass", python),
            ("a small output", lambda: hook(small)),
            ("108 kB, kept already", lambda: hook(large)),
        )
        times = best(20, *(run for _, run in runs))
    for (name, _), time in zip(runs, times, strict=True):
        print(f"{name:30} {time * 1000:6.1f} ms  {time / times[0]:5.2f} times python")


if __name__ == "__main__":
    main()
