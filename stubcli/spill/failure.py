"""When the store cannot take the bytes: give them all back, show both ends, or refuse.

`raw` prints every byte: what the store took is read back from the open file, then what was in
hand, then the rest of the input.
"""

from stubcli.descriptors import CHUNK, say
from stubcli.detect.facts import bare
from stubcli.errors import NOT_STORED, USAGE, UsageError
from stubcli.spill.stream import Stream
from stubcli.spill.stub import render
from stubcli.store.records import COMPLETE, INTERRUPTED


def give_up(stream: Stream, pending: bytes, error: Exception | None) -> int:
    """Do what `on_failure` says and give the exit status.

    pending: bytes that were read and that the store does not hold. error: why; None where the
    input only passes because no stub is shorter than it.
    """
    reason = _reason(error) if error else ""
    try:
        if isinstance(error, UsageError):
            say(reason)
            _raw(stream, pending, "")
            return USAGE
        if stream.settings.on_failure == "raw" or error is None:
            return _raw(stream, pending, reason)
        if stream.settings.on_failure == "preview":
            return _preview(stream, pending, reason)
        say(f"not stored: {reason}; nothing is printed (on_failure: reject)")
        return NOT_STORED
    finally:
        stream.tally.stop()
        if stream.incoming:
            stream.incoming.discard()


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _raw(stream: Stream, pending: bytes, reason: str) -> int:
    incoming, status = stream.incoming, 0
    if stream.dropped:
        say(f"not stored: {reason}; {stream.dropped:,} bytes beyond max_bytes are lost")
        status = NOT_STORED
    elif reason:
        say(f"not stored: {reason}; the output follows whole")
    offset = stream.shown
    pending = pending[max(0, stream.shown - (incoming.size if incoming else 0)) :]
    while incoming and offset < incoming.size:
        try:
            data = incoming.read_at(offset, CHUNK)
        except OSError as error:
            data = b""
            reason = error.strerror or str(error)
        if not data:
            say(f"bytes {offset:,} to {incoming.size:,} cannot be read back: {reason}")
            status = NOT_STORED
            break
        stream.out.write(data)
        offset += len(data)
    while pending:
        stream.out.write(pending)
        pending = stream.source.read()
    return status


def _preview(stream: Stream, pending: bytes, reason: str) -> int:
    while pending:
        stream.tally.add(pending)
        pending = stream.source.read()
    measured, scan = stream.tally.finish()
    about = stream.about()
    stub = render(
        stream.settings,
        measured,
        bare(measured.size, scan, form=""),
        about.origin,
        (stream.tally.head, stream.tally.tail),
        reference=None,
        state=INTERRUPTED if stream.source.cut_off else COMPLETE,
        notice="; ".join(part for part in (f"not stored: {reason}", about.notice) if part),
    )
    say(f"not stored: {reason}; only head and tail are printed")
    if stub is not None:
        stream.out.write(stub.encode("utf-8"))
    return NOT_STORED
