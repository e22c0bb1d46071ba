"""The deletions of a plan, one by one, each only while everything that allowed it still holds.

An artifact is read again first. Then, under the journal's lock, so that no claim can come between,
claims are folded again and the file is compared with the plan before it goes. The lock is given
back between two artifacts: a deletion takes milliseconds, reading may take minutes.
"""

import errno
import time
from collections.abc import Mapping
from dataclasses import replace

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.errors import StubError
from stubcli.retention.gc.claimed import Claims
from stubcli.retention.gc.model import (
    ALREADY_MISSING,
    DELETED,
    DENIED,
    PLANNED_DELETE,
    RACE_DETECTED,
    RETAINED_CORRUPT,
    RETAINED_RECENT,
    RETAINED_REFERENCED,
    RETAINED_UNKNOWN,
    Plan,
    Problem,
    Verdict,
)
from stubcli.retention.gc.plan import withhold
from stubcli.retention.gc.reading import Reading, Watch, unwatched
from stubcli.retention.gc.safety import SKEW
from stubcli.retention.leases.claims import Protection, lost_at
from stubcli.retention.leases.journal import open_journal
from stubcli.store.surface import Session
from stubcli.store.values import (
    BUSY,
    CHANGED,
    REMOVED,
    SECOND_FILE,
    STRANDED,
    Snapshot,
    Tombstone,
)

# What the next artifact would meet too.
_OF_ALL = (
    errno.EDQUOT,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EROFS,
)
_STATES = {
    REMOVED: DELETED,
    BUSY: RETAINED_UNKNOWN,
    SECOND_FILE: RETAINED_UNKNOWN,
    CHANGED: RACE_DETECTED,
    STRANDED: RACE_DETECTED,
}


def apply_plan(
    session: Session,
    plan: Plan,
    now: float,
    *,
    watch: Watch = unwatched,
) -> Plan:
    """Delete what is planned and still may go: what became of each decision.

    now in seconds since 1970; watch is told the bytes read of it. What fails for one artifact
    keeps that one; what would fail for all is a problem, and what was planned behind it stays.
    """
    if now + SKEW < plan.made:
        back = Problem(
            "the clock ran backwards since the plan was made", "set it right, plan again"
        )
        plan = replace(plan, problems=(*plan.problems, back))
    if plan.problems:
        return replace(plan, decisions=tuple(withhold(plan.decisions)))
    work = _Deletions(session, plan, now, Reading(plan.decisions, watch))
    work.finish()
    for place in [n for n, one in enumerate(work.decisions) if one.state == PLANNED_DELETE]:
        if not work.problems:
            work.delete(place)
    if any(one.state == DELETED for one in work.decisions):
        session.drop_runs()
    decisions = withhold(work.decisions) if work.problems else work.decisions
    return replace(plan, decisions=tuple(decisions), problems=tuple(work.problems))


def judge_change(one: Verdict, found: Snapshot) -> Verdict:
    """The decision on what is not as it was planned: it was used since, or it is another file."""
    planned = one.snapshot
    assert planned
    if found.atime_ns > planned.atime_ns and planned == replace(
        found, atime_ns=planned.atime_ns, ctime_ns=planned.ctime_ns
    ):
        return replace(one, state=RETAINED_RECENT, reason="used_since_the_plan")
    return replace(one, state=RACE_DETECTED, reason="changed_since_the_plan")


