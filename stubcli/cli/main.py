"""The declarations: every command, its options and their help. The only room that knows typer.

Help, man pages and completions are made from what stands here.
"""

import os
import sys
from typing import Any

import typer

from stubcli.cli import agents, lease, messages, reading, running, upkeep
from stubcli.cli import filter as filtering
from stubcli.errors import OK, RUN_FAILED, NotStoredError, StubError, UsageError

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.callback(invoke_without_command=True)(filtering.stub)
# What follows the command's name is the command's own.
app.command("run", context_settings={"allow_interspersed_args": False})(running.run)
for _verb in (
    reading.read,
    reading.search,
    reading.query,
    reading.ls,
    reading.show,
    lease.pin,
    lease.unpin,
    upkeep.gc,
    upkeep.check,
    upkeep.stats,
    upkeep.config,
    agents.init,
    agents.mcp,
):
    app.command(_verb.__name__)(_verb)
app.add_typer(lease.app, name="lease")
app.add_typer(agents.tools, name="tools")
app.command("hook", context_settings=agents.LENIENT)(agents.hook)
app.add_typer(messages.app, name="messages")


def run_cli() -> int:
    """Parse this process's arguments and run the command; the exit status. Raises StubError."""
    from stubcli.descriptors import STDOUT, guard_standard

    closed = guard_standard()
    if "_STUB_COMPLETE" in os.environ:
        # typer knows the shells only where it adds its own two options, which have no place here.
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    from typer.exceptions import Abort, Exit, TyperException

    try:
        status = app(prog_name="stub", standalone_mode=False)
    except Exit as leave:
        status = leave.exit_code
    except Abort:
        return 130
    except TyperException as error:
        return _refused(error)
    if STDOUT in closed:
        raise NotStoredError("standard output is closed")
    return int(status or OK)


def _refused(error: Any) -> int:
    """A usage error, in one line. Where the filter was meant, its input still passes."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "stub"
    hint = f"see: {path} --help"
    if path == "stub run":
        # 2 could be the command's own answer.
        raise StubError(error.format_message().rstrip("."), RUN_FAILED, hint)
    verbs = {str(command.name) for command in app.registered_commands}
    verbs |= {str(group.name) for group in app.registered_groups}
    option = getattr(error, "option_name", None)
    if option is None or verbs & set(sys.argv):
        raise UsageError(error.format_message().rstrip("."), hint)
    from stubcli.commands.filter import refuse

    return refuse(str(UsageError(error.format_message().rstrip("."), hint)))
