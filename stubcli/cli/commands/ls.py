"""`stub ls`: what is kept, newest first."""

from dataclasses import dataclass

from stubcli.advice import Advice
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.context import home_of, sessions_of
from stubcli.cli.output import emit_json, emit_rows, say
from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import Reference, parse_record_name
from stubcli.settings import readers
from stubcli.settings.option import Option
from stubcli.settings.table import Settings
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.posix.layout import Session, close_session, open_session
from stubcli.store.posix.unfinished import Sighting, sightings
from stubcli.store.records import Record
from stubcli.text.amounts import amount
from stubcli.text.escape import one_word

PAGE = 30
_TOOL = 40
HEADER = ("number", "ref", "bytes", "lines", "kind", "state", "tool", "finished")


@dataclass(frozen=True)
class Row:
    """One artifact: its record, None where that is damaged, or how far an unfinished one is."""

    session: str
    number: int
    digest: str
    record: Record | None = None
    sighting: Sighting | None = None


_LIMIT: Option[int] = Option(
    "limit",
    ("-n", "--limit"),
    "Artifacts to list, at least 1.",
    readers.position(1),
    default=str(PAGE),
    metavar="N",
)
_SKIP: Option[int] = Option(
    "skip", "--skip", "Artifacts to skip.", readers.position(0), default="0", metavar="N"
)


def run(given: Given) -> int:
    """Print the newest artifacts. A session that keeps nothing is an empty listing."""
    settings, everywhere = given.settings(), given[ALL_SESSIONS]
    limit, skip = given[_LIMIT], given[_SKIP]
    rows: list[Row] = []
    total = 0
    for name in sessions_of(settings, everywhere=everywhere):
        numbers, found = _session_rows(settings, name, limit, skip - total, limit - len(rows))
        total += numbers
        rows += found
    if given[JSON]:
        emit_json({"total": total, "skip": skip, "artifacts": [_document(row) for row in rows]})
        return 0
    emit_rows(HEADER, [_cells(row, everywhere) for row in rows], right=("number", "bytes", "lines"))
    line = amount(total, "artifact")
    if skip + len(rows) < total:
        end = skip + len(rows)
        more = Advice(
            "ls", all_sessions=everywhere, limit=limit if limit != PAGE else None, skip=end
        )
        line += f", {skip + 1:,}-{end:,} listed; next: {more.shell(settings.where)}"
    say(line)
    return 0


def recent(settings: Settings, most: int) -> list[tuple[int, str, str]]:
    """Number, digest and what it is, of the newest artifacts: for completion."""
    _, rows = _session_rows(settings, sessions_of(settings, everywhere=False)[0], most, 0, most)
    return [
        (row.number, row.digest[:12], " ".join(_cells(row, everywhere=False)[2:7]))
        for row in rows
        if row.record
    ]


def _session_rows(
    settings: Settings, name: str, limit: int, skip: int, room: int
) -> tuple[int, list[Row]]:
    try:
        session = open_session(home_of(settings), name, create=False)
    except MissingError:
        return 0, []
    try:
        unfinished = sightings(session)
        entries = [(number, "") for number in unfinished]
        for number, files in record_names(session).items():
            entries += [(number, file) for file in files if number not in unfinished]
        entries.sort(reverse=True)
        chosen = entries[max(0, skip) :][: max(0, min(limit, room))]
        return len(entries), [_row(session, *one, unfinished.get(one[0])) for one in chosen]
    finally:
        close_session(session)


def _row(session: Session, number: int, file: str, unfinished: Sighting | None) -> Row:
    if unfinished:
        return Row(session.name, number, "", sighting=unfinished)
    try:
        record = read_record(session, file)
    except (IntegrityError, MissingError):
        _, digest = parse_record_name(file) or (0, "")
        return Row(session.name, number, digest)
    return Row(session.name, number, record.sha256, record)


def _cells(row: Row, everywhere: bool) -> list[str]:
    number = f"{row.session}/{row.number}" if everywhere else str(row.number)
    record, unfinished = row.record, row.sighting
    if unfinished:
        return [number, "", str(unfinished.size), "", "", unfinished.state, "", ""]
    if record is None:
        return [number, row.digest[:12], "", "", "", "damaged", "", ""]
    return [
        number,
        row.digest[:12],
        str(record.size),
        str(record.lines),
        kind_of(record),
        record.state,
        one_word(record.origin.tool, _TOOL) if record.origin.tool else "",
        record.finished,
    ]


def kind_of(record: Record) -> str:
    kind, form = record.synopsis.get("kind", ""), record.synopsis.get("form", "")
    return f"{kind}/{form}" if form else str(kind)


def _document(row: Row) -> dict[str, object]:
    record, unfinished = row.record, row.sighting
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
            "digest": row.digest,
            "state": "damaged",
        }
    return {
        "ref": str(record.reference),
        "number": row.number,
        "sha256": record.sha256,
        "bytes": record.size,
        "lines": record.lines,
        "kind": kind_of(record),
        "state": record.state,
        "tool": (record.origin.tool or "")[:_TOOL] or None,
        "finished": record.finished,
    }


COMMAND = Command(
    "ls",
    "List artifacts, newest first.",
    run,
    (_LIMIT, _SKIP, ALL_SESSIONS, JSON),
    examples=(
        ("What this workspace keeps:", "stub ls"),
        ("The five newest of every session, for a program:", "stub ls --all-sessions -n 5 --json"),
    ),
)
