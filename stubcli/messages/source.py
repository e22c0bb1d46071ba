"""A list of messages as it comes, and the road on which it goes on as it came, whatever happens.

`pass_on` is for when something failed, and what failed may be that there is no memory: between a
call to the kernel and the line that notes its answer it allocates nothing. So it moves little at
once: of numbers up to 256 Python has its own ready.
"""

import os
import select

from stubcli.descriptors import STDIN, STDOUT, WIDE, in_use
from stubcli.errors import UsageError, reason_of
from stubcli.files import open_regular
from stubcli.messages.transcript import Transcript
from stubcli.signals import wait_readable

_LITTLE = 256
# Memory that is refused so often in a row does not come back.
_TRIES = 250
_GIVE = "give a file of messages"


class Source:
    """A list of messages, from a file or (path: None) from standard input.

    status: what the file was when it was opened; None of standard input. Raises UsageError.
    """

    def __init__(self, path: str | None) -> None:
        self._name = path or "standard input"
        self._piece = b""
        self._held: bytes | bytearray | Transcript = bytearray()
        self._room = memoryview(bytearray(_LITTLE))
        self._buffers = (self._room,)
        self._ended = False
        self.status: os.stat_result | None = None
        if path is None:
            if os.isatty(STDIN):
                raise UsageError("no list of messages to read", "give a FILE, or pipe one in")
            self._descriptor = STDIN
            # From here on a failure is for `pass_on`: whoever else would pass the input has not to.
            in_use.add(STDIN)
        else:
            try:
                self._descriptor = open_regular(path)
                self.status = os.fstat(self._descriptor)
            except OSError as error:
                hint = f"{_GIVE}, or pipe them in"
                raise UsageError(f"{path}: {reason_of(error)}", hint) from None

    def read(self) -> Transcript:
        """The whole list. Raises UsageError, JsonTextError.

        In memory and not mapped: a file that its owner cuts meanwhile would end the process.
        """
        held = self._held = bytearray()
        while True:
            try:
                self._piece = os.read(self._descriptor, WIDE)
            except BlockingIOError:
                wait_readable((self._descriptor,))
                continue
            except OSError as error:
                raise UsageError(f"{self._name}: {reason_of(error)}", _GIVE) from None
            if not self._piece:
                break
            held += self._piece
            self._piece = b""
        self._end()
        # The text that is made of the bytes is as large as they are: not both of them are kept.
        found = self._held = Transcript(held)
        return found

    def _end(self) -> None:
        """All of it was read."""
        self._ended = True
        if self._descriptor != STDIN:
            os.close(self._descriptor)

    def pass_on(self) -> None:
        """All of it on standard output, as it came. Raises OSError."""
        at = given = tries = 0
        while True:
            try:
                at, given = at + given, 0
                part = self._part(at)
                if part:
                    given = os.write(STDOUT, part)
                elif self._piece:
                    self._held, self._piece, at = self._piece, b"", 0
                else:
                    break
            except BlockingIOError:
                select.select([], [STDOUT], [])
            except MemoryError:
                tries += 1
                if tries > _TRIES:
                    raise
        if not self._ended:
            self._pour_rest()
            self._end()

    def _part(self, at: int) -> bytes | bytearray:
        held = self._held
        if isinstance(held, Transcript):
            return held.original(at, at + _LITTLE)
        return held[at : at + _LITTLE]

    def _pour_rest(self) -> None:
        """What is still to be read, to the end or as far as it can be read."""
        count = at = tries = 0
        while True:
            try:
                if at == count:
                    at = count = 0
                    wait_readable((self._descriptor,))
                    count = _read(self._descriptor, self._buffers)
                    if count == 0:
                        return
                at += os.write(STDOUT, self._room[at:count])
            except BlockingIOError:
                select.select([], [STDOUT] if count else [], [], 0.1)
            except MemoryError:
                tries += 1
                if tries > _TRIES:
                    raise


def _read(descriptor: int, buffers: tuple[memoryview]) -> int:
    try:
        return os.readv(descriptor, buffers)
    except BlockingIOError:
        raise
    except OSError:
        return 0  # it was said, or is what failed
