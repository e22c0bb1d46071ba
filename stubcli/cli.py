"""The declarations: every command, its options and their help. The only place that knows typer.

Help, man pages and completions are made from what stands here.
"""

import os
import sys
from typing import Annotated, Any

import typer

from stubcli import __version__
from stubcli.errors import OK, USAGE, NotStoredError, UsageError
from stubcli.settings.load import Settings, load
from stubcli.settings.table import SETTINGS

_BY_NAME = {setting.name: setting for setting in SETTINGS}

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _option(name: str, *flags: str) -> Any:
    """The option of a setting; what is typed is read by the setting itself."""
    setting = _BY_NAME[name]
    default = f" (default {setting.default})" if setting.default not in ("", "0") else ""
    metavar = "|".join(setting.choices) or {"text": "TEXT", "count": "N"}.get(setting.kind, "SIZE")
    text = setting.help.removesuffix(".") + default + "."
    return typer.Option(*(flags or (setting.flag,)), help=text, metavar=metavar)


Text = str | None
Home = Annotated[Text, _option("home")]
Session = Annotated[Text, _option("session")]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
Everywhere = Annotated[bool, typer.Option("--all-sessions", help="Every session of the store.")]
Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="A number, a digest prefix, 'last', a path, or artifact:SESSION:FILE:DIGEST.",
    ),
]


def _settings(tool: str | None = None, **flags: str | None) -> Settings:
    return load({name: value for name, value in flags.items() if value is not None}, tool)


