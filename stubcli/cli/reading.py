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
    """Print a page of an artifact.

    Standard error says what was shown of how much, and the command for the next page.
    """
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
    names_only: Annotated[
        bool, typer.Option("--files-with-matches", "-l", help="Print references only.")
    ] = False,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Find matches in artifacts.

    Line number, byte offset, and the line around each; exact totals on standard error.
    """
    from stubcli.commands.search import search as run
    from stubcli.retrieve.asked import Search

    asked = Search(
        pattern,
        tuple(refs or ()),
        literal=literal,
        ignore_case=ignore_case,
        word=word,
        before=max(before, around),
        after=max(after, around),
        skip=skip,
        count=count,
        names_only=names_only,
        everywhere=everywhere,
        as_json=as_json,
    )
    return run(settings(home=home, session=session, matches=matches), asked)


def ls(
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, metavar="N", help="Runs to show.")
    ] = 30,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Runs to pass over.")] = 0,
    everywhere: Everywhere = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """List what came and is kept, newest first."""
    from stubcli.commands.ls import ls as run

    return run(
        settings(home=home, session=session),
        limit=limit,
        skip=skip,
        everywhere=everywhere,
        as_json=as_json,
    )


def show(
    ref: Ref,
    run: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Of the run of that number; see ls.")
    ] = None,
    memory: Annotated[
        bool, typer.Option("--memory", help="What a memory keeps of it, as JSON: no content.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
    session: Session = None,
) -> int:
    """Print again, byte for byte, what was printed last for an artifact."""
    from stubcli.commands.show import show as work

    return work(settings(home=home, session=session), ref, run=run, memory=memory, as_json=as_json)


def query(
    ref: Ref,
    sql: Annotated[
        Text,
        typer.Argument(metavar="[SQL]", help="One SELECT of the table artifact; none: its schema."),
    ] = None,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Rows to pass over.")] = 0,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=100_000, metavar="N", help="Rows to show.")
    ] = 200,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="table, csv, json, jsonl or markdown; only tables cut wide cells.",
            metavar="FORMAT",
        ),
    ] = "table",
    as_json: Json = False,
    page: Annotated[Text, option("page", "--page")] = None,
    memory: Annotated[Text, option("query_memory", "--memory")] = None,
    seconds: Annotated[Text, option("query_seconds", "--seconds")] = None,
    home: Home = None,
    session: Session = None,
) -> int:
    """Ask JSON, CSV or TSV a question in SQL.

    Needs DuckDB: pip install 'stubcli[query]'. Without SQL it prints the columns, the nested
    tables, the keys that refer to others, and three questions to begin with.
    """
    from stubcli.commands.query import query as run

    return run(
        settings(home=home, session=session, page=page, query_memory=memory, query_seconds=seconds),
        ref,
        sql,
        skip=skip,
        limit=limit,
        form=form,
        as_json=as_json,
    )
