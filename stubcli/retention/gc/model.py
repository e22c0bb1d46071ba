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
# What stays for one of these reasons is not as it should be, and will not come right by itself; so
# is all that is damaged or denied.
UNCLEAR = frozenset(
    {
        "cannot_be_deleted",
        "changed_and_not_put_back",
        "claim_without_data",
        "data_without_record",
        "not_a_regular_file",
        "record_without_data",
        "second_file_in_incoming",
        "several_records",
    }
)


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
    size: bytes of all artifacts. Where there is a problem, nothing is deleted from then on; what is
    unclear only keeps itself.
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
    def unclear(self) -> list[Verdict]:
        """What stays because something is wrong with it alone."""
        wrong = (RETAINED_CORRUPT, DENIED)
        return [one for one in self.decisions if one.state in wrong or one.reason in UNCLEAR]

    @property
    def due(self) -> list[Verdict]:
        """What may go and stays for the limit of deletions alone."""
        return [one for one in self.decisions if one.reason == "enough_deletions"]

    @property
    def over(self) -> int:
        """By how many bytes the session is larger than it should be once all planned is gone."""
        going = sum(one.size for one in self.of(PLANNED_DELETE, DELETED))
        keep = self.policy.keep_bytes
        return 0 if keep is None else max(0, self.size - going - keep)
