"""`stub read`: a page of an artifact on stdout, what it is of how much on stderr."""

import base64
import re
from dataclasses import replace

from stubcli.commands.answer import emit, emit_json, emit_text, json_text, on_terminal, say
from stubcli.commands.place import open_artifact, reading
from stubcli.errors import UsageError
from stubcli.retrieve.page import BYTES, CHARS, LINES, UNITS, Page, Window, read_page, total
from stubcli.settings.load import Settings
from stubcli.store.artifact import Artifact
from stubcli.store.records import CAPPED, COMPLETE
from stubcli.store.values import IN_PROGRESS, LEFTOVER
from stubcli.text.decode import decode

_FEWEST = 100


@reading
def read(
    settings: Settings,
    reference: str,
    *,
    offset: int | None = None,
    limit: int | None = None,
    unit: str = CHARS,
    lines: str | None = None,
    whole: bool = False,
    raw: bool = False,
    as_json: bool = False,
) -> int:
    """Print a page, verified. Counts are in `unit`; `lines` is A-B, from 1."""
    window = _window(settings, offset, limit, unit, lines, whole)
    with open_artifact(settings, reference) as artifact:
        if whole:
            return _whole(artifact, raw=raw)
        if as_json:
            emit_json(_document(artifact, window, asked=limit is not None))
            return 0
        page = read_page(artifact, window)
        _put(page.data, raw=raw)
        if page.data[-1:] not in (b"", b"\n") and on_terminal():
            emit(b"\n")  # the page ended inside a line; what is said stands on its own
        say(_position(artifact, page, settings.suffix()))
    return 0


def _window(
    settings: Settings,
    offset: int | None,
    limit: int | None,
    unit: str,
    lines: str | None,
    whole: bool,
) -> Window:
    if unit not in UNITS:
        raise UsageError(f"{unit!r} is no unit", "give --unit chars, lines or bytes")
    if lines is not None and (offset is not None or limit is not None or unit != CHARS or whole):
        raise UsageError("--lines A-B goes with no --offset, --limit, --unit or --all")
    if whole and (offset is not None or limit is not None):
        raise UsageError("--all goes with no --offset and no --limit")
    if lines is not None:
        first, last = _range(lines)
        return Window(first - 1, last - first + 1, LINES, settings.page)
    return Window(offset or 0, limit if limit is not None else settings.page, unit, settings.page)


def _range(lines: str) -> tuple[int, int]:
    """A-B, A- or A, with or without thousands separators as the stub shows them."""
    found = re.fullmatch(r"([0-9]{1,18})(?:(-)([0-9]{1,18})?)?", lines.replace(",", "").strip())
    first = int(found[1]) if found else 0
    last = int(found[3]) if found and found[3] else 10**18 if found and found[2] else first
    if first < 1 or last < first:
        raise UsageError(
            f"{lines!r} is no range of lines", "give A-B with 1 <= A <= B, such as 15-40"
        )
    return first, last


def _whole(artifact: Artifact, *, raw: bool) -> int:
    for _, data in artifact.blocks():
        _put(data, raw=raw)
    say(f"all {artifact.record.lines:,} lines, {artifact.size:,} bytes{_mark(artifact)}")
    return 0


def _put(data: bytes, *, raw: bool) -> None:
    """The bytes themselves, but never to a terminal what could drive it."""
    if raw or not on_terminal():
        emit(data)
    elif data:
        emit_text(decode(data))


def _mark(artifact: Artifact) -> str:
    state = artifact.run.state
    if state == COMPLETE:
        return ""
    if state in (IN_PROGRESS, LEFTOVER):
        return " so far"
    if state == CAPPED:
        return f" (capped: {artifact.run.dropped:,} more bytes were not kept)"
    return f" ({state}: the input was cut off)"


def _position(artifact: Artifact, page: Page, suffix: str) -> str:
    record = artifact.record
    size = f"{record.lines:,} lines, {record.characters:,} characters, {record.size:,} bytes"
    if page.start == page.end:
        end = f"nothing here: the artifact ends at {size}{_mark(artifact)}"
        return end + _later(artifact, page, suffix)
    shown = (
        f"lines {page.first_line:,}-{page.last_line:,} of {record.lines:,}, "
        f"bytes {page.start:,}-{page.end:,} of {record.size:,}{_mark(artifact)}"
    )
    if page.follow is None:
        return shown + (_later(artifact, page, suffix) or "; end")
    return f"{shown}; next: {command(artifact, page.follow, suffix)}"


def _later(artifact: Artifact, page: Page, suffix: str) -> str:
    """Where to go on once the writer has: by bytes, because its last line may still grow."""
    if artifact.run.state != IN_PROGRESS:
        return ""
    base = f"stub read {artifact.record.reference.short}"
    return f"; later: {base} --offset {page.end} --unit {BYTES}{suffix}"


def command(artifact: Artifact, window: Window, suffix: str) -> str:
    """The exact command that reads `window`."""
    base = f"stub read {artifact.record.reference.short}"
    if window.unit == LINES:
        # Behind what was left of a long range, a line or two, no page would be worth a command.
        count = window.limit if window.asked else max(window.limit, _FEWEST)
        last = min(window.offset + count, artifact.record.lines)
        return f"{base} --lines {window.offset + 1}-{last}{suffix}"
    limit = f" --limit {window.limit}" if window.limit != window.room else ""
    unit = f" --unit {BYTES}" if window.unit == BYTES else ""
    return f"{base} --offset {window.offset}{limit}{unit}{suffix}"


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
