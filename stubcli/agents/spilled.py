"""The file in which a host keeps an output that is too large for it, read where it is that file.

The name of a file is never enough, whoever gave it: a command may print what a host prints. It has
to lie where the host puts such files, to be this user's, as new as the event and as large as it
says, and to begin as what was shown of it. Knows no host.
"""

import os
import re
import stat
import time
from dataclasses import dataclass

from stubcli.agents.offloader import LARGEST
from stubcli.debug import note, swallowed

# A host may take its time between the end of a command and its hook.
_GRACE = 60.0
# What a cut through a character leaves of it, as hosts decode and write that.
_HALVES = "\ufffd" + "".join(map(chr, range(0xD800, 0xDC00)))


@dataclass(frozen=True)
class Spilled:
    """A file as an event describes it.

    folder: where the host keeps such files, however links lead there. names: what they are called
    below it. sizes: the smallest and the largest that it may be, in bytes. beginning: what is
    shown of it. seconds: how long ago it may have been written last. links: how many names it may
    have.
    """

    path: str
    folder: str
    names: re.Pattern[str]
    sizes: tuple[int, int]
    beginning: str
    seconds: float
    links: int = 1

    def read(self) -> bytes | None:
        """The output; None where this is not the file that the host wrote for it."""
        try:
            data = self._read()
        except (OSError, ValueError) as error:
            swallowed("reading the file of a host", error)
            return None
        if data is None:
            note(f"not a file that the host wrote for this output: {self.path}")
        return data

    def _read(self) -> bytes | None:
        if not os.path.isabs(self.path):
            return None
        parent, name = os.path.split(self.path)
        parent = os.path.realpath(parent)
        below = os.path.relpath(os.path.join(parent, name), os.path.realpath(self.folder))
        if below.startswith("..") or not self.names.fullmatch(below):
            return None
        # Opened from its folder as that was resolved: no link is followed from here on.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        folder = os.open(parent, flags | os.O_DIRECTORY)
        try:
            descriptor = os.open(name, flags | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
        with os.fdopen(descriptor, "rb") as file:
            if not self._fits(os.fstat(descriptor)):
                return None
            data = file.read(LARGEST + 1)
        low, high = self.sizes
        whole = low <= len(data) <= min(high, LARGEST)
        return data if whole and _begins(data, self.beginning) else None

    def _fits(self, status: os.stat_result) -> bool:
        return (
            stat.S_ISREG(status.st_mode)
            and status.st_uid == os.geteuid()
            and 1 <= status.st_nlink <= self.links
            and -_GRACE <= time.time() - status.st_mtime <= self.seconds + _GRACE
        )


def _begins(data: bytes, shown: str) -> bool:
    """Whether a text begins as what is shown of it, which may lack the blank lines before it."""
    shown = shown.lstrip().rstrip(_HALVES)
    # No character takes more than four bytes.
    text = data.lstrip()[: 4 * len(shown) + 4].decode("utf-8", "replace")
    return text.lstrip().startswith(shown)
