"""Look after the journal: say what is wrong with it, mend what can be, give up what cannot.

Mending never takes protection away. A journal that is damaged or was rolled back may have
protected anything, so only the user can accept the loss: its intact leading lines stay in force,
the whole file is kept as retention-leases.jsonl.lost-N, and because that stands there
`claims.lost_at` keeps everything else by its age, counted from that moment. What is damaged
besides is given up with it, under the journal's lock.
"""

import hashlib
from collections.abc import Iterator

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, RefusedError
from stubcli.retention.leases.anchor import Anchor, Standing, encode, examine
from stubcli.retention.leases.chain import Chain
from stubcli.retention.leases.claims import LOST_NAME
from stubcli.retention.leases.file_names import HEAD, JOURNAL, LOCK, WHAT
from stubcli.retention.leases.journal import Journal
from stubcli.retention.leases.model import TERMINAL
from stubcli.store.surface import LockedJournal, Session
from stubcli.store.values import (
    ACKNOWLEDGED,
    DAMAGED,
    LEFTOVER,
    LOST,
    OK,
    REPAIRED,
    WRITING,
    Finding,
)
from stubcli.text.display import amount

_TRACES = (JOURNAL, HEAD, LOCK, ACKNOWLEDGED)


def verify(session: Session) -> Iterator[Finding]:
    """What is to be said of the session's journal, and of those that were lost.

    Changes nothing, and finds nothing where there never was a lease. Raises NotStoredError.
    """
    names = session.side_files()
    if any(name in names for name in _TRACES):
        try:
            with session.lock_files(JOURNAL, WHAT) as files:
                yield _verify(files)
        except RefusedError as error:
            yield Finding(session.name, JOURNAL, WRITING, error.message)
        except IntegrityError as error:  # the lock itself
            yield Finding(session.name, LOCK, DAMAGED, f"{error.message}; move it away by hand")
    for name in sorted(filter(LOST_NAME.fullmatch, names)):
        yield Finding(session.name, name, LOST, "leases that were damaged and given up")


def _verify(files: LockedJournal) -> Finding:
    session = files.session_name
    try:
        standing = _examine(files)
        chain = Chain(session)
        chain.read(standing.lines)
    except IntegrityError as error:
        what = f"{error.message}; {_in_force(_readable(files, JOURNAL)[0])}"
        return Finding(session, JOURNAL, DAMAGED, what)
    if standing.restored:
        what = f"has other line ends; {amount(chain.sequence, 'record is', 'records are')} whole"
        return Finding(session, JOURNAL, LEFTOVER, what)
    if torn := len(standing.torn):
        return Finding(session, JOURNAL, LEFTOVER, f"{amount(torn, 'byte')} of a torn record")
    if not _settled(files, standing):
        return Finding(session, JOURNAL, LEFTOVER, "its last record was not acknowledged")
    return Finding(session, JOURNAL, OK, f"{amount(chain.sequence, 'record')} verified")


def repair(session: Session, *, accept_loss: bool) -> Iterator[Finding]:
    """Mend the journal; where it is damaged and `accept_loss`, go on without what is lost.

    Repeating it changes nothing. Raises NotStoredError.
    """
    names = session.side_files()
    if not any(name in names for name in _TRACES):
        return
    try:
        with session.lock_files(JOURNAL, WHAT) as files:
            try:
                standing = _examine(files)
                Chain(session.name).read(standing.lines)
            except IntegrityError:
                if accept_loss:
                    yield _give_up(files)
                return
            yield from _mend(Journal(files, standing), _settled(files, standing))
    except (RefusedError, IntegrityError) as error:  # `verify` says so
        swallowed("repairing the leases", error)


def give_up(session: Session) -> Iterator[Finding]:
    """Give up every artifact and every line of a log that is damaged. What claims one goes on.

    Raises NotStoredError, RefusedError, OSError.
    """
    damaged = [finding.name for finding in session.verify() if finding.status == DAMAGED]
    if damaged:
        with session.lock_files(JOURNAL, WHAT):
            yield from session.give_up(damaged)


def _examine(files: LockedJournal) -> Standing:
    return examine(files.read(JOURNAL), files.read(HEAD), files.marked, files.session_name)


def _settled(files: LockedJournal, standing: Standing) -> bool:
    anchor = standing.anchor
    return anchor is None or (
        anchor.size == len(standing.lines) and (files.marked or not anchor.sequence)
    )


def _mend(journal: Journal, settled: bool) -> Iterator[Finding]:
    name = journal.session
    journal.settle()
    if not settled:
        yield Finding(name, JOURNAL, REPAIRED, "its last record is acknowledged now")
    for what in journal.mend():
        yield Finding(name, JOURNAL, REPAIRED, what)


def _give_up(files: LockedJournal) -> Finding:
    """Go on with the lines that are intact; the whole file is kept beside them.

    A crash on the way leaves damage, and this begins anew: an anchor comes last.
    """
    session = files.session_name
    chain, data = _readable(files, JOURNAL)
    if data is None:
        files.move(JOURNAL, files.free_name("foreign"))
    name = files.keep_aside("lost", data or b"")
    files.move(HEAD, HEAD + name.removeprefix(JOURNAL))
    files.cut(JOURNAL, chain.size)
    if chain.sequence:
        prefix = hashlib.sha256((data or b"")[: chain.size]).hexdigest()
        anchor = Anchor(session, chain.sequence, chain.size, chain.sha256, prefix)
        files.write(HEAD, encode(anchor), 0)
        files.mark()
    else:
        files.unmark()
    what = f"{_in_force(chain)} and stay in force; the damaged file is kept as {name}"
    return Finding(session, JOURNAL, REPAIRED, what)


def _readable(files: LockedJournal, name: str) -> tuple[Chain, bytes | None]:
    """What the intact leading lines of a journal say, and all its bytes, where it can be read."""
    chain, data = Chain(files.session_name), None
    try:
        data = files.read(name)
        chain.read(data or b"")
    except IntegrityError as error:  # what stands before the damage was taken
        swallowed("reading damaged leases", error)
    return chain, data


def _in_force(chain: Chain) -> str:
    count = sum(lease.phase not in TERMINAL for lease in chain.leases.values())
    return f"{amount(chain.sequence, 'record')} with {amount(count, 'lease')} can be read"
