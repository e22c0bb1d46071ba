"""The plan: what stands in a session, what is claimed, what may go. Changes nothing.

Only what would be deleted is read as a whole. What is not as it was recorded keeps itself; where
it is not known what is claimed, or what time it is, nothing is planned.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.retention.gc import safety
from stubcli.retention.gc.claimed import Claims
from stubcli.retention.gc.decide import decide, limit
from stubcli.retention.gc.model import (
    ALREADY_MISSING,
    DENIED,
    PLANNED_DELETE,
    RACE_DETECTED,
    RETAINED_CORRUPT,
    RETAINED_UNKNOWN,
    Plan,
    Policy,
    Problem,
    Verdict,
)
from stubcli.retention.gc.reading import Reading, Watch, unwatched
from stubcli.retention.leases.claims import lost_at
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import moment_of
from stubcli.store.surface import Session
from stubcli.store.values import Inventory


def make_plan(
    session: Session,
    policy: Policy,
    now: float,
    *,
    only: frozenset[int] | None = None,
    watch: Watch = unwatched,
) -> Plan:
    """Decide on everything in the session; now in seconds since 1970.

    only: the numbers to which deletion is limited. watch is told the bytes read of what may go.
    Raises OSError where the session cannot be listed; damage is a problem of the plan.
    """
    found = session.take_inventory()
    known = _newest(found)
    claims = Claims(session, known)
    problems: list[Problem] = []
    try:
        with open_journal(session) as journal:
            protections = claims.read(journal, now)
    except StubError as error:
        problems.append(Problem(error.message, error.hint or Advice("check")))
        protections = {}
    try:
        collected = session.tombstones()
        times = [moment_of(one.when).timestamp() for one in collected]
    except (OSError, ValueError, IntegrityError) as error:
        problems.append(Problem(str(error), Advice("check")))
        collected, times = [], []
    if problem := _clock(found, times, claims.newest, now):
        problems.append(problem)
    decisions = decide(
        found,
        protections,
        policy,
        now=now,
        user=os.geteuid(),
        lost=lost_at(session),
        collected=frozenset((one.number, one.sha256[:16]) for one in collected),
    )
    # Where nothing may go, nothing is read.
    unsafe, reading = bool(problems), Reading(decisions, watch)
    decisions = list(
        limit(
            decisions,
            policy,
            found.size,
            only,
            lambda one: one if unsafe else _verify(session, one, reading),
        )
    )
    if problems:
        decisions = list(withhold(decisions))
    return Plan(session.name, now, known, policy, found.size, tuple(decisions), tuple(problems))


def withhold(decisions: Iterable[Verdict]) -> Iterator[Verdict]:
    """The same, with nothing left to delete: something is wrong with the session."""
    for one in decisions:
        if one.state == PLANNED_DELETE:
            yield replace(one, state=RETAINED_UNKNOWN, reason="session_is_unsafe")
        else:
            yield one


def _newest(found: Inventory) -> float:
    """The newest time that an artifact bears, in seconds; 0 where there is none."""
    return max((one.status.mtime_ns / 1e9 for one in found.entries if one.status), default=0.0)


def _clock(
    found: Inventory, collected: Iterable[float], claimed: float, now: float
) -> Problem | None:
    """Whether anything in the session was written later than now; times in seconds since 1970."""
    # Never to move the journal away: what it protects would go with it.
    bounds = [("the journal of leases", "wait until then", claimed)]
    bounds += [
        ("what gc deleted", "move collected.jsonl away: the numbers stay used", when)
        for when in collected
    ]
    bounds += [
        (f"artifact {entry.number}", "touch its file", entry.status.used)
        for entry in found.entries
        if entry.status
    ]
    return safety.clock(now, bounds)


def _verify(session: Session, one: Verdict, reading: Reading) -> Verdict:
    """The decision, once its bytes are what its record says; else why it stays."""
    assert one.number is not None
    assert one.snapshot
    try:
        with session.candidate(one.number) as candidate:
            record = session.find(one.number, one.sha256)
            found = candidate.digest(one.snapshot, reading.at)
    except (FileNotFoundError, MissingError):
        return replace(one, state=ALREADY_MISSING, reason="gone_meanwhile")
    except PermissionError as error:
        swallowed(f"reading {one.name}", error)
        return replace(one, state=DENIED, reason="read_denied")
    except OSError as error:
        swallowed(f"reading {one.name}", error)
        return replace(one, state=RETAINED_CORRUPT, reason="cannot_be_read")
    except IntegrityError as error:
        swallowed(f"reading {one.name}", error)
        return replace(one, state=RETAINED_CORRUPT, reason="record_is_damaged")
    reading.end(one)
    if found is None:
        return replace(one, state=RACE_DETECTED, reason="changed_meanwhile")
    if (found[0], found[1].size) != (record.sha256, record.size):
        return replace(one, state=RETAINED_CORRUPT, reason="not_what_was_recorded")
    return replace(one, sha256=found[0], snapshot=found[1])
