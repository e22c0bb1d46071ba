"""The words of a collection: what was asked for, what was found, what was decided and why.

Values only. Knows no disk and no clock.
"""

from dataclasses import dataclass

from stubcli.advice import Advice
from stubcli.store.values import Snapshot

RETAINED_REFERENCED = "retained_referenced"
RETAINED_RECENT = "retained_recent"
RETAINED_LIMIT = "retained_limit"
RETAINED_UNKNOWN = "retained_unknown"
RETAINED_CORRUPT = "retained_corrupt"
DENIED = "denied"
MISSING_REFERENCED = "missing_referenced"
PLANNED_DELETE = "planned_delete"
DELETED = "deleted"
ALREADY_MISSING = "already_missing"
RACE_DETECTED = "race_detected"
STATES = (
    DELETED,
    PLANNED_DELETE,
    RETAINED_REFERENCED,
    RETAINED_RECENT,
    RETAINED_LIMIT,
    RETAINED_UNKNOWN,
    RETAINED_CORRUPT,
    DENIED,
    MISSING_REFERENCED,
    ALREADY_MISSING,
    RACE_DETECTED,
)
DAY = 86_400


@dataclass(frozen=True)
class Policy:
    """What may go. older_than in seconds, keep_bytes in bytes; None is no limit.

    keep_bytes only reduces: of what is unneeded and old enough, the oldest go until the session's
    artifacts fit, and the rest stays.
    """

    older_than: int = DAY
    max_deletions: int | None = 100
    keep_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one name, and why.

    number: None for a name that is none of ours. size in bytes, age in seconds. references and
    transactions: what leases say of it. sha256 (its first 16 digits until the file was read) and
    snapshot: of what is planned or was deleted.
    """

    number: int | None
    name: str
    state: str
    reason: str
    size: int = 0
    age: int = 0
    references: int = 0
    transactions: tuple[str, ...] = ()
    sha256: str = ""
    snapshot: Snapshot | None = None


@dataclass(frozen=True)
class Problem:
    """Why nothing may be deleted in a session, and what to do about it."""

    what: str
    hint: str | Advice


@dataclass(frozen=True)
class Plan:
    """The decisions on one session, or what became of them once they were applied.

    made, known: the clock, and the newest time that the session itself bore, in seconds since 1970.
    size: bytes of all artifacts. Where there is a problem, nothing is deleted from then on.
    """

    session: str
    made: float
    known: float
    policy: Policy
    size: int
    decisions: tuple[Verdict, ...]
    problems: tuple[Problem, ...] = ()

    def of(self, *states: str) -> list[Verdict]:
        """The decisions in these states, in their order."""
        return [one for one in self.decisions if one.state in states]

    @property
    def over(self) -> int:
        """By how many bytes the session is larger than it should be once all planned is gone."""
        going = sum(one.size for one in self.of(PLANNED_DELETE, DELETED))
        keep = self.policy.keep_bytes
        return 0 if keep is None else max(0, self.size - going - keep)
