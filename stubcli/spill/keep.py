"""The road of a large input: write it to the store as it comes, then publish, then print.

Nothing is printed before the artifact is durable, so that whatever fails before can still give
every byte back: from the open file in the store, from memory, from what is not yet read.
"""

import time
from collections.abc import Callable
from dataclasses import asdict

from stubcli.descriptors import Input, Output
from stubcli.errors import OK, StubError
from stubcli.reference import Reference
from stubcli.settings.table import Settings
from stubcli.spill.failure import give_up
from stubcli.spill.ours import is_own
from stubcli.spill.page import describe, render
from stubcli.spill.stream import About, Stream
from stubcli.spill.tally import EDGE, Tally
from stubcli.store.posix.incoming import Incoming
from stubcli.store.posix.layout import close_session, open_session
from stubcli.store.posix.resolve import find_same
from stubcli.store.records import CAPPED, COMPLETE, INTERRUPTED, Record
from stubcli.store.workspace import home_of, session_of


def moment(seconds: float | None = None) -> str:
    """A time as it is recorded; now where none is given."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def spill(
    held: bytes,
    source: Input,
    out: Output,
    settings: Settings,
    about: Callable[[], About],
    *,
    started: str = "",
    shown: int = 0,
) -> int:
    """Keep `held` and the rest of `source`, print one stub on `out`; the exit status.

    shown: how many bytes of `held` stand on `out` already.
    """
    stream = Stream(source, out, settings, about, started or moment(), Tally(), shown)
    pending = held
    try:
        stream.incoming = begin(settings)
        source.widen()
        while pending:
            _keep(stream, pending)
            pending = b""
            pending = source.read(stream.tally.wanted)
        stub = _finish(stream)
    except (OSError, StubError) as error:
        return give_up(stream, pending, error)
    except Exception as error:
        give_up(stream, pending, error)
        raise
    if stub is None:
        return give_up(stream, b"", None)
    out.write(stub.encode("utf-8"))
    return OK


def begin(settings: Settings) -> Incoming:
    """A new artifact in the session that the settings mean. Raises OSError, StubError."""
    session = open_session(home_of(settings), session_of(settings), create=True)
    try:
        return Incoming(session)
    except BaseException:
        close_session(session)
        raise


def _keep(stream: Stream, data: bytes) -> None:
    incoming, cap = stream.incoming, stream.settings.max_bytes
    assert incoming is not None
    kept = data[: max(0, cap - incoming.size)] if cap else data
    if kept:
        incoming.write(kept)
        stream.tally.add(kept)
    stream.dropped += len(data) - len(kept)


def _finish(stream: Stream) -> str | None:
    assert stream.incoming is not None
    state = INTERRUPTED if stream.source.cut_off else CAPPED if stream.dropped else COMPLETE
    return seal(
        stream.incoming,
        stream.tally,
        stream.settings,
        stream.about(),
        state=state,
        started=stream.started,
        dropped=stream.dropped,
    )[1]


def seal(
    incoming: Incoming,
    tally: Tally,
    settings: Settings,
    about: About,
    *,
    state: str,
    started: str,
    dropped: int = 0,
    always: bool = False,
) -> tuple[Record, str | None]:
    """Publish the artifact; its record and its stub.

    The stub is None where none is shorter than the input, or where the input is a stub itself, and
    then nothing is published unless `always`. dropped: bytes of the input beyond max_bytes. Raises
    OSError; nothing is lost by it.
    """
    measured, scan = tally.finish()
    session = incoming.session
    # What was cut off at max_bytes may go on differently: alike so far is not the same.
    same = None if dropped else find_same(session, measured.sha256)
    reference = Reference(session.name, same.number if same else incoming.number, measured.sha256)
    synopsis = describe(incoming, tally.head, tally.tail, about.origin.mime, scan)
    own = measured.size <= EDGE and is_own(tally.head, settings)
    stub = (
        None
        if own
        else render(
            settings,
            measured,
            synopsis,
            about.origin,
            (tally.head, tally.tail),
            reference=reference,
            path=session.artifact_path(reference.file),
            state=state,
            dropped=dropped,
            notice=about.notice,
            reason=about.reason,
        )
    )
    record = measured.record(
        session.name,
        incoming.number,
        state=state,
        reason=about.reason,
        started=started,
        finished=moment(),
        origin=about.origin,
        dropped=dropped,
        synopsis=asdict(synopsis),
        stub=stub or "",
    )
    if stub is None and not always:
        return record, None
    if same:
        incoming.discard()
        return same, stub
    incoming.publish(record)
    return record, stub
