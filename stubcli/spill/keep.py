"""A large input: write it to the store as it comes, then publish, then print.

Nothing is printed before the artifact is durable, so that whatever fails before can still give
every byte back: from the open file in the store, from memory, from what is not yet read.
"""

from typing import TYPE_CHECKING

from stubcli.detect.facts import dump
from stubcli.errors import OK, StubError
from stubcli.reference import Reference
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.spill.failure import give_up
from stubcli.spill.stream import EDGE, About, Stream, Tally, moment
from stubcli.spill.stub import describe, render
from stubcli.store import open_session
from stubcli.store.measure import Measured
from stubcli.store.records import CAPPED, COMPLETE, INTERRUPTED, Record, Run
from stubcli.text.characters import decode
from stubcli.text.display import FIRST, first_line

if TYPE_CHECKING:
    from stubcli.store.surface import Incoming, Session


# What may happen to whoever keeps an output; anything else is a bug.
_EXPECTED = (OSError, StubError, MemoryError)


def spill(stream: Stream) -> int:
    """Keep what is pending and the rest of the input, and print one stub; the exit status.

    Whatever is raised once the stream is `taken`, the input was read to its end, and is in the
    store or on `out`.
    """
    failure: Exception | None = None
    try:
        stream.taken = True
        stub = _spill(stream)
        if stub is not None:
            stream.out.write(stub)
            return OK
    except Exception as error:
        failure = error
    status = give_up(stream, failure)
    if failure is None or isinstance(failure, _EXPECTED):
        return status
    raise failure


def _spill(stream: Stream) -> bytes | None:
    stream.session, stream.incoming = begin(stream.settings)
    stream.source.widen()
    while stream.pending or stream.read():
        _keep(stream)
    stub = _finish(stream)
    return None if stub is None else stub.encode("utf-8")


def begin(settings: Settings) -> "tuple[Session, Incoming]":
    """The session that the settings mean, open, and a new artifact in it.

    Raises OSError, StubError.
    """
    session = open_session(home_of(settings), session_of(settings), create=True)
    try:
        return session, session.begin()
    except BaseException:
        session.close()
        raise


def _keep(stream: Stream) -> None:
    data, cap = stream.pending, stream.settings.max_bytes
    assert stream.incoming is not None
    kept = data[: max(0, cap - stream.stored)] if cap else data
    if kept:
        stream.incoming.write(kept)
        stream.tally.add(kept)
    stream.count(len(data) - len(kept))


def _finish(stream: Stream) -> str | None:
    assert stream.session
    assert stream.incoming
    state = INTERRUPTED if stream.source.cut_off else CAPPED if stream.dropped else COMPLETE
    return seal(
        stream.session,
        stream.incoming,
        stream.tally,
        stream.settings,
        stream.about(),
        state=state,
        started=stream.started,
        dropped=stream.dropped,
    )[1]


def seal(
    session: "Session",
    incoming: "Incoming",
    tally: Tally,
    settings: Settings,
    about: About,
    *,
    state: str,
    started: str,
    dropped: int = 0,
    always: bool = False,
) -> tuple[Record, str | None]:
    """Make content and run durable; the record, with this very run, and its stub.

    Bytes that the session keeps already are not kept again: they came once more. The stub is None
    where none is shorter than the input, or where the input is a stub itself, and then nothing is
    published unless `always`. dropped: bytes of the input beyond max_bytes. Raises OSError,
    StubError; nothing is lost by it.
    """
    measured, scan = tally.finish()
    # What was cut off at max_bytes may go on differently: alike so far is not the same.
    same = None if dropped else session.find_same(measured.sha256)
    reference = Reference(session.name, same.number if same else incoming.number, measured.sha256)
    facts = describe(incoming, tally.head, tally.tail, about.origin, scan)
    stub = None
    if not _is_own(measured, tally, settings):
        stub = render(
            settings,
            measured,
            facts,
            about.origin,
            (tally.head, tally.tail),
            reference=reference,
            path=session.artifact_path(reference.file),
            state=state,
            dropped=dropped,
            notice=about.notice,
            reason=about.reason,
        )
    run = Run(
        incoming.number,
        state,
        about.reason,
        started,
        finished=moment(),
        origin=about.origin,
        dropped=dropped,
        stub=stub or "",
    )
    record = measured.record(
        session.name,
        reference.number,
        run,
        facts=dump(facts),
        first_line=first_line(decode(tally.head[:FIRST])),
    )
    if stub is None and not always:
        return record, None
    if same:
        session.note_run(same, run)
        incoming.discard()
        return same.replace(run=run), stub
    incoming.publish(record)
    return record, stub


def _is_own(measured: Measured, tally: Tally, settings: Settings) -> bool:
    """Whether the input is a stub of this store's own and nothing else."""
    if measured.size > EDGE or b"artifact:" not in tally.head:
        return False
    from stubcli.spill.ours import is_own

    return is_own(tally.head, settings)
