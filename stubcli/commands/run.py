"""`stub run -- CMD`: its output as the filter treats it, its exit status as it is.

The road of every command that a wrapper runs: what only a large output needs is imported late.
"""

from stubcli.descriptors import STDOUT, Output, guard_standard, say
from stubcli.errors import NOT_STORED, OK, RUN_FAILED, StubError
from stubcli.process.child import Child
from stubcli.process.launch import become
from stubcli.process.treat import copy, treat
from stubcli.settings.load import Settings, disabled, load
from stubcli.settings.table import SETTINGS, read_value

# More is no time-out, and too much for the system's own clocks.
_LONGEST = 10**9


def run(
    flags: dict[str, str],
    argv: list[str],
    *,
    tool: str | None = None,
    call_id: str | None = None,
    mime: str | None = None,
    cwd: str | None = None,
    timeout: float | None = None,
    keep_stderr: bool = False,
    disable: bool = False,
) -> int:
    """Run `argv`; its own exit status, 128+N after a signal, 126 or 127 where it cannot start.

    flags: setting name → text as typed. timeout: seconds, after which it is ended (124). Raises
    StubError (125) for what cannot be meant.
    """
    _check(flags, timeout)
    closed = guard_standard()
    name = argv[0].rpartition("/")[2]
    # What stub itself prints is within its bounds, or was asked for whole.
    untouched = disable or disabled() or name == "stub"
    tool = tool or name
    settings = None if untouched else _settings(flags, tool)
    if settings is None and timeout is None:
        become(argv, cwd)
    try:
        child = Child(argv, keep_stderr=keep_stderr, cwd=cwd, timeout=timeout)
    except OSError as error:
        why = error.strerror or str(error)
        raise StubError(f"{name}: {why}", RUN_FAILED, "try again when less is running") from None
    out = Output(child, STDOUT in closed)
    kept = OK
    if settings is None:
        copy(child, out)
    else:
        kept = treat(child, out, settings, argv, tool=tool, call_id=call_id, mime=mime, cwd=cwd)
    status = _leave(child, out, name)
    # Of a command that ended well, who asked for no raw output must still learn that it is gone.
    return status or (NOT_STORED if kept == NOT_STORED else OK)


def _leave(child: Child, out: Output, name: str) -> int:
    """Hear the command to its end, whatever became of its output; its exit status."""
    while child.read():
        pass
    status = child.wait()
    child.let_go()
    if child.timed_out:
        say(f"{name}: timed out after {child.duration:.1f} s")
    if child.left_open:
        say("a background process still holds the output; what it writes from now on is not kept")
    if child.failure or out.failure:
        say(f"the output of {name}: {child.failure or out.failure}")
        status = status or RUN_FAILED
    return status


def _check(flags: dict[str, str], timeout: float | None) -> None:
    """What was typed must be meant before anything runs. 125: 2 could be the command's own."""
    try:
        for setting in SETTINGS:
            if setting.name in flags:
                read_value(setting, flags[setting.name], setting.flag)
    except StubError as error:
        raise StubError(error.message, RUN_FAILED, error.hint) from None
    if timeout is not None and not 0 < timeout <= _LONGEST:
        raise StubError(f"--timeout: {timeout:g} is out of range", RUN_FAILED, "give seconds")


def _settings(flags: dict[str, str], tool: str) -> Settings | None:
    """None where the output passes whole, whatever its size."""
    try:
        settings = load(flags, tool)
    except StubError as error:
        # A mistake in the configuration is no reason not to run what was asked for.
        say(f"{error}; the output passes whole")
        return None
    return None if settings.exempt else settings
