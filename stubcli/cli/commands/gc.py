"""`stub gc`: what nothing needs any more, and with --apply its deletion."""

import os
import time

from stubcli.advice import Advice
from stubcli.cli import verdicts
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json
from stubcli.cli.place import home_of, sessions_of, where_of
from stubcli.cli.progress import Progress
from stubcli.errors import OK, REFUSED, MissingError, StubError, UsageError, explain, reason_of
from stubcli.files import read_regular
from stubcli.retention.gc import planfile, sweep
from stubcli.retention.gc.model import Plan, Policy, Problem
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.gc.policy import policy_of
from stubcli.settings import readers
from stubcli.settings.option import flag, optional
from stubcli.settings.table import settings_of
from stubcli.store import open_session

_APPLY = flag("apply", "--apply", "Delete what is planned; without it the plan is only printed.")
_PLAN = optional(
    "plan",
    "--plan",
    "Write the plan to FILE; with --apply, apply exactly that plan.",
    readers.text,
    metavar="FILE",
    complete="file",
)
_NETWORK = flag("network", "--network", "Delete on a network file system too.")
_QUIET = flag(
    "quiet", "--quiet", "Print nothing but what is wrong, and what a limit kept from being done."
)
_MAKE_PLAN = Advice("gc", plan="FILE", lead="make one with")


def run(given: Given) -> int:
    """Print the plan, or what was deleted.

    Status 6 where a session is unsafe to delete from, or something in it is kept because it is not
    as it should be.
    """
    settings = given.settings()
    policy = policy_of(settings)
    home = os.path.realpath(home_of(settings))
    names = sessions_of(settings, everywhere=given[ALL_SESSIONS])
    filed = _filed(given, home, names)
    plans = []
    for name in names if filed is None else [name for name in names if name in filed]:
        try:
            plans.append(_session(home_of(settings), name, policy, given, (filed or {}).get(name)))
        except MissingError:
            continue
        except StubError as error:
            plans.append(_unusable(name, policy, Problem(error.message, error.hint)))
        except OSError as error:
            what = f"it cannot be read: {explain(error)}"
            plans.append(_unusable(name, policy, Problem(what, Advice("check"))))
    plan_file = given[_PLAN]
    if plan_file is not None and not given[_APPLY]:
        _write(plan_file, planfile.dump_plans(plans, home))
    wheres = {plan.session: where_of(settings, plan.session) for plan in plans}
    if given[JSON]:
        documents = [verdicts.document_of(plan, wheres[plan.session]) for plan in plans]
        emit_json({"applied": given[_APPLY], "sessions": documents})
    elif not given[_QUIET]:
        where = tuple(
            pair for pair in settings.where if pair[0] == "home" or not given[ALL_SESSIONS]
        )
        verdicts.print_plans(
            plans, where, applied=given[_APPLY], everywhere=given[ALL_SESSIONS], paper=plan_file
        )
    for plan in plans:
        verdicts.say_what_is_wrong(plan, wheres[plan.session])
        if given[_APPLY] or not (given[_QUIET] or given[JSON]):
            verdicts.say_what_is_left(plan)
    return REFUSED if any(plan.problems or plan.unclear for plan in plans) else OK


def _filed(given: Given, home: str, names: list[str]) -> dict[str, Plan] | None:
    """The plans to apply, by session; None where none was named. Raises UsageError."""
    path = given[_PLAN]
    if path is None or not given[_APPLY]:
        return None
    if any(row.name in given.flags for row in settings_of("gc")):
        raise UsageError("a plan that is applied has its own limits", "give --plan alone")
    plans = {plan.session: plan for plan in planfile.load_plans(_read(path), home, time.time())}
    if strange := sorted(plans.keys() - set(names)):
        raise UsageError(f"the plan is of session {strange[0]}", "see: --session, --all-sessions")
    return plans


def _session(home: str, name: str, policy: Policy, given: Given, filed: Plan | None) -> Plan:
    with open_session(home, name) as session:
        # For each its own: while the ones before it were read, others may have written to it.
        now = time.time()
        with Progress("reading what may go") as progress:
            if filed:
                plan = sweep.plan_again(session, filed, now, watch=progress.reach)
            else:
                plan = make_plan(session, policy, now, watch=progress.reach)
        if not given[_APPLY]:
            return plan
        with Progress("deleting") as progress:
            return sweep.sweep(session, plan, now, network=given[_NETWORK], watch=progress.reach)


def _unusable(name: str, policy: Policy, problem: Problem) -> Plan:
    return Plan(name, time.time(), 0.0, policy, 0, (), (problem,))


def _read(path: str) -> str:
    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path!r} is not a plan file", _MAKE_PLAN) from None
    except OSError as error:
        raise UsageError(f"{path!r}: {reason_of(error)}", _MAKE_PLAN) from None


def _write(path: str, text: str) -> None:
    """A new file that only this user may read; what exists is never replaced."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path!r}: {reason_of(error)}", "name a new file for the plan") from None


COMMAND = Command(
    "gc",
    """Delete what nothing needs any more.

    Prints the plan; deletes with --apply.
    """,
    run,
    (_APPLY, _PLAN, _NETWORK, _QUIET, ALL_SESSIONS, JSON),
    examples=(
        ("See what would be deleted:", "stub gc --older-than 7d"),
        (
            "Delete it, in every session, from cron:",
            "stub gc --apply --all-sessions --max-deletions all --quiet",
        ),
    ),
)
