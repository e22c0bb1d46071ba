"""`stub lease reconcile`: ask the memory what became of the leases that are pending."""

import shlex

from stubcli.cli.command import JSON, Command, Given
from stubcli.cli.output import emit_json, emit_rows, say
from stubcli.cli.place import opened, session_of
from stubcli.cli.progress import tracked
from stubcli.errors import OK, REFUSED, UsageError
from stubcli.retention.leases.owners import Owner
from stubcli.retention.leases.reconcile import Settlement, choose_leases, settle
from stubcli.settings import readers
from stubcli.settings.option import Option, optional, repeated

HEADER = ("transaction", "status", "reason", "generation")


_OWNER: Option[str] = Option(
    "owner",
    "--owner",
    "The memory: sqlite:FILE, or exec:CMD, which exchanges JSON lines.",
    readers.text,
    metavar="OWNER",
    required=True,
)
_TRANSACTION = repeated(
    "transaction",
    "--transaction",
    "Settle only this one; may be repeated.",
    readers.text,
    metavar="ID",
    complete="transaction",
)
_AS = optional(
    "as", "--as", "Settle what was prepared for this owner.", readers.text, metavar="NAME"
)
_TIMEOUT: Option[float] = Option(
    "timeout",
    "--timeout",
    "Wait for the memory this long: 30, 90s, 5m.",
    readers.duration,
    default="30",
    metavar="DURATION",
)


def run(given: Given) -> int:
    """Settle what can be settled; status 6 where something stays pending."""
    settings = given.settings()
    memory = _owner(given[_OWNER], given[_TIMEOUT])
    with opened(settings, session_of(settings)) as session:
        pending = choose_leases(session, given[_TRANSACTION] or None, given[_AS])
        reports = [
            settle(session, memory, lease, _report_failure)
            for lease in tracked(pending, "asking the memory", len(pending))
        ]
    left = sum(report.pending for report in reports)
    if given[JSON]:
        emit_json({"pending": left, "reports": [report.to_dict() for report in reports]})
    else:
        emit_rows(HEADER, [_cells(report) for report in reports], right=("generation",))
        say(_line(len(reports), left))
    return REFUSED if left else OK


def _report_failure(transaction: str, error: Exception) -> None:
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
            raise UsageError(f"invalid command {rest!r}: {error}", "balance its quotes") from None
        check_program(argv)
        return ExecOwner(argv, timeout=timeout)
    raise UsageError(f"invalid owner {text!r}", "give sqlite:FILE or exec:COMMAND")


COMMAND = Command(
    "lease reconcile",
    """Ask the memory what became of pending leases, and settle them.

    A reference that is published commits its lease. One that is absent is forbidden in the memory
    for ever before its lease is aborted. Anything less certain stays pending and protected, and the
    status is 6. The memory is only asked about leases prepared for it: those that name an owner
    need --as with that name, all others none.

    An exec: program is started for each transaction and asked in JSON, one object a line, each
    answered by one. {"request": "inspect", "transaction_id", "source_id", "content_sha256"}: it
    holds everything still and answers {"transaction_id", "generation", "presence"}, presence being
    published, with source_id and content_sha256, or absent, with absence_sealed true if there is a
    tombstone, or unknown. {"request": "seal", "transaction_id", "generation"}: it writes a
    tombstone, durably, and answers as before with a higher generation, or {"error":
    "generation_changed"}. {"request": "release", "transaction_id"}: it lets go, answers {} and
    ends.
    """,
    run,
    (_OWNER, _TRANSACTION, _AS, _TIMEOUT, JSON),
    examples=(
        (
            "Settle what an SQLite memory knows:",
            "stub lease reconcile --owner sqlite:memory.sqlite",
        ),
    ),
)
