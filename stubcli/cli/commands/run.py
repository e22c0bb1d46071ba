"""`stub run -- CMD`: its output as the filter treats it, its exit status as it is.

Every command that a wrapper runs comes through here: what only a large output needs is imported
late.
"""

from stubcli.cli.command import CALL_ID, MIME, NAME, TOOL, Command, Given
from stubcli.descriptors import STDOUT, Output, say
from stubcli.errors import NOT_STORED, OK, RUN_FAILED, StubError, reason_of
from stubcli.process.child import Child
from stubcli.process.launch import become
from stubcli.process.treat import treat
from stubcli.settings import readers
from stubcli.settings.load import disabled
from stubcli.settings.option import flag, optional, repeated
from stubcli.settings.table import Settings
from stubcli.spill.filter import copy

_COMMAND = repeated(
    "command",
    (),
    "The command to run, exactly as given.",
    readers.text,
    kind="rest",
    metavar="CMD [ARG]...",
    required=True,
)
_KEEP_STDERR = flag("keep_stderr", "--keep-stderr", "Leave its standard error alone.")
_CWD = optional(
    "cwd", "--cwd", "Run it in this directory.", readers.text, metavar="DIR", complete="file"
)
_TIMEOUT = optional(
    "timeout",
    "--timeout",
    "End it after this long (30, 90s, 5m): TERM, then KILL after 5 seconds. The status is 124.",
    readers.duration,
    metavar="DURATION",
)
_DISABLE = flag("disable", "--disable", "Exec CMD directly; store nothing.")


def run(given: Given) -> int:
    """Run it; its own exit status, 128+N after a signal, 126 or 127 where it cannot start."""
    command = given[_COMMAND]
    argv = [*command]
    name = argv[0].rpartition("/")[2]
    timeout, cwd = given[_TIMEOUT], given[_CWD]
    # What stub itself prints is within its bounds, or was asked for whole.
    untouched = given[_DISABLE] or disabled() or _is_own(argv)
    tool = given[TOOL] or name
    settings = None if untouched else _settings(given, tool)
    if settings is None and timeout is None:
        become(argv, cwd)
    try:
        child = Child(argv, keep_stderr=given[_KEEP_STDERR], cwd=cwd, timeout=timeout)
    except OSError as error:
        why = reason_of(error)
        raise StubError(f"{name}: {why}", RUN_FAILED, "try again when less is running") from None
    out = Output(child, STDOUT in given.closed)
    kept = OK
    try:
        if settings is None:
            copy(child, out)
        else:
            kept = treat(
                child,
                out,
                settings,
                argv,
                tool=tool,
                call_id=given[CALL_ID],
                mime=given[MIME],
                cwd=cwd,
                name=given[NAME],
            )
    except Exception:
        # A bug of ours ends no command, and leaves none unheard.
        _finish(child, out, name)
        raise
    status = _finish(child, out, name)
    # Of a command that ended well, who asked for no raw output must still learn that it is gone.
    return status or (NOT_STORED if kept == NOT_STORED else OK)


def _is_own(argv: list[str]) -> bool:
    """Whether it runs stub and nothing else."""
    if not any("stub" in word for word in argv):
        return False
    from stubcli.process.own_commands import runs_only_stub

    return runs_only_stub(argv)


def _finish(child: Child, out: Output, name: str) -> int:
    """Hear the command to its end, whatever became of its output; its exit status."""
    while child.read():
        pass
    status = child.wait()
    child.let_go()
    if child.timed_out:
        from stubcli.process.about import timed_out

        say(f"{name}: {timed_out(child)}")
    if child.left_open:
        say("a background process still holds the output; what it writes from now on is not kept")
    if child.failure or out.failure:
        say(f"the output of {name}: {child.failure or out.failure}")
        status = status or RUN_FAILED
    return status


def _settings(given: Given, tool: str) -> Settings | None:
    """None where the output passes whole, whatever its size."""
    try:
        settings = given.settings(tool)
    except StubError as error:
        # A mistake in the configuration is no reason not to run what was asked for.
        say(f"{error}; the output passes whole")
        return None
    return None if settings.exempt else settings


def refuse(error: StubError, _raw: object, _closed: frozenset[int]) -> int:
    """125: 2 could be the command's own answer."""
    say(error.line())
    return RUN_FAILED


COMMAND = Command(
    "run",
    """Run a command and keep its exit status.

    Its output is treated as the filter treats it. Standard output and standard error go through
    one pipe, in their order. Signals are passed on. A process that the command leaves in the
    background lives on, and is not waited for. --timeout ends the command and everything that it
    started: its process group, and on Linux also what left that for a session of its own. What
    cannot be ended is named.
    """,
    run,
    (_COMMAND, _KEEP_STDERR, _CWD, _TIMEOUT, TOOL, CALL_ID, NAME, MIME, _DISABLE),
    examples=(
        ("Run a command, and see its status:", "stub run -- sh -c 'seq 20000; exit 3'; echo $?"),
        ("Give up after a minute:", "stub run --timeout 1m -- seq 20000"),
    ),
    statuses=(
        ("124", "Its --timeout ended the command."),
        (
            "125",
            "run itself failed, or its options are wrong: nothing ran, or the output was not "
            "written.",
        ),
        ("126, 127", "The command cannot be executed, or was not found."),
        ("any other", "The command's own."),
    ),
    interspersed=False,
    refuse=refuse,
    filters=True,
)
