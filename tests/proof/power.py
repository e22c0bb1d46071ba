"""The power fails at any call of any command that writes, and right after it said that it is done.

On ext4, XFS and btrfs. The control is a disk that lies: the same cut must then lose what was said
to be kept.
"""

import random
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path

from tests.proof.adapter import Store, forked, ref_of, unsynchronised
from tests.proof.calls import KILL_AFTER, KILL_BEFORE, Disturbance, run_disturbed
from tests.proof.disks import KINDS, Disk, Kind
from tests.proof.judges import Disturbed
from tests.proof.oracles import (
    Ledger,
    check_answer,
    check_final_names,
    check_kept,
    check_mended,
    check_next,
)
from tests.proof.point import Given, Point, first_caught, not_run
from tests.proof.processes import IS_LINUX, IS_ROOT, own_mounts
from tests.proof.scenarios import Scenario, scenarios
from tests.proof.states import DATA, lines
from tests.proof.trials import Template, calls, store_in, template

# What makes something durable, or gives or takes a name; between two others nothing changes.
DECIDING = frozenset(
    {"fsync", "fdatasync", "link", "rename", "replace", "unlink", "mkdir", "ftruncate", "pwrite"}
)
NAMES = frozenset(
    {
        "filter, a new store", "filter, a store in use", "filter, seen before", "run", "gc",
        "filter, after a collection", "lease prepare", "lease prepare, the first", "lease commit",
        "lease release", "messages offload --in-place", "check --repair",
    }
)  # fmt: skip


def points(given: Given) -> Iterator[Point]:
    if not IS_LINUX or not IS_ROOT:
        yield from not_run("needs root" if IS_LINUX else "needs Linux")
        return
    for kind in KINDS:
        for what in ("anything", "folders", "files"):
            # btrfs makes a name durable with its file: there is no loss without the folder's sync.
            if (kind.name, what) == ("btrfs", "folders"):
                continue
            run = partial(_control, kind, what)
            yield Point(f"control: {kind.name}, {what} not synchronised", run, control=True)
    chosen = [one for one in scenarios() if one.name in NAMES]
    random.Random(given.seed).shuffle(chosen)
    for turn in zip_longest(*(_of_scenario(one, given) for one in chosen)):
        yield from (point for point in turn if point)


def _of_scenario(scenario: Scenario, given: Given) -> Iterator[Point]:
    made = template(scenario, given.place)
    made_calls = calls(made, given.place)
    cuts: list[Disturbance | None] = [
        Disturbance(way, number)
        for number, call in enumerate(made_calls, 1)
        if call in DECIDING
        for way in (KILL_BEFORE, KILL_AFTER)
    ]
    found = [(kind, cut) for cut in [*cuts, *[None] * 10] for kind in KINDS]
    random.Random(f"{given.seed} {scenario.name}").shuffle(found)
    for number, (kind, cut) in enumerate(found):
        where = (
            f"{cut} call {cut.number} ({made_calls[cut.number - 1]})" if cut else f"done, {number}"
        )
        yield Point(f"{kind.name}, {scenario.name}: {where}", partial(_run, made, kind, cut))


def _run(made: Template, kind: Kind, cut: Disturbance | None, folder: Path) -> None:
    disk = _new_disk(kind, folder)
    within = disk.point / "state"
    store, scenario = made.copy_into(within), made.scenario
    # What was arranged has been there for long.
    _synchronise(disk)
    words = scenario.words(store)
    if cut is None:
        done, consumed = run_disturbed(store, scenario.data, words, Disturbance("", 0))
    else:
        done, consumed = run_disturbed(store, scenario.data, words, cut)
    disk.cut()
    check_final_names(store)
    check_kept(store, made.ledger, collected=scenario.collects)
    killed = done.status == 137
    if not killed:
        check_answer(done, 0, *scenario.statuses)
    # Of what was read and not acknowledged a power cut may take whatever was not synchronised.
    read = 0 if killed else consumed
    run = Disturbed(scenario.data, store, made.ledger, done, killed, read)
    ledger = scenario.judge(run)
    check_mended(store, ledger)
    check_next(store, ledger)


def _new_disk(kind: Kind, folder: Path) -> Disk:
    own_mounts()
    disk = Disk(kind, folder)
    disk.make()
    disk.mount()
    return disk


def _synchronise(disk: Disk) -> None:
    disk.unmount()
    disk.mount()


def _control(kind: Kind, what: str, folder: Path) -> int:
    disk = _new_disk(kind, folder)
    store: Store = store_in(disk.point)
    forked(store, DATA)

    def attempt(number: int) -> None:
        data = lines(200 + number)
        done = forked(store, data, prepare=unsynchronised(what))
        disk.cut()
        check_kept(store, Ledger({ref_of(done.out): data}))

    # Another process may call sync() for all disks just then.
    return first_caught(partial(attempt, number) for number in range(8))
