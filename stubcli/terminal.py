"""What stands on the terminal between two writers: how far work is, and an unfinished line.

Whoever writes to standard output or standard error does so within `writing`, so that no two of
them share a line. Imports next to nothing: a small input loads this module.
"""

import _thread
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_STDOUT, _STDERR = 1, 2
# Back to the left edge and clear; the cursor stays there, so that whatever comes next, a prompt
# or the ^C of an interrupt, begins where the status stood.
_CLEAR = b"\r\x1b[K"
# The end of colours takes no room on a line.
_RESET = b"\x1b[0m"


class _Terminal:
    """unfinished: whether what was written to standard output last does not end its line."""

    def __init__(self) -> None:
        self._lock = _thread.RLock()
        self._drawn = False
        self.unfinished = False
        # Whether standard output is shown here too; and whether somebody else passes it on, who
        # may show it here at any time.
        self._shared, self._passed_on = True, False

    def __enter__(self) -> "_Terminal":
        """Nobody else writes until this is left, and no status is in the way."""
        self._lock.acquire()
        self.erase()
        return self

    def __exit__(
        self,
        _type: "type[BaseException] | None",
        _error: "BaseException | None",
        _trace: "TracebackType | None",
    ) -> None:
        self._lock.release()

    def draw(self, status: bytes) -> None:
        """Show the status, unless that would share a line with the output."""
        with self._lock:
            if self._passed_on or (self._shared and self.unfinished):
                return
            self._drawn = True
            self._put(_CLEAR + status + b"\r")

    def erase(self) -> None:
        with self._lock:
            if self._drawn:
                self._drawn = False
                self._put(_CLEAR)

    def _put(self, data: bytes) -> None:
        try:
            os.write(_STDERR, data)
        except OSError:
            pass  # what nobody sees is in nobody's way

    def line_end(self) -> bytes:
        """What comes before a line of ours, which shares none with the output."""
        end, self.unfinished = b"\n" if self.unfinished else b"", False
        return end

    def note(self, data: bytes) -> None:
        """This was written to standard output."""
        if shown := data.removesuffix(_RESET):
            self.unfinished = shown[-1:] != b"\n"
        if data and not self._passed_on:
            mode = os.fstat(_STDOUT).st_mode
            self._passed_on = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
            self._shared = os.isatty(_STDOUT)


terminal = _Terminal()
