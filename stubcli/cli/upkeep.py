"""The declarations of the commands that look after the store."""

from typing import Annotated

import typer

from stubcli.cli.options import Everywhere, Home, Json, Session, Text, settings


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

    return run(
        settings(home=home, session=session), mend=mend, everywhere=everywhere, as_json=as_json
    )


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
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Print every setting, its value and where it came from."""
    from stubcli.commands.config import config as run

    return run(settings(tool, home=home, session=session), as_json=as_json)