class _Deletions:
    """One plan that is being applied."""

    def __init__(self, session: Session, plan: Plan, now: float, reading: Reading) -> None:
        self._reading = reading
        self._session = session
        self._plan = plan
        self._now = now
        self._claims = Claims(session, plan.known)
        self.decisions = list(plan.decisions)
        self.problems: list[Problem] = []

    def finish(self) -> None:
        """Finish the collections that an earlier run began."""
        if not any(one.reason == "removal_is_unfinished" for one in self.decisions):
            return
        try:
            with open_journal(self._session):
                done = {found.name for found in self._session.finish_removals()}
        except (StubError, OSError) as error:
            self._stop(error)
            return
        self.decisions = [
            replace(one, state=ALREADY_MISSING, reason="collection_finished")
            if one.name in done
            else one
            for one in self.decisions
        ]

    def delete(self, place: int) -> None:
        """Delete what was planned at that place of the decisions, or say why not."""
        one = self.decisions[place]
        try:
            found = self._delete(one)
        except (StubError, OSError) as error:
            known = self._explain(one, error)
            if known is None:
                self._stop(error)
                return
            found = known
        self.decisions[place] = found
        if found.state == DELETED:
            try:
                self._session.forget(found.number or 0, found.sha256)
            except OSError as error:
                self._stop(error)

    def _explain(self, one: Verdict, error: StubError | OSError) -> Verdict | None:
        """What an error means for one artifact alone; None where it may mean more."""
        try:
            there = self._session.size_of(one.number or 0) is not None
        except OSError as failure:
            swallowed("looking for what was to be deleted", failure)
            return None
        if isinstance(error, FileNotFoundError) and not there:
            return replace(one, state=ALREADY_MISSING, reason="gone_since_the_plan")
        if isinstance(error, PermissionError) and there:
            return replace(one, state=DENIED, reason="delete_denied")
        if isinstance(error, OSError) and there and error.errno not in _OF_ALL:
            swallowed(f"deleting {one.name}", error)
            return replace(one, state=RETAINED_UNKNOWN, reason="cannot_be_deleted")
        return None

    def _stop(self, error: StubError | OSError) -> None:
        if isinstance(error, StubError):
            self.problems.append(Problem(error.message, error.hint or Advice("check")))
        else:
            what = f"the system refused to delete more: {error.strerror or error}"
            self.problems.append(Problem(what, Advice("check", repair=True)))

    def _delete(self, one: Verdict) -> Verdict:
        assert one.snapshot
        assert one.number is not None
        with self._session.candidate(one.number) as candidate:
            try:
                found = candidate.digest(one.snapshot, self._reading.at)
            except OSError as error:
                swallowed(f"reading {one.name}", error)
                return replace(one, state=RETAINED_CORRUPT, reason="cannot_be_read")
            self._reading.end(one)
            if found is None:
                return judge_change(one, candidate.snapshot())
            sha256, seen = found
            if sha256 != one.sha256:
                return replace(one, state=RETAINED_CORRUPT, reason="not_what_was_planned")
            with open_journal(self._session) as journal:
                protections = self._claims.read(journal, self._now)
                if kept := self._kept(one, protections):
                    return kept
                if (now := candidate.snapshot()) != seen:
                    return judge_change(one, now)
                when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._now))
                tombstone = Tombstone(one.number, one.sha256, one.size, one.reason, when)
                reason = candidate.remove(seen, tombstone)
        return replace(one, state=_STATES[reason], reason=reason or one.reason)

    def _kept(self, one: Verdict, protections: Mapping[int, Protection]) -> Verdict | None:
        """The decision that keeps it after all, where anything says so by now."""
        assert one.snapshot
        claim = protections.get(one.number or 0)
        if claim and claim.sha256 != one.sha256:
            return replace(one, state=RETAINED_CORRUPT, reason="claim_names_other_bytes")
        if claim and claim.active:
            return replace(
                one,
                state=RETAINED_REFERENCED,
                reason="claimed_since_the_plan",
                references=claim.reference_count,
                transactions=claim.transactions,
            )
        if any(other.active and other.sha256 == one.sha256 for other in protections.values()):
            return replace(one, state=RETAINED_REFERENCED, reason="same_bytes_as_a_claim")
        lost = lost_at(self._session)
        ttl = self._plan.policy.older_than
        if lost and one.snapshot.mtime_ns <= lost * 1e9 and self._now - lost < ttl:
            return replace(one, state=RETAINED_RECENT, reason="lost_journal")
        return None
