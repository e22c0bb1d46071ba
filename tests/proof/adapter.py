"""Everything of the program that the proof knows beside its command line, in one place.

Each other module here speaks of commands, files and values of its own; where a room of the program
is moved or renamed, this module alone is adapted.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import stubcli
from stubcli import descriptors, entry
from stubcli.errors import StubError
from tests import helpers
from tests.conftest import Store
from tests.helpers import (
    LARGE,
    Calls,
    Ran,
    code_of,
    forked,
    is_stub,
    read_and_write_little,
    ref_of,
    sha256,
)
from tests.store.test_power_cut import SHUT_DOWN, WITHOUT_THE_LOG

__all__ = [
    "LARGE",
    "SHUT_DOWN",
    "WITHOUT_THE_LOG",
    "Calls",
    "Ran",
    "Store",
    "at_start",
    "code_of",
    "forked",
    "is_stub",
    "read_and_write_little",
    "ref_of",
    "sha256",
    "version",
]

Prepare = Callable[[], None]
Plant = Callable[[Any, Any], None]


def version() -> str:
    """The program's own version."""
    return stubcli.__version__


def write_pages(root: str) -> None:
    """Make the manual pages below `root` what their sources say."""
    from stubcli.cli import pages

    pages.write(root)


def at_start(act: Prepare) -> None:
    """In a forked child: `act` when the program's own first line runs, and not before."""
    module: Any = descriptors
    real = module.guard_standard

    def guard() -> frozenset[int]:
        act()
        closed: frozenset[int] = real()
        return closed

    module.guard_standard = guard


def main() -> int:
    """The program's own main, with the arguments of this process."""
    return entry.main()


def child(
    store: Store, streams: tuple[Any, Any, Any], arguments: tuple[str, ...], prepare: Prepare
) -> None:
    """In a forked child: the program on these streams, and the end of this process."""
    helpers._child(store, streams, arguments, prepare, {})


# ---- Journals, read as the program reads them, without a disk


@dataclass(frozen=True)
class JournalReader:
    """A journal of the program: a whole one as bytes, and what it says.

    read: what bytes in its place would say, as a set; None where they are refused. keeps: whether
    every member of the whole one has to be among what any other says (else none that is not).
    beside: another file that goes with it, which is damaged too; read is given both.
    """

    name: str
    whole: bytes
    beside: bytes
    read: Callable[[bytes, bytes], frozenset[object] | None]
    keeps: bool


def journals() -> list[JournalReader]:
    """Every journal that this version has."""
    return [_leases(), _collected(), _runs(), _replacements()]


def _leases() -> JournalReader:
    from tests.retention.leases import made

    lines = made.lines_of(made.mixed(24))

    def read(data: bytes, head: bytes) -> frozenset[object] | None:
        found = made.recovered(data, head)
        return None if found is None else frozenset(made.protected(found.leases))

    return JournalReader("leases", b"".join(lines), made.head_of(lines), read, keeps=True)


def _collected() -> JournalReader:
    from stubcli.store.posix import collected
    from stubcli.store.posix.lines import seal
    from stubcli.store.values import Tombstone

    tombs = [
        Tombstone(n, sha256(b"%d" % n), n * 1000, "old", "2026-01-01T00:00:00Z", n)
        for n in range(1, 20)
    ]
    documents = ({"schema_version": collected.SCHEMA, **asdict(one)} for one in tombs)
    whole = b"".join(seal(one) for one in documents)

    def read(data: bytes, _head: bytes) -> frozenset[object]:
        return frozenset(one for line in data.split(b"\n") if (one := collected._load(line)))

    return JournalReader("collected", whole, b"", read, keeps=False)


