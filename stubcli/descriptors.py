"""Descriptors 0, 1 and 2 as they are found: closed, non-blocking, slow, interrupted.

Reads and writes bytes and knows nothing of what they mean. Imports little: a small input passes
through here and nothing else.
"""

import errno
import os
import select
import stat
import sys

from stubcli.errors import reason_of
from stubcli.signals import Listener, wait_readable
from stubcli.terminal import terminal

STDIN, STDOUT, STDERR = 0, 1, 2
CHUNK = 1 << 16
WIDE = 1 << 20
_F_SETPIPE_SZ = 1031  # Linux; fcntl names it from Python 3.10 on there only
# Not touched, it costs no memory but addresses, which a limit counts.
_SPARE = 1 << 18
LITTLE = 1 << 12
# Memory that is refused may be there a moment later: another thread gives some back.
TRIES = 32
# Seconds that a reader has for a line of ours on standard error.
_PATIENCE = 2.0
# The descriptors that an Input of this process reads, or has read.
in_use: set[int] = set()


def guard_standard() -> frozenset[int]:
    """Put /dev/null where descriptors 0 to 2 were closed, and say which those were.

    Without it the next file that is opened takes the number: an artifact would become stdout.
    """
    closed = set()
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError as error:
            if error.errno != errno.EBADF:
                continue  # a file on a disk that does not answer is open all the same
            closed.add(descriptor)
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    return frozenset(closed)


class Input(Listener):
    """Reads a descriptor to its end, whatever signals arrive.

    After the first interrupt what the producer still writes is read to the end. A signal that ends
    the reading does so once what lies in the pipe already is read. `failure` says why the system
    could not read on, and is empty at a true end.
    """

    def __init__(self, descriptor: int = STDIN) -> None:
        super().__init__()
        in_use.add(descriptor)
        self.descriptor = descriptor
        self.failure = ""
        self._spare = bytes(_SPARE)
        self._whole = False
        self._at_end = False
        self._back = b""
        self._rest: int | None = None

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes, at most `size`; none at the end or where a signal ended the reading.

        Where there is little memory they are fewer. Raises MemoryError where there is none.
        """
        refused = 0
        while True:
            try:
                return self._given_back() or self._next(size)
            except MemoryError:
                size = min(size, LITTLE)
                self.give_spare()
                refused += 1
                if refused == TRIES:
                    raise

    def _next(self, size: int) -> bytes:
        if self._at_end:
            return b""
        self.listen()
        while self.ended_by is None:
            if not self.wait_for((self.descriptor,), None):
                continue
            try:
                data = os.read(self.descriptor, size)
            except BlockingIOError:
                continue  # another reader of this pipe was faster; EAGAIN is not the end
            except OSError as error:
                self.failure = reason_of(error)
                return b""
            self._at_end = not data
            self._whole = self._at_end and self.interrupted_by is None
            return data
        return self._read_rest(size)

    def give_spare(self) -> None:
        """Where memory ran out: so much more of it, to pass on what was read."""
        self._spare = b""

    def put_back(self, data: bytes) -> None:
        """Give back what the last `read` gave: the next one gives it again, whatever its size."""
        self._back = data

    def _given_back(self) -> bytes:
        data, self._back = self._back, b""
        return data

    def _read_rest(self, size: int) -> bytes:
        """Of what lay in the pipe when the signal came; what is written later is not waited for."""
        if self._rest is None:
            self._rest = self._waiting()
        while self._rest and wait_readable((self.descriptor,), 0):
            try:
                data = self._back = os.read(self.descriptor, min(size, self._rest))
            except BlockingIOError:
                continue
            except OSError as error:
                self.failure = reason_of(error)
                break
            self._rest = self._rest - len(data) if data else 0
            return self._given_back()
        return b""

    def _waiting(self) -> int:
        """How many bytes can be read at once; 0 of a file, which keeps what is not read."""
        if stat.S_ISREG(os.fstat(self.descriptor).st_mode):
            return 0
        try:
            import fcntl
            import termios

            found = fcntl.ioctl(self.descriptor, termios.FIONREAD, bytes(4))
        except Exception:
            return CHUNK  # as much as a pipe holds
        return int.from_bytes(found, sys.byteorder)

    @property
    def cut_off(self) -> bool:
        """Whether the input is, or may be, less than its producer would have written."""
        return bool(self.failure) or (self.interrupted_by is not None and not self._whole)

    def widen(self) -> None:
        """Let a pipe hold more, where the system allows: a third less time for a large stream."""
        import fcntl

        if sys.platform == "linux":
            try:
                fcntl.fcntl(self.descriptor, _F_SETPIPE_SZ, WIDE)
            except OSError as error:  # no pipe, or the user's share of pipe memory is used up
                from stubcli.debug import swallowed

                swallowed("widening the pipe", error)


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
    (EPIPE) is no error, a full device is. written: how many bytes were taken.
    """

    def __init__(self, source: Input, closed: bool, descriptor: int = STDOUT) -> None:
        self.descriptor = descriptor
        self._source = source
        self._closed = closed
        self.failure = ""
        self.gone = False
        self.written = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.gone or not data:
            return
        if self._closed:
            self.gone, self.failure = True, "it is closed"
            return
        self._source.writing = True
        if self._source.ended_by:
            self._source.hurry(self._source.ended_by)
        try:
            self._write(data)
        except BrokenPipeError:
            self.gone = True
        except OSError as error:
            self.gone = True
            self.failure = reason_of(error)
        finally:
            self._source.writing = False

    def _write(self, data: bytes | bytearray | memoryview) -> None:
        end, refused = self.written + len(data), 0
        while self.written < end:
            try:
                with memoryview(data)[self.written - end :] as rest:
                    self.written += os.write(self.descriptor, rest)
            except BlockingIOError:
                select.select([], [self.descriptor], [])
            except MemoryError:
                refused += 1
                if refused == TRIES:
                    raise


def leave_stdout() -> None:
    """Nothing more can be written there: nor shall the interpreter try when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)


def say(line: str) -> None:
    """One line on standard error, best effort: a closed or full one must cost no data.

    Where the output did not end its line, with a line end before it: both may be one stream.
    """
    # Names from outside stand in messages: none may move the cursor or begin a second line.
    try:
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
        # A pipe that nobody empties is not waited for, however long the line is needed.
        if select.select([], [STDERR], [], _PATIENCE)[1]:
            with terminal:
                said = f"stub: {shown}\n".encode("utf-8", "backslashreplace")
                os.write(STDERR, terminal.line_end() + said)
    except (OSError, MemoryError):
        pass
