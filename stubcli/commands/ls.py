"""`stub ls`: what came and is kept, newest first."""

from stubcli.advice import Advice
from stubcli.commands.answer import emit_json, emit_rows, say
from stubcli.commands.place import home_of, session_of, sessions_of
from stubcli.reference import Reference
from stubcli.retrieve.listing import COMMAND, Listing, RunRow, command_of, find_elsewhere, list_runs
from stubcli.settings.load import Settings
from stubcli.store.records import Origin, Record

PAGE = 30
_SESSIONS = 3
HEADER = (
    *("number", "ref", "bytes", "lines", "kind", "state"),
    *("exit", "run", "finished", "command"),
)


def ls(
    settings: Settings,
    *,
    limit: int = PAGE,
    skip: int = 0,
    everywhere: bool = False,
    as_json: bool = False,
) -> int:
    """Print the newest runs. A session that keeps nothing is an empty listing."""
    names = sessions_of(settings, everywhere=everywhere)
    found = list_runs(home_of(settings), names, limit=limit, skip=skip)
    for error in found.failed:
        say(str(error))
    if as_json:
        rows = [_document(row) for row in found.rows]
        emit_json({"total": found.runs, "skip": skip, "artifacts": rows})
        return 0
    right = ("number", "bytes", "lines", "exit", "run")
    emit_rows(HEADER, [_cells(row, everywhere) for row in found.rows], right=right)
    say(_count(settings, found, limit, skip, everywhere))
    return 0


def _count(settings: Settings, found: Listing, limit: int, skip: int, everywhere: bool) -> str:
    if not found.runs:
        return _elsewhere(settings) if not everywhere else "nothing is kept in this store"
    line = f"{found.artifacts:,} artifact{'' if found.artifacts == 1 else 's'}"
    if found.runs != found.artifacts:
        line = f"{found.runs:,} runs of {line}"
    if skip + len(found.rows) < found.runs:
        more = (" --all-sessions" if everywhere else "") + (f" -n {limit}" if limit != PAGE else "")
        shown = skip + len(found.rows)
        line += f", shown {skip + 1:,}-{shown:,}; next: stub ls{more} --skip {shown}"
        line += settings.suffix(session=True)
    return line


def _elsewhere(settings: Settings) -> str:
    """Nothing is kept here; it must not pass for an empty store where other sessions keep some."""
    session = session_of(settings)
    near, any_other = find_elsewhere(home_of(settings), session)
    line = f"session {session} keeps nothing"
    suffix = settings.suffix()
    if near:
        commands = [Advice("ls", session=name).shell() + suffix for name in near[:_SESSIONS]]
        return f"{line}, sessions of folders nearby do; see: " + " · ".join(commands)
    if any_other:
        return f"{line}, other sessions do; see: stub ls --all-sessions{suffix}"
    return line


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
        command_of(run.origin) if run else "",
    ]


def kind_of(record: Record) -> str:
    kind, form = record.synopsis.get("kind", ""), record.synopsis.get("form", "")
    return f"{kind}/{form}" if form else str(kind)


def _ended(origin: Origin) -> str:
    """How a command ended: the signal that killed it, or its exit status."""
    return origin.signal or ("" if origin.exit_status is None else str(origin.exit_status))


def _document(row: RunRow) -> dict[str, object]:
    run, record, unfinished = row.run, row.record, row.sighting
    if unfinished:
        return {
            "ref": str(Reference(row.session, row.number, "")),
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
            "tool": run.origin.tool and run.origin.tool[:COMMAND],
            "command": command_of(run.origin) or None,
            "exit_status": run.origin.exit_status,
            "signal": run.origin.signal,
            "duration": run.origin.duration,
            "finished": run.finished,
        }
    return document
