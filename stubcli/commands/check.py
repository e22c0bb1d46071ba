"""`stub check`: verify artifacts, records and leases; with --repair finish or adopt leftovers."""

from collections import Counter

from stubcli.commands.answer import emit_json, emit_text, say, tracked
from stubcli.commands.place import home_of, sessions_of
from stubcli.errors import INTEGRITY, OK, MissingError, UsageError
from stubcli.leases import upkeep
from stubcli.leases.files import JOURNAL
from stubcli.settings.load import Settings
from stubcli.store import repair
from stubcli.store.layout import close_session, open_session
from stubcli.store.repair import Finding


def check(
    settings: Settings,
    *,
    mend: bool = False,
    accept_loss: bool = False,
    everywhere: bool = False,
    as_json: bool = False,
) -> int:
    """Print what is not in order and what was repaired; status 4 where anything is damaged.

    accept_loss: where mending, go on without the leases that damage took.
    """
    if accept_loss and not mend:
        raise UsageError("--accept-loss does nothing by itself", "add --repair")
    findings: list[Finding] = []
    for name in sessions_of(settings, everywhere=everywhere):
        try:
            session = open_session(home_of(settings), name, create=False)
        except MissingError:
            continue
        if mend:
            findings += repair.repair(session)
            findings += upkeep.repair(session, accept_loss=accept_loss)
        findings += tracked(repair.inspect(session), f"checking {name}")
        findings += upkeep.inspect(session)
        close_session(session)
    counts = Counter(finding.status for finding in findings)
    if as_json:
        emit_json(
            {
                "counts": dict(counts),
                "findings": [vars(f) for f in findings if f.status != repair.OK],
            }
        )
    else:
        _print(findings, counts)
    return INTEGRITY if counts[repair.DAMAGED] else OK


def _print(findings: list[Finding], counts: Counter[str]) -> None:
    for finding in findings:
        if finding.status != repair.OK:
            emit_text(f"{finding.session} {finding.name}: {finding.status}: {finding.what}\n")
    total = ", ".join(f"{counts[status]:,} {status}" for status in _ORDER if counts[status])
    line = total or "nothing is kept here"
    if counts[repair.LEFTOVER]:
        line += "; adopt what was left over with: stub check --repair"
    leases = sum(f.status == repair.DAMAGED and f.name.startswith(JOURNAL) for f in findings)
    if counts[repair.DAMAGED] > leases:
        line += "; what is damaged is kept and never served: restore it, or run its command again"
    if leases:
        line += (
            "; nothing is deleted while leases are damaged: restore them, or go on without them:"
            " stub check --repair --accept-loss"
        )
    say(line)


_ORDER = (
    repair.OK,
    repair.REPAIRED,
    repair.DAMAGED,
    repair.LEFTOVER,
    repair.WRITING,
    repair.FOREIGN,
    upkeep.LOST,
)
