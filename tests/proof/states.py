"""The states that a store is in when it is met, arranged by commands alone, once for all families.

A state may begin with another one: it is then a copy of that, and what is done beside.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.proof.adapter import Store, forked, is_stub, ref_of
from tests.proof.calls import KILL_BEFORE, Disturbance, run_disturbed
from tests.proof.oracles import Ledger, phases, read_back
from tests.proof.point import OTHER, require


@dataclass(frozen=True)
class State:
    """What is done to a store to bring it there; the ledger of what it then holds."""

    name: str
    arrange: Callable[[Store, Ledger], Ledger]
    before: "State | None" = None


def lines(number: int, count: int = 1500) -> bytes:
    """About 20 kB that no other number has, and that look like nothing in particular."""
    return b"".join(b"%d of output %d\n" % (n, number) for n in range(count))


DATA = lines(99)
SMALL = b"a few words\n"


def put(store: Store, ledger: Ledger, number: int) -> tuple[Ledger, str]:
    data = lines(number)
    done = forked(store, data)
    require(is_stub(done.out), OTHER, done)
    return ledger.add(ref_of(done.out), data), ref_of(done.out)


def do(store: Store, *arguments: str, data: bytes = b"") -> bytes:
    done = forked(store, data, *arguments)
    require(done.status == 0, OTHER, (arguments, done))
    return done.out


def _empty(_store: Store, ledger: Ledger) -> Ledger:
    return ledger


def _one(store: Store, ledger: Ledger) -> Ledger:
    return put(store, ledger, 4)[0]


def _in_use(store: Store, ledger: Ledger) -> Ledger:
    refs = []
    for number in range(1, 6):
        ledger, ref = put(store, ledger, number)
        refs.append(ref)
    do(store, "lease", "prepare", refs[0], "--transaction", "one")
    do(store, "lease", "prepare", refs[1], "--transaction", "two")
    do(store, "lease", "commit", "two")
    do(store, "pin", refs[2])
    return replace(ledger, needed=frozenset(refs[:3]), leases=phases(store))


def _seen_before(store: Store, ledger: Ledger) -> Ledger:
    done = forked(store, DATA)
    return ledger.add(ref_of(done.out), DATA)


def _collected_before(store: Store, ledger: Ledger) -> Ledger:
    do(store, "gc", "--apply", "--older-than", "0s")
    return replace(ledger, kept={ref: ledger.kept[ref] for ref in ledger.needed})


def _left_over(store: Store, ledger: Ledger) -> Ledger:
    for number, call in enumerate((20, 30, 38)):
        run_disturbed(store, lines(50 + number), (), Disturbance(KILL_BEFORE, call))
    with open(store.folder / "retention-leases.jsonl", "ab") as journal:
        journal.write(b'{"event_sha256":"12')
    return ledger


LIST = "list.json"
TEXTS = {"call_0": lines(70, 3000).decode(), "call_1": "small", "call_2": lines(71, 3000).decode()}


def conversation() -> bytes:
    calls = [
        {"id": name, "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        for name in TEXTS
    ]
    answers = [
        {"role": "tool", "tool_call_id": name, "content": text} for name, text in TEXTS.items()
    ]
    said = {"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": calls}
    return json.dumps([*said, *answers, {"role": "assistant", "content": "done"}]).encode()


def _with_files(store: Store, ledger: Ledger) -> Ledger:
    (store.home.parent / LIST).write_bytes(conversation())
    (store.home.parent / "data").write_bytes(DATA)
    return ledger


def _everything(store: Store, ledger: Ledger) -> Ledger:
    forked(store, lines(1))  # the same bytes once more
    do(store, "read", "1")
    do(store, "search", "output 2")
    do(store, "messages", "offload", "--threshold", "5000", data=conversation())
    extra, ref = put(store, Ledger(), 60)
    do(store, "gc", "--apply", "--older-than", "0s", "--max-deletions", "1")
    kept = {}
    for one, data in {**ledger.kept, **extra.kept}.items():
        if read_back(store, one).status == 0:
            kept[one] = data
    require(ref in kept and len(kept) == len(ledger.kept), OTHER, "one was to be collected")
    return replace(ledger, kept=kept)


EMPTY = State("a new store", _empty)
ONE = State("one artifact", _one)
# Five artifacts: 1 is prepared, 2 committed, 3 pinned; 4 and 5 are needed by nobody.
IN_USE = State("in use", _in_use)
SEEN_BEFORE = State("the same bytes kept before", _seen_before, IN_USE)
COLLECTED_BEFORE = State("collected before", _collected_before, IN_USE)
# What writers left that were killed at three of their calls, and a torn record of a lease.
LEFT_OVER = State("left over", _left_over, IN_USE)
# Beside the store a list of messages, and a file of bytes for a command to print.
WITH_FILES = State("with files", _with_files, IN_USE)
# Every kind of name that any command makes.
EVERYTHING = State("everything", _everything, WITH_FILES)
