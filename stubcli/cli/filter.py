"""The declaration of the filter, which is `stub` without a command."""

import sys
from typing import Annotated

import typer

from stubcli import __version__
from stubcli.cli.options import Home, Session, Text, given, option
from stubcli.errors import OK, USAGE


def stub(
    context: typer.Context,
    threshold: Annotated[Text, option("threshold")] = None,
    budget: Annotated[Text, option("budget")] = None,
    head: Annotated[Text, option("head")] = None,
    tail: Annotated[Text, option("tail")] = None,
    on_failure: Annotated[Text, option("on_failure")] = None,
    output_format: Annotated[Text, option("format")] = None,
    max_bytes: Annotated[Text, option("max_bytes")] = None,
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

    flags = given(
        threshold=threshold,
        budget=budget,
        head=head,
        tail=tail,
        on_failure=on_failure,
        format=output_format,
        max_bytes=max_bytes,
        home=home,
        session=session,
    )
    return run_filter(flags, tool=tool, call_id=call_id, mime=mime, disable=disable)
