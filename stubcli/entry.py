"""Which road: the bare filter goes straight to its command, everything else through `cli`.

The one error boundary: a user's error is one line and its status, a bug is status 70 and a log.
"""

import os
import sys

from stubcli.errors import BUG, NOT_STORED, OK, StubError

# Options that say where an output came from, and those of `run` alone; the others are settings.
ORIGIN = ("tool", "call_id", "mime")
RUN = ("cwd", "timeout")
# Settings as typed, options of the command's own, and the words behind a `--`.
Given = tuple[dict[str, str], dict[str, str], list[str]]


def main() -> int:
    """Run `stub` with the arguments of this process; the exit status."""
    try:
        if (status := _straight(sys.argv[1:])) is not None:
            return status
        from stubcli.cli.main import run_cli

        return run_cli()
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


def _straight(arguments: list[str]) -> int | None:
    """Run the filter, or `run -- CMD`, where nothing but well-formed options stand before it."""
    if "_STUB_COMPLETE" in os.environ:
        return None
    if len(arguments) > 1 and arguments[0] == "hook" and "-" not in arguments[1][:1]:
        from stubcli.commands.hook import hook
        from stubcli.descriptors import guard_standard

        guard_standard()
        return hook(arguments[1])
    if arguments[:1] == ["run"]:
        return _run(_options(arguments[1:], ORIGIN + RUN, ("disable", "keep_stderr")))
    given = _options(arguments, ORIGIN, ("disable",))
    if given is None or given[2] or _on_terminal():
        return None
    from stubcli.commands.filter import run_filter

    flags, own, _ = given
    return run_filter(
        flags,
        tool=own.get("tool"),
        call_id=own.get("call_id"),
        mime=own.get("mime"),
        disable="disable" in own,
    )


def _run(given: Given | None) -> int | None:
    if given is None or not given[2]:
        return None
    flags, own, command = given
    timeout = own.get("timeout")
    if timeout is not None and not (timeout.isdecimal() and len(timeout) < 10):
        return None
    from stubcli.commands.run import run

    return run(
        flags,
        command,
        tool=own.get("tool"),
        call_id=own.get("call_id"),
        mime=own.get("mime"),
        cwd=own.get("cwd"),
        timeout=int(timeout) if timeout else None,
        keep_stderr="keep_stderr" in own,
        disable="disable" in own,
    )


def _options(
    arguments: list[str], named: tuple[str, ...], switches: tuple[str, ...]
) -> Given | None:
    """What `arguments` say; None where they need a closer look."""
    flags: dict[str, str] = {}
    own: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            return flags, own, list(rest)
        name, equals, value = argument.partition("=")
        name = name[2:].replace("-", "_") if name.startswith("--") else ""
        if name in switches and not equals:
            own[name] = name
            continue
        if not (name in named or _is_setting(name)):
            return None
        if not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        (own if name in named else flags)[name] = value
    return flags, own, []


def _is_setting(name: str) -> bool:
    from stubcli.settings.table import FILTER, PLACE

    return any(setting.name == name for setting in FILTER + PLACE)


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
