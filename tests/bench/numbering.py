"""One more artifact in a session that keeps 100,000, beside one in a session that keeps none."""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

from stubcli.reference import file_name, record_name
from stubcli.store.posix.index import number_link
from tests.bench.side_by_side import best, seconds, stub_command


def fill(home: str, session: str, count: int) -> None:
    """Names as `count` artifacts leave them; what stands in them is not read on this road."""
    environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": session}
    data = b"first\n" * 5_000
    subprocess.run([stub_command()], input=data, env=environment, check=True, capture_output=True)
    folder = Path(home, "sessions", session)
    for number in range(2, count + 1):
        digest = f"{number:064x}"[::-1]
        (folder / "tool-results" / file_name(number)).touch()
        (folder / "tool-results" / record_name(number, digest)).touch()
        (folder / ".index" / digest[:6]).symlink_to(str(number))
        (folder / ".index" / number_link(number)).symlink_to(digest[:16])
    (folder / ".sequence").write_bytes(b"%018d\n" % count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--artifacts", default=100_000, type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as home:
        fill(home, "full", arguments.artifacts)
        turn = 0

        def store(session: str) -> float:
            nonlocal turn
            turn += 1
            environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": session}
            data = b"line %d\n" % turn * 5_000
            return seconds([stub_command()], input=data, env=environment, stdout=subprocess.DEVNULL)

        empty, full = best(15, lambda: store(f"empty{turn}"), lambda: store("full"))
    print(
        f"first artifact {empty * 1000:.1f} ms, artifact {arguments.artifacts + 1:,} "
        f"{full * 1000:.1f} ms: {(full - empty) * 1000:+.1f} ms"
    )


if __name__ == "__main__":
    main()
