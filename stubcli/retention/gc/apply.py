"""The deletions of a plan, one by one, each only while everything that allowed it still holds.

An artifact is read again first. Then, under the journal's lock, so that no claim can come between,
claims are folded again and the file is compared with the plan before it goes. The lock is given
back between two artifacts: a deletion takes milliseconds, reading may take minutes.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from stubcli.errors import StubError
from stubcli.retention.gc import bury
from stubcli.retention.gc.claims import Claims
from stubcli.retention.gc.look import digest, opened
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
    Decision,
    Plan,
    Problem,
    Snapshot,
)
from stubcli.retention.gc.plan import withheld
from stubcli.retention.gc.safety import SKEW
from stubcli.retention.gc.survey import snapshot, status_of
from stubcli.retention.leases.claims import Held, lost_at
from stubcli.retention.leases.journal import open_journal
from stubcli.store.posix.layout import Session
from stubcli.store.posix.repair import finish_collections

_STATES = {
    bury.DONE: DELETED,
    bury.BUSY: RETAINED_UNKNOWN,
    bury.LEFT_OVER: RETAINED_UNKNOWN,
    bury.CHANGED: RACE_DETECTED,
    bury.STRANDED: RACE_DETECTED,
}


def apply_plan(
    session: Session,
    plan: Plan,
    now: float,
    *,
    watch: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Plan:
    """Delete what is planned and still may go: what became of each decision.

    now in seconds since 1970; watch is given the places of what is to be deleted. The first
    refusal of the system or the journal is a problem, and what was planned behind it stays.
    """
    if now + SKEW < plan.made:
        back = Problem(
            "the clock ran backwards since the plan was made", "set it right, plan again"
        )
        plan = replace(plan, problems=(*plan.problems, back))
    if plan.problems:
        return replace(plan, decisions=tuple(withheld(plan.decisions)))
    run = _Run(session, plan, now)
    run.finish()
    for place in watch([n for n, one in enumerate(run.decisions) if one.state == PLANNED_DELETE]):
        if not run.problems:
            run.delete(place)
    decisions = withheld(run.decisions) if run.problems else run.decisions
    return replace(plan, decisions=tuple(decisions), problems=tuple(run.problems))


def changed(one: Decision, found: Snapshot) -> Decision:
    """The decision on what is not as it was planned: it was used since, or it is another file."""
    planned = one.snapshot
    assert planned
    if found.atime_ns > planned.atime_ns and planned == replace(
        found, atime_ns=planned.atime_ns, ctime_ns=planned.ctime_ns
    ):
        return replace(one, state=RETAINED_RECENT, reason="used_since_the_plan")
    return replace(one, state=RACE_DETECTED, reason="changed_since_the_plan")


class _Run:
    """One plan that is being applied."""

    def __init__(self, session: Session, plan: Plan, now: float) -> None:
        self._session = session
        self._plan = plan
        self._now = now
        self._claims = Claims(session, plan.known)
        self.decisions = list(plan.decisions)
        self.problems: list[Problem] = []

    def finish(self) -> None:
        """Finish the collections that an earlier run began."""
        if not any(one.reason == "record_without_data" for one in self.decisions):
            return
        try:
            with open_journal(self._session):
                done = {found.name for found in finish_collections(self._session)}
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
            known = self._explained(one, error)
            if known is None:
                self._stop(error)
                return
            found = known
        self.decisions[place] = found
        if found.state == DELETED:
            try:
                bury.forget_record(self._session, found)
            except OSError as error:
                self._stop(error)
        if found.state == RETAINED_CORRUPT:
            self.problems.append(Problem(f"{one.name} is damaged", "see: stub check"))

    def _explained(self, one: Decision, error: StubError | OSError) -> Decision | None:
        """What an error means for one artifact alone; None where it may mean more."""
        try:
            there = status_of(self._session, one.name) is not None
        except OSError:
            return None
        if isinstance(error, FileNotFoundError) and not there:
            return replace(one, state=ALREADY_MISSING, reason="gone_since_the_plan")
        if isinstance(error, PermissionError) and there:
            return replace(one, state=DENIED, reason="delete_denied")
        return None

    def _stop(self, error: StubError | OSError) -> None:
        if isinstance(error, StubError):
            self.problems.append(Problem(error.message, error.hint or "see: stub check"))
        else:
            what = f"the system refused to delete more: {error.strerror or error}"
            self.problems.append(Problem(what, "see: stub check --repair"))

    def _delete(self, one: Decision) -> Decision:
        assert one.snapshot
        with opened(self._session, one.name) as descriptor:
            found = digest(descriptor, one.snapshot)
            if found is None:
                return changed(one, snapshot(os.fstat(descriptor)))
            sha256, seen = found
            if sha256 != one.sha256:
                return replace(one, state=RETAINED_CORRUPT, reason="not_what_was_planned")
            with open_journal(self._session) as journal:
                held = self._claims.read(journal, self._now)
                if kept := self._kept(one, held):
                    return kept
                if (now := snapshot(os.fstat(descriptor))) != seen:
                    return changed(one, now)
                when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._now))
                reason = bury.bury(self._session, one, descriptor, seen, when)
        return replace(one, state=_STATES[reason], reason=reason or one.reason)

    def _kept(self, one: Decision, held: Mapping[int, Held]) -> Decision | None:
        """The decision that keeps it after all, where anything says so by now."""
        assert one.snapshot
        claim = held.get(one.number or 0)
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
        if any(other.active and other.sha256 == one.sha256 for other in held.values()):
            return replace(one, state=RETAINED_REFERENCED, reason="same_bytes_as_a_claim")
        lost = lost_at(self._session)
        ttl = self._plan.policy.older_than
        if lost and one.snapshot.mtime_ns <= lost * 1e9 and self._now - lost < ttl:
            return replace(one, state=RETAINED_RECENT, reason="lost_journal")
        return None
