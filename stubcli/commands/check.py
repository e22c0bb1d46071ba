"""`stub check`: verify artifacts, records and leases; with --repair finish or adopt leftovers."""

from collections import Counter
from collections.abc import Iterator

from stubcli.commands.answer import emit_json, emit_text, say, tracked
from stubcli.commands.place import home_of, sessions_of
from stubcli.errors import INTEGRITY, NOT_STORED, OK, MissingError, StubError, UsageError
from stubcli.retention.leases import upkeep
from stubcli.retention.leases.files import JOURNAL
from stubcli.settings.load import Settings
from stubcli.store import open_session, values
from stubcli.store.values import Finding

NOT_CHECKED = "not checked"


def check(
    settings: Settings,
    *,
    mend: bool = False,
    accept_loss: bool = False,
    everywhere: bool = False,
    as_json: bool = False,
) -> int:
    """Print what is not in order and what was repaired; status 4 where anything is damaged.

    accept_loss: where mending, go on without the leases that damage took. everywhere: a session
    that cannot be used stops none of the others; status 5 where nothing is worse.
    """
    if accept_loss and not mend:
        raise UsageError("--accept-loss does nothing by itself", "add --repair")
    findings: list[Finding] = []
    for name in sessions_of(settings, everywhere=everywhere):
        try:
            findings.extend(_session(home_of(settings), name, mend, accept_loss))
        except (StubError, OSError) as error:
            if not everywhere:
                raise
            why = str(error) if isinstance(error, StubError) else error.strerror or str(error)
            findings.append(Finding(name, "(session)", NOT_CHECKED, why))
    counts = Counter(finding.status for finding in findings)
    if as_json:
        emit_json(
            {
                "counts": dict(counts),
                "findings": [vars(f) for f in findings if f.status != values.OK],
            }
        )
    else:
        where = settings.suffix(session=not everywhere) + " --all-sessions" * everywhere
        _print(findings, counts, where)
    if counts[values.DAMAGED]:
        return INTEGRITY
    return NOT_STORED if counts[NOT_CHECKED] else OK


def _session(home: str, name: str, mend: bool, accept_loss: bool) -> Iterator[Finding]:
    try:
        session = open_session(home, name)
    except MissingError:
        return
    with session:
        if mend:
            yield from session.repair()
            yield from upkeep.repair(session, accept_loss=accept_loss)
        yield from tracked(session.verify(), f"checking {name}")
        yield from upkeep.verify(session)


def _print(findings: list[Finding], counts: Counter[str], where: str) -> None:
    """where: the options that a printed command must repeat to mean the same sessions."""
    for finding in findings:
        if finding.status != values.OK:
            emit_text(f"{finding.session} {finding.name}: {finding.status}: {finding.what}\n")
    total = ", ".join(f"{counts[status]:,} {status}" for status in _ORDER if counts[status])
    line = total or "nothing is kept here"
    if counts[values.LEFTOVER]:
        line += f"; adopt what was left over with: stub check --repair{where}"
    leases = sum(f.status == values.DAMAGED and f.name.startswith(JOURNAL) for f in findings)
    if counts[values.DAMAGED] > leases:
        line += (
            "; what is damaged is kept and never served, and gc deletes nothing beside it:"
            " restore it, or move it and its record away and run its command again"
        )
    if leases:
        line += (
            "; nothing is deleted while leases are damaged: restore them, or go on without them:"
            f" stub check --repair --accept-loss{where}"
        )
    say(line)


_ORDER = (
    values.OK,
    values.REPAIRED,
    values.DAMAGED,
    values.LEFTOVER,
    values.WRITING,
    values.FOREIGN,
    upkeep.LOST,
    NOT_CHECKED,
)
