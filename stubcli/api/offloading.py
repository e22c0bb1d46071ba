"""One output of a tool: kept where it is large, and what to show in its place."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from stubcli.api.arguments import (
    check_optional_text,
    check_text,
    check_whole,
    read_flags,
    read_settings,
    wrong_type,
)
from stubcli.reference import check_name
from stubcli.settings.options import Options
from stubcli.spill.in_memory import offload as keep_large
from stubcli.store.records import Origin

_BY_SIGNAL = 128


@dataclass(frozen=True)
class Offloaded:
    """What to show in place of an output.

    text: the stub, or the output itself where it is small or could not be kept. ref: the name by
    which it is found again, None where it was not kept. failure: why it could not be, or "".
    """

    text: str
    ref: str | None = None
    failure: str = ""


def offload(
    output: str | bytes | bytearray | memoryview,
    *,
    tool: str | None = None,
    call_id: str | None = None,
    mime: str | None = None,
    command: str | Sequence[str] | None = None,
    exit_status: int | None = None,
    signal: int | str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    name: str | None = None,
    **settings: Unpack[Options],
) -> Offloaded:
    """The output of one tool, or its stub where it exceeds the threshold.

    tool chooses the policy of that name. command: the command line, or its words. exit_status: as
    the shell or `subprocess` counts; -N is "killed by signal N". signal: what killed it, by number
    or name. cwd: the directory that it ran in. name: of this run; `@name` is a reference to the
    newest of that name. What is given is kept with the run, and the stub says how the command
    ended. settings are those of `stub config` (threshold=…, session=…, home=…).

    Bytes that are no UTF-8 are shown escaped in the stub, and kept as they are; where they pass,
    each becomes U+FFFD in `text`. Raises UsageError for a bad argument, setting or name of a
    session, whatever the size of the output; a failure of the store is no error: then the text is
    the output, and `failure` says why.
    """
    data = _bytes_of(output)
    status, killed_by = _end_of(exit_status, signal)
    origin = Origin(
        check_optional_text("tool", tool),
        check_optional_text("call_id", call_id),
        check_optional_text("mime", mime),
        _words_of(command),
        _path_of(cwd),
        status,
        killed_by,
        name=None if name is None else check_name(check_text("name", name)),
    )
    done = keep_large(data, read_settings(read_flags(settings), tool), origin)
    if done.stub is not None:
        return Offloaded(done.stub, done.ref)
    text = output if isinstance(output, str) else data.decode("utf-8", "replace")
    return Offloaded(text, None, done.failure)


def _bytes_of(output: object) -> bytes:
    if isinstance(output, str):
        # A lone surrogate, which JSON can write, has no UTF-8 of its own.
        return output.encode("utf-8", "surrogatepass")
    if isinstance(output, bytes | bytearray | memoryview):
        return bytes(output)
    raise wrong_type("output", "str or bytes", output)


def _words_of(command: object) -> tuple[str, ...]:
    if command is None:
        return ()
    if isinstance(command, str):
        return (command,)
    if not isinstance(command, Sequence) or isinstance(command, bytes | bytearray | memoryview):
        raise wrong_type("command", "a str or a sequence of str", command)
    return tuple(check_text("a word of command", word) for word in command)


def _path_of(cwd: object) -> str | None:
    if cwd is None:
        return None
    if not isinstance(cwd, str | os.PathLike):
        raise wrong_type("cwd", "a str or a path", cwd)
    return os.fsdecode(cwd)


def _end_of(exit_status: object, signal: object) -> tuple[int | None, str | None]:
    """How it ended: the status as a shell says it, and the name of the signal that killed it."""
    status = None if exit_status is None else check_whole("exit_status", exit_status, -(1 << 31))
    if status is not None and status < 0:
        signal = -status if signal is None else signal
        status = _BY_SIGNAL - status
    if signal is None or isinstance(signal, str):
        return status, signal or None
    if not isinstance(signal, int):
        raise wrong_type("signal", "an int or a str", signal)
    from stubcli.process.about import signal_name

    number = check_whole("signal", signal, 1)
    return _BY_SIGNAL + number if status is None else status, signal_name(number)
