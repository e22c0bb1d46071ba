"""The record of an artifact: what it is, where it came from, and how any part of it is verified.

One canonical JSON object with a digest of itself. Values only: no disk here.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from stubcli.errors import IntegrityError
from stubcli.reference import Reference

SCHEMA = 1
COMPLETE, INTERRUPTED, CAPPED = "complete", "interrupted", "capped"
REPAIR = "see: stub check"
# A block of this many bytes is digested, and verified, by itself.
BLOCK = 1 << 20


@dataclass(frozen=True)
class Checkpoint:
    """Where a block of about 1 MiB begins, and what it holds.

    offset in bytes, characters and lines count what lies before it; digest is the first 32
    hexadecimal digits of the block's SHA-256. Blocks are cut where no UTF-8 sequence is split.
    """

    offset: int
    characters: int
    lines: int
    digest: str


@dataclass(frozen=True)
class Origin:
    """Where an output came from, as far as it is known. duration is in seconds."""

    tool: str | None = None
    call_id: str | None = None
    mime: str | None = None
    argv: tuple[str, ...] = ()
    cwd: str | None = None
    exit_status: int | None = None
    signal: str | None = None
    duration: float | None = None


@dataclass(frozen=True)
class Record:
    """Everything known about one artifact. Times are ISO 8601 in UTC; sizes are in bytes.

    dropped: bytes of the input beyond max_bytes, which were not kept. facts: what is known of the
    contents, as plain JSON (see detect/facts); stub: what was shown. Both are empty for an
    artifact that was adopted after a crash.
    """

    session: str
    number: int
    sha256: str
    size: int
    characters: int
    lines: int
    state: str
    reason: str
    started: str
    finished: str
    origin: Origin = field(default_factory=Origin)
    dropped: int = 0
    facts: dict[str, Any] = field(default_factory=dict)
    stub: str = ""
    checkpoints: tuple[Checkpoint, ...] = ()

    @property
    def reference(self) -> Reference:
        return Reference(self.session, self.number, self.sha256)


def _canonical(document: dict[str, Any]) -> bytes:
    # ASCII: a byte of an argument that is no UTF-8 is a lone surrogate, which needs an escape.
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")


def dump(record: Record) -> bytes:
    """The record as it is written: one line, LF at the end."""
    document: dict[str, Any] = {
        "schema_version": SCHEMA,
        **{f.name: getattr(record, f.name) for f in fields(record)},
        "origin": asdict(record.origin),
        "checkpoints": [[c.offset, c.characters, c.lines, c.digest] for c in record.checkpoints],
    }
    document["record_sha256"] = hashlib.sha256(_canonical(document)).hexdigest()
    return _canonical(document) + b"\n"


def _coherent(record: Record) -> bool:
    """Whether counts are counts, and the blocks begin at 0 and follow each other to the end."""
    counts = (record.number, record.size, record.characters, record.lines, record.dropped)
    starts = [point.offset for point in record.checkpoints]
    return (
        all(isinstance(count, int) and count >= 0 for count in counts)
        and isinstance(record.facts, dict)
        and isinstance(record.stub, str)
        and starts[:1] == [0] * bool(record.size)
        and all(a < b for a, b in zip(starts, [*starts[1:], record.size], strict=False))
    )


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
        origin = document.pop("origin")
        origin["argv"] = tuple(origin["argv"])
        checkpoints = tuple(Checkpoint(*point) for point in document.pop("checkpoints"))
        record = Record(origin=Origin(**origin), checkpoints=checkpoints, **document)
        if not _coherent(record):
            raise IntegrityError(f"the record {name} contradicts itself", REPAIR)
        return record
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise IntegrityError(f"the record {name} cannot be read", REPAIR) from None
