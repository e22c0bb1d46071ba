"""A plan that was made before, checked once more and applied.

Between a plan and its application others may have written, claimed or collected: what is deleted
is what was planned and would be planned again now.
"""

from dataclasses import replace

from stubcli.retention.gc import safety
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import PLANNED_DELETE, Plan
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.gc.planfile import still_true
from stubcli.retention.gc.reading import Watch, unwatched
from stubcli.store.surface import Session


def plan_again(session: Session, planned: Plan, now: float, *, watch: Watch = unwatched) -> Plan:
    """A plan as of now, with only that to delete which was planned and is unchanged.

    now in seconds since 1970. Raises OSError where the session cannot be listed.
    """
    only = frozenset(one.number for one in planned.of(PLANNED_DELETE) if one.number is not None)
    found = make_plan(session, planned.policy, now, only=only, watch=watch)
    return still_true(planned, found)


def sweep(
    session: Session,
    plan: Plan,
    now: float,
    *,
    network: bool = False,
    watch: Watch = unwatched,
) -> Plan:
    """Delete what is planned and still may go: what became of each decision.

    network: on a network file system too, where no other machine uses it; else that is a problem
    of the plan, and nothing is deleted.
    """
    remote = None if network else safety.remote(session)
    if remote:
        plan = replace(plan, problems=(*plan.problems, remote))
    return apply_plan(session, plan, now, watch=watch)
