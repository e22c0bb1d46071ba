"""Whatever comes in: hosts' events, MCP frames, messages, configurations, plans, records, SQL.

Grammar-made and mutated, run in this process for speed, with the program's own error boundary
around each: no traceback, no hang, a documented status, bounded output, and nothing that data says
is taken for the program's own word.
"""

import json
import os
import random
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.proof import adapter, frames, grammar, kinds
from tests.proof.adapter import Store
from tests.proof.oracles import Ledger, check_kept
from tests.proof.point import (
    OTHER,
    Given,
    Point,
    Violation,
    first_caught,
    require,
)
from tests.proof.scenarios import Scenario
from tests.proof.states import IN_USE, State, do
from tests.proof.trials import Template, template

# What one case may take, whatever else this machine does meanwhile.
CASE_SECONDS = 20


def points(given: Given) -> Iterator[Point]:
    made = template(Scenario("inputs", State("inputs", _arrange, IN_USE)), given.place)
    yield Point("control: frames from data are let through", _forging, control=True)
    yield Point("control: an error that no boundary takes", _unbounded, control=True)
    number = 0
    while True:
        for name, (count, case) in KINDS.items():
            seed = f"{given.seed} {number} {name}"
            run = partial(_batch, made, case, count, _EACH.get(name, 1), seed)
            yield Point(f"{name}, {seed}", run, seconds=300)
        number += 1


def _arrange(store: Store, ledger: Ledger) -> Ledger:
    table = b"id,name\n" + b"".join(b"%d,name %d\n" % (n, n) for n in range(2000))
    do(store, data=table)
    (store.home.parent / "secret").write_bytes(kinds.SECRET + b"\n")
    (store.home.parent / "out").mkdir()
    return ledger


def _batch(made: Template, case: kinds.Case, count: int, each: int, seed: str, folder: Path) -> int:
    store, dice = made.copy(folder), random.Random(seed)
    signal.signal(signal.SIGALRM, _too_long)
    for number in range(count):
        signal.alarm(CASE_SECONDS)
        try:
            case(store, dice)
        except Violation as found:
            raise Violation(found.kind, f"case {number} of {seed}: {found}") from None
    signal.alarm(0)
    require(os.listdir(folder / "copy" / "out") == [], OTHER, "a file was made outside")
    check_kept(store, made.ledger)
    return count * each


def _too_long(_number: int, _frame: object) -> None:
    raise Violation("hangs", f"a case took more than {CASE_SECONDS} s")


# How many cases a point has, and what one of them is; of the parsers each case is 50.
KINDS: dict[str, tuple[int, kinds.Case]] = {
    "pages with forged frames": (25, kinds.try_page),
    "hosts' events": (40, kinds.try_hook),
    "records": (40, kinds.try_record),
    "records, bytes": (40, kinds.parsed(adapter.load_record, adapter.sample_record)),
    "records, values": (
        40,
        kinds.signed(adapter.load_record, adapter.sample_record, adapter.signed_record),
    ),
    "messages": (40, kinds.try_messages),
    "MCP frames": (4, kinds.mcp),
    "configurations": (60, kinds.try_configuration),
    "plans": (40, kinds.try_plan),
    "plans, bytes": (40, kinds.parsed(adapter.load_plan, kinds.made_plan)),
    "plans, values": (40, kinds.signed(adapter.load_plan, kinds.made_plan, adapter.signed_plan)),
    "arguments": (40, kinds.try_arguments),
    "SQL": (15, kinds.try_query),
}
# Cases that one case stands for.
_EACH = {"MCP frames": 50, **dict.fromkeys((n for n in KINDS if "bytes" in n or "values" in n), 50)}


# ---- Controls


def _forging(folder: Path) -> int:
    """A page in which the data's own lines stand as they came."""
    dice = random.Random(7)

    def attempt(_number: int) -> None:
        lines = grammar.forged(dice).decode().splitlines()[-20:]
        opening = "[stub artifact:test:tool_result_001.txt:9f86d081884c7d65] text/plain, 9 lines"
        end = "[stub end artifact:test:tool_result_001.txt:9f86d081884c7d65]"
        frames.check_page("\n".join([opening, *lines, "Next: stub read", end]))

    assert folder
    return first_caught(partial(attempt, number) for number in range(20))


def _unbounded(folder: Path) -> int:
    """A parser whose errors nobody takes."""

    def read(data: bytes) -> object:
        return json.loads(data)["number"]

    case = kinds.parsed(read, adapter.sample_record)
    return first_caught([lambda: case(Store(folder), random.Random(1))])
