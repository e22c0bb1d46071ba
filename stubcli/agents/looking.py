"""What the tools answer by looking: a page, a listing. Each words one bounded text."""

import json
from dataclasses import dataclass
from typing import Any

from stubcli.debug import swallowed
from stubcli.errors import MissingError, StubError, UsageError
from stubcli.retrieve.listing import RunRow, command_of, list_runs
from stubcli.retrieve.page import BYTES, CHARS, LINES, Page, Window, read_page
from stubcli.retrieve.position import character_of_byte
from stubcli.settings.load import Settings
from stubcli.store import open_session
from stubcli.store.artifact import Artifact
from stubcli.store.records import COMPLETE, Record
from stubcli.store.resolve import open_reference
from stubcli.store.workspace import home_of as home_of
from stubcli.store.workspace import session_of as session_of
from stubcli.text.decode import decode
from stubcli.text.escape import neutralise, one_line

# Of an answer, in characters: below every threshold by default, with room for its first line.
BOUND = 19_000
# Of what is read at once.
LARGEST = 18_000
_PAGE = 10_000
_LONGEST_SHOWN = 750
_LISTED = 30
LISTED_AT_ONCE = 100
Arguments = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """text: for the model. follow: the arguments of the call that goes on, None at the end."""

    text: str
    follow: Arguments | None = None
    is_error: bool = False


def mistake(text: str) -> Answer:
    return Answer(f"error: {one_line(text)[:BOUND]}", is_error=True)


def opened(settings: Settings, typed: str) -> Artifact:
    return open_reference(home_of(settings), session_of(settings), typed)


def headed(head: str, body: str, follow: Arguments | None) -> Answer:
    """The answer with a first line that says what it is, and the arguments that go on.

    A very long text among those is not repeated in that line.
    """
    if follow:
        short = {
            name: value if len(json.dumps(value)) <= _LONGEST_SHOWN else "(the same)"
            for name, value in follow.items()
        }
        head += f"; next: {json.dumps(short, ensure_ascii=False)}"
    return Answer(f"[{head}]\n{body}", follow)


def read(settings: Settings, arguments: Arguments) -> Answer:
    """A page, its place in the artifact, and the arguments of the next. Raises StubError."""
    window = _window(arguments)
    with opened(settings, arguments["ref"]) as artifact:
        while True:
            page = read_page(artifact, window)
            text = neutralise(decode(page.data))
            if len(text) <= BOUND or window.room == 1:
                break
            # What is shown escaped grows: read less, so that the next offset stays true.
            room = max(1, window.room // 2)
            limit = window.limit if window.unit == LINES else room
            window = Window(window.offset, limit, window.unit, room)
        return headed(_place(artifact, page), text, _follow(artifact, arguments, page))


def _window(arguments: Arguments) -> Window:
    first, last = arguments.get("first_line"), arguments.get("last_line")
    if first is None and last is None:
        limit = arguments.get("limit", _PAGE)
        return Window(arguments.get("offset", 0), limit, CHARS, limit)
    if "offset" in arguments:
        raise UsageError("offset counts characters and goes with no first_line or last_line")
    first = first or 1
    if last is not None and last < first:
        raise UsageError(f"last_line {last} stands before first_line {first}")
    count = last - first + 1 if last is not None else 10**12
    return Window(first - 1, count, LINES, arguments.get("limit", _PAGE))


def _place(artifact: Artifact, page: Page) -> str:
    record = artifact.record
    state = "" if artifact.run.state == COMPLETE else f" ({artifact.run.state})"
    whole = f"{record.lines:,} lines, {record.characters:,} characters, {record.size:,} bytes"
    if page.start == page.end:
        return f"{record.reference}: nothing here, it ends at {whole}{state}"
    return (
        f"{record.reference}: lines {page.first_line:,}-{page.last_line:,}, "
        f"bytes {page.start:,}-{page.end:,} of {whole}{state}"
    )


def _follow(artifact: Artifact, arguments: Arguments, page: Page) -> Arguments | None:
    window = page.follow
    if window is None:
        return None
    if window.unit == LINES and not window.asked:
        return None  # the lines that were asked for are all there
    limit = {"limit": arguments["limit"]} if "limit" in arguments else {}
    ref = {"ref": artifact.record.reference.short}
    if window.unit == LINES:
        last = min(window.offset + window.limit, artifact.record.lines)
        return ref | {"first_line": window.offset + 1, "last_line": last} | limit
    offset = window.offset
    if window.unit == BYTES:
        offset = character_of_byte(artifact, offset)
    return ref | {"offset": offset} | limit


def listing(settings: Settings, arguments: Arguments) -> Answer:
    """What came and is kept in the session, newest first. Raises StubError."""
    skip, limit = arguments.get("skip", 0), arguments.get("limit", _LISTED)
    name = session_of(settings)
    found = list_runs(home_of(settings), [name], limit=limit, skip=skip)
    if not found.runs:
        return Answer(f"[session {name} keeps nothing]")
    lines = [_row(row) for row in found.rows]
    while sum(map(len, lines)) + len(lines) > BOUND:
        lines.pop()
    follow = None
    if lines and skip + len(lines) < found.runs:
        follow = arguments | {"skip": skip + len(lines)}
    count = f"{found.artifacts:,} artifacts"
    if found.runs != found.artifacts:
        count = f"{found.runs:,} runs of {count}"
    return headed(
        f"{count} in session {name}; number ref lines bytes kind exit finished tool or command",
        "\n".join(lines),
        follow,
    )


def kept(settings: Settings, skip: int) -> tuple[list[Record], int | None]:
    """A page of the session's records, the newest first; what to skip for the next, if any."""
    records = []
    try:
        with open_session(home_of(settings), session_of(settings)) as session:
            keys = session.record_keys()[::-1]
            for key in keys[skip : skip + LISTED_AT_ONCE]:
                try:
                    records.append(session.find(*key))
                except StubError as error:  # damaged: stub_list shows it
                    swallowed("listing artifacts", error)
    except MissingError:
        return [], None
    following = skip + LISTED_AT_ONCE
    return records, following if following < len(keys) else None


def _row(row: RunRow) -> str:
    record, run = row.record, row.run
    if row.sighting:
        return f"{row.number} - - {row.sighting.size:,} - - - ({row.sighting.state})"
    if record is None or run is None:
        return f"{row.number} {row.digest[:12]} damaged"
    state = "" if run.state == COMPLETE else f" ({run.state})"
    kind = one_line(str(record.synopsis.get("kind", "-")))[:40]
    exit_status = "-" if run.origin.exit_status is None else run.origin.exit_status
    return (
        f"{record.number} {record.reference.short} {record.lines:,} {record.size:,} "
        f"{kind} {exit_status} {run.finished} {one_line(command_of(run.origin) or '-')}{state}"
    )
