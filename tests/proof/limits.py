"""Too little of everything: memory, threads, descriptors, file size, stack, and modules to import.

Whatever is short, the input is in the store or on standard output, once, and no traceback is seen.
That status 70 is told where memory was refused is no violation: the table of statuses has it.
"""

import os
import random
import resource
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.proof import shortages
from tests.proof.adapter import Ran, Store, at_start
from tests.proof.calls import Prepare, run_fed
from tests.proof.oracles import Ledger, check_input
from tests.proof.point import Given, NotRun, Point, first_caught, not_run
from tests.proof.processes import IS_ROOT
from tests.proof.scenarios import Scenario, scenarios
from tests.proof.shortages import MIB, STRANGER
from tests.proof.states import DATA
from tests.proof.trials import Template, judge, store_in, template

NAMES = frozenset(
    {
        "filter, a new store", "filter, seen before", "filter, 3 MB", "filter, preview", "run",
        "filter, small", "gc", "lease prepare", "lease commit", "messages offload",
        "messages offload --in-place", "check --repair", "read --all", "search", "ls",
    }
)  # fmt: skip


def points(given: Given) -> Iterator[Point]:
    yield from controls()
    chosen = [one for one in scenarios() if one.name in NAMES]
    dice = random.Random(given.seed)
    dice.shuffle(chosen)
    made: dict[str, Template] = {}
    if sys.platform != "linux":
        yield from not_run("needs Linux")
        return
    each: list[tuple[Scenario, shortages.Limit | int]] = [
        (one, limit) for one in chosen for limit in shortages.limits(dice)
    ]
    each += [(one, real) for one in chosen for real in range(24, 200)]
    dice.shuffle(each)
    for scenario, limit in each:
        if scenario.name not in made:
            made[scenario.name] = template(scenario, given.place)
        if isinstance(limit, int):
            real = partial(_run_real, made[scenario.name], limit)
            yield Point(f"{scenario.name}: a process of {limit} MiB", real)
        else:
            yield Point(f"{scenario.name}: {limit.name}", partial(_run, made[scenario.name], limit))


def _run(made: Template, limit: shortages.Limit, folder: Path) -> None:
    store, scenario = made.copy(folder), made.scenario
    if limit.name.endswith("another user"):
        _give_away(folder)
    piped = limit.outputs and len(scenario.data) < MIB
    begin = partial(at_start, limit.prepare)
    reading, prepare = _pipe(begin) if piped else (None, begin)
    done, consumed = run_fed(store, scenario.data, scenario.words(store), prepare)
    if reading is not None:
        done = Ran(done.status, _drained(reading), done.err)
    if limit.name.endswith("another user"):
        _take_back(folder)
    judge(
        made, store, done, consumed=consumed, bugs=True, broken_output=limit.outputs and not piped
    )


def _pipe(prepare: Prepare) -> tuple[int, Prepare]:
    """Standard output as a pipe that holds it all: no limit of files is one of it."""
    import fcntl

    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, MIB)
    os.set_blocking(reading, False)

    def before() -> None:
        os.dup2(writing, 1)
        os.close(writing)
        prepare()

    def finish() -> int:
        return reading

    return finish(), before


def _drained(reading: int) -> bytes:
    parts = []
    while select.select([reading], [], [], 0)[0]:
        try:
            data = os.read(reading, MIB)
        except BlockingIOError:
            break
        if not data:
            break
        parts.append(data)
    os.close(reading)
    return b"".join(parts)


def _run_real(made: Template, mib: int, folder: Path) -> None:
    """A process of its own, whose interpreter has to start within the limit too."""
    store, scenario = made.copy(folder), made.scenario
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(scenario.data)
        given.seek(0)
        process = subprocess.run(
            [sys.executable, "-m", "stubcli", *scenario.words(store)],
            stdin=given,
            stdout=out,
            stderr=subprocess.PIPE,
            env=store.environment(),
            check=False,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (mib * MIB, mib * MIB)),
        )
        out.seek(0)
        consumed = os.lseek(given.fileno(), 0, os.SEEK_CUR)
        status = process.returncode
        done = Ran(128 - status if status < 0 else status, out.read(), process.stderr)
    if consumed == 0 and _is_of_the_interpreter(done):
        done = Ran(5, done.out, b"")
    judge(made, store, done, consumed=consumed, bugs=True)


def _is_of_the_interpreter(done: Ran) -> bool:
    """Whether it ended before a line of the program's own had run."""
    return done.status in (1, 134, 139) and b"/stubcli/" not in done.err


# ---- Another user


def _give_away(folder: Path) -> None:
    if not IS_ROOT:
        raise NotRun("another user: needs root")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, STRANGER, STRANGER, follow_symlinks=False)


def _take_back(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, os.geteuid(), os.getegid(), follow_symlinks=False)


# ---- Controls


def controls() -> Iterator[Point]:
    """Ways to lose and to double that the oracles have to see."""
    for name, spoil in (
        ("the first piece is printed twice", _twice),
        ("the fallback prints all but a byte", _short),
    ):
        yield Point(f"control: {name}", partial(_attempt, spoil), control=True)


def _attempt(spoil: Callable[[int, bytes, Callable[[int, bytes], int]], int], folder: Path) -> int:
    def prepare() -> None:
        real: Any = os.write
        shortages.file_size(4096)
        os.write = lambda descriptor, data: (
            spoil(descriptor, bytes(data), real) if descriptor == 1 else real(descriptor, data)
        )

    def attempt() -> None:
        store: Store = store_in(folder)
        reading, before = _pipe(prepare)
        done, _ = run_fed(store, DATA, (), before)
        check_input(store, DATA, Ran(done.status, _drained(reading), done.err), Ledger())

    return first_caught([attempt])


def _twice(descriptor: int, data: bytes, real: Callable[[int, bytes], int]) -> int:
    real(descriptor, data)
    return real(descriptor, data)


def _short(descriptor: int, data: bytes, real: Callable[[int, bytes], int]) -> int:
    return real(descriptor, data[:-1]) + 1
