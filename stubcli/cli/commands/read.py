"""`stub read`: a page of an artifact on stdout, what it is of how much on stderr."""

import base64
from collections.abc import Iterable
from dataclasses import replace

from stubcli.advice import Advice
from stubcli.cli.command import JSON, REF, Command, Given
from stubcli.cli.output import emit, emit_json, in_colour, json_text, on_terminal, say
from stubcli.cli.place import count_reading, open_artifact
from stubcli.cli.progress import Progress
from stubcli.errors import UsageError
from stubcli.retrieve.page import (
    BYTES,
    CHARS,
    LINES,
    UNITS,
    Page,
    Window,
    parse_lines,
    read_page,
    total,
)
from stubcli.settings import readers
from stubcli.settings.option import Option, flag, optional
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.store.records import CAPPED, COMPLETE
from stubcli.store.values import IN_PROGRESS, LEFTOVER
from stubcli.text.characters import decode
from stubcli.text.display import amount, measures
from stubcli.text.screen import Screen

_FEWEST = 100


_OFFSET = optional(
    "offset", "--offset", "Units to skip, at least 0.", readers.position(0), metavar="N"
)
_LIMIT = optional(
    "limit",
    "--limit",
    "Units to print, at least 1 (default: 10000).",
    readers.position(1),
    metavar="N",
)
_UNIT: Option[str] = Option(
    "unit",
    "--unit",
    "What the offset and the limit count.",
    readers.choice(*UNITS),
    default=CHARS,
    choices=UNITS,
)
_LINES = optional(
    "lines", "--lines", "Print these lines, counted from 1.", readers.text, metavar="A-B"
)
_ALL = flag("all", "--all", "Print everything, verified as it is read.")
_RAW = flag("raw", "--raw", "Print the exact bytes on a terminal too, not what it would show.")


@count_reading
def run(given: Given) -> int:
    """Print a page, verified."""
    settings = given.settings()
    window = _window(given, settings.page)
    with open_artifact(settings, given[REF]) as artifact:
        if given[_ALL]:
            return _whole(artifact, raw=given[_RAW])
        if given[JSON]:
            emit_json(_document(artifact, window, asked=given[_LIMIT] is not None))
            return 0
        page = read_page(artifact, window)
        _put((page.data,), raw=given[_RAW])
        say(_position(artifact, page, settings))
    return 0


def _window(given: Given, room: int) -> Window:
    offset, limit, lines = given[_OFFSET], given[_LIMIT], given[_LINES]
    if lines is not None and (
        offset is not None or limit is not None or given[_UNIT] != CHARS or given[_ALL]
    ):
        raise UsageError("--lines A-B goes with no --offset, --limit, --unit or --all")
    if given[_ALL] and (offset is not None or limit is not None):
        raise UsageError("--all goes with no --offset and no --limit")
    if lines is not None:
        first, last = parse_lines(lines)
        return Window(first - 1, last - first + 1, LINES, room)
    return Window(offset or 0, room if limit is None else limit, given[_UNIT], room)


def _whole(artifact: Artifact, *, raw: bool) -> int:
    with Progress("reading", artifact.size) as progress:
        if not on_terminal():
            progress.follow(artifact)
        _put((data for _, data in artifact.blocks()), raw=raw)
    size = f"{amount(artifact.record.lines, 'line')}, {amount(artifact.size, 'byte')}"
    say(f"all {size}{_mark(artifact)}")
    return 0


def _put(pieces: Iterable[bytes], *, raw: bool) -> None:
    """The bytes themselves; on a terminal what it would show, and nothing that could drive it."""
    if raw or not on_terminal():
        for data in pieces:
            emit(data)
        return
    screen = Screen(colours=in_colour())
    for data in pieces:
        emit(screen.add(decode(data)).encode("utf-8"))
    emit(screen.rest().encode("utf-8"))


def _mark(artifact: Artifact) -> str:
    state = artifact.run.state
    if state == COMPLETE:
        return ""
    if state in (IN_PROGRESS, LEFTOVER):
        return " so far"
    if state == CAPPED:
        dropped = amount(artifact.run.dropped, "more byte was", "more bytes were")
        return f" (capped: {dropped} not kept)"
    return f" ({state}: the input was cut off)"


def _position(artifact: Artifact, page: Page, settings: Settings) -> str:
    record = artifact.record
    size = measures(record.lines, record.characters, record.size)
    if page.start == page.end:
        end = f"nothing here: the artifact ends at {size}{_mark(artifact)}"
        return end + _later(artifact, page, settings)
    shown = (
        f"lines {page.first_line:,}-{page.last_line:,} of {record.lines:,}, "
        f"bytes {page.start:,}-{page.end:,} of {record.size:,}{_mark(artifact)}"
    )
    if page.follow is None:
        return shown + (_later(artifact, page, settings) or "; end")
    return f"{shown}; next: {follow(artifact, page.follow).shell(settings.where)}"


def _later(artifact: Artifact, page: Page, settings: Settings) -> str:
    """Where to go on once the writer has: by bytes, because its last line may still grow."""
    if artifact.run.state != IN_PROGRESS:
        return ""
    later = Advice("read", artifact.record.reference.short, offset=page.end, unit=BYTES)
    return f"; later: {later.shell(settings.where)}"


def follow(artifact: Artifact, window: Window) -> Advice:
    """The command that reads `window`."""
    ref = artifact.record.reference.short
    if window.unit == LINES:
        # After the rest of a long range, a line or two, no page would be worth a command.
        count = window.limit if window.asked else max(window.limit, _FEWEST)
        last = min(window.offset + count, artifact.record.lines)
        return Advice("read", ref, lines=f"{window.offset + 1}-{last}")
    return Advice(
        "read",
        ref,
        offset=window.offset,
        limit=window.limit if window.limit != window.room else None,
        unit=BYTES if window.unit == BYTES else None,
    )


def _document(artifact: Artifact, window: Window, *, asked: bool) -> dict[str, object]:
    """The page as JSON; where its limit was not asked for, cut to what is no longer than a page.

    A control character is six in JSON: a page of them was 60,000 characters, and spilled again.
    """
    page, most = read_page(artifact, window), max(_FEWEST, window.room * 3 // 2)
    while not asked and len(json_text(_content(page.data)[0])) > most:
        lines = window.unit == LINES
        window = replace(
            window,
            limit=window.limit if lines else window.limit // 2,
            room=window.room // 2 if lines else window.room,
        )
        page = read_page(artifact, window)
    content, encoding = _content(page.data)
    follow = page.follow
    return {
        "ref": str(artifact.record.reference),
        "content": content,
        "encoding": encoding,
        "offset": window.offset,
        "limit": window.limit,
        "unit": window.unit,
        "total": total(artifact, window.unit),
        "start": page.start,
        "end": page.end,
        "state": artifact.run.state,
        "has_more": follow is not None,
        "next": {"offset": follow.offset, "limit": follow.limit, "unit": follow.unit}
        if follow
        else None,
    }


def _content(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii"), "base64"


COMMAND = Command(
    "read",
    """Print a page of an artifact.

    Standard error says what was printed of how much, and the command for the next page.
    """,
    run,
    (REF, _OFFSET, _LIMIT, _UNIT, _LINES, _ALL, _RAW, JSON),
    examples=(
        ("The first page of the newest output:", "stub read last"),
        ("Lines from its middle:", "stub read last --lines 500-520"),
        ("All of it, to another program:", "stub read last --all | wc -l"),
    ),
)
