"""What may go: a pure decision over what stands in a session and what leases say of it.

Knows no disk. Whatever is not plainly ours, plainly unneeded and plainly old stays.
"""

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
    Policy,
    Verdict,
)
from stubcli.retention.leases.claims import Protection
from stubcli.store.values import LINK, Entry, Inventory


def decide(
    inventory: Inventory,
    protections: Mapping[int, Protection],
    policy: Policy,
    *,
    now: float,
    user: int,
    lost: float | None = None,
    collected: frozenset[tuple[int, str]] = frozenset(),
) -> list[Verdict]:
    """A decision on every name, in numeric order, and on every claim whose data is gone.

    now and lost (when a journal of the session was given up) in seconds since 1970; user: the only
    owner of what may go; collected: number and digest (16 digits) of what has a tombstone. See
    `limit` for how much of it goes.
    """
    judge = _Judge(protections, policy, now, user, lost, collected)
    decisions = [judge.entry(entry) for entry in inventory.entries]
    decisions += [
        Verdict(None, name, RETAINED_UNKNOWN, "not_a_name_of_ours") for name in inventory.foreign
    ]
    there = {entry.number for entry in inventory.entries if entry.status}
    decisions += [
        Verdict(
            claim.number,
            file_name(claim.number),
            MISSING_REFERENCED,
            "claim_on_what_was_given_up"
            if (claim.number, claim.sha256[:16]) in collected
            else "claim_without_data",
            references=claim.reference_count,
            transactions=claim.transactions,
        )
        for claim in protections.values()
        if claim.active and claim.number not in there
    ]
    return decisions


class _Judge:
    """One number after the other; what holds for all of them is kept here."""

    def __init__(
        self,
        protections: Mapping[int, Protection],
        policy: Policy,
        now: float,
        user: int,
        lost: float | None,
        collected: frozenset[tuple[int, str]],
    ) -> None:
        self._protections = protections
        self._policy = policy
        self._now = now
        self._user = user
        self._lost = lost
        self._collected = collected
        self._needed = {claim.sha256[:16] for claim in protections.values() if claim.active}

    def entry(self, entry: Entry) -> Verdict:
        status = entry.status
        if status is None:
            return self._decision(entry, RETAINED_UNKNOWN, self._why_without_data(entry))
        if status.kind == LINK:
            return self._decision(entry, DENIED, "symbolic_link")
        if not entry.regular:
            return self._decision(entry, RETAINED_UNKNOWN, "not_a_regular_file")
        if status.owner != self._user:
            return self._decision(entry, DENIED, "of_another_user")
        claim = self._protections.get(entry.number)
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
        if status.links != 1 and entry.incoming:
            return self._decision(entry, RETAINED_UNKNOWN, "is_moved_or_left_over")
        if status.links != 1:
            return self._decision(entry, DENIED, "second_name")
        return self._by_age(entry, claim)

    def _why_without_data(self, entry: Entry) -> str:
        if entry.incoming:
            return "is_moved_or_left_over"
        keys = {(entry.number, digest) for digest in entry.digests}
        return "removal_is_unfinished" if keys <= self._collected else "record_without_data"

    def _by_age(self, entry: Entry, claim: Protection | None) -> Verdict:
        assert entry.status
        ttl = self._policy.older_than
        if self._age(entry) < ttl:
            reason = "expired_claim_but_too_recent" if claim else "too_recent"
            return self._decision(entry, RETAINED_RECENT, reason, claim)
        lost = self._lost
        if lost and entry.status.mtime_ns <= lost * 1e9 and self._now - lost < ttl:
            return self._decision(entry, RETAINED_RECENT, "lost_journal", claim)
        reason = "expired_claim_and_old" if claim else "unreferenced_and_old"
        found = self._decision(entry, PLANNED_DELETE, reason, claim)
        return replace(found, sha256=entry.digests[0], snapshot=entry.status)

    def _age(self, entry: Entry) -> int:
        """Whole seconds since it was written or asked for."""
        return max(0, int(self._now - entry.status.used)) if entry.status else 0

    def _decision(
        self, entry: Entry, state: str, reason: str, claim: Protection | None = None
    ) -> Verdict:
        return Verdict(
            entry.number,
            file_name(entry.number),
            state,
            reason,
            size=entry.status.size if entry.status and entry.regular else 0,
            age=self._age(entry),
            references=claim.reference_count if claim and claim.active else 0,
            transactions=claim.transactions if claim else (),
        )


def limit(
    found: Iterable[Verdict],
    policy: Policy,
    size: int,
    only: frozenset[int] | None,
    check: Callable[[Verdict], Verdict],
) -> Iterator[Verdict]:
    """The same, with what goes beyond a limit retained; the oldest go first.

    check decides once more on each before it is counted, so that what turns out to stay takes
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
        checked = check(one)
        if checked.state == PLANNED_DELETE:
            count += 1
            size -= checked.size
        yield checked
