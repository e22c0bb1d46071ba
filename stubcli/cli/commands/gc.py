"""`stub gc`: what nothing needs any more, and with --apply its deletion."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from stubcli.advice import Advice, Where
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, emit_text, say, tracked
from stubcli.cli.place import home_of, sessions_of, where_of
from stubcli.errors import OK, REFUSED, MissingError, StubError, UsageError, explain, reason_of
from stubcli.files import read_regular
from stubcli.retention.gc import model, planfile, sweep
from stubcli.retention.gc.model import Plan, Policy, Problem, Verdict
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.gc.policy import policy_of, show_duration
from stubcli.settings import readers
from stubcli.settings.option import flag, optional
from stubcli.settings.table import settings_of
from stubcli.store import open_session
from stubcli.text.display import amount

SHOWN = 20
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
_QUIET = flag("quiet", "--quiet", "Print nothing when all is well.")
_MAKE_PLAN = Advice("gc", plan="FILE", lead="make one with")
_NEXT: dict[str, str | Advice] = {
    "pending_claim": Advice("lease reconcile", lead="ask its owner"),
    "claim_names_other_bytes": Advice("lease ls"),
    "enough_deletions": "run it again, or take --max-deletions all",
    "not_in_the_plan": "plan again",
    "is_moved_or_left_over": Advice("check", repair=True),
    "second_file_in_incoming": Advice("check", repair=True),
    "changed_and_not_put_back": Advice("check", repair=True, lead="put it back"),
    "not_a_name_of_ours": "",
    "lost_journal": "kept as long as anything its journal may have protected",
    model.PLANNED_DELETE: "delete with --apply",
    model.RETAINED_REFERENCED: Advice(
        "lease ls", lead="unpin what is pinned (stub unpin REF), or see"
    ),
    model.RETAINED_UNKNOWN: Advice("check"),
    model.RETAINED_CORRUPT: Advice("check"),
    model.DENIED: "see what is there",
    model.MISSING_REFERENCED: Advice("lease ls"),
    model.RACE_DETECTED: "run it again",
}

# What can be asked of every session at once.
_OF_ALL_SESSIONS = ("check", "lease ls")
_REFUSED = ("delete_denied", "read_denied")


def run(given: Given) -> int:
    """Print the plan, or what was deleted; status 6 where a session is unsafe to delete from."""
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
        documents = [_document(plan, wheres[plan.session]) for plan in plans]
        emit_json({"applied": given[_APPLY], "sessions": documents})
    elif not given[_QUIET]:
        where = tuple(
            pair for pair in settings.where if pair[0] == "home" or not given[ALL_SESSIONS]
        )
        _print(plans, given, where)
    for plan in plans:
        _say_problems(plan, wheres[plan.session])
    return REFUSED if any(plan.problems for plan in plans) else OK


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


def _say_problems(plan: Plan, where: Where) -> None:
    for problem in plan.problems[:1]:
        more = f" (and {len(plan.problems) - 1:,} more)" if len(plan.problems) > 1 else ""
        deleted = len(plan.of(model.DELETED))
        what = f"stopped after {deleted:,} deletions" if deleted else "nothing is deleted"
        hint = _worded(problem.hint, where)
        say(f"session {plan.session}: {what}: {problem.what}{more}; {hint}")
    if denied := [one for one in plan.decisions if one.reason in _REFUSED]:
        # Said to cron too: nothing else would tell why it stays, night after night.
        what = amount(len(denied), "artifact")
        say(
            f"session {plan.session}: the system refused {what}, of them {denied[0].name} first;"
            " see its owner, mode and attributes"
        )


def _worded(hint: str | Advice, where: Where) -> str:
    return hint.said(where) if isinstance(hint, Advice) else hint


def _session(home: str, name: str, policy: Policy, given: Given, filed: Plan | None) -> Plan:
    with open_session(home, name) as session:
        # For each its own: while the ones before it were read, others may have written to it.
        now = time.time()
        if filed:
            plan = sweep.plan_again(session, filed, now, watch=_reading)
        else:
            plan = make_plan(session, policy, now, watch=_reading)
        if not given[_APPLY]:
            return plan
        return sweep.sweep(session, plan, now, network=given[_NETWORK], watch=_deleting)


def _reading(going: Iterable[Verdict]) -> Iterator[Verdict]:
    return tracked(going, "reading what may go")


def _deleting(places: Iterable[int]) -> Iterator[int]:
    return tracked(places, "deleting")


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


def _print(plans: list[Plan], given: Given, where: Where) -> None:
    count, size = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for plan in plans:
        for one in plan.decisions:
            count[one.state, one.reason] += 1
            size[one.state, one.reason] += one.size
    keys = sorted(count, key=lambda key: (model.STATES.index(key[0]), key[1]))
    rows = [
        (state, reason.replace("_", " "), f"{count[state, reason]:,}",
         f"{size[state, reason]:,}", _worded(_next(state, reason, plans, given), where))
        for state, reason in keys
    ]  # fmt: skip
    emit_rows(("state", "why", "count", "bytes", "next"), rows, right=("count", "bytes"))
    _list(plans, given)
    for plan in plans:
        if plan.over:
            keep = plan.policy.keep_bytes or 0
            say(
                f"session {plan.session} stays {plan.over:,} bytes above the {keep:,} it should"
                " keep: nothing else is unreferenced and old enough, or within --max-deletions"
            )
    say(_sum(plans, given, where))


def _next(state: str, reason: str, plans: list[Plan], given: Given) -> str | Advice:
    if state == model.RETAINED_RECENT and reason != "lost_journal":
        limits = sorted({plan.policy.older_than for plan in plans})
        return "goes once unused for " + ", ".join(show_duration(limit) for limit in limits)
    found = _NEXT.get(reason, _NEXT.get(state, ""))
    if isinstance(found, Advice) and given[ALL_SESSIONS] and found.verb in _OF_ALL_SESSIONS:
        return found.but(all_sessions=True)
    return found


def _list(plans: list[Plan], given: Given) -> None:
    """The first of what goes, one by one."""
    going = [(plan, one) for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    for plan, one in going[:SHOWN]:
        verb = "deleted" if one.state == model.DELETED else "would delete"
        where = f"{plan.session}/{one.number}" if given[ALL_SESSIONS] else f"{one.number}"
        emit_text(
            f"{verb} {where} {one.sha256[:12]}, {one.size:,} bytes, unused for {_age(one.age)}\n"
        )
    if len(going) > SHOWN:
        emit_text(f"… and {len(going) - SHOWN:,} more: --json lists all\n")


def _age(seconds: int) -> str:
    for unit, size in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _sum(plans: list[Plan], given: Given, where: Where) -> str:
    going = [one for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    freed = sum(one.size for one in going)
    kept = sum(plan.size for plan in plans) - freed
    verb = "deleted" if given[_APPLY] else "would delete"
    line = f"{verb} {amount(len(going), 'artifact')}, {freed:,} bytes; kept {kept:,} bytes"
    if going and not given[_APPLY]:
        line += f"; {_advice(given, where)}"
    return line


def _advice(given: Given, where: Where) -> str:
    if (path := given[_PLAN]) is None:
        return "do it with the same options and --apply"
    again = Advice("gc", apply=True, plan=path, all_sessions=given[ALL_SESSIONS], lead="do it with")
    return again.said(where)


def _document(plan: Plan, where: Where) -> dict[str, object]:
    states = Counter(one.state for one in plan.decisions)
    return {
        "session": plan.session,
        "bytes": plan.size,
        "over_bytes": plan.over,
        "policy": asdict(plan.policy),
        "counts": dict(sorted(states.items())),
        "problems": [{"what": one.what, "next": _worded(one.hint, where)} for one in plan.problems],
        "decisions": [_row(one) for one in plan.decisions],
    }


def _row(one: Verdict) -> dict[str, object]:
    """Everything about a decision that means something outside: no path and no snapshot."""
    row: dict[str, object] = {
        "number": one.number,
        "name": one.name,
        "state": one.state,
        "reason": one.reason,
        "bytes": one.size,
        "age_seconds": one.age,
        "reference_count": one.references,
        "transactions": list(one.transactions),
    }
    return row | ({"sha256": one.sha256} if one.sha256 else {})


COMMAND = Command(
    "gc",
    """Delete what nothing needs any more.

    Prints the plan; deletes with --apply.
    """,
    run,
    (_APPLY, _PLAN, _NETWORK, _QUIET, ALL_SESSIONS, JSON),
    examples=(
        ("See what would be deleted:", "stub gc --older-than 7d"),
        ("Delete it, in every session, from cron:", "stub gc --apply --all-sessions --quiet"),
    ),
)
