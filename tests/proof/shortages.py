"""The ways to be short of something: memory, threads, descriptors, file size, stack, modules.

Each makes it so in a forked child, at the moment when the program's own first line runs.
"""

import os
import random
import resource
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

from tests.helpers import fail_import, refuse_memory
from tests.proof.adapter import read_and_write_little
from tests.proof.calls import Prepare

MIB = 1 << 20
STRANGER = 61_236


@dataclass(frozen=True)
class Limit:
    """What is short, by how much: `prepare` makes it so in a forked child.

    outputs: standard output is short of it too.
    """

    name: str
    prepare: Prepare
    outputs: bool = False


def limits(dice: random.Random) -> Iterator[Limit]:
    """Every kind, in its own steps."""
    for amount in range(80):
        yield Limit(f"{amount} MiB more", partial(memory, amount * MIB))
    numbers = sorted(int(10 ** dice.uniform(0, 5)) for _ in range(300))
    # Some builds of Python leave out what refuses memory.
    for number in numbers if find_spec("_testcapi") else ():
        for count in (1, 2, 10):
            yield Limit(
                f"allocations {number} to {number + count}", partial(no_memory, number, count)
            )
    for number in range(1, 8):
        yield Limit(f"thread {number} and later ones", partial(no_thread, number))
    yield Limit("no thread for another user", no_process)
    for number in range(4, 40):
        yield Limit(f"{number} descriptors", partial(descriptors, number))
    for size in (*range(64), *(dice.randrange(64, 64 << 10) for _ in range(100))):
        yield Limit(f"files of {size} bytes", partial(file_size, size), outputs=True)
    for depth in range(15, 150):
        yield Limit(f"{depth} frames", partial(recursion, depth))
    for number in range(1, 120):
        for error in (ImportError, MemoryError):
            yield Limit(f"import {number}: {error.__name__}", partial(fail_import, number, error))


def memory(more: int) -> None:
    with open("/proc/self/statm", "rb") as file:
        size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + more, size + more))


def no_memory(number: int, count: int) -> None:
    read_and_write_little()
    refuse_memory(number, count)


def no_thread(number: int) -> None:
    """From that one on no thread can be started."""
    begun = 0
    for name in ("_start_new_thread", "_start_joinable_thread"):
        real = getattr(threading, name, None)
        if real is None:
            continue

        def start(*given: Any, real: Any = real, **named: Any) -> Any:
            nonlocal begun
            begun += 1
            if begun >= number:
                raise RuntimeError("can't start new thread")
            return real(*given, **named)

        setattr(threading, name, start)


def no_process() -> None:
    """The kernel's own refusal: a user who may have no process more than there are."""
    os.setgroups([])
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def descriptors(number: int) -> None:
    os.closerange(3, 4096)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))


def file_size(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def recursion(depth: int) -> None:
    frame, used = sys._getframe(), 0
    while frame:
        frame, used = frame.f_back, used + 1  # type: ignore[assignment]
    sys.setrecursionlimit(used + depth)
