"""The declaration of the filter, which is `stub` without a command."""

from stubcli.cli.command import CALL_ID, MIME, NAME, TOOL, Command, Given
from stubcli.errors import OK, StubError
from stubcli.settings.option import flag
from stubcli.spill.filter import pass_after, run_filter

_DISABLE = flag("disable", "--disable", "Pass the input through unchanged; store nothing.")
_VERSION = flag("version", "--version", "Print the version.")


def run(given: Given) -> int:
    """Filter standard input to standard output; the exit status."""
    if given[_VERSION]:
        from stubcli import __version__
        from stubcli.cli.output import emit_text

        emit_text(f"stub {__version__}\n")
        return OK
    return run_filter(
        given.flags,
        given.closed,
        tool=given[TOOL],
        call_id=given[CALL_ID],
        mime=given[MIME],
        name=given[NAME],
        disable=given[_DISABLE],
    )


def refuse(error: StubError, _raw: object, closed: frozenset[int]) -> int:
    """A mistake in what was typed costs no data."""
    return pass_after(error, closed)


COMMAND = Command(
    "stub",
    """CMD | stub: pass small output through; keep large output whole and print one page of it.

    The page names the artifact, says what the output is and how much of it there is, shows the
    lines that decide and both ends, and gives the exact commands that read the rest.

    Outputs are numbered in sessions, by default one for each workspace: the git root above the
    current directory; else the nearest directory, from the current one on, that has a session
    already; else the current one. The root directory, the home directory and what is above it, and
    directories for everybody like /tmp are the workspace of nothing below them.
    """,
    run,
    (TOOL, CALL_ID, NAME, MIME, _DISABLE, _VERSION),
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
