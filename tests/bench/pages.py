"""A page near the end of a sparse artifact of 10 GiB, beside the page at its beginning and one of
an artifact of 1 MiB.
"""

import argparse
import os
import subprocess
import tempfile

from stubcli.store.posix.session import open_session
from tests.bench.side_by_side import best, seconds, stub_command
from tests.retrieve.sparse import sparse

GIB = 1 << 30
LAND = b"a line of the artifact\n" * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gib", default=10, type=int)
    size = parser.parse_args().gib * GIB
    far = size - GIB
    with tempfile.TemporaryDirectory(dir="/var/tmp") as home:
        session = open_session(home, "bench", create=True)
        sparse(session, size, {0: LAND, far: LAND})
        sparse(session, 1 << 20, {0: LAND})
        session.close()
        environment = {**os.environ, "STUB_HOME": home, "STUB_SESSION": "bench"}

        def read(*options: str, number: int = 1) -> float:
            command = [stub_command(), "read", str(number), *options]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            return seconds(command, env=environment, **quiet)

        for unit, first, last in (
            ("chars", 0, far),
            ("bytes", 0, far),
            ("lines", 0, 1500),
            ("lines, json", 0, 1500),
        ):
            options = ["--unit", unit.split(",")[0], *["--json"] * ("json" in unit)]
            small, near, away = best(
                25,
                lambda o=options: read(*o, number=2),  # type: ignore[misc]
                lambda o=options, at=first: read(*o, "--offset", str(at)),  # type: ignore[misc]
                lambda o=options, at=last: read(*o, "--offset", str(at)),  # type: ignore[misc]
            )
            print(
                f"{unit:12} at 0 {near * 1000:6.1f} ms, at {far // GIB} GiB {away * 1000:6.1f} ms: "
                f"{away / near:.2f} times; of 1 MiB {small * 1000:6.1f} ms"
            )


if __name__ == "__main__":
    main()
