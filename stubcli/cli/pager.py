"""The user's pager: which one, how it is told the line, and the text that it is fed.

Knows nothing of what the text is. Streams: the pager reads as far as its user looks.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from stubcli.descriptors import say, write_all
from stubcli.errors import UsageError, reason_of
from stubcli.process.launch import NOT_EXECUTABLE, NOT_FOUND

LESS, MORE = "less", "more"
_BAT = ("bat", "batcat")
_KNOWN = (LESS, *_BAT, MORE)
# They take the line as less does.
_PLUS = frozenset({LESS, MORE, "most", "moar", "moor", "lv"})
_BUSYBOX = "busybox"
# With one of these in it, a command is for a shell.
_SHELL = frozenset("|&;<>()$`\\\"'*?[#~=%{}!\n")


@dataclass(frozen=True)
class Pager:
    """argv: what is run. line: whether it was told the line to open at. colours: whether it takes
    them. name: as the user would call it."""

    argv: tuple[str, ...]
    name: str
    line: bool
    colours: bool


def choose(wanted: str, line: int | None, *, short: bool = False) -> Pager:
    """The pager of that command line, else $PAGER, else the first that is installed.

    line: to open at, counted from 1. short: a text that fits on the screen is just printed.
    Raises UsageError where there is none.
    """
    command = wanted or os.environ.get("PAGER", "").strip() or _installed()
    if not command:
        raise UsageError("no pager is installed", "install less, or set STUB_PAGER")
    if _SHELL.intersection(command):
        return Pager(("/bin/sh", "-c", command), command, line=False, colours=False)
    argv = command.split()
    name = _name(argv[0])
    at = [] if line is None else [f"+{line}"]
    if name == LESS:
        options = ["-R", *(["-F", "-X"] if short else [])]
        return Pager((*argv, *options, *at), name, line=True, colours=True)
    if name in _BAT:
        below = [LESS, "-R", *(["-F", "-X"] if short else []), *at]
        has_less = bool(shutil.which(LESS))
        options = ["--paging=always", *(["--pager", shlex.join(below)] if has_less else [])]
        return Pager((*argv, *options), name, line=has_less, colours=False)
    if name in _PLUS:
        return Pager((*argv, *at), name, line=True, colours=False)
    return Pager(tuple(argv), name, line=False, colours=False)


def _installed() -> str:
    return next((name for name in _KNOWN if shutil.which(name)), "")


def _name(program: str) -> str:
    """Which program it is, whatever it is called: `pager` may be less, and `less` busybox."""
    path = shutil.which(program)
    real = os.path.basename(os.path.realpath(path)) if path else ""
    return real if real in (*_PLUS, *_BAT, _BUSYBOX) else os.path.basename(program)


def show(pager: Pager, pieces: Iterable[str]) -> None:
    """Show the pieces in the pager, until its user leaves it. Raises UsageError, and whatever the
    pieces raise once the pager is left; what they raise first, before it is opened."""
    rest = iter(pieces)
    first = next(rest, "")
    # An interrupt is for the pager, which has keys of its own for it.
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        status = _run(pager, chain((first,), rest))
    finally:
        signal.signal(signal.SIGINT, before)
    if status == -signal.SIGINT:
        raise KeyboardInterrupt
    if status in (NOT_EXECUTABLE, NOT_FOUND):
        raise UsageError(f"the pager {pager.name!r} ended with status {status}", _HINT)


_HINT = "set STUB_PAGER to another one"


def _run(pager: Pager, pieces: Iterator[str]) -> int:
    try:
        process = subprocess.Popen(pager.argv, stdin=subprocess.PIPE)
    except OSError as error:
        raise UsageError(f"the pager {pager.name!r}: {reason_of(error)}", _HINT) from None
    assert process.stdin
    try:
        for piece in pieces:
            write_all(process.stdin.fileno(), piece.encode("utf-8"))
    except BrokenPipeError:
        pass  # its user has seen enough
    finally:
        process.stdin.close()
        status = process.wait()
    return status


def warn_of_line(pager: Pager, line: int | None) -> None:
    """Say that the pager does not open at the line, where it was not told."""
    if line is not None and not pager.line:
        say(f"how {pager.name} opens at a line is not known; look for line {line:,}")
