"""Dispatch: a well-formed command line runs at once, everything else goes through typer in `cli`.

The error boundary: what no command expected is one line and its status, a bug is status 70 and a
log.
"""

import os
import sys

from stubcli.descriptors import guard_standard, say
from stubcli.errors import BUG, OK, StubError, refusal


def main() -> int:
    """Run `stub` with the arguments of this process; the exit status."""
    try:
        closed = guard_standard()
        if "_STUB_COMPLETE" not in os.environ:
            if len(sys.argv) == 1:
                from stubcli.spill.filter import run_filter

                return run_filter({}, closed)
            from stubcli.cli.dispatch import find, invoke
            from stubcli.cli.parse import split

            command, words = find(sys.argv[1:])
            if (raw := split(command, words)) is not None:
                return invoke(command, raw, closed)
        from stubcli.cli.app import run_app

        return run_app(closed)
    except StubError as error:
        say(error.line())
        return error.status
    except BrokenPipeError:
        return _leave_quietly()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # The system refused something that no command expected to be refused.
        refused = refusal(error)
        say(refused.line())
        return refused.status
    except Exception:
        return _report_bug()


def _leave_quietly() -> int:
    """The reader of our output left; nothing more may be written, at interpreter exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return OK


def _report_bug() -> int:
    """Keep the traceback in a log, say where it is."""
    import tempfile
    import traceback

    kind = sys.exc_info()[0]
    try:
        descriptor, path = tempfile.mkstemp(prefix="stub-bug-", suffix=".log")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as log:
            traceback.print_exc(file=log)
        where = f"please report it with {path}"
    except OSError:
        where = "no log could be written"
    say(f"a bug in stub: {kind.__name__ if kind else 'unknown'}; {where}")
    return BUG
