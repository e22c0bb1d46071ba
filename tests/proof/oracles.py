"""What must hold after any fault, asked of the command line: the store's own promise as code.

A Ledger says what was acknowledged to whom; every oracle raises a Violation of its kind.
"""

import json
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.proof.adapter import Ran, Store, forked, is_stub, ref_of, sha256
from tests.proof.commands import invoke
from tests.proof.point import ACKNOWLEDGED, NOWHERE, OTHER, PROTECTED, TRACEBACK, require

DOCUMENTED = frozenset({0, 1, 2, 3, 4, 5, 6})
BUG, KILLED = 70, 137
# What a killed filter may have had in hand: the threshold, and what one read gave it.
IN_HAND = (1 << 20) + (1 << 16)


@dataclass(frozen=True)
class Ledger:
    """kept: printed reference → its bytes. needed: those of a lease. leases: id → phase."""

    kept: dict[str, bytes] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    leases: dict[str, str] = field(default_factory=dict)

    def add(self, ref: str, data: bytes) -> "Ledger":
        return replace(self, kept={**self.kept, ref: data})

    @property
    def numbers(self) -> set[int]:
        return {number_of(ref) for ref in self.kept}


def number_of(ref: str) -> int:
    found = re.search(r"tool_result_(\d+)\.txt", ref)
    return int(found[1]) if found else 0


def check_answer(done: Ran, *statuses: int) -> None:
    """A documented status, no traceback, and no bug; other statuses only where they are named."""
    text = done.err.decode("utf-8", "replace")
    require("Traceback (most recent" not in text and "Fatal Python" not in text, TRACEBACK, text)
    fine = done.status in (statuses or DOCUMENTED)
    require(fine, OTHER, f"status {done.status}: {text}{'' if fine else _log(text)}")


def _log(text: str) -> str:
    """The end of the log that a bug was told to be in."""
    found = re.search(r"\S+/stub-bug-\S+\.log", text)
    try:
        return "\n".join(Path(found[0]).read_text().splitlines()[-6:]) if found else ""
    except OSError:
        return ""


def read_back(store: Store, ref: str) -> Ran:
    return invoke(store, b"", "read", ref, "--all")


def check_kept(store: Store, ledger: Ledger, *, collected: bool = False) -> None:
    """Every reference gives its bytes. collected: what nobody needs may be gone, and says so."""
    for ref, data in ledger.kept.items():
        done = read_back(store, ref)
        if done.status == 0 and done.out == data:
            continue
        if collected and ref not in ledger.needed and done.status == 3 and done.out == b"":
            continue
        kind = PROTECTED if ref in ledger.needed else ACKNOWLEDGED
        require(False, kind, f"{ref}: {done.status}, {len(done.out)} bytes, {done.err!r}")


def check_mended(store: Store, ledger: Ledger) -> None:
    """Repairing makes all well, twice is once, and what is needed outlives a collection."""
    check_answer(invoke(store, b"", "check", "--repair"), 0)
    again = invoke(store, b"", "check", "--repair", "--json")
    require(again.status == 0 and b'"repaired"' not in again.out, OTHER, again)
    check_answer(invoke(store, b"", "check"), 0)
    check_leases(store, ledger)
    done = invoke(store, b"", "gc", "--apply", "--older-than", "0s")
    check_answer(done, 0)
    check_kept(store, replace(ledger, kept={r: ledger.kept[r] for r in ledger.needed}))


def check_next(store: Store, ledger: Ledger) -> None:
    """The next output is kept, under a number that was never printed before."""
    data = b"".join(b"the next line, %d\n" % number for number in range(300))
    done = forked(store, data)
    require(is_stub(done.out), OTHER, done)
    ref = ref_of(done.out)
    require(number_of(ref) not in ledger.numbers, ACKNOWLEDGED, f"{ref} was given before")
    check_kept(store, Ledger({ref: data}))


def check_leases(store: Store, ledger: Ledger) -> None:
    found = phases(store)
    for name, phase in ledger.leases.items():
        require(found.get(name) == phase, PROTECTED, f"{name} was {phase}, is {found.get(name)}")


def phases(store: Store) -> dict[str, str]:
    """transaction → phase, as `lease ls` says."""
    done = invoke(store, b"", "lease", "ls", "--json", "--limit", "1000")
    check_answer(done, 0, 3)
    if done.status == 3:
        return {}
    return {one["transaction_id"]: one["phase"] for one in json.loads(done.out)["leases"]}


def check_input(
    store: Store, data: bytes, done: Ran, ledger: Ledger, *, broken_output: bool = False
) -> Ledger:
    """What was given is in the store or on standard output; the ledger with what was printed.

    broken_output: standard output itself failed; then all must be kept, or the status says so.
    """
    if is_stub(done.out) and done.out.endswith(b"]\n"):
        ref = ref_of(done.out)
        check_kept(store, Ledger({ref: data}))
        return ledger.add(ref, data)
    if done.out == data:
        return ledger
    if done.out.startswith(b"[stub NOT STORED: ") and done.status in (5, BUG):
        return ledger  # on_failure: preview
    require(
        done.out in data or is_stub(done.out), NOWHERE, f"other bytes came out: {done.out[:300]!r}"
    )
    require(
        broken_output,
        NOWHERE,
        f"status {done.status}, {len(done.out)} of {len(data)} bytes, {done.err!r}",
    )
    require(
        done.status != 0 or kept_whole(store, data),
        NOWHERE,
        f"status 0, {len(done.out)} bytes came out",
    )
    return ledger


def kept_whole(store: Store, data: bytes) -> bool:
    """Whether some file of the session holds exactly these bytes."""
    return any(
        path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
        for path in store.folder.rglob("tool_result_*")
    )


def check_cut_short(store: Store, data: bytes, consumed: int, done: Ran, ledger: Ledger) -> Ledger:
    """After a kill: what was printed is so, and what was read is in the store but for a handful."""
    if is_stub(done.out) and done.out.endswith(b"]\n"):
        return check_input(store, data, done, ledger)
    require(done.out in data or is_stub(done.out), NOWHERE, done.out[:300])
    check_answer(invoke(store, b"", "check", "--repair"), 0)
    kept = max((len(one) for one in artifacts(store) if data.startswith(one)), default=0)
    missing = consumed - max(kept, len(done.out) if data.startswith(done.out) else 0)
    require(missing <= IN_HAND, NOWHERE, f"{missing} of {consumed} bytes read are nowhere")
    return ledger


def artifacts(store: Store) -> list[bytes]:
    """The bytes of everything that has its final name."""
    if not store.results.exists():
        return []
    return [path.read_bytes() for path in sorted(store.results.glob("tool_result_*.txt"))]


def check_final_names(store: Store) -> None:
    """Data under a final name is what the digest in its record's name says."""
    if not store.results.exists():
        return
    records = os.listdir(store.results)
    for path in store.results.glob("tool_result_*.txt"):
        name = f"{path.stem}.{sha256(path.read_bytes())[:16]}.json"
        require(name in records, ACKNOWLEDGED, f"{path.name} is not what its record says")
