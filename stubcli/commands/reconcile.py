"""`stub lease reconcile`: ask the memory what became of the leases that are pending."""

import shlex
from collections.abc import Sequence

from stubcli.commands.answer import emit_json, emit_rows, say, tracked
from stubcli.commands.place import opened, session_of
from stubcli.errors import OK, REFUSED, UsageError
from stubcli.retention.leases.owners import Owner
from stubcli.retention.leases.reconcile import Settlement, choose_leases, settle
from stubcli.settings.load import Settings

HEADER = ("transaction", "status", "reason", "generation")


def reconcile(
    settings: Settings,
    owner: str,
    *,
    transactions: Sequence[str] = (),
    name: str | None = None,
    timeout: float = 30,
    as_json: bool = False,
) -> int:
    """Settle what can be settled; status 6 where something stays pending."""
    memory = _owner(owner, timeout)
    with opened(settings, session_of(settings)) as session:
        pending = choose_leases(session, transactions or None, name)
        reports = [
            settle(session, memory, lease, _tell)
            for lease in tracked(pending, "asking the memory", len(pending))
        ]
    left = sum(report.pending for report in reports)
    if as_json:
        emit_json({"pending": left, "reports": [report.to_dict() for report in reports]})
    else:
        emit_rows(HEADER, [_cells(report) for report in reports], right=("generation",))
        say(_line(len(reports), left))
    return REFUSED if left else OK


def _tell(transaction: str, error: Exception) -> None:
    say(f"transaction {transaction}: the owner failed: {error}")


def _line(count: int, pending: int) -> str:
    if not count:
        return "nothing is pending"
    if not pending:
        return f"{count:,} settled"
    stay = "stays" if pending == 1 else "stay"
    return f"{count - pending:,} settled, {pending:,} {stay} pending and protected; try again"


def _cells(report: Settlement) -> list[str]:
    generation = "" if report.generation is None else str(report.generation)
    return [report.transaction_id, report.status, report.reason, generation]


def _owner(text: str, timeout: float) -> Owner:
    kind, _, rest = text.partition(":")
    if kind == "sqlite" and rest:
        from stubcli.retention.leases.sqlite_owner import SqliteOwner

        memory = SqliteOwner(rest, timeout=timeout)
        memory.check()
        return memory
    if kind == "exec" and rest:
        from stubcli.retention.leases.exec_owner import ExecOwner
        from stubcli.retention.leases.program import check_program

        try:
            argv = shlex.split(rest)
        except ValueError as error:
            raise UsageError(f"{rest!r} is no command: {error}", "balance its quotes") from None
        check_program(argv)
        return ExecOwner(argv, timeout=timeout)
    raise UsageError(f"{text!r} is no owner", "give sqlite:FILE or exec:COMMAND")
