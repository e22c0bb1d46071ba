"""One more record in a journal of 10,000, its parts side by side, and reading all of them.

The append is timed as a whole, with its syncs left out, and its syncs alone on files of their own.
"""

import argparse
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from stubcli.retention.leases import chain
from stubcli.retention.leases.anchor import Anchor, encode
from stubcli.retention.leases.chain import NONE_BEFORE, Place
from stubcli.retention.leases.file_names import HEAD, JOURNAL, LOCK
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.lease import commit
from stubcli.retention.leases.model import COMMITTED, PREPARED, Claim, Lease
from stubcli.store.posix.session import open_session
from stubcli.store.surface import Session
from tests.bench.side_by_side import best

SESSION = "bench"
MOMENT = "2026-01-01T00:00:00.000001+00:00"
# What one append waits for: the journal and the anchor.
SYNCS = 2


def fill(folder: Path, records: int, waiting: int) -> None:
    """A journal of so many records, of which the last `waiting` are prepared leases."""
    lines, place = [], Place(1, NONE_BEFORE)
    for number in range(records):
        last = records - number <= waiting
        transaction = number if last else number // 2
        phase = PREPARED if last or number % 2 == 0 else COMMITTED
        digest = f"{transaction:064x}"
        claim = Claim(f"artifact:{SESSION}:tool_result_001.txt:{digest[:16]}", digest)
        lease = Lease(f"lease-{transaction}", claim, phase, MOMENT, MOMENT)
        line, sha256 = chain.write(lease, SESSION, place)
        lines.append(line)
        place = Place(place.sequence + 1, sha256)
    data = b"".join(lines)
    prefix = hashlib.sha256(data).hexdigest()
    anchor = Anchor(SESSION, records, len(data), place.previous_sha256, prefix)
    for name, content in ((JOURNAL, data), (HEAD, encode(anchor)), (LOCK, b"\n")):
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(descriptor, content)
        os.close(descriptor)


def timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def sync_alone(file: Path) -> None:
    """What the disk takes for the syncs of one append, with nothing around them."""
    for _ in range(SYNCS):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, b"x" * 400)
        os.fdatasync(descriptor)
        os.close(descriptor)


def fold(session: Session) -> int:
    with open_journal(session) as journal:
        return len(journal.leases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", default=10_000, type=int)
    parser.add_argument("--rounds", default=30, type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as home:
        session = open_session(home, SESSION, create=True)
        folder = Path(session.path)
        fill(folder, arguments.records, 2 * arguments.rounds)
        waiting = iter(range(arguments.records - 2 * arguments.rounds, arguments.records))

        def append() -> float:
            return timed(lambda: commit(session, f"lease-{next(waiting)}"))

        def append_without_syncs() -> float:
            with mock.patch("os.fdatasync"), mock.patch("os.fsync"):
                return append()

        whole, without, alone, read = best(
            arguments.rounds,
            append,
            append_without_syncs,
            lambda: timed(lambda: sync_alone(folder / "alone")),
            lambda: timed(lambda: fold(session)),
        )
        size = (folder / JOURNAL).stat().st_size
        session.close()
    print(
        f"{arguments.records:,} records, {size:,} bytes: one append {whole * 1000:.2f} ms, without "
        f"its syncs {without * 1000:.2f} ms, {SYNCS} syncs alone {alone * 1000:.2f} ms: "
        f"x{whole / alone:.2f}; all leases read in {read * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
