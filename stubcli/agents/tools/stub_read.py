"""stub_read: a page of an artifact, its place in it, and the call that reads on."""

from stubcli.agents.tools.tool import (
    BOUND,
    REF,
    Arguments,
    Tool,
    ToolAnswer,
    format_answer,
    integer,
    mark_page,
    open_artifact,
)
from stubcli.errors import UsageError
from stubcli.retrieve.page import BYTES, CHARS, LINES, Page, Window, parse_lines, read_page
from stubcli.retrieve.position import character_of_byte
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.store.records import COMPLETE
from stubcli.text.characters import decode
from stubcli.text.display import measures, neutralise

_NAME = "stub_read"
_LARGEST = 18_000
_PAGE = 10_000
_LAST_LINE = 10**12


def _answer(settings: Settings, arguments: Arguments) -> ToolAnswer:
    """Raises StubError."""
    window = _choose_window(arguments)
    with open_artifact(settings, arguments["ref"]) as artifact:
        while True:
            page = read_page(artifact, window)
            text = mark_page(neutralise(decode(page.data)))
            if len(text) <= BOUND or window.room == 1:
                break
            # What is shown escaped grows: read less, so that the next offset stays true.
            room = max(1, window.room // 2)
            limit = window.limit if window.unit == LINES else room
            window = Window(window.offset, limit, window.unit, room)
        following = _choose_next(artifact, arguments, page)
        return format_answer(_NAME, _describe_place(artifact, page), text, following)


def _choose_window(arguments: Arguments) -> Window:
    limit = arguments.get("limit", _PAGE)
    lines = _choose_lines(arguments)
    if lines is None:
        return Window(arguments.get("offset", 0), limit, CHARS, limit)
    if "offset" in arguments:
        raise UsageError(
            "'offset' counts characters and cannot be combined with lines", "give one of them"
        )
    first, last = lines
    return Window(first - 1, last - first + 1, LINES, limit)


def _choose_lines(arguments: Arguments) -> tuple[int, int] | None:
    """The first and the last line; None where no lines are wanted. Raises UsageError."""
    first, last = arguments.get("first_line"), arguments.get("last_line")
    if "lines" in arguments:
        if first is not None or last is not None:
            raise UsageError("'lines' is another way to give first_line and last_line", "give one")
        return parse_lines(arguments["lines"])
    if first is None and last is None:
        return None
    first, last = first or 1, _LAST_LINE if last is None else last
    if last < first:
        raise UsageError(f"last_line {last} is less than first_line {first}", "swap them")
    return first, last


def _describe_place(artifact: Artifact, page: Page) -> str:
    record = artifact.record
    state = "" if artifact.run.state == COMPLETE else f" ({artifact.run.state})"
    whole = measures(record.lines, record.characters, record.size)
    if page.start == page.end:
        return f"{record.reference}: nothing here, it ends at {whole}{state}"
    return (
        f"{record.reference}: lines {page.first_line:,}-{page.last_line:,}, "
        f"bytes {page.start:,}-{page.end:,} of {whole}{state}"
    )


def _choose_next(artifact: Artifact, arguments: Arguments, page: Page) -> Arguments | None:
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


TOOL = Tool(
    _NAME,
    "Read a page of a stored output (an artifact). Outputs too large to show are kept "
    "whole, byte for byte; a stub takes their place and names the artifact. Give "
    "first_line and last_line, or lines, or offset and limit in characters; without "
    "these it reads the beginning. The answer says how to read on.",
    {
        "ref": REF,
        "first_line": integer("The first line, from 1.", 1, _LAST_LINE),
        "last_line": integer("The last line.", 1, _LAST_LINE),
        "lines": {
            "type": "string",
            "description": "The first and the last line in one, such as 15-40.",
        },
        "offset": integer("Characters to skip.", 0, 10**15),
        "limit": integer(f"Characters to read, at most {_LARGEST}.", 1, _LARGEST),
    },
    ("ref",),
    _answer,
)
