"""`stub ls`: what came and is kept, newest first."""

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import say
from stubcli.cli.place import home_of, session_of, sessions_of
from stubcli.cli.run_rows import (
    COMMAND_PART,
    FAILED,
    LIMIT,
    MADE_BY,
    PAGE,
    SINCE,
    SKIP,
    emit_document,
    remarks,
)
from stubcli.cli.run_table import emit_runs
from stubcli.retrieve.listing import Listing, list_runs
from stubcli.retrieve.selection import Selection
from stubcli.settings.table import Settings
from stubcli.store.elsewhere import sessions_with
from stubcli.text.display import amount

_SESSIONS = 3


def run(given: Given) -> int:
    """Print the newest runs. A session that keeps nothing is an empty listing."""
    settings, everywhere = given.settings(), given[ALL_SESSIONS]
    found = list_runs(
        home_of(settings),
        sessions_of(settings, everywhere=everywhere),
        limit=given[LIMIT] or PAGE,
        skip=given[SKIP],
        selection=_selection(given),
    )
    for error in found.failed:
        say(error.line(settings.where))
    if given[JSON]:
        emit_document(found, given[SKIP], asked=given[LIMIT] is not None)
        return 0
    left_out = emit_runs(found.rows, everywhere=everywhere)
    say("; ".join([_count(given, settings, found), *remarks(settings, found, left_out)]))
    return 0


def _selection(given: Given) -> Selection:
    return Selection(
        since=given[SINCE] or "",
        tool=given[MADE_BY] or "",
        command=given[COMMAND_PART] or "",
        failed=given[FAILED],
    )


def _count(given: Given, settings: Settings, found: Listing) -> str:
    everywhere = given[ALL_SESSIONS]
    if not found.searched:
        return "nothing is kept in this store" if everywhere else _elsewhere(settings)
    if not found.runs:
        return f"none of {amount(found.searched, 'run')} is so"
    line = amount(found.artifacts, "artifact")
    if found.runs != found.artifacts:
        line = f"{amount(found.runs, 'run')} of {line}"
    first, end = given[SKIP] + 1, given[SKIP] + len(found.rows)
    if end < found.runs:
        more = Advice(
            "ls",
            all_sessions=everywhere,
            since=given[SINCE],
            tool=given[MADE_BY],
            command=given[COMMAND_PART],
            failed=given[FAILED],
            limit=given[LIMIT],
            skip=end,
        )
        line += f", {first:,}-{end:,} listed; next: {more.shell(settings.where)}"
    return line


def _elsewhere(settings: Settings) -> str:
    """Nothing is kept here; it must not pass for an empty store where other sessions keep some."""
    session = session_of(settings)
    near, others = sessions_with(home_of(settings), session, lambda one: one.newest() is not None)
    line = f"session {session} keeps nothing"
    home = tuple(pair for pair in settings.where if pair[0] == "home")
    if near:
        commands = [Advice("ls", session=name).shell(home) for name in near[:_SESSIONS]]
        return f"{line}, sessions of folders nearby do; see: " + " · ".join(commands)
    if others:
        return f"{line}, other sessions do; {Advice('ls', all_sessions=True).said(home)}"
    return line


COMMAND = Command(
    "ls",
    """List what came and is kept, newest first.

    Each run with its command, how that ended, and the first line of its output. On a terminal what
    does not fit is cut with a mark or named below; an exit status of 0 is left out there.
    """,
    run,
    (SINCE, MADE_BY, COMMAND_PART, FAILED, LIMIT, SKIP, ALL_SESSIONS, JSON),
    examples=(
        ("What this workspace keeps, and how each command ended:", "stub ls"),
        ("What failed today:", "stub ls --failed --since today"),
        ("The five newest of every session, for a program:", "stub ls --all-sessions -n 5 --json"),
    ),
)
