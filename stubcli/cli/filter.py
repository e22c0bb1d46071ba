"""`CMD | stub`: a small input passes byte for byte, a large one is kept and stubbed.

The hot path for small inputs: what only a large one needs is imported by the function that needs
it.
"""

from stubcli.cli.command import CALL_ID, MIME, TOOL, Command, Given
from stubcli.descriptors import STDIN, STDOUT, Input, Output, say
from stubcli.errors import NOT_STORED, OK, USAGE, StubError
from stubcli.settings.load import disabled
from stubcli.settings.option import flag
from stubcli.settings.table import Settings
from stubcli.threshold import hold

SHORT_HELP = """\
usage: CMD | stub [OPTIONS]      keep a large output whole, print one page of it
       stub read REF             a page of what is kept
       stub search PATTERN [REF] matches in it
       stub ls                   what is kept
       stub --help               every command and option"""
_DISABLE = flag("disable", "--disable", "Pass the input through unchanged; store nothing.")
_VERSION = flag("version", "--version", "Print the version.")


def run(given: Given) -> int:
    """Filter standard input to standard output; the exit status."""
    import os

    if given[_VERSION]:
        from stubcli import __version__
        from stubcli.cli.output import emit_text

        emit_text(f"stub {__version__}\n")
        return OK
    if STDIN in given.closed:
        say("standard input is closed; pipe a command into stub, or see: stub --help")
        return USAGE
    if os.isatty(STDIN):
        from stubcli.descriptors import STDERR, write_all

        write_all(STDERR, SHORT_HELP.encode("ascii") + b"\n")
        return USAGE
    source = Input()
    out = Output(source, STDOUT in given.closed)
    if given[_DISABLE] or disabled():
        return _finish(_copy(source, out), source, out)
    try:
        settings = given.settings(given[TOOL])
    except StubError as error:
        return _refuse(error, source, out)
    if settings.exempt:
        return _finish(_copy(source, out), source, out)
    held = bytearray()
    if not hold(source, settings.threshold, held):
        status = _spill(bytes(held), source, out, settings, given)
        return _finish(status, source, out)
    out.write(held)
    return _finish(OK, source, out)


def refuse(error: StubError, _raw: object, closed: frozenset[int]) -> int:
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


def _spill(held: bytes, source: Input, out: Output, settings: Settings, given: Given) -> int:
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
    about = About(Origin(given[TOOL], given[CALL_ID], given[MIME], (), cwd))
    return spill(held, source, out, settings, lambda: about)


COMMAND = Command(
    "stub",
    """CMD | stub: pass small output through; keep large output whole and print one page of it.

    The page names the artifact, says what the output is and how much of it there is, shows the
    lines that decide and both ends, and gives the exact commands that read the rest.
    """,
    run,
    (TOOL, CALL_ID, MIME, _DISABLE, _VERSION),
    examples=(
        ("Keep a large output and print one page of it:", "seq 100000 | stub --tool seq"),
        ("Read lines from its middle:", "stub read last --lines 500-520"),
        (
            "Search it, and show a line around each match:",
            r"stub search '^[1-9]\d*99$' last -C 1 -m 5",
        ),
        ("Pipe all of it to another program:", "stub read last --all | wc -l"),
        ("Let more pass for one run:", "seq 9000 | stub --threshold 50KiB"),
    ),
    refuse=refuse,
    filters=True,
)
