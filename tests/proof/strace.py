"""A second opinion: real processes, whose calls the kernel itself fails or ends, through strace.

It sees what Python's own C code calls, imports and lazily opened files included.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.proof.adapter import Ran, Store
from tests.proof.point import Given, Point, not_run
from tests.proof.scenarios import Scenario, scenarios
from tests.proof.trials import Template, judge, template

# What changes anything, gives or takes a name, or brings bytes.
TRACED = (
    "openat", "mkdirat", "linkat", "renameat", "renameat2", "rename", "unlinkat", "unlink", "write",
    "pwrite64", "ftruncate", "fsync", "fdatasync", "fchmod", "flock", "read", "pread64", "close",
    "getdents64", "newfstatat", "mmap", "clone3", "pipe2", "lseek",
)  # fmt: skip
ERRORS = {
    "openat": ("EMFILE", "EIO", "EACCES"), "mkdirat": ("ENOSPC", "EIO"), "linkat": ("EIO", "EPERM"),
    "renameat": ("EIO", "ENOSPC"), "rename": ("EIO", "ENOSPC"), "write": ("ENOSPC", "EIO"),
    "pwrite64": ("ENOSPC", "EIO"), "fsync": ("EIO",), "fdatasync": ("EIO",), "mmap": ("ENOMEM",),
    "clone3": ("EAGAIN",), "read": ("EIO",), "pread64": ("EIO",), "getdents64": ("EIO",),
    "pipe2": ("EMFILE",), "flock": ("ENOLCK", "EIO"), "unlinkat": ("EIO",), "ftruncate": ("EIO",),
    "fchmod": ("EPERM",), "newfstatat": ("EIO",),
}  # fmt: skip
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")
# hashlib tells by itself of a hash function whose module cannot be read, and goes on without it:
# nobody is asked, and none of these is used. And where the package's folder cannot be read, the
# interpreter ends before a line of the package runs: only its own frozen modules are in the frames.
_OF_PYTHON = re.compile(
    rb"ERROR:root:code for hash (blake2[bs]|sha3_\d+|shake_\d+) was not found\.\n"
    rb"Traceback [^\0]*?\nValueError: unsupported hash type \1\n"
    rb"|Traceback [^\n]*\n(?:  File \"<frozen [^\n]*\n)+\w+Error: [^\n]*\n"
)
# The program's own code begins to run when this module is looked for.
_BEGINS = "stubcli/entry"
WANTED = frozenset({"filter, a new store", "filter, seen before", "gc", "lease prepare",
                    "messages offload --in-place", "check --repair"})  # fmt: skip


@dataclass(frozen=True)
class Injection:
    """The number-th call of that name, counted from the process's start, ends so."""

    call: str
    number: int
    ending: str

    @property
    def option(self) -> str:
        return f"inject={self.call}:{self.ending}:when={self.number}"


def points(given: Given) -> Iterator[Point]:
    if shutil.which("strace") is None:
        yield from not_run("needs strace")
        return
    chosen = [one for one in scenarios() if one.name in WANTED]
    random.Random(given.seed).shuffle(chosen)
    each = [_of_scenario(one, given) for one in chosen]
    while each:
        for one in list(each):
            if point := next(one, None):
                yield point
            else:
                each.remove(one)


def _of_scenario(scenario: Scenario, given: Given) -> Iterator[Point]:
    made = template(scenario, given.place)
    spare = made.copy(given.place / f"traced {scenario.name}")
    found = [
        Injection(call, number, ending)
        for call, number in _calls(spare, scenario)
        for ending in ("signal=KILL", *(f"error={e}" for e in ERRORS.get(call, ())))
    ]
    random.Random(f"{given.seed} strace {scenario.name}").shuffle(found)
    for what in found:
        yield Point(f"strace, {scenario.name}: {what.option}", partial(_run, made, what))


def _command(scenario: Scenario, store: Store, *options: str) -> list[str]:
    program = [sys.executable, "-m", "stubcli", *scenario.words(store)]
    return ["strace", "-f", "-qq", "-e", "signal=none", *options, *program]


def _traced(scenario: Scenario, store: Store, *options: str) -> tuple[Ran, int]:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(scenario.data)
        given.seek(0)
        done = subprocess.run(
            _command(scenario, store, *options),
            stdin=given,
            stdout=out,
            stderr=subprocess.PIPE,
            env=store.environment(),
            check=False,
        )
        out.seek(0)
        consumed = os.lseek(given.fileno(), 0, os.SEEK_CUR)
        status = 128 - done.returncode if done.returncode < 0 else done.returncode
        return Ran(status, out.read(), done.stderr), consumed


def _calls(store: Store, scenario: Scenario) -> list[tuple[str, int]]:
    """(name, number) of each call that is made once the program's own code runs."""
    log = store.home.parent / "calls"
    _traced(scenario, store, "-o", str(log), "-e", "trace=" + ",".join(f"?{n}" for n in TRACED))
    counts: dict[str, int] = {}
    found, begun = [], False
    for line in log.read_text(errors="replace").splitlines():
        if not (match := _CALL.match(line)):
            continue
        name = match[1]
        counts[name] = counts.get(name, 0) + 1
        begun = begun or _BEGINS in match[2]
        if begun:
            found.append((name, counts[name]))
    return found


def _run(made: Template, what: Injection, folder: Path) -> None:
    store = made.copy(folder)
    options = ("-o", os.devnull, "-e", f"trace={what.call}", "-e", what.option)
    done, consumed = _traced(made.scenario, store, *options)
    done = Ran(done.status, done.out, _OF_PYTHON.sub(b"", done.err))
    killed = what.ending == "signal=KILL"
    # Where another thread came first the call of that number may be another one, or none.
    broken = what.call == "write"
    judge(
        made,
        store,
        done,
        killed=killed and done.status == 137,
        broken_output=broken,
        consumed=consumed,
        bugs=what.call in ("mmap", "read", "openat", "newfstatat", "getdents64", "lseek", "close"),
    )
