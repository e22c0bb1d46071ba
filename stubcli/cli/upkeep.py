"""The declarations of the commands that look after the store."""

from typing import Annotated

import typer

from stubcli.cli.options import Everywhere, Home, Json, Session, Text, option, settings


def check(
    mend: Annotated[
        bool, typer.Option("--repair", help="Finish or adopt what a crash left.")
    ] = False,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss",
            help="With --repair: go on without the leases that damage took. Whatever they "
            "protected is kept until it is as old again as stub gc demands.",
        ),
    ] = False,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Verify everything that is kept.

    Every artifact, record and lease, against what was recorded.
    """
    from stubcli.commands.check import check as run

    given = settings(home=home, session=session)
    return run(given, mend=mend, accept_loss=accept_loss, everywhere=everywhere, as_json=as_json)


def stats(
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Sum up what is kept and what the stubs saved."""
    from stubcli.commands.stats import stats as run

    return run(settings(home=home, session=session), everywhere=everywhere, as_json=as_json)


def config(
    tool: Annotated[
        Text, typer.Option(help="As for the output of this tool.", metavar="NAME")
    ] = None,
    preset: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="Print a file to begin with: openviking, workbuddy, kocoro, gliding-horse, eino.",
        ),
    ] = None,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Print the settings and their sources."""
    from stubcli.commands.config import config as run
    from stubcli.commands.config import preset as print_preset

    if preset is not None:
        return print_preset(preset)
    return run(settings(tool, home=home, session=session), as_json=as_json)


def gc(
    really: Annotated[
        bool, typer.Option("--apply", help="Delete what is planned; else it is only shown.")
    ] = False,
    older_than: Annotated[Text, option("older_than")] = None,
    max_deletions: Annotated[Text, option("max_deletions")] = None,
    keep_bytes: Annotated[Text, option("keep_bytes")] = None,
    plan: Annotated[
        Text,
        typer.Option(help="Write the plan; with --apply: do just that one.", metavar="FILE"),
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Delete on a network file system too.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing where all is well.")
    ] = False,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Collect what nothing needs any more.

    Shows the plan, and does it with --apply.
    """
    from stubcli.commands.gc import Asked
    from stubcli.commands.gc import gc as run

    asked = Asked(really, plan, network, everywhere)
    where = settings(
        home=home,
        session=session,
        older_than=older_than,
        max_deletions=max_deletions,
        keep_bytes=keep_bytes,
    )
    return run(where, asked, as_json=as_json, quiet=quiet)
