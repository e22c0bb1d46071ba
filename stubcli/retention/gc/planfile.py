"""A plan on paper: what it says, that nobody edited it, and what of it is still true.

The file names artifacts and snapshots and no path but the store's own. Text in, values out; who
writes and reads the file is not known here.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from stubcli.advice import Advice
from stubcli.errors import RefusedError, UsageError
from stubcli.retention.gc.model import (
    ALREADY_MISSING,
    DAY,
    PLANNED_DELETE,
    RACE_DETECTED,
    Plan,
    Policy,
    Verdict,
)
from stubcli.retention.gc.safety import SKEW
from stubcli.store.values import Snapshot

SCHEMA = 1


def dump_plans(plans: Sequence[Plan], home: str) -> str:
    """The file that holds these plans of the store at `home`."""
    document: dict[str, Any] = {
        "schema_version": SCHEMA,
        "home": home,
        "plans": [
            {
                **asdict(replace(plan, decisions=(), problems=())),
                "decisions": [asdict(one) for one in plan.of(PLANNED_DELETE)],
                # For who reads the file: when it is applied, they are looked for again.
                "problems": [one.what for one in plan.problems],
            }
            for plan in plans
        ],
    }
    document["plan_sha256"] = _digest(document)
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def load_plans(text: str, home: str, now: float) -> list[Plan]:
    """Read them back. Raises UsageError where they are none, RefusedError where they may not be
    applied: edited, of another store, of the future or more than a day old."""
    try:
        document = json.loads(text)
        told = document.pop("plan_sha256")
        version = document["schema_version"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _no_plan() from None
    if told != _digest(document):
        raise RefusedError("the plan was edited", "plan again")
    if version != SCHEMA:
        raise RefusedError("the plan is of another version of stub", "plan again")
    if (where := document.get("home")) != home:
        raise RefusedError(f"the plan is of the store at {where}", Advice("config"))
    try:
        plans = [_plan(one) for one in document["plans"]]
        for plan in plans:
            check_age(plan.made, now)
    except (KeyError, TypeError):
        raise _no_plan() from None
    return plans


def check_age(made: float, now: float) -> None:
    """Raises RefusedError for a plan of the future, or one that is more than a day old."""
    if not -SKEW <= now - made <= DAY:
        raise RefusedError("the plan is not of the last 24 hours", "plan again")


def still_true(planned: Plan, found: Plan) -> Plan:
    """What is found now, with only that to delete which was planned and is unchanged."""
    by_number = {one.number: one for one in planned.of(PLANNED_DELETE)}
    decisions = []
    for one in found.decisions:
        before = by_number.pop(one.number, None)
        if one.state == PLANNED_DELETE and (
            before is None or (before.sha256, before.snapshot) != (one.sha256, one.snapshot)
        ):
            one = replace(one, state=RACE_DETECTED, reason="changed_since_the_plan")
        decisions.append(one)
    decisions += [
        replace(one, state=ALREADY_MISSING, reason="gone_since_the_plan")
        for one in by_number.values()
    ]
    return replace(found, decisions=tuple(decisions))


def _no_plan() -> UsageError:
    return UsageError("not a plan file", Advice("gc", plan="FILE", lead="make one with"))


def _plan(document: dict[str, Any]) -> Plan:
    decisions = (
        Verdict(
            **{
                **one,
                "snapshot": Snapshot(**one["snapshot"]),
                "transactions": tuple(one["transactions"]),
            }
        )
        for one in document["decisions"]
    )
    values = {
        **document,
        "policy": Policy(**document["policy"]),
        "decisions": tuple(decisions),
        "problems": (),
    }
    return Plan(**values)


def _digest(document: dict[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
