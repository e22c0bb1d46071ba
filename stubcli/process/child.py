"""A running command as an input: its output, until it has ended and been heard to the end.

Signals that reach us are passed on; the command's own end ends the reading, even where a process
that it left in the background still holds the pipe.
"""

import _signal  # type: ignore[import-not-found]
import os
import time
from collections.abc import Callable

from stubcli.descriptors import Input
from stubcli.errors import reason_of
from stubcli.process.launch import drain, spawn
from stubcli.settings.option import TYPE_CHECKING
from stubcli.signals import die_of

if TYPE_CHECKING:
    from stubcli.process.ending import Ending

# Nothing for so long: what is held so far is shown, so that a server is seen to start.
QUIET = 1.0
# After the command's end: so long may pass without a byte (`cmd > >(tee log)` ends before its
# tee, and a busy machine is slow), so long may others go on writing.
_GRACE = 0.5
_LONGEST_GRACE = 1.0
# After its time is over, between two looks for what still runs: nobody tells us of the end of a
# grandchild.
_INTERVAL = 0.1
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
TIMED_OUT = 124


class Child(Input):
    """The output of a command. `status` is None until it has ended, then as of a shell.

    on_quiet is called where nothing came for a second. left_open: another process still holds
    the output. timed_out: it was ended because its time was over; not_ended: what of it runs on
    all the same, by name.
    """

    signals = tuple(getattr(_signal, name) for name in _FORWARDED)

    def __init__(
        self, argv: list[str], *, keep_stderr: bool, cwd: str | None, timeout: float | None
    ) -> None:
        """Raises CannotStart; OSError where the system gives us no pipe."""
        reading, writing = os.pipe()
        self.on_quiet: Callable[[], None] | None = None
        self.status: int | None = None
        self.signal: int | None = None
        self.timed_out = False
        self.left_open = False
        self.started = time.monotonic()
        self.duration = 0.0
        self._pid = 0
        self._group = timeout is not None
        self._adopts = self._group and _adopt_orphans()
        self._ending: Ending | None = None
        self._early: list[int] = []
        self._deadline = None if timeout is None else self.started + timeout
        self._owed = 0
        self._end = self.started
        self._last_call = False
        super().__init__(reading)
        self.listen()
        # Also where it was ignored or blocked: then no end of a command could be noticed.
        _signal.signal(_signal.SIGCHLD, self._on_signal)
        mask = _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGCHLD,))
        try:
            self._pid = spawn(
                argv,
                writing,
                stderr=not keep_stderr,
                cwd=cwd,
                own_group=self._group,
                mask=mask,
            )
        finally:
            os.close(writing)
        for number in self._early:
            self._forward(number)

    def _on_signal(self, number: int, frame: object) -> None:
        if number == _signal.SIGCHLD:
            return  # the wake-up descriptor has a byte now
        if not self._pid:
            self._early.append(number)
        elif self._group or not (number in _TYPED and _in_foreground()):
            self._forward(number)
        if number not in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
            return
        self._interrupts += 1
        if self.writing and self._interrupts > 1:
            die_of(number)
        if self.writing and number != _signal.SIGINT:
            self.hurry(number)

    def _forward(self, number: int) -> None:
        if self.status is not None:
            return
        try:
            (os.killpg if self._group else os.kill)(self._pid, number)
        except OSError:
            pass  # it has just ended, or is another user's, as under sudo

    def _next(self, size: int) -> bytes:
        """The next bytes of the output; none at its end."""
        if self.left_open:
            return b""
        begun = time.monotonic()
        quiet = begun + QUIET if self.on_quiet else None
        while True:
            ready = self.descriptor in self.wait_for((self.descriptor,), self._patience(quiet))
            self._look()
            if ready and not self._heard_enough():
                return self._take(size)
            if ready or self._silent_since(begun):
                self.left_open = True
                return b""
            if self.on_quiet and quiet is not None and time.monotonic() >= quiet:
                self.on_quiet()
                quiet = None

    def _take(self, size: int) -> bytes:
        try:
            # Given back at once: where there is no memory for the count, it is not lost with it.
            self._back = os.read(self.descriptor, size)
        except OSError as error:
            self.failure = reason_of(error)
            return b""
        self._owed -= len(self._back)
        return self._given_back()

    def _patience(self, quiet: float | None) -> float | None:
        """How long to wait for the next byte."""
        if self._ends:
            return _INTERVAL
        if self.status is not None:
            return _GRACE
        waits = [moment for moment in (self._deadline, quiet) if moment is not None]
        return max(0.0, min(waits) - time.monotonic()) if waits else None

    def _heard_enough(self) -> bool:
        """Whether all that the command wrote was read, and others go on writing."""
        listened = time.monotonic() - self._end
        if not self._over or self._owed > 0 or listened < _LONGEST_GRACE:
            return False
        waiting = self._waiting()
        if not waiting:
            return False  # what can be read is the end
        if self._last_call:
            return True
        # It may have come in time, and we were slow.
        self._last_call, self._owed = True, waiting
        return False

    def _silent_since(self, moment: float) -> bool:
        """Whether nothing came for the grace, counted from the command's end or from `moment`."""
        return self._over and time.monotonic() >= max(moment, self._end) + _GRACE

    @property
    def _ends(self) -> bool:
        """Whether its time is over, and something of it still runs."""
        return self._ending is not None and not self._ending.over

    @property
    def _over(self) -> bool:
        return self.status is not None and not self._ends

    def _look(self) -> None:
        """Note the command's end, and end it where its time is over."""
        self._reap()
        if self._ending and self._ends:
            self._ending.proceed()
            # What the last of it wrote is heard for as long as what the command itself did.
            self._end = time.monotonic()
            if self._ending.left and self.status is None:
                self._ended(_signal.SIGKILL)  # what nothing can end is not waited for
        elif self.status is None and self._deadline and time.monotonic() >= self._deadline:
            self.timed_out, self._deadline = True, None
            self._ending = _ending(self._pid, adopted=self._adopts)

    def _reap(self) -> None:
        while self.status is None or self._adopts:
            try:
                pid, status = os.waitpid(-1 if self._adopts else self._pid, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == self._pid:
                self._ended(status)
            elif not pid:
                return

    @property
    def not_ended(self) -> tuple[str, ...]:
        return self._ending.left if self._ending else ()

    def _ended(self, status: int) -> None:
        # What lies in the pipe now may be the command's own, however slow we are to read it.
        self._owed = self._waiting()
        self._end = time.monotonic()
        self.duration = self._end - self.started
        code = os.waitstatus_to_exitcode(status)
        self.signal = -code if code < 0 else None
        self.status = TIMED_OUT if self.timed_out else 128 - code if code < 0 else code

    def wait(self) -> int:
        """The exit status of the command, once it has ended."""
        while not self._over:
            self.wait_for((), self._patience(None))
            self._look()
        assert self.status is not None
        return self.status

    def let_go(self) -> None:
        """Where others still write: let them."""
        if self.left_open:
            drain(self.descriptor)
        os.close(self.descriptor)


def _adopt_orphans() -> bool:
    # A command without a time limit pays for none of this.
    from stubcli.process.descendants import adopt_orphans

    return adopt_orphans()


def _ending(leader: int, *, adopted: bool) -> "Ending":
    from stubcli.process.ending import Ending

    return Ending(leader, adopted=adopted)


_TYPED = (_signal.SIGINT, _signal.SIGQUIT)


def _in_foreground() -> bool:
    """Whether a key pressed on our terminal has reached the command as well as us.

    A signal sent to us alone cannot be told from a key then, and is not passed on.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
