"""stub_list: what the session keeps, the newest first; also as records, for the MCP server."""

from stubcli.agents.tools.tool import (
    BOUND,
    SKIP,
    Arguments,
    Tool,
    ToolAnswer,
    format_answer,
    integer,
)
from stubcli.debug import swallowed
from stubcli.errors import MissingError, StubError
from stubcli.retrieve.listing import RunRow, list_runs
from stubcli.retrieve.selection import Selection
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session
from stubcli.store.records import COMPLETE, Record
from stubcli.text.display import amount, one_line, one_word

_NAME = "stub_list"
_LISTED = 30
_RECORDS_AT_ONCE = 100


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    skip, limit = arguments.get("skip", 0), arguments.get("limit", _LISTED)
    name = session_of(settings)
    selection = Selection(text=arguments.get("text", ""), failed=arguments.get("failed", False))
    found = list_runs(home_of(settings), [name], limit=limit, skip=skip, selection=selection)
    if not found.runs:
        chosen = f" like that among {amount(found.searched, 'run')}" if found.searched else ""
        return ToolAnswer(f"[session {name} has no artifacts{chosen}]")
    lines = [_format_row(row) for row in found.rows]
    while sum(map(len, lines)) + len(lines) > BOUND:
        lines.pop()
    follow = None
    if lines and skip + len(lines) < found.runs:
        follow = arguments | {"skip": skip + len(lines)}
    count = amount(found.artifacts, "artifact")
    if found.runs != found.artifacts:
        count = f"{amount(found.runs, 'run')} of {count}"
    return format_answer(
        _NAME,
        f"{count} in session {name}; number ref lines bytes kind exit finished tool or command: "
        "first line",
        "\n".join(lines),
        follow,
    )


def _format_row(row: RunRow) -> str:
    record, run = row.record, row.run
    if row.sighting:
        return f"{row.number} - - {row.sighting.size:,} - - - ({row.sighting.state})"
    if record is None or run is None:
        return f"{row.number} {row.digest[:12]} damaged"
    state = "" if run.state == COMPLETE else f" ({run.state})"
    name = f" @{run.origin.name}" if run.origin.name else ""
    kind = one_line(str(record.facts.get("kind", "-")))[:40]
    status = "-" if run.origin.exit_status is None else run.origin.exit_status
    return (
        f"{record.number} {record.reference.short} {record.lines:,} {record.size:,} "
        f"{kind} {status} {run.finished} {one_word(row.command or '-', 80)}{name}{state}: "
        f"{one_word(row.first_line, 80)}"
    )


def list_records(settings: Settings, skip: int) -> tuple[list[Record], int | None]:
    """A page of the session's records, the newest first; what to skip for the next, if any."""
    records = []
    try:
        with open_session(home_of(settings), session_of(settings)) as session:
            keys = session.record_keys()[::-1]
            for key in keys[skip : skip + _RECORDS_AT_ONCE]:
                try:
                    records.append(session.find(*key))
                except StubError as error:
                    swallowed("the list of resources", error)  # damaged: stub_list shows it
    except MissingError:
        return [], None
    following = skip + _RECORDS_AT_ONCE
    return records, following if following < len(keys) else None


TOOL = Tool(
    _NAME,
    "List stored outputs, the newest first: reference, size, lines, kind, command, first line.",
    {
        "text": {
            "type": "string",
            "description": "Only those with this in command, tool, name or first line.",
        },
        "failed": {"type": "boolean", "description": "Only those whose command failed."},
        "limit": integer("How many (default 30).", 1, 100),
        "skip": SKIP,
    },
    (),
    _answer,
)
