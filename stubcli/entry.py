"""Which road: the bare filter goes straight to its command, everything else through `cli`.

The one error boundary: a user's error is one line and its status, a bug is status 70 and a log.
"""

import os
import sys

from stubcli.errors import BUG, NOT_STORED, OK, StubError

# Options of the filter that say where an output came from; the others are settings.
ORIGIN = ("tool", "call_id", "mime")


def main() -> int:
    """Run `stub` with the arguments of this process; the exit status."""
    try:
        straight = _straight(sys.argv[1:])
        if straight is None:
            from stubcli.cli.main import run_cli

            return run_cli()
        from stubcli.commands.filter import run_filter

        flags, origin, disable = straight
        return run_filter(flags, **origin, disable=disable)
    except StubError as error:
        from stubcli.descriptors import say

        say(str(error))
        return error.status
    except BrokenPipeError:
        return _quiet()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _unusable(error)
    except Exception:
        return _bug()


def _straight(
    arguments: list[str],
) -> tuple[dict[str, str], dict[str, str], bool] | None:
    """The filter's options where nothing but well-formed ones were given, else None."""
    if "_STUB_COMPLETE" in os.environ or _on_terminal():
        return None
    flags: dict[str, str] = {}
    origin: dict[str, str] = {}
    disable = False
    rest = iter(arguments)
    for argument in rest:
        if argument == "--disable":
            disable = True
            continue
        name, equals, value = argument.partition("=")
        name = name[2:].replace("-", "_") if name.startswith("--") else ""
        if not _known(name):
            return None
        if not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        (origin if name in ORIGIN else flags)[name] = value
    return flags, origin, disable


def _known(name: str) -> bool:
    from stubcli.settings.table import FILTER, PLACE

    return name in ORIGIN or any(setting.name == name for setting in FILTER + PLACE)


def _on_terminal() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False


def _unusable(error: OSError) -> int:
    """The system refused something that no command expected to be refused."""
    from stubcli.descriptors import say

    where = f" ({error.filename!r})" if error.filename else ""
    say(f"the store cannot be used: {error.strerror or error}{where}; see: stub config")
    return NOT_STORED


def _quiet() -> int:
    """The reader of our output left; nothing more may be written, at interpreter exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return OK


def _bug() -> int:
    """Keep the traceback in a log, say where it is."""
    import tempfile
    import traceback

    from stubcli.descriptors import say

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
