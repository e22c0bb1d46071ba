"""`stub ls`: what came and is kept, newest first."""

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, say
from stubcli.cli.place import home_of, session_of, sessions_of
from stubcli.retrieve.listing import COMMAND as LONGEST
from stubcli.retrieve.listing import Listing, RunRow, command_of, find_elsewhere, list_runs
from stubcli.settings import readers
from stubcli.settings.option import Option
from stubcli.settings.table import Settings
from stubcli.store.records import Origin, Record
from stubcli.text.display import amount, one_word

PAGE = 30
_SESSIONS = 3
HEADER = (
    *("number", "ref", "bytes", "lines", "kind", "state"),
    *("exit", "run", "finished", "command"),
)
_LIMIT: Option[int] = Option(
    "limit",
    ("-n", "--limit"),
    "Runs to list, at least 1.",
    readers.position(1),
    default=str(PAGE),
    metavar="N",
)
_SKIP: Option[int] = Option(
    "skip", "--skip", "Runs to skip.", readers.position(0), default="0", metavar="N"
)


def run(given: Given) -> int:
    """Print the newest runs. A session that keeps nothing is an empty listing."""
    settings, everywhere = given.settings(), given[ALL_SESSIONS]
    names = sessions_of(settings, everywhere=everywhere)
    found = list_runs(home_of(settings), names, limit=given[_LIMIT], skip=given[_SKIP])
    for error in found.failed:
        say(error.line(settings.where))
    if given[JSON]:
        rows = [_document(row) for row in found.rows]
        emit_json({"total": found.runs, "skip": given[_SKIP], "runs": rows})
        return 0
    right = ("number", "bytes", "lines", "exit", "run")
    emit_rows(HEADER, [_cells(row, everywhere) for row in found.rows], right=right)
    say(_count(given, settings, found))
    return 0


def _count(given: Given, settings: Settings, found: Listing) -> str:
    everywhere, limit, skip = given[ALL_SESSIONS], given[_LIMIT], given[_SKIP]
    if not found.runs:
        return "nothing is kept in this store" if everywhere else _elsewhere(settings)
    line = amount(found.artifacts, "artifact")
    if found.runs != found.artifacts:
        line = f"{amount(found.runs, 'run')} of {line}"
    end = skip + len(found.rows)
    if end < found.runs:
        more = Advice(
            "ls", all_sessions=everywhere, limit=limit if limit != PAGE else None, skip=end
        )
        line += f", {skip + 1:,}-{end:,} listed; next: {more.shell(settings.where)}"
    return line


def _elsewhere(settings: Settings) -> str:
    """Nothing is kept here; it must not pass for an empty store where other sessions keep some."""
    session = session_of(settings)
    near, any_other = find_elsewhere(home_of(settings), session)
    line = f"session {session} keeps nothing"
    home = tuple(pair for pair in settings.where if pair[0] == "home")
    if near:
        commands = [Advice("ls", session=name).shell(home) for name in near[:_SESSIONS]]
        return f"{line}, sessions of folders nearby do; see: " + " · ".join(commands)
    if any_other:
        return f"{line}, other sessions do; {Advice('ls', all_sessions=True).said(home)}"
    return line


def recent(settings: Settings, most: int) -> list[tuple[int, str, str]]:
    """Number, digest and what it is, of the newest artifacts: for completion."""
    names = sessions_of(settings, everywhere=False)
    found = {row.number: row for row in reversed(_newest(settings, names, most)) if row.record}
    return [
        (row.number, row.digest[:12], " ".join(_cells(row, everywhere=False)[2:]))
        for row in reversed(found.values())
    ]


def _newest(settings: Settings, names: list[str], most: int) -> tuple[RunRow, ...]:
    return list_runs(home_of(settings), names, limit=most, skip=0).rows


def _cells(row: RunRow, everywhere: bool) -> list[str]:
    number = f"{row.session}/{row.number}" if everywhere else str(row.number)
    run, record, unfinished = row.run, row.record, row.sighting
    if unfinished:
        return [number, "", str(unfinished.size), "", "", unfinished.state, "", "", "", ""]
    if record is None:
        run_number = str(row.run_number)
        return [number, row.digest[:12], "", "", "", "damaged", "", run_number, "", ""]
    return [
        number,
        row.digest[:12],
        str(record.size),
        str(record.lines),
        kind_of(record),
        run.state if run else "damaged",
        _ended(run.origin) if run else "",
        str(row.run_number),
        run.finished if run else "",
        one_word(command_of(run.origin), LONGEST) if run and command_of(run.origin) else "",
    ]


def kind_of(record: Record) -> str:
    kind, form = record.facts.get("kind", ""), record.facts.get("form", "")
    return f"{kind}/{form}" if form else str(kind)


def _ended(origin: Origin) -> str:
    """How a command ended: the signal that killed it, or its exit status."""
    return origin.signal or ("" if origin.exit_status is None else str(origin.exit_status))


def _document(row: RunRow) -> dict[str, object]:
    run, record, unfinished = row.run, row.record, row.sighting
    if unfinished:
        return {
            "ref": row.ref,
            "number": row.number,
            "bytes": unfinished.size,
            "state": unfinished.state,
        }
    if record is None:
        return {
            "session": row.session,
            "number": row.number,
            "run": row.run_number,
            "digest": row.digest,
            "state": "damaged",
        }
    document: dict[str, object] = {
        "ref": str(record.reference),
        "number": row.number,
        "run": row.run_number,
        "sha256": record.sha256,
        "bytes": record.size,
        "lines": record.lines,
        "kind": kind_of(record),
        "state": run.state if run else "damaged",
    }
    if run:
        document |= {
            "tool": run.origin.tool and run.origin.tool[:LONGEST],
            "command": command_of(run.origin) or None,
            "exit_status": run.origin.exit_status,
            "signal": run.origin.signal,
            "duration": run.origin.duration,
            "finished": run.finished,
        }
    return document


COMMAND = Command(
    "ls",
    "List what came and is kept, newest first.",
    run,
    (_LIMIT, _SKIP, ALL_SESSIONS, JSON),
    examples=(
        ("What this workspace keeps, and how each command ended:", "stub ls"),
        ("The five newest of every session, for a program:", "stub ls --all-sessions -n 5 --json"),
    ),
)
