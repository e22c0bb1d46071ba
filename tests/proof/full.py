"""File systems that are full to the page and to the last inode, with the output on the same one.

What was stored is given up only when it was really printed: where neither place has room for all,
what is there stays, and the status says so.
"""

import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.proof.adapter import LARGE, Ran, Store, forked, is_stub
from tests.proof.commands import invoke
from tests.proof.oracles import (
    Ledger,
    artifacts,
    check_answer,
    check_final_names,
    check_input,
    check_kept,
    check_next,
)
from tests.proof.point import NOWHERE, Given, NotRun, Point, first_caught, not_run, require
from tests.proof.processes import IS_LINUX, IS_ROOT, own_mounts
from tests.proof.states import put
from tests.proof.trials import store_in

PAGE = 4096
DATA = LARGE + LARGE[:50_000]
# What folders, records and half-filled pages take beside the bytes themselves.
OVERHEAD = 40 * PAGE
MODES = ("raw", "preview", "reject")


@dataclass(frozen=True)
class Room:
    """A file system of so many pages and inodes; whether the output goes there, and what of it."""

    pages: int
    inodes: int
    shared: bool
    mode: str

    def __str__(self) -> str:
        where = "the output beside the store" if self.shared else "the store alone"
        return f"{self.pages} pages, {self.inodes} inodes, {where}, {self.mode}"


def points(given: Given) -> Iterator[Point]:
    if not IS_LINUX or not IS_ROOT:
        yield from not_run("needs root" if IS_LINUX else "needs Linux")
        return
    yield Point("control: what was stored is given up first", _control, control=True)
    tight, wide = list(_tight()), list(_wide())
    for rooms in (tight, wide):
        random.Random(given.seed).shuffle(rooms)
    for turn in zip_longest(tight, wide):
        yield from (Point(str(room), partial(_run, room)) for room in turn if room)


def _tight() -> Iterator[Room]:
    """Room for the bytes, and just not, or just, for what makes an artifact of them."""
    bytes_alone = len(DATA) // PAGE
    for pages in range(bytes_alone, bytes_alone + 64):
        for mode in MODES:
            yield Room(pages, 1000, True, mode)
    # About so many names are taken; the bytes have room once, and for the output a part of it.
    for inodes in range(11, 22):
        for pages in range(bytes_alone + 8, 2 * bytes_alone + 40, 8):
            yield Room(pages, inodes, True, "raw")


def _wide() -> Iterator[Room]:
    most = len(DATA) // PAGE + 60
    for shared in (True, False):
        for mode in MODES:
            for pages in range(8, 2 * most):
                yield Room(pages, 1000, shared, mode)
            for inodes in range(8, 40):
                yield Room(4 * most, inodes, shared, mode)


def _run(room: Room, folder: Path) -> None:
    store, outside = _mounted(folder)
    ledger, _ = put(store, Ledger(), 1)
    _limit(folder, room)
    place = (store.home.parent if room.shared else outside) / "out"
    done = _filter(store, place, "--on-failure", room.mode)
    _limit(folder, Room(100_000, 0, True, ""))
    _judge(room, store, done, ledger)


def _mounted(folder: Path) -> tuple[Store, Path]:
    own_mounts()
    for name in ("disk", "outside"):
        (folder / name).mkdir()
    _mount("-t", "tmpfs", "-o", "size=64m,mode=700", "none", str(folder / "disk"))
    return store_in(folder / "disk"), folder / "outside"


def _limit(folder: Path, room: Room) -> None:
    options = f"remount,size={room.pages * PAGE},nr_inodes={room.inodes}"
    _mount("-o", options, str(folder / "disk"))


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRun("less room than the store had taken before" if "remount" in words[1] else
                     "no tmpfs can be mounted here")  # fmt: skip


def _filter(store: Store, place: Path, *words: str) -> Ran:
    """The filter, with its output in a file at `place`, where one can be made."""
    try:
        out = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise NotRun("no room for the output's own name") from error

    def prepare() -> None:
        os.dup2(out, 1)

    done = forked(store, DATA, *words, prepare=prepare)
    os.close(out)
    return Ran(done.status, place.read_bytes(), done.err)


def _judge(room: Room, store: Store, done: Ran, ledger: Ledger) -> None:
    check_answer(done)
    check_final_names(store)
    check_kept(store, ledger)
    whole = done.out == DATA or (is_stub(done.out) and done.out.endswith(b"]\n"))
    if whole or not room.shared or room.mode != "raw":
        if room.mode == "reject" and done.status == 5:
            require(done.out == b"", NOWHERE, done.out[:300])
        elif room.mode != "raw" and done.status == 5:
            require(room.shared or b"NOT STORED" in done.out, NOWHERE, done)
        else:
            ledger = check_input(store, DATA, done, ledger)
    else:
        _check_nothing_was_given_up(room, store, done)
    check_answer(invoke(store, b"", "check", "--repair"), 0)
    check_answer(invoke(store, b"", "check"), 0)
    check_next(store, ledger)


def _check_nothing_was_given_up(room: Room, store: Store, done: Ran) -> None:
    """Both places are full: together they hold what there was room for."""
    require(done.status != 0 and done.err.startswith(b"stub: "), NOWHERE, done.err)
    require(DATA.startswith(done.out) or is_stub(done.out), NOWHERE, done.out[:300])
    check_answer(invoke(store, b"", "check", "--repair"), 0)
    kept = max((len(one) for one in artifacts(store) if DATA.startswith(one)), default=0)
    if kept == len(DATA):
        return
    room_for = room.pages * PAGE - OVERHEAD
    what = f"{len(done.out)} bytes came out, {kept} are kept, of {len(DATA)}; room for {room_for}"
    require(len(done.out) + kept >= min(room_for, len(DATA)), NOWHERE, what)


def _control(folder: Path) -> int:
    """A fallback that removes the stored copy before it prints."""
    room = Room(len(DATA) // PAGE + 30, 1000, True, "raw")
    store, _ = _mounted(folder)
    _ledger, _ = put(store, Ledger(), 1)
    _limit(folder, room)

    def attempt() -> None:
        place = store.home.parent / "out"
        out = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)

        def prepare() -> None:
            os.dup2(out, 1)
            real: Any = os.write

            def write(descriptor: int, data: Any) -> Any:
                if descriptor not in (1, 2) and len(data) < 20_000:
                    raise OSError(28, "No space left on device")
                # The filler takes what the stored copy gives free.
                return real(descriptor, data[:100]) if descriptor == 1 else real(descriptor, data)

            os.write = write

        done = forked(store, DATA, prepare=prepare)
        out_now = place.read_bytes()[: 20 * PAGE]
        _check_nothing_was_given_up(room, store, Ran(done.status or 5, out_now, b"stub: full"))

    return first_caught([attempt])
