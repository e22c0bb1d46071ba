"""The declarations of the commands that read back what was kept."""

from typing import Annotated

import typer

from stubcli.cli.options import Everywhere, Home, Json, Ref, Session, Text, option, settings


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

    return run(
        settings(home=home, session=session),
        ref,
        offset=offset,
        limit=limit,
        unit=unit,
        lines=lines,
        whole=whole,
        raw=raw,
        as_json=as_json,
    )


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
    matches: Annotated[Text, option("matches", "-m", "--max-count")] = None,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Matches to pass over.")] = 0,
    count: Annotated[bool, typer.Option("--count", "-c", help="Print counts only.")] = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Find matches: line number, byte offset, and the line around each; totals on stderr."""
    from stubcli.commands.search import search as run

    return run(
        settings(home=home, session=session, matches=matches),
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

    return run(
        settings(home=home, session=session),
        limit=limit,
        skip=skip,
        everywhere=everywhere,
        as_json=as_json,
    )


def show(ref: Ref, as_json: Json = False, home: Home = None, session: Session = None) -> int:
    """Print the stub again, byte for byte; --json: everything that is known."""
    from stubcli.commands.show import show as run

    return run(settings(home=home, session=session), ref, as_json=as_json)
