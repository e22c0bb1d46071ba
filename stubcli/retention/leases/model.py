"""The words of a lease: what is claimed, in which transaction, and how far that has come.

Values only. Knows no disk and no journal; a claim names no path.
"""

import datetime
import re
from dataclasses import dataclass
from typing import Any

from stubcli.advice import Advice
from stubcli.errors import IntegrityError, UsageError
from stubcli.reference import Reference, parse
from stubcli.store.records import Record

PREPARED, COMMITTED, ABORTED, RELEASED = "prepared", "committed", "aborted", "released"
# From which phase a transaction may come into each; None: it was not known before.
BEFORE = {PREPARED: None, COMMITTED: PREPARED, ABORTED: PREPARED, RELEASED: COMMITTED}
TERMINAL = frozenset({ABORTED, RELEASED})
MOST = 10**9
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Claim:
    """Who needs an artifact, and for how long. Raises UsageError where it can be none.

    source_id: the whole reference, artifact:SESSION:FILE:16 digits. sha256: 64 hexadecimal digits
    in lower case. reference_count: 1 to 1,000,000,000. retain_until: as `parse_until` gives it, or
    None for no end. owner: the name of the memory that holds the reference, None where a session
    has one only: a memory that is asked of another's lease would truly find nothing, and seal it.
    """

    source_id: str
    sha256: str
    reference_count: int = 1
    retain_until: str | None = None
    owner: str | None = None

    def __post_init__(self) -> None:
        count = self.reference_count
        if type(count) is not int or not 1 <= count <= MOST:
            raise UsageError(f"a claim cannot count {count!r}", f"give a whole number, 1 to {MOST}")
        if not isinstance(self.sha256, str) or not _SHA256.fullmatch(self.sha256):
            raise UsageError("a claim needs a whole SHA-256", "give 64 hexadecimal digits")
        if self.retain_until is not None and parse_until(self.retain_until) != self.retain_until:
            raise UsageError(f"{self.retain_until!r} is not in UTC", "see: parse_until")
        if self.owner is not None:
            check_name(self.owner, "an owner")

    def document(self) -> dict[str, Any]:
        """The claim as JSON has it; without an owner where it names none."""
        return {name: value for name, value in vars(self).items() if name != "owner" or value}


@dataclass(frozen=True)
class Lease:
    """The state of one transaction. Times are ISO 8601 in UTC.

    phase: one of the four words above. changed_at: when its last record was written.
    """

    transaction_id: str
    claim: Claim
    phase: str
    prepared_at: str
    changed_at: str

    @property
    def session(self) -> str:
        """The session of the artifact, which keeps the lease too."""
        return self.claim.source_id.split(":")[1]


def check_transaction(text: str) -> str:
    """`text` where it may name a transaction. Raises UsageError."""
    return check_name(text, "a transaction")


def check_name(text: str, what: str) -> str:
    """`text` where it is a name of one path-free component. Raises UsageError."""
    if not isinstance(text, str) or not _NAME.fullmatch(text):
        raise UsageError(
            f"{str(text)[:40]!r} cannot name {what}",
            "use letters, digits, '.', '_' and '-', beginning with a letter or digit, at most 128",
        )
    return text


def parse_until(text: str) -> str:
    """A moment in ISO 8601 with its zone, as one in UTC. Raises UsageError."""
    try:
        moment = datetime.datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(datetime.UTC).isoformat()
    except (ValueError, OverflowError, TypeError):
        raise UsageError(
            f"invalid time {text!r}: it needs a zone", "write it like 2026-09-01T00:00:00Z"
        ) from None


def moment_of(text: str) -> datetime.datetime:
    """The moment that `parse_until` or a record of the journal wrote."""
    return datetime.datetime.fromisoformat(text)


def claim_of(
    record: Record,
    *,
    count: int = 1,
    retain_until: str | None = None,
    owner: str | None = None,
) -> Claim:
    """The claim on the artifact of a record; retain_until in any zone. Raises UsageError."""
    until = None if retain_until is None else parse_until(retain_until)
    return Claim(str(record.reference), record.sha256, count, until, owner)


def number_of(claim: Claim, session_name: str) -> int:
    """The number of the artifact that is claimed.

    Raises UsageError where the source is none of ours or of another session, IntegrityError where
    its digest is not the claim's.
    """
    wanted = parse(claim.source_id) if claim.source_id.startswith("artifact:") else None
    if wanted is None or wanted.number is None or wanted.digest is None:
        raise UsageError("the source of a claim is not a reference", "give the whole reference")
    number = wanted.number
    if wanted.session != session_name:
        raise UsageError(
            f"a claim of session {session_name} cannot speak of another session", Advice("ls")
        )
    if not claim.sha256.startswith(wanted.digest):
        raise IntegrityError("the digest of a claim is not that of its source", Advice("check"))
    if str(Reference(session_name, number, claim.sha256)) != claim.source_id:
        raise UsageError("the source of a claim is not a whole reference", Advice("ls", json=True))
    return number
