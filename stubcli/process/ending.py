"""End a command and everything that it started: TERM, and KILL for what is left after a while.

Its process group everywhere; on Linux also what left that for a group or a session of its own.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys
import time
from collections.abc import Callable

from stubcli.process.descendants import Process, below, look_up

# Between the TERM and the KILL, and after that until what still runs is given up.
GRACE = 5.0
_LAST = 1.0


class Ending:
    """The end of the command whose process and process group have the id `leader`.

    adopted: whether everything that it started descends from this process. over: whether nothing
    of it runs, or nothing more can be done; left: then what still runs, by name.
    """

    def __init__(self, leader: int, *, adopted: bool) -> None:
        self._leader = leader
        self._adopted = adopted
        self._top = look_up(os.getpid() if adopted else leader)
        self._known: dict[int, Process] = {}
        if self._top and not adopted:
            self._known[leader] = self._top
        self._kill_at = time.monotonic() + GRACE
        self.over = False
        self.left: tuple[str, ...] = ()
        family = self._family()
        self._send(family, _signal.SIGTERM)
        self._send(family, _signal.SIGCONT)  # one that is stopped would never hear of it

    def proceed(self) -> None:
        """Look what still runs; kill it once it had its time."""
        if self.over:
            return
        family, now = self._family(), time.monotonic()
        if not family and not self._group_lives():
            self.over = True
        elif now >= self._kill_at + _LAST:
            self.over = True
            named = tuple(f"{one.name} (process {one.pid})" for one in family)
            self.left = named or (f"process group {self._leader}",)
        elif now >= self._kill_at:
            self._send(family, _signal.SIGKILL)

    def _family(self) -> list[Process]:
        """What is left of the command, as far as it can be found."""
        top = self._top
        found = {one.pid: one for one in (below(top.pid) if top and top.alive else ())}
        # Whoever was found once and is not there any more has lost its parent to somebody else.
        found |= {pid: one for pid, one in self._known.items() if pid not in found and one.alive}
        self._known = found
        return list(found.values())

    def _group_lives(self) -> bool:
        if self._adopted:
            return False  # nobody is in it who was not found
        try:
            os.killpg(self._leader, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return sys.platform == "linux"  # elsewhere a zombie is answered so
        return True

    def _send(self, family: list[Process], number: int) -> None:
        if not self._adopted or any(one.group == self._leader for one in family):
            _try(os.killpg, self._leader, number)
        for one in family:
            if one.group != self._leader:
                _try(os.kill, one.pid, number)


def _try(kill: Callable[[int, int], None], target: int, number: int) -> None:
    try:
        kill(target, number)
    except OSError:
        pass  # it has just ended, or is another user's, and is named in the end
