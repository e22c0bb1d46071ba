"""The declarations of the commands that run others, or that others run."""

from typing import Annotated

import typer

from stubcli.cli.options import Home, Session, Text, given, option


def run(
    command: Annotated[
        list[str], typer.Argument(metavar="CMD [ARG]...", help="What to run, as it is given.")
    ],
    keep_stderr: Annotated[
        bool, typer.Option("--keep-stderr", help="Leave its standard error alone.")
    ] = False,
    cwd: Annotated[Text, typer.Option(help="Run it there.", metavar="DIR")] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="End it after so long: TERM, then KILL after 5 seconds. The status is 124.",
        ),
    ] = None,
    tool: Annotated[
        Text, typer.Option(help="The program's name (default: CMD's).", metavar="NAME")
    ] = None,
    call_id: Annotated[Text, typer.Option(help="The call that it answers.", metavar="ID")] = None,
    mime: Annotated[Text, typer.Option(help="A hint at the type.", metavar="TYPE")] = None,
    threshold: Annotated[Text, option("threshold")] = None,
    budget: Annotated[Text, option("budget")] = None,
    head: Annotated[Text, option("head")] = None,
    tail: Annotated[Text, option("tail")] = None,
    on_failure: Annotated[Text, option("on_failure")] = None,
    output_format: Annotated[Text, option("format")] = None,
    max_bytes: Annotated[Text, option("max_bytes")] = None,
    home: Home = None,
    session: Session = None,
    disable: Annotated[bool, typer.Option("--disable", help="Be CMD, keep nothing.")] = False,
) -> int:
    """Run a command and keep its exit status.

    Its output is treated as the filter treats it. Standard output and standard error go through
    one pipe, in their order. Signals are passed on. A process that the command leaves in the
    background lives on, and is not waited for.
    """
    from stubcli.commands.run import run as start

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
    return start(
        flags,
        command,
        tool=tool,
        call_id=call_id,
        mime=mime,
        cwd=cwd,
        timeout=timeout,
        keep_stderr=keep_stderr,
        disable=disable,
    )
