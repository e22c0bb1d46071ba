"""`CMD | stub`: a small input passes byte for byte, a large one is kept and stubbed.

The road of a small input. What only a large one needs is imported by the function that needs it.
"""

from stubcli.descriptors import STDIN, STDOUT, Input, Output, guard_standard, say
from stubcli.errors import NOT_STORED, OK, USAGE, StubError
from stubcli.settings.load import Settings, disabled, load
from stubcli.threshold import hold

SHORT_HELP = """\
usage: CMD | stub [OPTIONS]      keep a large output whole, print one page of it
       stub read REF             a page of what is kept
       stub search PATTERN [REF] matches in it
       stub ls                   what is kept
       stub --help               every command and option"""


def run_filter(
    flags: dict[str, str],
    *,
    tool: str | None = None,
    call_id: str | None = None,
    mime: str | None = None,
    disable: bool = False,
) -> int:
    """Filter standard input to standard output; the exit status.

    flags: setting name → text as typed. tool, call_id, mime: where the output came from.
    """
    closed = guard_standard()
    if STDIN in closed:
        say("standard input is closed; pipe a command into stub, or see: stub --help")
        return USAGE
    source = Input()
    out = Output(source, STDOUT in closed)
    if disable or disabled():
        return _leave(_copy(source, out), source, out)
    try:
        settings = load(flags, tool)
    except StubError as error:
        return refuse(str(error), source, out)
    if settings.exempt:
        return _leave(_copy(source, out), source, out)
    held = bytearray()
    if not hold(source, settings.threshold, held):
        status = _spill(bytes(held), source, out, settings, tool, call_id, mime)
        return _leave(status, source, out)
    out.write(held)
    return _leave(OK, source, out)


def refuse(message: str, source: Input | None = None, out: Output | None = None) -> int:
    """A mistake in what was typed or configured costs no data: say it, then pass the input."""
    say(message)
    if source is None or out is None:
        closed = guard_standard()
        source = Input()
        out = Output(source, STDOUT in closed)
    _copy(source, out)
    return USAGE


def _copy(source: Input, out: Output) -> int:
    while data := source.read():
        out.write(data)
    return OK


def _leave(status: int, source: Input, out: Output) -> int:
    """The status in the end: of a signal, of a stream that failed, or of what was done."""
    if source.failure:
        say(f"standard input: {source.failure}")
    if out.failure:
        say(f"standard output: {out.failure}")
    if source.ended_by:
        return 128 + source.ended_by
    return status or (NOT_STORED if source.failure or out.failure else OK)


def _spill(
    held: bytes,
    source: Input,
    out: Output,
    settings: Settings,
    tool: str | None,
    call_id: str | None,
    mime: str | None,
) -> int:
    import os

    try:
        from stubcli.spill.keep import spill
        from stubcli.spill.stream import About
        from stubcli.store.records import Origin
    except Exception:
        # A broken installation is a bug, and no reason to lose what was read.
        out.write(held)
        _copy(source, out)
        raise
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = None  # it was removed
    about = About(Origin(tool, call_id, mime, (), cwd))
    return spill(held, source, out, settings, lambda: about)
