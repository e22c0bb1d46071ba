"""Finding one of 20,000 runs in 200 sessions: find, ls --since, a call's id, completion of a REF.

Beside each the same command in a store that keeps nothing.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from stubcli.spill.stream import moment
from stubcli.store import open_session
from stubcli.store.records import Origin
from tests.bench.side_by_side import best, seconds, stub_command
from tests.helpers import keep

_TOOLS = ("make", "pytest", "grep", "kubectl", "cargo")


def fill(home: str, sessions: int, runs: int) -> None:
    """So many sessions, each of so many runs, one a minute; nothing is synchronised."""
    now = time.time()
    with patch("os.fsync"), patch("os.fdatasync"):
        for place in range(sessions):
            with open_session(home, f"project-{place:03d}", create=True) as session:
                for turn in range(runs):
                    tool = _TOOLS[turn % len(_TOOLS)]
                    first = f"{tool} said {turn} in {place}"
                    keep(
                        session,
                        f"{first}\n".encode() * 50,
                        first_line=first,
                        finished=moment(now - 60 * (place * runs + runs - turn)),
                        origin=Origin(
                            tool,
                            f"call_{place}_{turn}",
                            argv=(tool, "--target", f"part-{turn}", f"src/module{place}"),
                            exit_status=int(turn % 7 == 0),
                            name="nightly" if turn % 50 == 0 else None,
                        ),
                    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", default=200, type=int)
    parser.add_argument("--runs", default=100, type=int)
    arguments = parser.parse_args()
    cases: list[tuple[str, list[str], dict[str, str]]] = [
        ("find, 200 hits", ["find", "part-77"], {}),
        ("find, all", ["find", "e"], {}),
        ("find, none", ["find", "nowhere"], {}),
        ("ls --since", ["ls", "--since", "2h", "--all-sessions"], {}),
        ("ls --since, all", ["ls", "--since", "52w", "--all-sessions"], {}),
        ("read call", ["read", "call_150_50"], {}),
        ("read no such word", ["read", "call_no_such"], {}),
        ("complete REF", [], {"COMP_WORDS": "stub read ", "COMP_CWORD": "2"}),
    ]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as home, tempfile.TemporaryDirectory() as none:
        fill(home, arguments.sessions, arguments.runs)
        for name, words, more in cases:
            completion = {"_STUB_COMPLETE": "complete_bash"} if more else {}

            def run(
                place: str,
                words: list[str] = words,
                more: dict[str, str] = {**more, **completion},  # noqa: B006 - bound, not shared
            ) -> float:
                chosen = {"STUB_HOME": place, "STUB_SESSION": "project-007"}
                environment = {**os.environ, **chosen, **more}
                line = ["sh", "-c", '"$@" > /dev/null 2>&1 || true', "sh", stub_command(), *words]
                return seconds(line, env=environment, stdin=subprocess.DEVNULL)

            nothing, full = best(7, lambda: run(none), lambda: run(home))
            print(f"{name:20} {full * 1000:6.0f} ms, in an empty store {nothing * 1000:6.0f} ms")
        print(f"{len(os.listdir(Path(home, 'sessions'))):,} sessions of {arguments.runs:,} runs")


if __name__ == "__main__":
    main()
