"""How a collection is printed: its decisions, what is wrong, what a limit left.

Knows what was decided, and nothing of how.
"""

from collections import Counter
from dataclasses import asdict

from stubcli.advice import Advice, Where
from stubcli.cli.output import emit_rows, emit_text, say
from stubcli.retention.gc import model
from stubcli.retention.gc.model import Plan, Verdict
from stubcli.text.display import amount
from stubcli.text.durations import rough, span

SHOWN = 20
_GIVE_UP = Advice("check", repair=True, accept_loss=True, lead="restore it, or give it up with")
_NEXT: dict[str, str | Advice] = {
    "pending_claim": Advice("lease reconcile", lead="ask its owner"),
    "claim_names_other_bytes": Advice("lease ls"),
    "enough_deletions": "run it again, or take --max-deletions all",
    "not_in_the_plan": "plan again",
    "is_moved_or_left_over": Advice("check", repair=True),
    "second_file_in_incoming": Advice("check", repair=True),
    "changed_and_not_put_back": Advice("check", repair=True, lead="put it back"),
    "not_a_name_of_ours": "",
    "second_name": "remove its other name, or restore it where that is another file",
    "data_without_record": Advice("check", repair=True),
    "record_without_data": _GIVE_UP,
    "several_records": _GIVE_UP,
    "not_a_regular_file": _GIVE_UP,
    "removal_is_unfinished": "finish it with --apply",
    "claim_on_what_was_given_up": Advice("lease ls", lead="release it, or see"),
    "lost_journal": "kept as long as anything its journal may have protected",
    model.PLANNED_DELETE: "delete with --apply",
    model.RETAINED_REFERENCED: Advice(
        "lease ls", lead="unpin what is pinned (stub unpin REF), or see"
    ),
    model.RETAINED_UNKNOWN: Advice("check"),
    model.RETAINED_CORRUPT: _GIVE_UP,
    model.DENIED: "see what is there: its owner, mode and attributes",
    model.MISSING_REFERENCED: Advice("lease ls"),
    model.RACE_DETECTED: "run it again",
}

_STAYS = {
    model.RETAINED_CORRUPT: "damaged and kept",
    model.RETAINED_UNKNOWN: "kept",
    model.DENIED: "kept, since deleting it is denied",
    model.MISSING_REFERENCED: "claimed and missing",
}
# What can be asked of every session at once.
_OF_ALL_SESSIONS = ("check", "lease ls")


def say_what_is_wrong(plan: Plan, where: Where) -> None:
    """One line for what stops all deletions, one for what keeps itself."""
    for problem in plan.problems[:1]:
        more = f" (and {len(plan.problems) - 1:,} more)" if len(plan.problems) > 1 else ""
        deleted = len(plan.of(model.DELETED))
        what = f"stopped after {amount(deleted, 'deletion')}" if deleted else "nothing is deleted"
        hint = _worded(problem.hint, where)
        say(f"session {plan.session}: {what}: {problem.what}{more}; {hint}")
    if unclear := plan.unclear:
        # Said to cron too: nothing else would tell why it stays, night after night.
        one, others = unclear[0], len(unclear) - 1
        more = f" (and {amount(others, 'other')})" if others else ""
        hint = _worded(_NEXT.get(one.reason, _NEXT[one.state]), where)
        why = one.reason.replace("_", " ")
        say(f"session {plan.session}: {one.name} is {_STAYS[one.state]}: {why}{more}; {hint}")


def say_what_is_left(plan: Plan) -> None:
    """What a limit kept from being done: cron would wait for it for ever."""
    if due := plan.due:
        say(
            f"session {plan.session}: {amount(len(due), 'more artifact')} may go: --max-deletions"
            f" {plan.policy.max_deletions} was reached; run it again, or take --max-deletions all"
        )
    if plan.over:
        keep = plan.policy.keep_bytes or 0
        say(
            f"session {plan.session} stays {amount(plan.over, 'byte')} above the {keep:,} it should"
            " keep; nothing else is unreferenced and old enough, or within --max-deletions"
        )


def _worded(hint: str | Advice, where: Where) -> str:
    return hint.said(where) if isinstance(hint, Advice) else hint


def print_plans(
    plans: list[Plan], where: Where, *, applied: bool, everywhere: bool, paper: str | None
) -> None:
    """The table, what goes, and the sum. paper: the plan's file, where one is made or applied."""
    count, size = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for plan in plans:
        for one in plan.decisions:
            count[one.state, one.reason] += 1
            size[one.state, one.reason] += one.size
    keys = sorted(count, key=lambda key: (model.STATES.index(key[0]), key[1]))
    rows = [
        (state, reason.replace("_", " "), f"{count[state, reason]:,}",
         f"{size[state, reason]:,}", _worded(_next(state, reason, plans, everywhere), where))
        for state, reason in keys
    ]  # fmt: skip
    emit_rows(("state", "why", "count", "bytes", "next"), rows, right=("count", "bytes"))
    _list(plans, everywhere)
    say(_sum(plans, where, applied=applied, paper=paper, everywhere=everywhere))


def _next(state: str, reason: str, plans: list[Plan], everywhere: bool) -> str | Advice:
    if state == model.RETAINED_RECENT and reason != "lost_journal":
        limits = sorted({plan.policy.older_than for plan in plans})
        return "goes once unused for " + ", ".join(span(limit) for limit in limits)
    found = _NEXT.get(reason, _NEXT.get(state, ""))
    if isinstance(found, Advice) and everywhere and found.verb in _OF_ALL_SESSIONS:
        return found.but(all_sessions=True)
    return found


def _list(plans: list[Plan], everywhere: bool) -> None:
    """The first of what goes, one by one."""
    going = [(plan, one) for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    for plan, one in going[:SHOWN]:
        verb = "deleted" if one.state == model.DELETED else "would delete"
        where = f"{plan.session}/{one.number}" if everywhere else f"{one.number}"
        size, age = amount(one.size, "byte"), rough(one.age)
        emit_text(f"{verb} {where} {one.sha256[:12]}, {size}, unused for {age}\n")
    if len(going) > SHOWN:
        emit_text(f"… and {len(going) - SHOWN:,} more: --json lists all\n")


def _sum(
    plans: list[Plan], where: Where, *, applied: bool, paper: str | None, everywhere: bool
) -> str:
    going = [one for plan in plans for one in plan.of(model.PLANNED_DELETE, model.DELETED)]
    freed = sum(one.size for one in going)
    kept = sum(plan.size for plan in plans) - freed
    verb = "deleted" if applied else "would delete"
    line = f"{verb} {amount(len(going), 'artifact')}, {amount(freed, 'byte')}"
    line += f"; kept {amount(kept, 'byte')}"
    if going and not applied:
        line += f"; {_advice(where, paper, everywhere)}"
    return line


def _advice(where: Where, paper: str | None, everywhere: bool) -> str:
    if paper is None:
        return "do it with the same options and --apply"
    again = Advice("gc", apply=True, plan=paper, all_sessions=everywhere, lead="do it with")
    return again.said(where)


def document_of(plan: Plan, where: Where) -> dict[str, object]:
    states = Counter(one.state for one in plan.decisions)
    return {
        "session": plan.session,
        "bytes": plan.size,
        "over_bytes": plan.over,
        "policy": asdict(plan.policy),
        "counts": dict(sorted(states.items())),
        "due": len(plan.due),
        "unclear": len(plan.unclear),
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
