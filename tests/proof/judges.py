"""What must hold of a kind of command after any disturbance: the ledger that is true from then on.

A judge is given what the command left, whether it was killed, and what was broken beside; what
does not hold is a Violation.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.proof.adapter import Ran, Store, sha256
from tests.proof.commands import invoke
from tests.proof.oracles import (
    Ledger,
    check_answer,
    check_cut_short,
    check_input,
    check_kept,
    phases,
    read_back,
)
from tests.proof.point import ACKNOWLEDGED, NOWHERE, OTHER, PROTECTED, require
from tests.proof.states import DATA, LIST, SMALL, TEXTS, conversation, lines


@dataclass(frozen=True)
class Disturbed:
    """A disturbed run: its input, what it left, and what is needed to judge it.

    consumed: bytes of the input that it had read. broken_output: standard output failed itself.
    """

    data: bytes
    store: Store
    ledger: Ledger
    done: Ran
    killed: bool = False
    consumed: int = 0
    broken_output: bool = False


def judge_nothing(run: Disturbed) -> Ledger:
    """What only looks, or mends, leaves everything as it was."""
    return run.ledger


def judge_filter(run: Disturbed) -> Ledger:
    data = run.data
    if run.killed:
        return check_cut_short(run.store, data, run.consumed, run.done, run.ledger)
    if run.done.status and run.consumed < len(data):
        data = data[: run.consumed]  # the input itself could not be read on
    return check_input(run.store, data, run.done, run.ledger, broken_output=run.broken_output)


def judge_small(run: Disturbed) -> Ledger:
    unread = run.broken_output or run.consumed < len(SMALL)
    fine = run.killed or run.done.out == SMALL or (run.done.status and unread)
    require(fine, NOWHERE, run.done)
    return run.ledger


def _digest(number: int) -> str:
    return sha256(lines(number))[:16]


# The ends of the references that these transactions name.
_LEASED = {"one": _digest(1), "two": _digest(2), "three": _digest(4)}


def judge_lease(name: str, *followed: str) -> Callable[[Disturbed], Ledger]:
    """After a step of that transaction: in its last phase where it was said, else in any.

    A program that cannot be started has published nothing: its lease is aborted.
    """

    def check(run: Disturbed) -> Ledger:
        known = {key: phase for key, phase in run.ledger.leases.items() if key != name}
        # Whatever was torn is moved aside by whoever writes next.
        check_answer(invoke(run.store, b"", "check", "--repair"), 0)
        found = phases(run.store)
        phase = found.get(name)
        require(phase in (run.ledger.leases.get(name), *followed), OTHER, (phase, run.done))
        if run.done.status == 0:
            require(phase == followed[-1], ACKNOWLEDGED, f"said to be {followed[-1]}, is {phase}")
        if phase is not None:
            known[name] = phase
        needed = run.ledger.needed
        meant = {ref for ref in run.ledger.kept if ref.endswith(_LEASED[name])}
        if phase in ("aborted", "released"):
            needed -= meant
        elif phase:
            needed |= meant
        return replace(run.ledger, leases=known, needed=needed)

    return check


def judge_unpinned(run: Disturbed) -> Ledger:
    check_answer(invoke(run.store, b"", "check", "--repair"), 0)
    found = phases(run.store)
    pins = {name for name in found if name not in ("one", "two")}
    freed = any(found[name] == "released" for name in pins)
    require(freed or run.done.status, ACKNOWLEDGED, f"said to be unpinned: {found}")
    needed = {ref for ref in run.ledger.needed if not (freed and ref.endswith(_digest(3)))}
    return replace(run.ledger, needed=frozenset(needed), leases=found)


def judge_collection(run: Disturbed) -> Ledger:
    """What nobody needs is whole, or gone for good; which it is decides a repair."""
    check_answer(invoke(run.store, b"", "check", "--repair"), 0)
    kept = {}
    for ref, data in run.ledger.kept.items():
        done = read_back(run.store, ref)
        if done.status == 0:
            require(done.out == data, ACKNOWLEDGED, ref)
            kept[ref] = data
        else:
            require(ref not in run.ledger.needed, PROTECTED, (ref, done))
            require(done.status == 3, OTHER, (ref, done))
    return replace(run.ledger, kept=kept)


def judge_list(run: Disturbed) -> Ledger:
    """The file is as it was, or every text that was replaced reads back and the old one is kept."""
    path = run.store.home.parent / LIST
    data = path.read_bytes()
    if data == conversation():
        return run.ledger
    backup = path.with_name(LIST + ".before-stub")
    require(backup.exists() and backup.read_bytes() == conversation(), NOWHERE, "no backup")
    return check_list(run.store, data, run.ledger)


def check_list(store: Store, data: bytes, ledger: Ledger) -> Ledger:
    for message in json.loads(data):
        text = TEXTS.get(message.get("tool_call_id", ""))
        if text is None or message["content"] == text:
            continue
        ref = _ref_within(message["content"])
        check_kept(store, Ledger({ref: text.encode()}))
        ledger = ledger.add(ref, text.encode())
    return ledger


def _ref_within(text: str) -> str:
    found = re.search(r"artifact:[A-Za-z0-9._-]+:tool_result_[0-9]+\.txt:[0-9a-f]{16}", text)
    require(found, NOWHERE, text[:300])
    assert found
    return found[0]


def judge_printed_list(run: Disturbed) -> Ledger:
    """The list came out as it went in, or with texts that read back."""
    if run.killed or run.broken_output:
        return run.ledger
    if run.done.out == conversation():
        return run.ledger
    require(run.done.out, NOWHERE, run.done)
    return check_list(run.store, run.done.out, run.ledger)


def judge_run(run: Disturbed) -> Ledger:
    """As for the filter; a command that was not started made nothing."""
    started = (run.store.home.parent / "data.read").exists()
    if run.killed or (not started and run.done.out == b"" and run.done.status):
        return run.ledger
    return check_input(run.store, DATA, run.done, run.ledger, broken_output=run.broken_output)


def judge_read(run: Disturbed) -> Ledger:
    """What is printed is the beginning of what was kept; with status 0, all of it."""
    data = next(iter(run.ledger.kept.values()))
    require(data.startswith(run.done.out), ACKNOWLEDGED, run.done.out[:300])
    if run.done.status == 0 and not run.broken_output:
        require(run.done.out == data, ACKNOWLEDGED, run.done)
    return run.ledger
