"""What `offload` and `compact` share: a list of messages in, the same list with texts replaced out.

Where anything is not understood or fails, the list passes as it came, and the status says so.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from stubcli.advice import Advice
from stubcli.cli.command import Given, Raw
from stubcli.cli.output import emit, emit_json, json_text, say
from stubcli.cli.progress import tracked
from stubcli.errors import NOT_STORED, OK, USAGE, NotStoredError, StubError, UsageError, reason_of
from stubcli.files import open_regular
from stubcli.messages.formats.recognise import NAMES
from stubcli.messages.jsontext import JsonTextError
from stubcli.messages.model import Report
from stubcli.messages.rewrite import Conversation, Edits, compact_conversation, offload_conversation
from stubcli.messages.source import Source
from stubcli.messages.transcript import Transcript
from stubcli.messages.whole_file import replace
from stubcli.piped import is_piped_list
from stubcli.settings import readers
from stubcli.settings.option import flag, optional
from stubcli.text.display import amount

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
_VERBS = {OFFLOAD: offload_conversation, COMPACT: compact_conversation}
_NO_LIST = "not a JSON list of chat messages"
_AS_IT_CAME = "it is left as it is"
# Memory that is refused so often in a row does not come back.
_TRIES = 100


def edit(verb: str, given: Given) -> int:
    """Offload or compact the list in the file, or on standard input; the exit status."""
    path, flags, form = given[FILE], given.flags, given[FORMAT]
    pretend, in_place, report = given[DRY_RUN], given[IN_PLACE], given[REPORT]
    if in_place and path is None:
        usage = Advice(f"messages {verb}", "FILE", in_place=True)
        raise UsageError("--in-place needs a file", usage)
    if in_place and pretend:
        raise UsageError("--in-place goes with no --dry-run")
    source = Source(path)
    try:
        transcript, edits, outcome = _apply_verb(verb, source, flags, form, pretend)
        pieces = transcript.written(edits)
    except Exception as error:
        # A bug too costs no conversation.
        if not in_place and not pretend:
            source.pass_on()
        if isinstance(error, JsonTextError):
            raise UsageError(f"{_NO_LIST}: {error}", _AS_IT_CAME) from None
        raise
    if pretend:
        emit_json(_document(outcome, verb))
    elif not in_place:
        _emit_all(pieces, lambda: transcript.written(edits))
    elif edits:
        assert path is not None
        assert source.status is not None
        say(f"the previous file is kept as {replace(path, pieces, source.status)}")
    for line in _lines(outcome, verb):
        say(line)
    if report is not None:
        _write(report, json_text(_document(outcome, verb)))
    return NOT_STORED if outcome.failures else OK


def refuse(error: StubError, raw: Raw, _closed: frozenset[int]) -> int:
    """A mistake in what was typed costs no conversation: say it, then pass the list."""
    say(error.line())
    named = {FILE.name, DRY_RUN.name, IN_PLACE.name} & raw.keys()
    # Where an option is not known, nothing of the rest is.
    if not named if raw else is_piped_list(sys.argv[1:]):
        Source(None).pass_on()
    return USAGE


def _watch(items: Sequence[Any], size: Callable[[Any], int]) -> Iterable[Any]:
    return tracked(items, "keeping results", sum(map(size, items)), size)


def _apply_verb(
    verb: str, source: Source, flags: dict[str, str], form: str | None, pretend: bool
) -> tuple[Transcript, Edits, Report]:
    transcript = source.read()
    found = Conversation(
        transcript, transcript.container, transcript.envelope, lambda: transcript.written({})
    )
    edits, outcome = _VERBS[verb](found, form, flags, pretend=pretend, watch=_watch)
    return transcript, edits, outcome


def _emit_all(pieces: Iterable[bytes], again: Callable[[], Iterable[bytes]]) -> None:
    """Each piece once. Where there is no memory for the next one, all are made `again`, and those
    that were written are left out. Raises StubError, MemoryError."""
    given = tries = 0
    while True:
        try:
            for number, piece in enumerate(pieces or again()):
                if number == given:
                    following = given + 1
                    emit(piece)
                    given = following
            return
        except MemoryError:
            tries += 1
            if tries > _TRIES:
                raise
            pieces = ()


def _write(path: str, text: str) -> None:
    try:
        with open(open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
            file.write(text.encode("utf-8") + b"\n")
    except OSError as error:
        raise NotStoredError(
            f"the report {path} cannot be written: {reason_of(error)}", "the list itself is done"
        ) from None


def _document(report: Report, verb: str) -> dict[str, object]:
    return {"verb": verb, "replaced": len(report.changes), **asdict(report)}


def _lines(report: Report, verb: str) -> Iterator[str]:
    done, about = ("would be replaced", "about ") if report.pretended else ("replaced", "")
    texts = f"{amount(len(report.changes), 'text')} of {amount(report.items, 'message')}"
    after = amount(report.after, "character")
    if report.changes or not report.failures:
        yield f"{verb}: {texts} {done}, {report.before:,} -> {about}{after}"
    for what in report.over:
        yield f"still over: {what}"
    for why in report.failures:
        yield f"not stored: {why}; left as it was"
