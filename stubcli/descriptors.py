"""Descriptors 0, 1 and 2 as they are found: closed, non-blocking, slow, interrupted.

Reads and writes bytes and knows nothing of what they mean. Imports little: a small input passes
through here and nothing else.
"""

# The C half of `signal`: the Python half builds enums, 4 ms of an 8 ms start.
import _signal  # type: ignore[import-not-found]
import os
import select

STDIN, STDOUT, STDERR = 0, 1, 2
CHUNK = 1 << 16
WIDE = 1 << 20
_F_SETPIPE_SZ = 1031  # Linux; fcntl names it from Python 3.10 on there only


def guard_standard() -> frozenset[int]:
    """Put /dev/null where descriptors 0 to 2 were closed, and say which those were.

    Without it the next file that is opened takes the number: an artifact would become stdout.
    """
    closed = set()
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            closed.add(descriptor)
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    return frozenset(closed)


class Input:
    """Reads a descriptor to its end, whatever signals arrive.

    The first interrupt (Ctrl-C reaches the whole pipeline) is left to the producer: what it wrote
    is still drained. A second one, SIGTERM or SIGHUP ends the reading; `ended_by` is then the
    signal's number. Signals that were ignored when the process started stay ignored. `failure`
    says why the system could not read on, and is empty at a true end.
    """

    signals = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)

    def __init__(self, descriptor: int = STDIN) -> None:
        self.descriptor = descriptor
        self.ended_by: int | None = None
        self.failure = ""
        self.writing = False
        self._interrupts = 0
        # A wake-up descriptor and not an exception: raised between a read and the line that
        # keeps its bytes, an exception would lose them.
        self._wake, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        os.set_blocking(self._wake, False)
        _signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        for number in self.signals:
            if _signal.getsignal(number) != _signal.SIG_IGN:
                _signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: object) -> None:
        self._interrupts += number == _signal.SIGINT
        if number == _signal.SIGINT and self._interrupts < 2:
            return
        self.ended_by = self.ended_by or number
        if self.writing:
            die_of(number)

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes, at most `size`; none at the end or where a signal ended the reading."""
        while self.ended_by is None:
            ready = wait_readable((self.descriptor, self._wake))
            if self._wake in ready:
                self._drain_wake()
            elif self.descriptor in ready:
                try:
                    return os.read(self.descriptor, size)
                except BlockingIOError:
                    continue  # another reader of this pipe was faster; EAGAIN is not the end
                except OSError as error:
                    self.failure = error.strerror or str(error)
                    break
        return b""

    @property
    def cut_off(self) -> bool:
        """Whether the reading ended before the input did."""
        return self.ended_by is not None or bool(self.failure)

    def widen(self) -> None:
        """Let a pipe hold more, where the system allows: a third less time for a large stream."""
        import fcntl
        import sys

        if sys.platform == "linux":
            try:
                fcntl.fcntl(self.descriptor, _F_SETPIPE_SZ, WIDE)
            except OSError as error:  # no pipe, or the user's share of pipe memory is used up
                from stubcli.debug import swallowed

                swallowed("widening the pipe", error)

    def _drain_wake(self) -> None:
        try:
            os.read(self._wake, CHUNK)
        except BlockingIOError:
            pass


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


def write_all(descriptor: int, data: bytes | bytearray | memoryview) -> None:
    """Write every byte, through short writes and a full non-blocking pipe. Raises OSError."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            select.select([], [descriptor], [])


class Output:
    """Standard output that may fail while the input still has to be drained.

    After the first failure nothing more is written and `failure` holds it: a reader that left
    (EPIPE) is no error, a full device is.
    """

    def __init__(self, source: Input, closed: bool, descriptor: int = STDOUT) -> None:
        self.descriptor = descriptor
        self._source = source
        self._closed = closed
        self.failure = ""
        self.gone = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.gone or not data:
            return
        if self._closed:
            self.gone, self.failure = True, "it is closed"
            return
        self._source.writing = True
        try:
            write_all(self.descriptor, data)
        except BrokenPipeError:
            self.gone = True
        except OSError as error:
            self.gone = True
            self.failure = error.strerror or str(error)
        self._source.writing = False


def say(line: str) -> None:
    """One line on standard error, best effort: a closed or full one must cost no data."""
    # Names from outside stand in messages: none may move the cursor or begin a second line.
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    try:
        os.write(STDERR, f"stub: {shown}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass
