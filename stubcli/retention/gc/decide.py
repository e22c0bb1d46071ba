"""What may go: a pure decision over what stands in a session and what leases say of it.

Knows no disk. Whatever is not plainly ours, plainly unneeded and plainly old stays.
"""

import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from stubcli.reference import file_name
from stubcli.retention.gc.model import (
    DENIED,
    MISSING_REFERENCED,
    PLANNED_DELETE,
    RETAINED_CORRUPT,
    RETAINED_LIMIT,
    RETAINED_RECENT,
    RETAINED_REFERENCED,
    RETAINED_UNKNOWN,
    Decision,
    Policy,
)
from stubcli.retention.gc.survey import Entry, Survey, snapshot
from stubcli.retention.leases.claims import Held


def decide(
    survey: Survey,
    held: Mapping[int, Held],
    policy: Policy,
    *,
    now: float,
    user: int,
    lost: float | None = None,
) -> list[Decision]:
    """A decision on every name, in numeric order, and on every claim whose data is gone.

    now and lost (when a journal of the session was given up) in seconds since 1970; user: the only
    owner of what may go. See `limited` for how much of it goes.
    """
    judge = _Judge(held, policy, now, user, lost)
    decisions = [judge.entry(entry) for entry in survey.entries]
    decisions += [
        Decision(None, name, RETAINED_UNKNOWN, "not_a_name_of_ours") for name in survey.foreign
    ]
    there = {entry.number for entry in survey.entries if entry.status}
    decisions += [
        Decision(
            claim.number,
            file_name(claim.number),
            MISSING_REFERENCED,
            "claim_without_data",
            references=claim.reference_count,
            transactions=claim.transactions,
        )
        for claim in held.values()
        if claim.active and claim.number not in there
    ]
    return decisions


class _Judge:
    """One number after the other; what holds for all of them is kept here."""

    def __init__(
        self,
        held: Mapping[int, Held],
        policy: Policy,
        now: float,
        user: int,
        lost: float | None,
    ) -> None:
        self._held = held
        self._policy = policy
        self._now = now
        self._user = user
        self._lost = lost
        self._needed = {claim.sha256[:16] for claim in held.values() if claim.active}

    def entry(self, entry: Entry) -> Decision:
        status = entry.status
        if status is None:
            reason = "is_moved_or_left_over" if entry.incoming else "record_without_data"
            return self._decision(entry, RETAINED_UNKNOWN, reason)
        if stat.S_ISLNK(status.st_mode):
            return self._decision(entry, DENIED, "symbolic_link")
        if not entry.regular:
            return self._decision(entry, RETAINED_UNKNOWN, "not_a_regular_file")
        if status.st_uid != self._user:
            return self._decision(entry, DENIED, "of_another_user")
        claim = self._held.get(entry.number)
        if claim and any(not claim.sha256.startswith(digest) for digest in entry.digests):
            return self._decision(entry, RETAINED_CORRUPT, "claim_names_other_bytes", claim)
        if claim and claim.active:
            reason = "pending_claim" if claim.pending else "active_claim"
            return self._decision(entry, RETAINED_REFERENCED, reason, claim)
        if len(entry.digests) != 1:
            reason = "several_records" if entry.digests else "data_without_record"
            return self._decision(entry, RETAINED_UNKNOWN, reason)
        if entry.digests[0] in self._needed:
            # Where the claimed artifact is damaged, this is the copy that can still be read.
            return self._decision(entry, RETAINED_REFERENCED, "same_bytes_as_a_claim")
        if status.st_nlink != 1 and entry.incoming:
            return self._decision(entry, RETAINED_UNKNOWN, "is_moved_or_left_over")
        if status.st_nlink != 1:
            return self._decision(entry, DENIED, "second_name")
        return self._by_age(entry, claim)

    def _by_age(self, entry: Entry, claim: Held | None) -> Decision:
        assert entry.status
        ttl = self._policy.older_than
        if self._age(entry) < ttl:
            reason = "expired_claim_but_too_recent" if claim else "too_recent"
            return self._decision(entry, RETAINED_RECENT, reason, claim)
        if self._lost and entry.status.st_mtime <= self._lost and self._now - self._lost < ttl:
            return self._decision(entry, RETAINED_RECENT, "lost_journal", claim)
        reason = "expired_claim_and_old" if claim else "unreferenced_and_old"
        found = self._decision(entry, PLANNED_DELETE, reason, claim)
        return replace(found, sha256=entry.digests[0], snapshot=snapshot(entry.status))

    def _age(self, entry: Entry) -> int:
        """Whole seconds since it was written or asked for."""
        status = entry.status
        return max(0, int(self._now - max(status.st_mtime, status.st_atime))) if status else 0

    def _decision(
        self, entry: Entry, state: str, reason: str, claim: Held | None = None
    ) -> Decision:
        return Decision(
            entry.number,
            file_name(entry.number),
            state,
            reason,
            size=entry.status.st_size if entry.status and entry.regular else 0,
            age=self._age(entry),
            references=claim.reference_count if claim and claim.active else 0,
            transactions=claim.transactions if claim else (),
        )


def limited(
    found: Iterable[Decision],
    policy: Policy,
    size: int,
    only: frozenset[int] | None,
    look: Callable[[Decision], Decision],
) -> Iterator[Decision]:
    """The same, with what goes beyond a limit retained; the oldest go first.

    look decides once more on each before it is counted, so that what turns out to stay takes
    nobody's place. size: bytes that the session keeps; only: the numbers that may go.
    """
    count = 0
    for one in found:
        if one.state != PLANNED_DELETE:
            yield one
            continue
        reason = ""
        if only is not None and one.number not in only:
            reason = "not_in_the_plan"
        elif policy.max_deletions is not None and count >= policy.max_deletions:
            reason = "enough_deletions"
        elif policy.keep_bytes is not None and size <= policy.keep_bytes:
            reason = "session_fits"
        if reason:
            yield replace(one, state=RETAINED_LIMIT, reason=reason, snapshot=None)
            continue
        looked = look(one)
        if looked.state == PLANNED_DELETE:
            count += 1
            size -= looked.size
        yield looked