def _runs() -> JournalReader:
    from stubcli.store.posix import runs
    from stubcli.store.posix.lines import seal
    from stubcli.store.records import SCHEMA

    def line(run: int) -> bytes:
        number = 1 + run % 4
        what = helpers.made_run(run, stub=f"page {run}").as_dict()
        del what["number"]
        document = {
            "schema_version": SCHEMA, "number": number, "digest": sha256(b"%d" % number)[:16],
            "run": run, "highest": max(4, run), **({"what": what} if run != number else {}),
        }  # fmt: skip
        return seal(document)

    def read(data: bytes, _head: bytes) -> frozenset[object]:
        lines = (one for one in data.split(b"\n") if runs.is_whole(one))
        return frozenset(json.dumps(runs.read_line(one), sort_keys=True) for one in lines)

    return JournalReader("runs", b"".join(line(n) for n in range(1, 16)), b"", read, keeps=False)


def _replacements() -> JournalReader:
    from stubcli.messages import replay

    decisions = {
        f"key {n}": replay.ReplayDecision(f"text {n}" if n % 3 else None, f"ref {n}")
        for n in range(20)
    }
    whole = b"".join(replay._line(key, one) for key, one in decisions.items())

    def read(data: bytes, _head: bytes) -> frozenset[object] | None:
        return frozenset(one for line in data.split(b"\n") if (one := replay._read(line)))

    return JournalReader("replacements", whole, b"", read, keeps=False)


# ---- Parts of the program that controls break, and its store without a process


def make_old(store: Store, seconds: float = 7200) -> None:
    """As if every artifact had been written, and last used, so long ago."""
    moment = time.time() - seconds
    for path in store.results.glob("tool_result_*"):
        os.utime(path, (moment, moment))


def without_last_look() -> None:
    """In a forked child: gc deletes what it planned, whatever was claimed since."""
    from stubcli.retention.gc import apply

    run: Any = apply._Deletions
    assert callable(run._kept)
    run._kept = lambda _self, _one, _held: None


def plants() -> tuple[dict[str, Plant], dict[str, Plant], type[Any]]:
    """What may stand in the place of a file, and of a folder; and the outside that it leads to."""
    from tests.store.test_hostile import FOR_A_FILE, FOR_A_FOLDER, Outside

    return FOR_A_FILE, FOR_A_FOLDER, Outside


def refusals_of_links() -> tuple[int, ...]:
    """The errors by which file systems say that they have no second names."""
    from stubcli import durable

    return tuple(sorted(durable._LINK_REFUSED))


def fill(store: Store, count: int) -> None:
    """So many small artifacts, stored without a process."""
    with helpers.session_of(store) as session:
        for number in range(count):
            helpers.keep(session, b"artifact %d\n" % number * 50)


def unsynchronised(what: str) -> Prepare:
    """For `prepare`: no sync of `anything`, `folders` or `files`, and no word about it."""
    from tests.store import test_power_cut

    return test_power_cut.unsynchronised(test_power_cut.BROKEN[what])


# ---- Parsers of the program, in process, with what its error boundary takes for an answer


def host_events() -> dict[str, Any]:
    """An event of each agent that has a hook."""
    from tests.agents.samples import SEQ, event_of, hosts_with_hook

    return {host: event_of(host, SEQ[:9000]) for host in hosts_with_hook()}


def is_documented(error: BaseException) -> bool:
    """Whether the boundary makes one line and a documented status of it."""
    return isinstance(error, StubError | OSError)


def sample_record() -> bytes:
    from stubcli.store.measure import Meter
    from stubcli.store.records import dump

    meter = Meter()
    meter.feed(b"x\n" * 5000)
    return dump(meter.finish().record("test", 1, helpers.made_run(1, stub="page")))


def load_record(data: bytes) -> object:
    from stubcli.store.records import load

    return load(data, "the record")


def signed_record(document: dict[str, Any]) -> bytes:
    """A record as if the program had written just this."""
    from stubcli.store.records import canonical

    document.pop("record_sha256", None)
    document["record_sha256"] = hashlib.sha256(canonical(document)).hexdigest()
    return canonical(document) + b"\n"


def load_plan(data: bytes) -> object:
    from stubcli.retention.gc.planfile import load_plans

    return load_plans(data.decode("utf-8", "replace"), "/store", 1.0)


def signed_plan(document: dict[str, Any]) -> bytes:
    from stubcli.retention.gc.planfile import _digest

    document.pop("plan_sha256", None)
    document["plan_sha256"] = _digest(document)
    return json.dumps(document).encode()
