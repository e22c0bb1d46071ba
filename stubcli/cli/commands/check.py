"""`stub check`: verify artifacts, records and leases; with --repair finish or adopt leftovers."""

from collections import Counter
from collections.abc import Iterator

from stubcli.advice import Advice, Where
from stubcli.cli.command import ALL_SESSIONS, JSON, Command, Given
from stubcli.cli.output import emit_json, emit_text, say
from stubcli.cli.place import home_of, sessions_of
from stubcli.cli.progress import Progress
from stubcli.errors import INTEGRITY, NOT_STORED, OK, MissingError, StubError, UsageError, explain
from stubcli.retention.leases import upkeep
from stubcli.retention.leases.file_names import JOURNAL
from stubcli.retrieve.kept import size_of
from stubcli.settings.option import flag
from stubcli.store import open_session, values
from stubcli.store.values import Finding
from stubcli.text.display import one_line

NOT_CHECKED = "not checked"


_REPAIR = flag("repair", "--repair", "Finish or adopt what a crash left.")
_ACCEPT_LOSS = flag(
    "accept_loss",
    "--accept-loss",
    "With --repair: give up what is damaged. It is moved aside and kept, and references to it say "
    "so. Whatever lost leases protected is kept until it is as old again as gc demands.",
)


def run(given: Given) -> int:
    """Print what is wrong and what was repaired; status 4 where anything is damaged.

    With --all-sessions a session that cannot be used does not stop the others; status 5 where
    nothing is worse.
    """
    settings, everywhere = given.settings(), given[ALL_SESSIONS]
    if given[_ACCEPT_LOSS] and not given[_REPAIR]:
        raise UsageError("--accept-loss does nothing by itself", "add --repair")
    findings: list[Finding] = []
    for name in sessions_of(settings, everywhere=everywhere):
        try:
            findings.extend(_session(home_of(settings), name, given[_REPAIR], given[_ACCEPT_LOSS]))
        except (StubError, OSError) as error:
            if not everywhere:
                raise
            findings.append(Finding(name, "(session)", NOT_CHECKED, explain(error)))
    counts = Counter(finding.status for finding in findings)
    if given[JSON]:
        emit_json(
            {
                "counts": dict(counts),
                "findings": [vars(f) for f in findings if f.status != values.OK],
            }
        )
    else:
        where = tuple(p for p in settings.where if p[0] == "home" or not everywhere)
        _print(findings, counts, Advice("check", repair=True, all_sessions=everywhere), where)
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
            if accept_loss:
                yield from upkeep.give_up(session)
        with Progress(f"checking {name}", size_of(session)) as progress:
            yield from session.verify(progress.follow)
        yield from upkeep.verify(session)


def _print(findings: list[Finding], counts: Counter[str], mend: Advice, where: Where) -> None:
    """mend: the command that repairs these sessions."""
    for finding in findings:
        if finding.status != values.OK:
            # The name may be anybody's: of what was put there.
            line = f"{finding.session} {finding.name}: {finding.status}: {finding.what}"
            emit_text(one_line(line) + "\n")
    total = ", ".join(f"{counts[status]:,} {status}" for status in _ORDER if counts[status])
    line = total or "nothing is kept here"
    if counts[values.LEFTOVER]:
        line += f"; adopt what was left over with: {mend.shell(where)}"
    leases = sum(f.status == values.DAMAGED and f.name.startswith(JOURNAL) for f in findings)
    if counts[values.DAMAGED] > leases:
        line += (
            "; what is damaged is kept and never served: restore it, or give it up and run its"
            f" command again: {mend.but(accept_loss=True).shell(where)}"
        )
    if leases:
        line += (
            "; nothing is deleted while leases are damaged: restore them, or go on without them:"
            f" {mend.but(accept_loss=True).shell(where)}"
        )
    say(line)


_ORDER = (
    values.OK,
    values.REPAIRED,
    values.DAMAGED,
    values.LEFTOVER,
    values.WRITING,
    values.FOREIGN,
    values.LOST,
    NOT_CHECKED,
)

COMMAND = Command(
    "check",
    """Verify everything that is kept.

    Compares every artifact, record and lease with what was recorded.
    """,
    run,
    (_REPAIR, _ACCEPT_LOSS, ALL_SESSIONS, JSON),
    examples=(
        ("Verify what this workspace keeps:", "stub check"),
        ("Finish what a crash left:", "stub check --repair"),
        ("Give up what is damaged:", "stub check --repair --accept-loss"),
    ),
)
