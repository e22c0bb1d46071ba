"""Garbage collection of one session for a program: a plan, and its application."""

import time

from stubcli.api.arguments import wrong_type
from stubcli.errors import MissingError, UsageError
from stubcli.retention.gc.model import Plan
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.gc.planfile import check_age
from stubcli.retention.gc.policy import policy_of
from stubcli.retention.gc.sweep import plan_again, sweep
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session


def make_plan_for(settings: Settings) -> Plan:
    """The plan of the session of these settings; of one that keeps nothing an empty one."""
    name, policy = session_of(settings), policy_of(settings)
    try:
        with open_session(home_of(settings), name) as session:
            return make_plan(session, policy, time.time())
    except MissingError:
        return Plan(name, time.time(), 0.0, policy, 0, ())


def apply_plan_for(settings: Settings, plan: Plan, *, network: bool) -> Plan:
    """What became of the decisions of `plan`. Raises UsageError, RefusedError, MissingError."""
    if not isinstance(plan, Plan):
        raise wrong_type("plan", "a Plan", plan)
    if plan.session != (name := session_of(settings)):
        raise UsageError(f"the plan is of session {plan.session}", f"this store is of {name}")
    now = time.time()
    check_age(plan.made, now)
    if not plan.decisions:
        return plan
    with open_session(home_of(settings), name) as session:
        return sweep(session, plan_again(session, plan, now), now, network=network)
