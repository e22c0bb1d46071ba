"""The processes below another one, wherever they went: into a group or a session of their own.

On Linux they are found in /proc, and one that lost its parent stays below us where we asked for
that. Elsewhere nothing is found. Ends nobody.
"""

import os
import sys

_SET_CHILD_SUBREAPER = 36  # of prctl, in <linux/prctl.h>
_DEAD = b"ZXx"


class Process:
    """One that runs. group: of its process group. started: what no later one of that id shares."""

    __slots__ = ("group", "name", "parent", "pid", "started")

    def __init__(self, pid: int, name: str, parent: int, group: int, started: bytes) -> None:
        self.pid = pid
        self.name = name
        self.parent = parent
        self.group = group
        self.started = started

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        found = look_up(self.pid)
        return found is not None and found.started == self.started


def adopt_orphans() -> bool:
    """Become the parent of whatever below us loses its own; whether that was granted.

    Not where this process has children already, which a shell had before it became us: their
    orphans could not be told from those of the command.
    """
    if sys.platform != "linux" or _has_children():
        return False
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def below(top: int) -> list[Process]:
    """Every process that descends from `top`, parents first."""
    if sys.platform != "linux":
        return []
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    children: dict[int, list[Process]] = {}
    for name in names:
        if name.isdigit() and (found := look_up(int(name))):
            children.setdefault(found.parent, []).append(found)
    family: list[Process] = []
    waiting = [top]
    while waiting:
        own = children.pop(waiting.pop(), [])
        family += own
        waiting += [one.pid for one in own]
    return family


def look_up(pid: int) -> Process | None:
    """The process of that id; None where it has ended."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        line = os.read(descriptor, 4096)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    # `pid (name) state parent group …`; the name may hold anything, a parenthesis too.
    before, _, after = line.rpartition(b") ")
    fields = after.split()
    if len(fields) < 20 or fields[0] in _DEAD:
        return None
    name = os.fsdecode(before.partition(b" (")[2])
    return Process(pid, name, int(fields[1]), int(fields[2]), fields[19])
