"""Signals that would end this process, noted while there is something to save.

A handler that notes and a descriptor that wakes, and no exception: raised between a read and the
line that keeps its bytes, an exception would lose them. Knows nothing of what is read or written.
"""

# The C half of `signal`: the Python half builds enums, 4 ms of an 8 ms start.
import _signal  # type: ignore[import-not-found]
import os
import select

# Seconds between two looks for a signal, where no descriptor is left to be woken by.
_POLL = 0.25
# Seconds that a reader has for one piece that is still written after a signal.
_PATIENCE = 2.0


class Listener:
    """Notes signals, and wakes who waits.

    The first interrupt (Ctrl-C reaches the whole pipeline) is left to others; a second one, SIGTERM
    or SIGHUP ends the work. interrupted_by: the signal that the exit status tells; ended_by: the
    one that ended the work. writing: whether somebody else has to take what is written now.
    Signals that were ignored when the process started stay ignored.
    """

    signals = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)

    def __init__(self) -> None:
        self.interrupted_by: int | None = None
        self.ended_by: int | None = None
        self.writing = False
        self._interrupts = 0
        self._listening = False
        self._wake = _wake_up()
        self._handle(_signal.SIGINT)

    def listen(self) -> None:
        """From here on a signal no longer kills this process.

        Not before there is something to lose: a process that waits for a dead mount is let go by
        the kernel only for a signal that kills it.
        """
        if not self._listening:
            self._listening = True
            for number in self.signals:
                self._handle(number)

    def _handle(self, number: int) -> None:
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: object) -> None:
        self.interrupted_by = self.interrupted_by or number
        self._interrupts += number == _signal.SIGINT
        if number == _signal.SIGINT and self._interrupts < 2:
            return
        if self.ended_by and self.writing:
            die_of(number)
        self.ended_by = self.interrupted_by = self.ended_by or number
        if self.writing:
            self.hurry(number)

    def hurry(self, number: int) -> None:
        """Die of the signal, once what is being written now had a moment to be taken."""

        def lose_patience(_number: int, _frame: object) -> None:
            if self.writing:
                die_of(number)

        _signal.signal(_signal.SIGALRM, lose_patience)
        _signal.setitimer(_signal.ITIMER_REAL, _PATIENCE)

    def wait_for(self, descriptors: tuple[int, ...], seconds: float | None) -> list[int]:
        """Those that can be read, once there is one, or a signal has come, or the time is over."""
        if self._wake is None:
            return wait_readable(descriptors, _POLL if seconds is None else min(seconds, _POLL))
        ready = wait_readable((*descriptors, self._wake), seconds)
        if self._wake in ready:
            try:
                os.read(self._wake, 1 << 12)
            except BlockingIOError:
                pass
            ready.remove(self._wake)
        return ready


def _wake_up() -> int | None:
    """A descriptor that can be read once a signal has come; None where there are no more."""
    try:
        reading, writing = os.pipe()
    except OSError:
        return None
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    _signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def die_of(number: int) -> None:
    """Nobody takes what is written, and everything that was to be saved is: die of the signal."""
    _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)


def wait_readable(descriptors: tuple[int, ...], seconds: float | None = None) -> list[int]:
    """Wait until one of them can be read or is at its end, or until the time is over."""
    try:
        return select.select(descriptors, [], [], seconds)[0]
    except ValueError:  # a number beyond select's: this process inherited a thousand open files
        poll = select.poll()
        for descriptor in descriptors:
            poll.register(descriptor, select.POLLIN)
        return [found for found, _ in poll.poll(None if seconds is None else seconds * 1000)]
