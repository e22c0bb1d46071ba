"""`stub ls`: what is kept, newest first."""

from dataclasses import dataclass

from stubcli.commands.answer import emit_json, emit_rows, say
from stubcli.commands.place import home_of, sessions_of
from stubcli.errors import IntegrityError, MissingError
from stubcli.reference import Reference, parse_record_name
from stubcli.settings.load import Settings
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.posix.layout import Session, close_session, open_session
from stubcli.store.posix.unfinished import Sighting, sightings
from stubcli.store.records import Record

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


def ls(
    settings: Settings,
    *,
    limit: int = PAGE,
    skip: int = 0,
    everywhere: bool = False,
    as_json: bool = False,
) -> int:
    """Print the newest artifacts. A session that keeps nothing is an empty listing."""
    rows: list[Row] = []
    total = 0
    for name in sessions_of(settings, everywhere=everywhere):
        numbers, found = _session_rows(settings, name, limit, skip - total, limit - len(rows))
        total += numbers
        rows += found
    if as_json:
        emit_json({"total": total, "skip": skip, "artifacts": [_document(row) for row in rows]})
        return 0
    emit_rows(HEADER, [_cells(row, everywhere) for row in rows], right=("number", "bytes", "lines"))
    line = f"{total:,} artifacts" if total != 1 else "1 artifact"
    if skip + len(rows) < total:
        more = (" --all-sessions" if everywhere else "") + (f" -n {limit}" if limit != PAGE else "")
        shown = skip + len(rows)
        line += f", shown {skip + 1:,}-{shown:,}; next: stub ls{more} --skip {shown}"
        line += settings.suffix(session=True)
    say(line)
    return 0


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
        (record.origin.tool or "")[:_TOOL],
        record.finished,
    ]


def kind_of(record: Record) -> str:
    kind, form = record.facts.get("kind", ""), record.facts.get("form", "")
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