@app.callback(invoke_without_command=True)
def stub(
    context: typer.Context,
    threshold: Annotated[Text, _option("threshold")] = None,
    budget: Annotated[Text, _option("budget")] = None,
    head: Annotated[Text, _option("head")] = None,
    tail: Annotated[Text, _option("tail")] = None,
    on_failure: Annotated[Text, _option("on_failure")] = None,
    output_format: Annotated[Text, _option("format")] = None,
    max_bytes: Annotated[Text, _option("max_bytes")] = None,
    home: Home = None,
    session: Session = None,
    tool: Annotated[
        Text, typer.Option(help="The program that made the output.", metavar="NAME")
    ] = None,
    call_id: Annotated[Text, typer.Option(help="The call that it answers.", metavar="ID")] = None,
    mime: Annotated[Text, typer.Option(help="A hint at the type.", metavar="TYPE")] = None,
    disable: Annotated[bool, typer.Option("--disable", help="Copy, store nothing.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> int:
    """CMD | stub: pass a small output through; keep a large one whole and print one page of it.

    The page names the artifact, says what the output is and how much of it there is, shows the
    lines that decide and both ends, and gives the exact commands that read the rest.
    """
    if version:
        typer.echo(f"stub {__version__}")
        return OK
    if context.invoked_subcommand is not None:
        return OK
    if sys.stdin is None or sys.stdin.isatty():
        from stubcli.commands.filter import SHORT_HELP

        typer.echo(SHORT_HELP, err=True)
        return USAGE
    from stubcli.commands.filter import run_filter

    flags = {
        "threshold": threshold,
        "budget": budget,
        "head": head,
        "tail": tail,
        "on_failure": on_failure,
        "format": output_format,
        "max_bytes": max_bytes,
        "home": home,
        "session": session,
    }
    typed = {name: value for name, value in flags.items() if value is not None}
    return run_filter(typed, tool=tool, call_id=call_id, mime=mime, disable=disable)


@app.command("read")
def read(
    ref: Ref,
    offset: Annotated[int | None, typer.Option(help="Units to skip.", min=0, metavar="N")] = None,
    limit: Annotated[
        int | None, typer.Option(help="Units to show (default 10000).", min=1, metavar="N")
    ] = None,
    unit: Annotated[
        str, typer.Option(help="What N counts: chars, lines or bytes.", metavar="UNIT")
    ] = "chars",
    lines: Annotated[Text, typer.Option(help="These lines, from 1.", metavar="A-B")] = None,
    whole: Annotated[bool, typer.Option("--all", help="Everything, verified as it goes.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Exact bytes on a terminal too.")] = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Print a page of an artifact; stderr says what of how much, and the command for the next."""
    from stubcli.commands.read import read as run

    settings = _settings(home=home, session=session)
    return run(
        settings,
        ref,
        offset=offset,
        limit=limit,
        unit=unit,
        lines=lines,
        whole=whole,
        raw=raw,
        as_json=as_json,
    )


@app.command("search")
def search(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A regular expression (RE2).")],
    refs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[REF]...", help="Artifacts; none: all of the session."),
    ] = None,
    literal: Annotated[
        bool, typer.Option("-F", "--fixed-strings", help="Take PATTERN literally.")
    ] = False,
    ignore_case: Annotated[bool, typer.Option("-i", "--ignore-case", help="Ignore case.")] = False,
    word: Annotated[bool, typer.Option("-w", "--word-regexp", help="Match whole words.")] = False,
    after: Annotated[
        int, typer.Option("-A", "--after-context", min=0, max=100, metavar="N", help="Lines after.")
    ] = 0,
    before: Annotated[
        int,
        typer.Option("-B", "--before-context", min=0, max=100, metavar="N", help="Lines before."),
    ] = 0,
    around: Annotated[
        int,
        typer.Option(
            "-C", "--context", min=0, max=100, metavar="N", help="Lines before and after."
        ),
    ] = 0,
    matches: Annotated[Text, _option("matches", "-m", "--max-count")] = None,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Matches to pass over.")] = 0,
    count: Annotated[bool, typer.Option("--count", "-c", help="Print counts only.")] = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Find matches: line number, byte offset, and the line around each; totals on stderr."""
    from stubcli.commands.search import search as run

    return run(
        _settings(home=home, session=session, matches=matches),
        pattern,
        refs or [],
        literal=literal,
        ignore_case=ignore_case,
        word=word,
        before=max(before, around),
        after=max(after, around),
        skip=skip,
        count=count,
        as_json=as_json,
    )


@app.command("ls")
def ls(
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, metavar="N", help="Artifacts to show.")
    ] = 30,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Artifacts to pass over.")] = 0,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """List artifacts, newest first."""
    from stubcli.commands.ls import ls as run

    settings = _settings(home=home, session=session)
    return run(settings, limit=limit, skip=skip, everywhere=everywhere, as_json=as_json)


@app.command("show")
def show(ref: Ref, as_json: Json = False, home: Home = None, session: Session = None) -> int:
    """Print the stub again, byte for byte; --json: everything that is known."""
    from stubcli.commands.show import show as run

    return run(_settings(home=home, session=session), ref, as_json=as_json)


@app.command("check")
def check(
    mend: Annotated[
        bool, typer.Option("--repair", help="Finish or adopt what a crash left.")
    ] = False,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Verify every artifact and record against what was recorded."""
    from stubcli.commands.check import check as run

    settings = _settings(home=home, session=session)
    return run(settings, mend=mend, everywhere=everywhere, as_json=as_json)


@app.command("stats")
def stats(
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Sum up what is kept and what the stubs saved."""
    from stubcli.commands.stats import stats as run

    return run(_settings(home=home, session=session), everywhere=everywhere, as_json=as_json)


@app.command("config")
def config(
    tool: Annotated[
        Text, typer.Option(help="As for the output of this tool.", metavar="NAME")
    ] = None,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Print every setting, its value and where it came from."""
    from stubcli.commands.config import config as run

    return run(_settings(tool, home=home, session=session), as_json=as_json)


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
    verbs = {str(command.name) for command in app.registered_commands}
    option = getattr(error, "option_name", None)
    if option is None or verbs & set(sys.argv):
        raise UsageError(error.format_message().rstrip("."), hint)
    from stubcli.commands.filter import refuse

    return refuse(str(UsageError(error.format_message().rstrip("."), hint)))
