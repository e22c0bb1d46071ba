"""`stub find`: a run by a part of its command, its name or its first line, in every session."""

from stubcli.advice import Advice
from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.output import say
from stubcli.cli.place import home_of, sessions_of
from stubcli.cli.run_rows import LIMIT, PAGE, SKIP, emit_document, remarks
from stubcli.cli.run_table import emit_runs
from stubcli.errors import NOTHING_FOUND, OK, UsageError
from stubcli.retrieve.listing import Listing, list_runs
from stubcli.retrieve.selection import Selection
from stubcli.settings.option import Option
from stubcli.settings.table import Settings
from stubcli.text.display import amount, one_word

_LONGEST = 80
# A longer text is not repeated in what is printed.
_LONG = 1000


def _text(typed: str) -> str:
    """Raises UsageError."""
    if not typed:
        raise UsageError("the text to find is empty", Advice("ls", all_sessions=True))
    return typed


_TEXT: Option[str] = Option(
    "text",
    (),
    "A part of a command, tool, name or first line, whatever its case.",
    _text,
    kind="argument",
    metavar="TEXT",
    required=True,
)


def run(given: Given) -> int:
    """Print the runs that have the text; 1 where none has."""
    settings, text = given.settings(), given[_TEXT]
    names = sessions_of(settings, everywhere=True)
    found = list_runs(
        home_of(settings),
        names,
        limit=given[LIMIT] or PAGE,
        skip=given[SKIP],
        selection=Selection(text=text),
    )
    for error in found.failed:
        say(error.line(settings.where))
    status = OK if found.runs else NOTHING_FOUND
    if given[JSON]:
        emit_document(found, given[SKIP], asked=given[LIMIT] is not None)
        return status
    left_out = emit_runs(found.rows, everywhere=True) if found.runs else ()
    counted = _count(given, settings, found, len(names) - len(found.failed))
    say("; ".join([counted, *remarks(settings, found, left_out)]))
    return status


def _count(given: Given, settings: Settings, found: Listing, sessions: int) -> str:
    searched = f"{amount(found.searched, 'run')} in {amount(sessions, 'session')}"
    if not found.runs:
        shown = one_word(given[_TEXT], _LONGEST)
        return f"nothing found: no command, tool, name or first line of {searched} has {shown}"
    line = f"{found.runs:,} of {searched}"
    first, end = given[SKIP] + 1, given[SKIP] + len(found.rows)
    if end < found.runs and len(given[_TEXT]) <= _LONG:
        more = Advice("find", given[_TEXT], limit=given[LIMIT], skip=end)
        line += f", {first:,}-{end:,} listed; next: {more.shell(settings.where)}"
    return line


COMMAND = Command(
    "find",
    """Find an output by its command, in every session.

    Lists the runs of which command, tool, name or first line has the text, newest first, each with
    the reference that reads it. Commands are looked at in their first 1,000 characters. What the
    outputs say is searched by stub search.
    """,
    run,
    (_TEXT, LIMIT, SKIP, JSON),
    examples=(
        ("The outputs of a command, whichever directory it ran in:", "stub find seq"),
        ("What is found, for a program:", "stub find seq --json -n 1"),
    ),
)
