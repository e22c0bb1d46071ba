"""A plan over 100,000 artifacts, beside the listing and the stats that it cannot do without."""

import argparse
import os
import tempfile
import time
from pathlib import Path

from stubcli.reference import file_name, record_name
from stubcli.retention.gc.model import Policy
from stubcli.retention.gc.plan import make_plan
from stubcli.store.posix.session import PosixSession, open_session
from tests.bench.side_by_side import best
from tests.helpers import keep


def fill(session: PosixSession, count: int) -> None:
    """Names as `count` artifacts leave them, three days old; what is planned is a real one."""
    keep(session, b"an artifact that is read\n" * 400)
    results = Path(session.path, "tool-results")
    old = time.time() - 3 * 86_400
    for number in range(2, count + 1):
        path = results / file_name(number)
        path.write_bytes(b"x")
        os.utime(path, (old, old))
        (results / record_name(number, f"{number:064x}"[::-1])).touch()
    os.utime(results / file_name(1), (old, old))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--artifacts", default=100_000, type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as home:
        session = open_session(home, "full", create=True)
        fill(session, arguments.artifacts)

        def planned() -> float:
            start = time.perf_counter()
            plan = make_plan(session, Policy(max_deletions=1), time.time())
            assert len(plan.decisions) == arguments.artifacts
            assert len(plan.of("planned_delete")) == 1
            return time.perf_counter() - start

        def looked_at() -> float:
            start = time.perf_counter()
            for name in os.listdir(session.results):
                os.stat(name, dir_fd=session.results, follow_symlinks=False)
            return time.perf_counter() - start

        plan, look = best(3, planned, looked_at)
    print(
        f"{arguments.artifacts:,} artifacts: listed and looked at {look:.2f} s, planned"
        f" {plan:.2f} s: {plan / look:.1f} times"
    )


if __name__ == "__main__":
    main()
