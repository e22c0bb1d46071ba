"""`stub gc`: what nothing needs any more, and with --apply its deletion."""

import os
import shlex
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace

from stubcli.commands.answer import emit_json, emit_rows, emit_text, say, tracked
from stubcli.commands.place import home_of, sessions_of, suffix_of
from stubcli.errors import OK, REFUSED, MissingError, StubError, UsageError
from stubcli.retention.gc import model, planfile, safety
from stubcli.retention.gc.apply import apply_plan
from stubcli.retention.gc.model import Plan, Policy, Problem, Verdict
from stubcli.retention.gc.plan import make_plan
from stubcli.retention.gc.policy import policy_of, show_duration
from stubcli.settings.load import Settings
from stubcli.store import open_session
from stubcli.store.surface import Session

SHOWN = 20
LIMITS = ("older_than", "max_deletions", "keep_bytes")
# {}: the options that mean the same store and sessions.
_NEXT = {
    "pending_claim": "ask its owner: stub lease reconcile",
    "claim_names_other_bytes": "see: stub lease ls{}",
    "enough_deletions": "run it again, or take --max-deletions all",
    "not_in_the_plan": "plan again",
    "is_moved_or_left_over": "see: stub check --repair{}",
    "second_file_in_incoming": "see: stub check --repair{}",
    "changed_and_not_put_back": "put it back: stub check --repair{}",
    "not_a_name_of_ours": "",
    "lost_journal": "kept as long as anything its journal may have protected",
    model.PLANNED_DELETE: "delete with --apply",
    model.RETAINED_REFERENCED: "see: stub lease ls{}, stub unpin",
    model.RETAINED_UNKNOWN: "see: stub check{}",
    model.RETAINED_CORRUPT: "see: stub check{}",
    model.DENIED: "see what stands there",
    model.MISSING_REFERENCED: "see: stub lease ls{}",
    model.RACE_DETECTED: "run it again",
}

_REFUSED = ("delete_denied", "read_denied")


@dataclass(frozen=True)
class Asked:
    """How to go about it. plan: the file that a plan is written to, or with `apply` read from."""

    apply: bool = False
    plan: str | None = None
    network: bool = False
    everywhere: bool = False


def gc(
    settings: Settings,
    asked: Asked,
    *,
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Print the plan, or what was deleted; status 6 where a session is unsafe to delete from."""
    policy = policy_of(settings)
    home = os.path.realpath(home_of(settings))
    names = sessions_of(settings, everywhere=asked.everywhere)
    filed: dict[str, Plan] = {}
    if asked.apply and asked.plan is not None:
        if any(settings.sources[name].startswith("--") for name in LIMITS):
            raise UsageError("a plan that is applied has its own limits", "give --plan alone")
        read = planfile.load_plans(_read(asked.plan), home, time.time())
        filed = {plan.session: plan for plan in read}
        if strange := sorted(filed.keys() - set(names)):
            raise UsageError(
                f"the plan is of session {strange[0]}", "see: --session, --all-sessions"
            )
        names = [name for name in names if name in filed]
    plans = []
    for name in names:
        try:
            plan = _session(home_of(settings), name, policy, asked, filed.get(name))
            plans.append(_with_commands(plan, settings))
        except MissingError:
            continue
        except StubError as error:
            plans.append(_unusable(name, policy, Problem(error.message, error.hint)))
        except OSError as error:
            what = f"it cannot be read: {error.strerror or error}"
            plan = _unusable(name, policy, Problem(what, "see: stub check"))
            plans.append(_with_commands(plan, settings))
    if asked.plan is not None and not asked.apply:
        _write(asked.plan, planfile.dump_plans(plans, home))
    if as_json:
        emit_json({"applied": asked.apply, "sessions": [_document(plan) for plan in plans]})
    elif not quiet:
        _print(plans, asked, settings)
    for plan in plans:
        for problem in plan.problems[:1]:
            more = f" (and {len(plan.problems) - 1:,} more)" if len(plan.problems) > 1 else ""
            deleted = len(plan.of(model.DELETED))
            what = f"stopped after {deleted:,} deletions" if deleted else "nothing is deleted"
            say(f"session {plan.session}: {what}: {problem.what}{more}; {problem.hint}")
        if denied := [one for one in plan.decisions if one.reason in _REFUSED]:
            # Said to cron too: nothing else would tell why it stays, night after night.
            say(
                f"session {plan.session}: the system refused {_artifacts(len(denied))}, of them"
                f" {denied[0].name} first; see its owner, mode and attributes"
            )
    return REFUSED if any(plan.problems for plan in plans) else OK


def _session(home: str, name: str, policy: Policy, asked: Asked, filed: Plan | None) -> Plan:
    with open_session(home, name) as session:
        # For each its own: while the ones before it were read, others may have written to it.
        now = time.time()
        if filed:
            only = frozenset(one.number for one in filed.decisions if one.number is not None)
            plan = make_plan(session, filed.policy, now, only=only, watch=_reading)
            plan = planfile.still_true(filed, plan)
        else:
            plan = make_plan(session, policy, now, watch=_reading)
        return _applied(session, plan, asked, now) if asked.apply else plan


def _applied(session: Session, plan: Plan, asked: Asked, now: float) -> Plan:
    remote = None if asked.network else safety.remote(session)
    if remote:
        plan = replace(plan, problems=(*plan.problems, remote))
    return apply_plan(session, plan, now, watch=_deleting)


def _reading(going: Iterable[Verdict]) -> Iterator[Verdict]:
    return tracked(going, "reading what may go")


def _deleting(places: Iterable[int]) -> Iterator[int]:
    return tracked(places, "deleting")


def _unusable(name: str, policy: Policy, problem: Problem) -> Plan:
    return Plan(name, time.time(), 0.0, policy, 0, (), (problem,))


def _with_commands(plan: Plan, settings: Settings) -> Plan:
    """The plan with advice that means this very session, wherever it is pasted."""
    suffix = suffix_of(settings, plan.session)
    problems = (replace(one, hint=_pasted(one.hint, suffix)) for one in plan.problems)
    return replace(plan, problems=tuple(problems))


def _pasted(advice: str, suffix: str) -> str:
    return advice + suffix if ": stub " in advice else advice


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        raise UsageError(f"{path!r} is no plan", "make one with: stub gc --plan FILE") from None
    except OSError as error:
        raise UsageError(
            f"{path!r}: {error.strerror}", "make one with: stub gc --plan FILE"
        ) from None


def _write(path: str, text: str) -> None:
    """A new file that only this user may read; what exists is never replaced."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path!r}: {error.strerror}", "name a new file for the plan") from None


