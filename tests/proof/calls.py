"""System calls that are disturbed: the N-th one kills, fails, lies or does half, in a forked child.

`Calls` of the helpers, with every call that the program makes through Python, and more ways to
spoil one. What Python's own C code calls is left to strace: see `strace`.
"""

import errno
import fcntl
import os
import select
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.proof.adapter import Calls, Ran, Store, forked

Prepare = Callable[[], None]

WRITES = ("write", "pwrite")
READS = ("read", "pread")
# A full or failing disk still reads and looks.
LOOKS = frozenset(
    {
        *READS, "fstat", "stat", "lstat", "listdir", "scandir", "unlink", "lseek", "ftruncate",
        "close", "flock", "select", "readlink", "pipe", "dup", "dup2", "statvfs", "rmdir",
    }
)  # fmt: skip
# What the kernel may answer; anything else is no fault but a lie.
_NAMING = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS)
_WRITING = (errno.EIO, errno.ENOSPC, errno.EFBIG)
ERRORS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("mkdir", "link", "symlink", "rename", "replace"), _NAMING),
    **dict.fromkeys(("write", "pwrite", "ftruncate"), _WRITING),
    **dict.fromkeys(("fsync", "fdatasync"), (errno.EIO, errno.ENOSPC)),
    **dict.fromkeys(("unlink", "rmdir"), (errno.EIO, errno.EACCES, errno.ENOENT)),
    **dict.fromkeys(("chmod", "fchmod", "utime", "fchown"), (errno.EIO, errno.EPERM)),
    **dict.fromkeys(("stat", "lstat", "listdir", "scandir"), (errno.EIO, errno.EACCES)),
    **dict.fromkeys(("pipe", "dup", "dup2"), (errno.EMFILE,)),
    "open": (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.ENOENT),
    "flock": (errno.EIO, errno.ENOLCK),
    "posix_spawnp": (errno.EAGAIN, errno.ENOMEM),
    "select": (),
}
KILL_BEFORE, KILL_AFTER, FAIL, FAIL_DONE, FAIL_ON, SHORT = (
    "killed before",
    "killed after",
    "failed",
    "failed though done",
    "failed for good",
    "half",
)


@dataclass(frozen=True)
class Disturbance:
    """What happens at a call: way is one of the words above, number counts from 1."""

    way: str
    number: int
    error: int = 0

    @property
    def kills(self) -> bool:
        return self.way in (KILL_BEFORE, KILL_AFTER)

    def __str__(self) -> str:
        error = f" with {errno.errorcode[self.error]}" if self.error else ""
        return f"{self.way}{error}"


class Shim(Calls):
    """Stands before the calls of `os` and `flock`; those on the standard streams are counted."""

    NAMES: tuple[str, ...] = (  # type: ignore[assignment]
        *Calls.NAMES,
        "read", "close", "lstat", "replace", "rmdir", "readlink", "scandir", "utime", "fchown",
        "statvfs", "pipe", "dup", "dup2", "posix_spawnp",
    )  # fmt: skip
    # How Python opens a file for `with open(...)` does not pass here; strace sees it.

    def __init__(self, meet: Callable[[int, str, Callable[[], Any], tuple[Any, ...]], Any]) -> None:
        super().__init__(lambda _number, _name: None)
        self._meet = meet

    def install(self) -> None:
        super().install()
        self._wrap_in(fcntl, "flock")
        self._wrap_in(select, "select")

    def _wrap(self, name: str) -> None:
        self._wrap_in(os, name)

    def _wrap_in(self, module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*given: Any, **named: Any) -> Any:
            self.count += 1
            return self._meet(self.count, name, lambda: real(*given, **named), given)

        setattr(module, name, call)


def disturb(what: Disturbance) -> Prepare:
    """For `prepare` of a forked run: that happens at that call."""

    def meet(count: int, name: str, act: Callable[[], Any], given: tuple[Any, ...]) -> Any:
        due = count == what.number
        if what.way == FAIL_ON:
            due = count >= what.number and (count == what.number or name not in LOOKS)
            # Standard streams are other files than the disk that fails.
            due = due and not (given and given[0] in (0, 1, 2) and name in WRITES + READS)
        if not due:
            return act()
        if what.way == KILL_BEFORE:
            die()
        if what.way == SHORT:
            # How often a stream is read is not the same in every run: it may be another call now.
            return half(name, given) if name in real else act()
        if what.way in (FAIL, FAIL_ON):
            raise OSError(what.error, os.strerror(what.error))
        act()
        if what.way == KILL_AFTER:
            die()
        raise OSError(what.error, os.strerror(what.error))

    real = {name: getattr(os, name) for name in (*WRITES, *READS)}

    def half(name: str, given: tuple[Any, ...]) -> Any:
        if name in WRITES:
            descriptor, data, *rest = given
            return real[name](descriptor, bytes(data)[: max(1, len(data) // 2)], *rest)
        descriptor, size, *rest = given
        return real[name](descriptor, max(1, size // 2), *rest)

    return Shim(meet).install


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def calls_of(store: Store, data: bytes, *arguments: str, **environment: str) -> list[str]:
    """The calls that a command makes, in order: its name, and `:0` to `:2` for a standard stream.

    What it does is done.
    """
    with tempfile.TemporaryFile() as log:
        descriptor, write = log.fileno(), os.write

        def meet(_count: int, name: str, act: Callable[[], Any], given: tuple[Any, ...]) -> Any:
            standard = given and type(given[0]) is int and given[0] in (0, 1, 2)
            write(descriptor, f"{name}{f':{given[0]}' if standard else ''}\n".encode())
            return act()

        forked(store, data, *arguments, prepare=Shim(meet).install, environment=environment)
        log.seek(0)
        return log.read().decode().split()


def disturbances(call: str, number: int) -> Iterator[Disturbance]:
    """Every way to spoil that call."""
    name, _, stream = call.partition(":")
    yield Disturbance(KILL_BEFORE, number)
    yield Disturbance(KILL_AFTER, number)
    if name in WRITES + READS:
        yield Disturbance(SHORT, number)
    if stream:
        yield Disturbance(FAIL, number, errno.EIO)
        return
    for error in ERRORS.get(name, (errno.EIO,)):
        yield Disturbance(FAIL, number, error)
    # That a program was started and is said not to be is nothing that a kernel does.
    if name not in LOOKS and name != "posix_spawnp":
        yield Disturbance(FAIL_DONE, number, errno.EIO)
    if name != "select":
        for error in (errno.EIO, errno.ENOSPC):
            yield Disturbance(FAIL_ON, number, error)


def run_fed(
    store: Store, data: bytes, arguments: tuple[str, ...], prepare: Prepare, **environment: str
) -> tuple[Ran, int]:
    """A forked run, and how many bytes of its standard input it had read at its end."""
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)

        def before() -> None:
            os.dup2(given.fileno(), 0)
            prepare()

        done = forked(store, b"", *arguments, prepare=before, environment=environment)
        return done, os.lseek(given.fileno(), 0, os.SEEK_CUR)


def run_disturbed(
    store: Store, data: bytes, arguments: tuple[str, ...], what: Disturbance, **environment: str
) -> tuple[Ran, int]:
    return run_fed(store, data, arguments, disturb(what), **environment)
