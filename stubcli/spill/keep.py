"""The road of a large input: write it to the store as it comes, then publish, then print.

Nothing is printed before the artifact is durable, so that whatever fails before can still give
every byte back: from the open file in the store, from memory, from what is not yet read.
"""

import time
from dataclasses import asdict

from stubcli.descriptors import Input, Output
from stubcli.errors import OK, StubError
from stubcli.reference import Reference
from stubcli.settings.load import Settings
from stubcli.settings.places import state_home
from stubcli.spill.failure import give_up
from stubcli.spill.page import describe, render
from stubcli.spill.stream import Stream
from stubcli.spill.tally import Tally
from stubcli.store.incoming import Incoming
from stubcli.store.layout import open_session
from stubcli.store.records import CAPPED, COMPLETE, INTERRUPTED, Origin
from stubcli.store.resolve import find_same
from stubcli.store.workspace import workspace_session


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def spill(held: bytes, source: Input, out: Output, settings: Settings, origin: Origin) -> int:
    """Keep `held` and the rest of `source`, print one stub on `out`; the exit status."""
    stream = Stream(source, out, settings, origin, now(), Tally())
    pending = held
    try:
        stream.incoming = _open(settings)
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


def _open(settings: Settings) -> Incoming:
    home = settings.home or state_home()
    return Incoming(open_session(home, settings.session or workspace_session(), create=True))


def _keep(stream: Stream, data: bytes) -> None:
    incoming, cap = stream.incoming, stream.settings.max_bytes
    assert incoming is not None
    kept = data[: max(0, cap - incoming.size)] if cap else data
    if kept:
        incoming.write(kept)
        stream.tally.add(kept)
    stream.dropped += len(data) - len(kept)


def _finish(stream: Stream) -> str | None:
    """Publish the artifact and give its stub; None where no stub is shorter than the input."""
    incoming, origin, tally = stream.incoming, stream.origin, stream.tally
    assert incoming is not None
    measured, scan = tally.finish()
    session = incoming.session
    state = INTERRUPTED if stream.source.cut_off else CAPPED if stream.dropped else COMPLETE
    # What was cut off at max_bytes may go on differently: alike so far is not the same.
    same = None if stream.dropped else find_same(session, measured.sha256)
    reference = Reference(session.name, same.number if same else incoming.number, measured.sha256)
    synopsis = describe(incoming, tally.head, tally.tail, origin.mime, scan)
    stub = render(
        stream.settings,
        measured,
        synopsis,
        origin,
        (tally.head, tally.tail),
        reference=reference,
        path=session.artifact_path(reference.file),
        state=state,
        dropped=stream.dropped,
    )
    if stub is None:
        return None
    if same:
        incoming.discard()
        return stub
    incoming.publish(
        measured.record(
            session.name,
            incoming.number,
            state=state,
            reason="single_threshold",
            started=stream.started,
            finished=now(),
            origin=origin,
            dropped=stream.dropped,
            synopsis=asdict(synopsis),
            stub=stub,
        )
    )
    return stub
