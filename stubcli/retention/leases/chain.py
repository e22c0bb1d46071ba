"""The records of the journal: one canonical JSON object a line, each with the digest of the last.

Bytes in, values out; no disk here. A line that is not exactly what this module writes, but for
further fields that its digest covers, is refused: a flipped bit must never set an artifact free.
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from stubcli.advice import Advice
from stubcli.errors import IntegrityError, RefusedError, StubError
from stubcli.retention.leases.model import (
    BEFORE,
    PREPARED,
    Claim,
    Lease,
    check_transaction,
    number_of,
    parse_until,
)

SCHEMA = 1
LONGEST = 4096
NONE_BEFORE = "0" * 64
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(document: dict[str, Any]) -> bytes:
    return _ENCODER.encode(document).encode("utf-8")


def digest(document: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(document)).hexdigest()


@dataclass(frozen=True)
class Place:
    """Where a record stands: its number, from 1, and the digest of the one before it."""

    sequence: int
    previous_sha256: str


def enter(lease: Lease | None, name: str, phase: str, when: str, claim: Claim | None) -> Lease:
    """The lease of transaction `name` after it came into `phase`.

    Raises RefusedError where it cannot come there from where it is.
    """
    if phase not in BEFORE or (lease and lease.phase) != BEFORE[phase]:
        state = lease.phase if lease else "unknown"
        raise RefusedError(
            f"transaction {name} is {state} and cannot be {phase}", Advice("lease ls")
        )
    if lease is None:
        if claim is None:
            raise RefusedError(f"transaction {name} claims nothing", "give a claim")
        return Lease(name, claim, phase, when, when)
    return Lease(name, lease.claim, phase, lease.prepared_at, when)


def _intent(lease: Lease, session: str) -> dict[str, Any]:
    return {
        "transaction_id": lease.transaction_id,
        "session_id": session,
        "claim": lease.claim.document(),
        "prepared_at": lease.prepared_at,
    }


def write(lease: Lease, session: str, place: Place) -> tuple[bytes, str]:
    """The line, LF included, that says how far `lease` is now; and its digest."""
    intent = _intent(lease, session)
    document: dict[str, Any] = {
        "schema_version": SCHEMA,
        "sequence": place.sequence,
        "session_id": session,
        "transaction_id": lease.transaction_id,
        "phase": lease.phase,
        "recorded_at": lease.changed_at,
        "intent_sha256": digest(intent),
        "previous_sha256": place.previous_sha256,
    }
    if lease.phase == PREPARED:
        document["intent"] = intent
    document["event_sha256"] = digest(document)
    return canonical(document) + b"\n", document["event_sha256"]


@dataclass(frozen=True)
class Event:
    """One record as it was read, with its digest; claim where it is the first of its lease."""

    place: Place
    transaction_id: str
    phase: str
    recorded_at: str
    intent_sha256: str
    claim: Claim | None
    sha256: str


def read(line: bytes, session: str) -> Event:
    """The record on a line, without its LF. Raises ValueError with what is wrong."""
    if len(line) >= LONGEST:
        raise ValueError("is longer than any record")
    try:
        document = json.loads(line.decode("utf-8"))
        if not isinstance(document, dict) or canonical(document) != line:
            raise ValueError
    except (ValueError, RecursionError):
        raise ValueError("is not a record") from None
    sha256 = document.pop("event_sha256", None)
    if sha256 != digest(document):
        raise ValueError("is not what was written")
    version = document.get("schema_version")
    if type(version) is not int or version != SCHEMA:
        raise ValueError("is of another version of stub")
    if document.get("session_id") != session:
        raise ValueError("is of another session")
    try:
        return _event(document, session, sha256)
    except (KeyError, TypeError, StubError):
        raise ValueError("contains an unexpected field") from None


def _event(document: dict[str, Any], session: str, sha256: str) -> Event:
    phase, sequence = document["phase"], document["sequence"]
    if type(sequence) is not int or phase not in BEFORE:
        raise TypeError
    if parse_until(document["recorded_at"]) != document["recorded_at"]:
        raise TypeError
    if (phase == PREPARED) != ("intent" in document):
        raise TypeError
    claim = None
    if phase == PREPARED:
        claim = Claim(**document["intent"]["claim"])
        number_of(claim, session)
    return Event(
        Place(sequence, document["previous_sha256"]),
        check_transaction(document["transaction_id"]),
        phase,
        document["recorded_at"],
        document["intent_sha256"],
        claim,
        sha256,
    )


def follow(lease: Lease | None, event: Event, session: str) -> Lease:
    """The lease after this event. Raises ValueError where it cannot come next."""
    try:
        after = enter(lease, event.transaction_id, event.phase, event.recorded_at, event.claim)
    except RefusedError:
        raise ValueError("cannot follow what stands before it") from None
    if digest(_intent(after, session)) != event.intent_sha256:
        raise ValueError("refers to a different intent")
    return after


@dataclass
class Chain:
    """What all lines from the first to `sequence` say.

    size: their bytes. sha256: the digest of the last record.
    """

    session: str
    sequence: int = 0
    size: int = 0
    sha256: str = NONE_BEFORE
    leases: dict[str, Lease] = field(default_factory=dict)

    def read(self, lines: bytes) -> None:
        """Take further complete lines. Raises IntegrityError; what stood before it is kept."""
        # Not splitlines: it also cuts at U+2028 and U+0085, which JSON leaves as they are.
        for line in lines.split(b"\n")[:-1]:
            try:
                self._add(read(line, self.session), len(line) + 1)
            except ValueError as error:
                raise damage_error(self.session, f"line {self.sequence + 1:,} {error}") from None

    def _add(self, event: Event, size: int) -> None:
        if event.place != Place(self.sequence + 1, self.sha256):
            raise ValueError("does not follow the line before it")
        before = self.leases.get(event.transaction_id)
        self.leases[event.transaction_id] = follow(before, event, self.session)
        self.sequence, self.sha256 = event.place.sequence, event.sha256
        self.size += size


def find(lines: bytes, transaction_id: str, session: str) -> Lease | None:
    """The lease of one transaction in complete, verified lines, of which only its own are read.

    Raises IntegrityError.
    """
    lease, end = None, 0
    # No name of a transaction needs an escape, so this is how it stands in each of its records.
    wanted = b'"transaction_id":"%s"' % transaction_id.encode("ascii")
    while (hit := lines.find(wanted, end)) >= 0:
        start, end = lines.rfind(b"\n", 0, hit) + 1, lines.find(b"\n", hit)
        try:
            event = read(lines[start:end], session)
            if event.transaction_id == transaction_id:
                lease = follow(lease, event, session)
        except ValueError as error:
            raise damage_error(session, f"a record of {transaction_id} {error}") from None
    return lease


def damage_error(session: str, what: str) -> IntegrityError:
    """The error for a journal that is not what was written."""
    return IntegrityError(
        f"the leases of session {session} are damaged: {what}",
        "nothing is deleted there; see: stub check",
    )
