"""Clocks that jump, both ways, between the commands of one session.

Age is what the clock says when it is asked; nothing that is needed goes, whatever it says, and a
clock that ran back takes nothing at all.
"""

import datetime
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.proof.adapter import Store, forked, ref_of
from tests.proof.oracles import Ledger, check_answer, check_input, check_kept, read_back
from tests.proof.point import ACKNOWLEDGED, PROTECTED, first_caught, require
from tests.proof.states import lines
from tests.proof.trials import Template

HOUR, DAY, YEAR = 3600, 86_400, 31_536_000
JUMPS = (0, 30, -30, 300, -300, HOUR, -HOUR, DAY + HOUR, -DAY, 10 * YEAR, -10 * YEAR)


def jump(seconds: float) -> None:
    """In a forked child: every clock that the program can ask is off by so much."""
    now, now_ns, gmtime = time.time, time.time_ns, time.gmtime
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)
    time.gmtime = lambda when=None: gmtime(now() + seconds if when is None else when)

    class Jumped(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return super().now(tz) + datetime.timedelta(seconds=seconds)

    datetime.datetime = Jumped  # type: ignore[misc]


def try_clocks(made: Template, seed: str, folder: Path) -> int:
    """Commands of one session, each at another time of the clock. The disk's own times are true.

    last: by which clock each was used last, in seconds from the true one. The last use counts and
    not the latest: a clock that was wrong for a while is put right by the next reader.
    """
    store, dice, ledger = made.copy(folder), random.Random(seed), made.ledger
    last = dict.fromkeys(ledger.kept, 0)
    for step in range(8):
        offset = dice.choice(JUMPS)
        at = partial(jump, offset)
        way = dice.choice(("put", "read", "gc", "gc", "repair", "claim"))
        if way == "put":
            data = lines(dice.randrange(20))
            done = forked(store, data, prepare=at)
            with _unseen(store):
                ledger = check_input(store, data, done, ledger)
            # A new file has the disk's time; one that was there was marked by the clock of now.
            ref = ref_of(done.out)
            last[ref] = max(0, offset) if ref in last else 0
        elif way == "read":
            ref = dice.choice(list(last))
            done = forked(store, b"", "read", ref, prepare=at)
            last[ref] = max(0, offset)
            check_answer(done, 0)
        elif way == "gc":
            done = forked(store, b"", "gc", "--apply", "--older-than", "24h", prepare=at)
            check_answer(done, 0, 6)
            with _unseen(store):
                ledger = _check_collection(store, ledger, last, offset, f"step {step}: {done}")
        elif way == "repair":
            check_answer(forked(store, b"", "check", "--repair", prepare=at), 0)
        else:
            ref = dice.choice(list(last))
            words = ("lease", "prepare", ref, "--transaction", f"claim-{step}")
            done = forked(store, b"", *words, prepare=at)
            check_answer(done, 0)
            ledger = Ledger(ledger.kept, ledger.needed | {ref}, ledger.leases)
            last[ref] = max(0, offset)
        with _unseen(store):
            check_kept(store, ledger)
    return 8


@contextmanager
def _unseen(store: Store) -> Iterator[None]:
    """What is read in here is used by nobody: to look by the true clock would set every mark back.

    Without it a mark from the future was gone before the collection that had to heed it.
    """
    times = {
        path: (status.st_atime_ns, status.st_mtime_ns)
        for path in store.results.glob("tool_result_*.txt")
        if (status := path.stat())
    }
    yield
    for path, both in times.items():
        os.utime(path, ns=both)


def _check_collection(
    store: Store, ledger: Ledger, last: dict[str, int], offset: int, what: str
) -> Ledger:
    """Only what was unused for a day by the clock of then is gone, and nothing if that ran back."""
    gone = {ref for ref in ledger.kept if read_back(store, ref).status == 3}
    for ref in gone:
        require(ref not in ledger.needed, PROTECTED, f"{ref}: {what}")
        age = offset - last.pop(ref)
        require(age >= DAY - 60, ACKNOWLEDGED, f"{ref} was unused for {age} s only; {what}")
    return Ledger(
        {r: d for r, d in ledger.kept.items() if r not in gone}, ledger.needed, ledger.leases
    )


def any_clock(made: Template, folder: Path) -> int:
    """Age counted from nowhere: as if all had been unused for ever."""

    def attempt() -> None:
        store, ledger = made.copy(folder), made.ledger
        last = dict.fromkeys(ledger.kept, 0)
        done = forked(store, b"", "gc", "--apply", "--older-than", "24h",
                      prepare=partial(jump, 2 * DAY))  # fmt: skip
        _check_collection(store, ledger, last, 0, str(done))

    return first_caught([attempt])
