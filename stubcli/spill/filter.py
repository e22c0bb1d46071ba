"""A stream that is filtered: small, it passes byte for byte; large, it is kept and stubbed.

The hot path for small inputs: what only a large one needs is imported by the function that needs
it.
"""

from stubcli.descriptors import STDERR, STDIN, STDOUT, Input, Output, say, write_all
from stubcli.errors import NOT_STORED, OK, USAGE, StubError
from stubcli.settings.load import disabled, load
from stubcli.settings.table import Settings
from stubcli.threshold import hold

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
    disable: bool = False,
) -> int:
    """Filter standard input to standard output; the exit status.

    flags: setting name → text as typed. closed: the descriptors that were closed at the start.
    tool, call_id, mime: where the output came from. disable: pass everything through.
    """
    import os

    if STDIN in closed:
        say("standard input is closed; pipe a command into stub, or see: stub --help")
        return USAGE
    if os.isatty(STDIN):
        write_all(STDERR, SHORT_HELP.encode("ascii") + b"\n")
        return USAGE
    source = Input()
    out = Output(source, STDOUT in closed)
    if disable or disabled():
        return _finish(_copy(source, out), source, out)
    try:
        settings = load(flags, tool)
    except StubError as error:
        return _refuse(error, source, out)
    if settings.exempt:
        return _finish(_copy(source, out), source, out)
    held = bytearray()
    if not hold(source, settings.threshold, held):
        status = _spill(bytes(held), source, out, settings, (tool, call_id, mime))
        return _finish(status, source, out)
    out.write(held)
    return _finish(OK, source, out)


def pass_after(error: StubError, closed: frozenset[int]) -> int:
    """A mistake in what was typed costs no data: say it, then pass the input."""
    source = Input()
    return _refuse(error, source, Output(source, STDOUT in closed))


def _refuse(error: StubError, source: Input, out: Output) -> int:
    say(error.line())
    _copy(source, out)
    return USAGE


def _copy(source: Input, out: Output) -> int:
    while data := source.read():
        out.write(data)
    return OK


def _finish(status: int, source: Input, out: Output) -> int:
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
    origin: tuple[str | None, str | None, str | None],
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
    about = About(Origin(*origin, (), cwd))
    return spill(held, source, out, settings, lambda: about)