def _print(plans: list[Plan], asked: Asked, settings: Settings) -> None:
    count, size = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for plan in plans:
        for one in plan.decisions:
            count[one.state, one.reason] += 1
            size[one.state, one.reason] += one.size
    keys = sorted(count, key=lambda key: (model.STATES.index(key[0]), key[1]))
    rows = [
        (state, reason.replace("_", " "), f"{count[state, reason]:,}",
         f"{size[state, reason]:,}", _next(state, reason, plans).format(_where(asked, settings)))
        for state, reason in keys
    ]  # fmt: skip
    emit_rows(("state", "why", "count", "bytes", "next"), rows, right=("count", "bytes"))
    _list(plans, asked)
    for plan in plans:
        if plan.over:
            keep = plan.policy.keep_bytes or 0
            say(
                f"session {plan.session} stays {plan.over:,} bytes above the {keep:,} it should"
                " keep: nothing more is both unneeded and old enough, or within --max-deletions"
            )
    say(_sum(plans, asked, settings))


def _next(state: str, reason: str, plans: list[Plan]) -> str:
    if state == model.RETAINED_RECENT and reason != "lost_journal":
        limits = sorted({plan.policy.older_than for plan in plans})
        return "goes once unused for " + ", ".join(show_duration(limit) for limit in limits)
    return _NEXT.get(reason, _NEXT.get(state, ""))


def _list(plans: list[Plan], asked: Asked) -> None:
    """The first of what goes, one by one."""
    going = [(plan, one) for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    for plan, one in going[:SHOWN]:
        verb = "deleted" if one.state == model.DELETED else "would delete"
        where = f"{plan.session}/{one.number}" if asked.everywhere else f"{one.number}"
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


def _sum(plans: list[Plan], asked: Asked, settings: Settings) -> str:
    going = [one for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    freed = sum(one.size for one in going)
    kept = sum(plan.size for plan in plans) - freed
    verb = "deleted" if asked.apply else "would delete"
    line = f"{verb} {_artifacts(len(going))}, {freed:,} bytes; kept {kept:,} bytes"
    if going and not asked.apply:
        line += f"; {_advice(asked, settings)}"
    return line


def _where(asked: Asked, settings: Settings) -> str:
    """The options that a printed command must repeat to mean the same store and sessions."""
    return settings.suffix(session=not asked.everywhere) + " --all-sessions" * asked.everywhere


def _advice(asked: Asked, settings: Settings) -> str:
    if asked.plan is not None:
        where = f"{shlex.quote(asked.plan)}{_where(asked, settings)}"
        return f"do it with: stub gc --apply --plan {where}"
    return "do it with the same options and --apply"


def _artifacts(count: int) -> str:
    return "1 artifact" if count == 1 else f"{count:,} artifacts"


def _document(plan: Plan) -> dict[str, object]:
    states = Counter(one.state for one in plan.decisions)
    return {
        "session": plan.session,
        "bytes": plan.size,
        "over_bytes": plan.over,
        "policy": asdict(plan.policy),
        "counts": dict(sorted(states.items())),
        "problems": [{"what": one.what, "next": one.hint} for one in plan.problems],
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
