"""Content and runs: what bytes are and how any part of them is verified; each time that they came.

A record states a content, and the first of its runs with it; further runs stand in a log of the
session. Canonical JSON with a digest of itself. Values only: no disk here.
"""

import hashlib
import json
from typing import Any, NamedTuple

from stubcli.advice import Advice
from stubcli.errors import IntegrityError
from stubcli.reference import Reference
from stubcli.store.digests import KNOWN, SHA256
from stubcli.value import Value

SCHEMA = 2
COMPLETE, INTERRUPTED, CAPPED = "complete", "interrupted", "capped"
REPAIR = Advice("check")
# A block of this many bytes is digested, and verified, by itself.
BLOCK = 1 << 20


class Checkpoint(Value):
    """Where a block of about 1 MiB begins, and what it holds.

    offset in bytes, characters and lines count what lies before it; digest: the first 32
    hexadecimal digits of the block's. Blocks are cut where no UTF-8 sequence is split.
    """

    offset: int
    characters: int
    lines: int
    digest: str


class Origin(Value):
    """Where an output came from, as far as it is known. duration is in seconds.

    name: by which its user finds it again, `@nightly`.
    """

    tool: str | None = None
    call_id: str | None = None
    mime: str | None = None
    argv: tuple[str, ...] = ()
    cwd: str | None = None
    exit_status: int | None = None
    signal: str | None = None
    duration: float | None = None
    name: str | None = None

    @property
    def command(self) -> str:
        """The command as it would be typed; else the tool, or ""."""
        # One word is a whole command line, as a host or a program of its own hands it over.
        if len(self.argv) == 1:
            return self.argv[0]
        if not self.argv:
            return self.tool or ""
        from shlex import join

        return join(self.argv)


class Run(Value):
    """One time that bytes came. Times are ISO 8601 in UTC.

    number: taken when it began, from the session's one sequence of artifacts and runs, and never
    used twice; the first run of a content has the content's own. dropped: bytes of the input
    beyond max_bytes, which were not kept. stub: what was printed for it, empty where nothing was.
    """

    number: int
    state: str
    reason: str
    started: str
    finished: str
    origin: Origin = Origin()
    dropped: int = 0
    stub: str = ""


class Arrival(NamedTuple):
    """One run in the order in which they came: number and digest (16 digits) of its content.

    run: the number of the run. line: what is recorded of it, empty where that is the first run in
    the content's own record. summary: what tells it from others, as JSON in ASCII with no blanks;
    empty where only the record does.
    """

    number: int
    digest: str
    run: int
    line: bytes = b""
    summary: bytes = b""


class Record(Value):
    """A content, and the first of its runs. size is in bytes.

    first_line: the first one that shows anything, as it is displayed, cut; None where nobody looked
    for it.

    facts: what is known of what the bytes mean, as plain JSON (see detect/facts); it is written and
    read back, and nothing here looks into it. block_digest: which digest the blocks have.
    """

    session: str
    number: int
    sha256: str
    size: int
    characters: int
    lines: int
    run: Run
    facts: dict[str, Any]
    checkpoints: tuple[Checkpoint, ...] = ()
    block_digest: str = SHA256
    first_line: str | None = None

    @property
    def reference(self) -> Reference:
        return Reference(self.session, self.number, self.sha256)


def canonical(document: dict[str, Any]) -> bytes:
    # ASCII: a byte of an argument that is no UTF-8 is a lone surrogate, which needs an escape.
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")


def dump(record: Record) -> bytes:
    """The record as it is written: one line, LF at the end."""
    document: dict[str, Any] = {
        "schema_version": SCHEMA,
        **record.as_dict(),
        "checkpoints": [[c.offset, c.characters, c.lines, c.digest] for c in record.checkpoints],
    }
    document["record_sha256"] = hashlib.sha256(canonical(document)).hexdigest()
    return canonical(document) + b"\n"


def read_run(document: dict[str, Any]) -> Run:
    """The run of which `as_dict` made this document of. Raises TypeError, KeyError, ValueError."""
    origin = document.pop("origin")
    origin["argv"] = tuple(origin["argv"])
    run = Run(origin=Origin(**origin), **document)
    texts = (run.state, run.reason, run.started, run.finished, run.stub)
    if not (
        all(map(_is_count, (run.number, run.dropped)))
        and all(isinstance(text, str) for text in texts)
        and _can_be(run.origin)
    ):
        raise ValueError("a run cannot be so")
    return run


def _can_be(origin: Origin) -> bool:
    texts = (
        *(origin.tool, origin.call_id, origin.mime, origin.cwd),
        *(origin.signal, origin.name),
    )
    return (
        all(text is None or isinstance(text, str) for text in texts)
        and all(isinstance(word, str) for word in origin.argv)
        and (origin.exit_status is None or _is_whole(origin.exit_status))
        and (origin.duration is None or isinstance(origin.duration, int | float))
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value >= 0


def _coherent(record: Record) -> bool:
    """Whether counts are counts, and the blocks begin at 0 and follow each other to the end.

    A digest of itself says only that somebody wrote a record, not that it was this program.
    """
    counts = (record.number, record.size, record.characters, record.lines)
    points = record.checkpoints
    starts = [point.offset for point in points]
    return (
        all(map(_is_count, counts))
        and isinstance(record.session, str)
        and isinstance(record.sha256, str)
        and len(record.sha256) == 64
        and all(isinstance(point.digest, str) for point in points)
        and all(_is_count(point.characters) and _is_count(point.lines) for point in points)
        and all(map(_is_count, starts))
        and record.run.number == record.number
        and isinstance(record.facts, dict)
        and record.block_digest in KNOWN
        and isinstance(record.first_line, str | None)
        and starts[:1] == [0] * bool(record.size)
        and all(a < b for a, b in zip(starts, [*starts[1:], record.size], strict=False))
    )


def is_older(data: bytes) -> bool:
    """Whether a record of an older version of stub is written here."""
    try:
        return int(json.loads(data)["schema_version"]) < SCHEMA
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def load(data: bytes, name: str) -> Record:
    """Read a record back. Raises IntegrityError, naming it `name`, where it is not as written."""
    try:
        document = json.loads(data)
        expected = document.pop("record_sha256")
        # Cut out, not written again: of a record of 10,000 blocks that was a quarter of the time.
        # No text holds these bytes: its quotes are escaped.
        bare = data.replace(b'"record_sha256":"%s",' % expected.encode(), b"", 1)
        if hashlib.sha256(bare.removesuffix(b"\n")).hexdigest() != expected:
            raise IntegrityError(f"the record {name} is not what was written", REPAIR)
        if document.pop("schema_version") != SCHEMA:
            raise IntegrityError(f"the record {name} is of another version of stub", "upgrade stub")
        run = read_run(document.pop("run"))
        checkpoints = tuple(Checkpoint(*point) for point in document.pop("checkpoints"))
        record = Record(run=run, checkpoints=checkpoints, **document)
        if not _coherent(record):
            raise IntegrityError(f"the record {name} contradicts itself", REPAIR)
        return record
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise IntegrityError(f"the record {name} cannot be read", REPAIR) from None
