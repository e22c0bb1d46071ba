"""A stream that is filtered: small, it passes byte for byte; large, it is kept and stubbed.

The hot path for small inputs: what only a large one needs is imported by the function that needs
it.
"""

import os

from stubcli.descriptors import (
    STDERR,
    STDIN,
    STDOUT,
    TRIES,
    WIDE,
    Input,
    Output,
    say,
    write_all,
)
from stubcli.errors import NOT_STORED, OK, USAGE, StubError
from stubcli.settings.load import disabled, load
from stubcli.settings.readers import CHARACTERS, Size
from stubcli.settings.table import SMALLEST_BUDGET, Settings
from stubcli.text.characters import characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stubcli.spill.stream import Stream

SHORT_HELP = """\
usage: CMD | stub [OPTIONS]      keep a large output whole, print one page of it
       stub read REF             a page of what is kept
       stub search PATTERN [REF] matches in it
       stub ls                   what is kept
       stub --help               every command and option"""


def run_filter(
    flags: dict[str, str],
    closed: frozenset[int],
    *,
    tool: str | None = None,
    call_id: str | None = None,
    mime: str | None = None,
    name: str | None = None,
    disable: bool = False,
) -> int:
    """Filter standard input to standard output; the exit status.

    flags: setting name → text as typed. closed: the descriptors that were closed at the start.
    tool, call_id, mime: where the output came from. name: what this run is called. disable: pass
    everything through. Whatever it raises, the input was read to its end, and is in the store or on
    standard output.
    """
    if STDIN in closed:
        say("standard input is closed; pipe a command into stub, or see: stub --help")
        return USAGE
    if os.isatty(STDIN):
        write_all(STDERR, SHORT_HELP.encode("ascii") + b"\n")
        return USAGE
    source = Input()
    out = Output(source, STDOUT in closed)
    held, stream = bytearray(), None
    try:
        settings = None if disable or disabled() else load(flags, tool)
        if settings is None or settings.exempt:
            copy(source, out)
            return _finish(OK, source, out)
        if hold(source, settings.threshold, held):
            out.write(held)
            return _finish(OK, source, out)
        stream = _stream(source, out, settings, held, (tool, call_id, mime), name)
        from stubcli.spill.keep import spill

        status = spill(stream)
    except StubError as error:
        return _refuse(error, source, out)
    except Exception:
        # A bug, a broken installation or too little memory: no reason to lose what was read.
        if stream is None or not stream.taken:
            pass_on(source, out, held)
        raise
    return _finish(status, source, out)


def pass_after(error: StubError, closed: frozenset[int]) -> int:
    """A mistake in what was typed costs no data: say it, then pass the input."""
    source = Input()
    return _refuse(error, source, Output(source, STDOUT in closed))


def _refuse(error: StubError, source: Input, out: Output) -> int:
    try:
        say(error.line())
    finally:
        copy(source, out)
    return _finish(USAGE, source, out)


def _finish(status: int, source: Input, out: Output) -> int:
    """The status in the end: of a signal, of a stream that failed, or of what was done."""
    if source.failure:
        say(f"standard input: {source.failure}")
    if out.failure:
        say(f"standard output: {out.failure}")
    if source.interrupted_by:
        return 128 + source.interrupted_by
    return status or (NOT_STORED if source.failure or out.failure else OK)


def _stream(
    source: Input,
    out: Output,
    settings: Settings,
    held: bytearray,
    origin: tuple[str | None, str | None, str | None],
    name: str | None,
) -> "Stream":
    """An input that is too large to pass: all that a small one has no use for."""
    from stubcli.spill.stream import About, Stream
    from stubcli.store.records import Origin

    try:
        cwd = os.getcwd()
    except OSError:
        cwd = None  # it was removed
    about = About(Origin(*origin, (), cwd, name=name))
    return Stream(source, out, settings, lambda: about, bytes(held))


def passes(held: bytes | bytearray, threshold: Size) -> bool:
    """Whether `held` does not exceed the threshold, or is no longer than the smallest stub."""
    if len(held) <= SMALLEST_BUDGET:
        return True
    if threshold.unit == CHARACTERS:
        limit = max(threshold.amount, SMALLEST_BUDGET)
        return len(held) <= limit or characters(held) <= limit
    return len(held) <= threshold.scaled or characters(held) <= SMALLEST_BUDGET


def hold(source: Input, threshold: Size, held: bytearray) -> bool:
    """Read into `held`, to the end or just beyond the threshold; whether it all passes.

    Never holds much more than four times the threshold. Whatever it raises, every byte that was
    read is in `held`, or is what `source` gives next.
    """
    asked = 0
    while data := source.read():
        try:
            held += data
        except MemoryError:
            source.put_back(data)
            raise
        # Beyond a MiB asked anew when half as much again came in: each time it is all decoded.
        if asked > WIDE and len(held) < asked + asked // 2:
            continue
        asked = len(held)
        if not passes(held, threshold):
            return False
    return passes(held, threshold)


def copy(source: Input, out: Output) -> None:
    """Pass the rest of `source` on."""
    while data := source.read():
        out.write(data)


def pass_on(source: Input, out: Output, held: bytes | bytearray) -> None:
    """Pass the input after all: what of `held` is not on `out` yet, then the rest of `source`.

    For whoever met an error that nobody expected, and has printed nothing but what is in `held`.
    """
    source.give_spare()
    refused = 0
    while True:
        try:
            with memoryview(held) as whole:
                out.write(whole[out.written :])
            copy(source, out)
            return
        except MemoryError:  # it goes on where it was
            refused += 1
            if refused == TRIES:
                raise
