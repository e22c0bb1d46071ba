"""Programs that are broken on purpose, for controls: each is done to a forked child.

What the oracles find in them is the evidence that they would find it in the program.
"""

import errno
import os
from typing import Any


def nothing_is_printed() -> None:
    """The store is full, and standard output says that it took what it did not."""
    real = os.write

    def write(descriptor: int, data: Any) -> int:
        if descriptor == 1:
            return len(data)
        if descriptor == 2:
            return real(descriptor, data)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    os.write = write


def no_name_is_given() -> None:
    """Publishing does nothing."""
    for name in ("link", "rename"):
        setattr(os, name, lambda *_given, **_named: None)


def names_replace() -> None:
    """Every artifact is given the first number's name, whatever stands there."""

    def link(src: Any, _dst: Any, **named: Any) -> None:
        named.pop("follow_symlinks", None)
        os.rename(src, "tool_result_001.txt", **named)

    os.link = link  # type: ignore[assignment]


def links_are_followed() -> None:
    """Files are opened whatever stands in their place."""
    real = os.open

    def follow(path: Any, flags: int, *given: Any, **named: Any) -> int:
        return real(path, flags & ~os.O_NOFOLLOW, *given, **named)

    os.open = follow
