"""What `offload` and `compact` share: a list of messages in, the same list with texts replaced out.

Where anything is not understood or fails, the list passes as it came, and the status says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from stubcli.advice import Advice
from stubcli.cli.command import Given, Raw
from stubcli.cli.output import emit, emit_json, json_text, say, tracked
from stubcli.errors import NOT_STORED, OK, USAGE, NotStoredError, StubError, UsageError
from stubcli.messages.apply import Edits, Source, compacted, offloaded
from stubcli.messages.files import replace, whole_of
from stubcli.messages.formats.recognise import NAMES
from stubcli.messages.jsontext import NotJson
from stubcli.messages.model import Report
from stubcli.messages.transcript import Transcript
from stubcli.settings import readers
from stubcli.settings.option import flag, optional

FILE = optional(
    "file",
    (),
    "JSON (default: standard input).",
    readers.text,
    kind="argument",
    metavar="[FILE]",
    complete="file",
)
FORMAT = optional(
    "api",
    "--format",
    "The API of the messages (default: recognised by their shape).",
    readers.choice(*NAMES),
    choices=NAMES,
)
REPORT = optional(
    "report",
    "--report",
    "Write what was done to this file, as JSON.",
    readers.text,
    metavar="FILE",
    complete="file",
)
DRY_RUN = flag("dry_run", "--dry-run", "Keep and change nothing; print the report.")
IN_PLACE = flag("in_place", "--in-place", "Replace the file; the previous one is kept beside it.")
PARAMETERS = (FILE, FORMAT, REPORT, DRY_RUN, IN_PLACE)

OFFLOAD, COMPACT = "offload", "compact"
_VERBS = {OFFLOAD: offloaded, COMPACT: compacted}
_NO_LIST = "not a JSON list of chat messages"
_AS_IT_CAME = "it is left as it is"


def edit(verb: str, given: Given) -> int:
    """Offload or compact the list in the file, or on standard input; the exit status."""
    path, flags, form = given[FILE], given.flags, given[FORMAT]
    pretend, in_place, report = given[DRY_RUN], given[IN_PLACE], given[REPORT]
    if in_place and path is None:
        usage = Advice(f"messages {verb}", "FILE", in_place=True)
        raise UsageError("--in-place needs a file", usage)
    if in_place and pretend:
        raise UsageError("--in-place goes with no --dry-run")
    data, status = whole_of(path)
    passes = not in_place and not pretend
    try:
        transcript = Transcript(data)
    except NotJson as error:
        if passes:
            emit(bytes(data))
        raise UsageError(f"{_NO_LIST}: {error}", _AS_IT_CAME) from None
    del data  # as large as the text that was made of it
    try:
        pieces, edits, told = _edited(verb, transcript, flags, form, pretend)
    except Exception as error:
        # A bug too costs no conversation.
        if passes:
            _emit_all(transcript.written({}))
        if isinstance(error, NotJson):
            raise UsageError(f"{_NO_LIST}: {error}", _AS_IT_CAME) from None
        raise
    if pretend:
        emit_json(_document(told, verb))
    elif not in_place:
        _emit_all(pieces)
    elif edits:
        assert path is not None
        say(f"the previous file is kept as {replace(path, pieces, status)}")
    for line in _lines(told, verb):
        say(line)
    if report is not None:
        _write(report, json_text(_document(told, verb)))
    return NOT_STORED if told.failures else OK


def refuse(error: StubError, raw: Raw, _closed: frozenset[int]) -> int:
    """A mistake in what was typed costs no conversation: say it, then pass the list."""
    say(error.line())
    if raw and not {FILE.name, DRY_RUN.name, IN_PLACE.name} & raw.keys():
        emit(bytes(whole_of(None)[0]))
    return USAGE


def _watched(items: Sequence[Any]) -> Iterable[Any]:
    return tracked(items, "keeping results", len(items))


def _edited(
    verb: str, transcript: Transcript, flags: dict[str, str], form: str | None, pretend: bool
) -> tuple[Iterator[bytes], Edits, Report]:
    source = Source(
        transcript,
        transcript.container,
        transcript.envelope,
        lambda: transcript.written({}),
    )
    edits, told = _VERBS[verb](source, form, flags, pretend=pretend, watch=_watched)
    return transcript.written(edits), edits, told


def _emit_all(pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        emit(piece)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError as error:
        raise NotStoredError(
            f"the report {path} cannot be written: {error.strerror}", "the list itself is done"
        ) from None


def _document(told: Report, verb: str) -> dict[str, object]:
    return {"verb": verb, "replaced": len(told.changes), **asdict(told)}


def _lines(told: Report, verb: str) -> Iterator[str]:
    noun = "text" if len(told.changes) == 1 else "texts"
    done, about = ("would be replaced", "about ") if told.pretended else ("replaced", "")
    texts = f"{len(told.changes):,} {noun} of {told.items:,} messages"
    if told.changes or not told.failures:
        yield f"{verb}: {texts} {done}, {told.before:,} -> {about}{told.after:,} characters"
    for what in told.over:
        yield f"still over: {what}"
    for why in told.failures:
        yield f"not stored: {why}; left as it was"
