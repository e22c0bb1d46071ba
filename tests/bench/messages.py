"""`stub messages` over large conversations: time and memory beside `json` reading and writing them.

Linear is: four times the list takes four times as long, and each ratio stays what it is.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from stubcli.settings.readers import size as read_bytes
from tests.bench.side_by_side import best, peak_memory, seconds, stub_command
from tests.messages.made import said, turn

WORDS = ("alpha", "beta", "gamma", "delta", "error:", "warning", "ok", "2026-01-01")
REWRITE = "import json, sys; json.dump(json.load(open(sys.argv[1])), open(sys.argv[2], 'w'))"


def write_list(path: Path, size: int, result: int) -> int:
    """A list of so many bytes with results of `result` characters; how many messages it has."""
    chance, count = random.Random(1), 0
    with path.open("w") as file:
        file.write('{"model": "m", "messages": [')
        while file.tell() < size:
            text = "".join(" ".join(chance.choices(WORDS, k=8)) + "\n" for _ in range(result // 48))
            one = [said("openai-chat", "user", "go on " * 20)]
            one += turn("openai-chat", ("bash", text), first=count)
            one.append(said("openai-chat", "assistant", "I see. " * 20))
            for message in one:
                file.write((",\n" if count else "") + json.dumps(message))
                count += 1
        file.write("]}\n")
    return count


def measure(verb: str, size: int, result: int, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="stub-bench-"))
    try:
        source, copy, home = folder / "list.json", folder / "copy", folder / "store"
        count = write_list(source, size, result)
        os.environ.update(STUB_HOME=str(home), STUB_SESSION="bench")
        command = [stub_command(), "messages", verb, str(source)]

        def stub() -> float:
            shutil.rmtree(home, ignore_errors=True)
            with copy.open("wb") as out:
                return seconds(command, stdout=out)

        def rewrite() -> float:
            return seconds([sys.executable, "-c", REWRITE, str(source), str(copy)])

        stub_time, json_time = best(rounds, stub, rewrite)
        shutil.rmtree(home, ignore_errors=True)
        peak = peak_memory(command, source)
        kept = len(list(home.glob("sessions/bench/tool-results/*.txt")))
        print(
            f"{verb}: {size >> 20} MiB, {count:,} messages, {kept:,} kept: {stub_time:.2f} s, "
            f"{stub_time / json_time:.1f} times json; peak memory {peak >> 20} MiB",
            flush=True,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="100MB", type=read_bytes)
    parser.add_argument("--rounds", default=1, type=int)
    arguments = parser.parse_args()
    for result in (1_000, 15_000, 30_000):
        for part in (4, 1):
            measure("offload", arguments.size // part, result, arguments.rounds)
    # One artifact for each result, and each waits for the disk.
    measure("compact", arguments.size, 30_000, arguments.rounds)


if __name__ == "__main__":
    main()
