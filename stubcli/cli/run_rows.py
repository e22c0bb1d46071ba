"""Runs as `ls` and `find` show them: a table that fits, plain columns in a pipe, JSON.

What is shown of a run and the options that choose among runs are declared here for both.
"""

from stubcli.advice import Advice
from stubcli.cli.output import emit_json, json_text
from stubcli.cli.place import home_of, session_of
from stubcli.retrieve.listing import COMMAND as LONGEST
from stubcli.retrieve.listing import Listing, RunRow, list_runs
from stubcli.settings import readers
from stubcli.settings.option import Option, flag, optional
from stubcli.settings.table import Settings
from stubcli.store.records import Origin, Record
from stubcli.text.display import amount, one_word

PAGE = 30
LIMIT = optional(
    "limit",
    ("-n", "--limit"),
    f"Runs to list, at least 1 (default: {PAGE}).",
    readers.position(1),
    metavar="N",
)
SKIP: Option[int] = Option(
    "skip", "--skip", "Runs to skip.", readers.position(0), default="0", metavar="N"
)
SINCE = optional(
    "since",
    "--since",
    "Only runs that ended since then: 2h, 7d, today, 2026-01-31, 2026-01-31T09:30.",
    readers.since,
    metavar="WHEN",
)
MADE_BY = optional(
    "tool",
    "--tool",
    "Only runs of this tool, or of those that fit a pattern: 'browser_*'.",
    readers.text,
    metavar="NAME",
    complete="tool",
)
COMMAND_PART = optional(
    "command",
    "--command",
    "Only runs with this in their command, whatever its case.",
    readers.text,
)
FAILED = flag("failed", "--failed", "Only runs that a signal or another status than 0 ended.")
# Of a document, in characters: below the threshold, so that it is not stubbed again.
_ROOM = 19_000
HEADER = (
    *("number", "ref", "bytes", "lines", "kind", "state"),
    *("exit", "run", "finished", "command", "first line"),
)
RIGHT = ("number", "bytes", "lines", "exit", "run")


def emit_document(found: Listing, skip: int, *, asked: bool) -> None:
    """Print the runs as JSON; where their number was not asked for, no more than are a page."""
    rows = [document(row) for row in found.rows]
    size = len(json_text(rows))
    while not asked and len(rows) > 1 and size > _ROOM:
        size -= len(json_text([rows.pop()]))
    end = skip + len(rows)
    follow = end if rows and end < found.runs else None
    emit_json({"total": found.runs, "skip": skip, "next": follow, "runs": rows})


def remarks(settings: Settings, found: Listing, left_out: tuple[str, ...]) -> list[str]:
    """What has to be said of a listing besides its counts."""
    said = []
    if left_out:
        said.append(f"no room for: {', '.join(left_out)}; a wider terminal or --json has it")
    if found.unread:
        hint = Advice("check").said(settings.where)
        said.append(f"{amount(found.unread, 'run')} could not be read; {hint}")
    return said


def cells_of(row: RunRow, everywhere: bool) -> list[str]:
    number = f"{row.session}/{row.number}" if everywhere else str(row.number)
    run, record, unfinished = row.run, row.record, row.sighting
    if unfinished:
        return [number, "", f"{unfinished.size:,}", "", "", unfinished.state, *[""] * 5]
    if record is None:
        run_number = str(row.run_number)
        return [number, row.digest[:12], "", "", "", "damaged", "", run_number, "", "", ""]
    return [
        number,
        row.digest[:12],
        f"{record.size:,}",
        f"{record.lines:,}",
        kind_of(record),
        run.state if run else "damaged",
        ended(run.origin) if run else "",
        str(row.run_number),
        run.finished if run else "",
        made_by(row),
        one_word(row.first_line, LONGEST) if row.first_line else "",
    ]


def made_by(row: RunRow) -> str:
    """The command of a run as one word, behind the name of the run where it has one."""
    command = one_word(row.command, LONGEST) if row.command else ""
    name = row.run.origin.name if row.run else None
    return f"@{name} {command}".rstrip() if name else command


def kind_of(record: Record) -> str:
    kind, form = record.facts.get("kind", ""), record.facts.get("form", "")
    return f"{kind}/{form}" if form else str(kind)


def ended(origin: Origin) -> str:
    """How a command ended: the signal that killed it, or its exit status."""
    return origin.signal or ("" if origin.exit_status is None else str(origin.exit_status))


def recent(settings: Settings, most: int) -> list[tuple[list[str], str]]:
    """How the newest artifacts of the session may be typed, and what each is: for completion."""
    found = list_runs(home_of(settings), [session_of(settings)], limit=most, skip=0)
    forms: dict[int, tuple[list[str], str]] = {}
    names: set[str] = set()
    for row in found.rows:
        if row.record is None or row.run is None:
            continue
        what = " ".join(cell for cell in cells_of(row, everywhere=False)[2:] if cell)
        typed, _ = forms.setdefault(row.number, ([str(row.number), row.digest[:12]], what))
        if (name := row.run.origin.name) and name not in names:
            names.add(name)
            typed.append(f"@{name}")
    return list(forms.values())


def document(row: RunRow) -> dict[str, object]:
    """Everything that is known of a run, but for what only its artifact's record says."""
    run, record, unfinished = row.run, row.record, row.sighting
    if unfinished:
        return {
            "ref": row.ref,
            "session": row.session,
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
    known: dict[str, object] = {
        "ref": str(record.reference),
        "session": row.session,
        "number": row.number,
        "run": row.run_number,
        "sha256": record.sha256,
        "bytes": record.size,
        "lines": record.lines,
        "kind": kind_of(record),
        "first_line": row.first_line,
        "state": run.state if run else "damaged",
    }
    if run:
        known |= {
            "name": run.origin.name,
            "tool": run.origin.tool,
            "command": run.origin.command or None,
            "argv": list(run.origin.argv),
            "cwd": run.origin.cwd,
            "call_id": run.origin.call_id,
            "exit_status": run.origin.exit_status,
            "signal": run.origin.signal,
            "duration": run.origin.duration,
            "started": run.started,
            "finished": run.finished,
        }
    return known
