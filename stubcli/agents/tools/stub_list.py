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
from stubcli.reference import parse_record_name
from stubcli.settings.table import Settings
from stubcli.store.posix.artifacts import read_record, record_names
from stubcli.store.posix.layout import Session, close_session, open_session
from stubcli.store.records import COMPLETE, Record
from stubcli.store.workspace import home_of, session_of
from stubcli.text.escape import one_line, one_word

_NAME = "stub_list"
_LISTED = 30
_RECORDS_AT_ONCE = 100


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    skip, limit = arguments.get("skip", 0), arguments.get("limit", _LISTED)
    try:
        session = open_session(home_of(settings), session_of(settings), create=False)
    except MissingError:
        return ToolAnswer(f"[session {session_of(settings)} has no artifacts]")
    try:
        names = _list_newest_first(session)
        lines = [_format_row(session, name) for name in names[skip : skip + limit]]
    finally:
        close_session(session)
    while sum(map(len, lines)) + len(lines) > BOUND:
        lines.pop()
    follow = None
    if lines and skip + len(lines) < len(names):
        follow = arguments | {"skip": skip + len(lines)}
    return format_answer(
        _NAME,
        f"{len(names):,} artifacts in session {session.name}; "
        "number ref lines bytes kind tool finished",
        "\n".join(lines),
        follow,
    )


def _list_newest_first(session: Session) -> list[str]:
    names = [name for names in record_names(session).values() for name in names]
    return sorted(names, key=lambda name: parse_record_name(name) or (0, ""), reverse=True)


def _format_row(session: Session, name: str) -> str:
    try:
        record = read_record(session, name)
    except StubError as error:
        swallowed("stub_list", error)
        number, digest = parse_record_name(name) or (0, "")
        return f"{number} {digest[:12]} damaged"
    state = "" if record.state == COMPLETE else f" ({record.state})"
    kind = one_line(str(record.synopsis.get("kind", "-")))[:40]
    tool = one_word(record.origin.tool or "-", 80)
    return (
        f"{record.number} {record.reference.short} {record.lines:,} {record.size:,} "
        f"{kind} {tool} {record.finished}{state}"
    )


def list_records(settings: Settings, skip: int) -> tuple[list[Record], int | None]:
    """A page of the session's records, the newest first; what to skip for the next, if any."""
    try:
        session = open_session(home_of(settings), session_of(settings), create=False)
    except MissingError:
        return [], None
    try:
        names = _list_newest_first(session)
        records = []
        for name in names[skip : skip + _RECORDS_AT_ONCE]:
            try:
                records.append(read_record(session, name))
            except StubError as error:
                swallowed("the list of resources", error)  # damaged: stub_list shows it
    finally:
        close_session(session)
    following = skip + _RECORDS_AT_ONCE
    return records, following if following < len(names) else None


TOOL = Tool(
    _NAME,
    "List stored outputs, the newest first: reference, size, lines, kind, tool.",
    {"limit": integer("How many (default 30).", 1, 100), "skip": SKIP},
    (),
    _answer,
)
