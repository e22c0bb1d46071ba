"""When the store cannot take the bytes: give them all back, show both ends, or refuse.

`raw` prints every byte: what the store took is read back from the open file, then what was in
hand, then the rest of the input. What the store took is discarded once all of it was printed; where
it was not it stays, for a repair to adopt, since it may be nowhere else.
"""

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.descriptors import CHUNK, LITTLE, TRIES, say
from stubcli.detect.facts import bare
from stubcli.errors import NOT_STORED, OK, USAGE, UsageError, explain
from stubcli.spill.stream import Stream, Tally
from stubcli.spill.stub import render
from stubcli.store.records import COMPLETE, INTERRUPTED
from stubcli.text.display import amount


def give_up(stream: Stream, error: Exception | None) -> int:
    """Do what `on_failure` says and give the exit status.

    error: why; None where the input only passes because no stub is shorter than it. Raises
    MemoryError where next to nothing can be had, for long.
    """
    stream.source.give_spare()
    refused = 0
    while True:
        try:
            return _answer(stream, error)
        except MemoryError:
            refused += 1
            if refused == TRIES:
                raise


def _answer(stream: Stream, error: Exception | None) -> int:
    how = stream.settings.on_failure
    if how == "raw" or error is None or isinstance(error, UsageError):
        stream.tally.stop()
        return _raw(stream, error)
    if how == "preview":
        return _preview(stream, explain(error))
    _tell(f"not stored: {explain(error)}; nothing is printed (on_failure: reject)", _leave(stream))
    return NOT_STORED


def _tell(*parts: str) -> None:
    say("; ".join(filter(None, parts)))


def _raw(stream: Stream, error: Exception | None) -> int:
    status = _tell_why(stream, error)
    stored, piece, refused = stream.stored, CHUNK, 0
    while refused < TRIES:
        try:
            _print_stored(stream, stored, piece)
            _print_rest(stream)
            break
        except MemoryError:  # both go on where they were
            piece = LITTLE
            refused += 1
    if stream.printed == stream.counted and not stream.skipped and not stream.pending:
        _discard(stream)
        return status
    return _tell_what_came_out(stream) or status


def _tell_why(stream: Stream, error: Exception | None) -> int:
    if isinstance(error, UsageError):
        _tell(str(error))
        return USAGE
    why = f"not stored: {explain(error)}" if error else "not stored: no page is shorter"
    if stream.dropped:
        _tell(why, f"{amount(stream.dropped, 'byte')} beyond max_bytes lost")
        return NOT_STORED
    if error:
        _tell(why, "the output follows whole")
    return OK


def _print_stored(stream: Stream, size: int, piece: int) -> None:
    """Print the first `size` bytes of what the store took, but for those that stand there."""
    incoming = stream.incoming
    while incoming and not stream.out.gone and stream.printed < size:
        try:
            data = incoming.read_at(stream.printed, min(piece, size - stream.printed))
            reason = "the file was cut short"
        except OSError as error:
            data, reason = b"", explain(error)
        if not data:
            _tell(f"bytes {stream.printed:,} to {size:,} cannot be read back: {reason}")
            stream.skipped = size - stream.printed
        stream.out.write(data)


def _print_rest(stream: Stream) -> None:
    """Print what the store does not hold, to the end of the input.

    Where it cannot be printed either, the store is given what it still takes.
    """
    while stream.pending or stream.read():
        if not stream.out.gone:
            with memoryview(stream.pending) as whole:
                stream.out.write(whole[max(0, stream.printed - stream.counted) :])
        if stream.out.gone:
            _store_after_all(stream)
        stream.count()


def _store_after_all(stream: Stream) -> None:
    incoming, at = stream.incoming, stream.stored - stream.counted
    # Nothing may be missing before it, as where some was printed and not stored.
    if incoming is None or stream.settings.max_bytes or not 0 <= at < len(stream.pending):
        return
    try:
        incoming.write(stream.pending[at:])
    except OSError as error:
        swallowed("storing what could not be printed", error)


def _tell_what_came_out(stream: Stream) -> int:
    """Say what became of an input that was not printed whole; the exit status."""
    out, whole = stream.out, stream.counted + len(stream.pending)
    if not (stream.stored or out.failure or stream.skipped):
        return OK  # its reader left, and nobody else wants it
    lost = 0 if stream.skipped else whole - max(stream.stored, out.written)
    what = f"{out.written:,} of {amount(whole, 'byte')} came out"
    parts = (what, f"{lost:,} are lost" if lost else "", _leave(stream))
    if out.failure:  # which is told when all is done
        out.failure = "; ".join((out.failure, *filter(None, parts)))
    else:
        _tell(*parts)
    return NOT_STORED


def _leave(stream: Stream) -> str:
    """Leave what the store took for a repair to adopt, and say so."""
    if not stream.stored:
        _discard(stream)
        return ""
    repair = Advice("check", repair=True, lead="to adopt them").said(stream.settings.where)
    return f"the first {amount(stream.stored, 'byte stays', 'bytes stay')} in the store; {repair}"


def _discard(stream: Stream) -> None:
    if stream.incoming:
        stream.incoming.discard()


def _preview(stream: Stream, reason: str) -> int:
    _count_all(stream)
    left = _leave(stream)
    _tell(f"not stored: {reason}; only head and tail are printed", left)
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
        notice="; ".join(filter(None, (f"not stored: {reason}", left, about.notice))),
    )
    if stub is not None:
        stream.out.write(stub.encode("utf-8"))
    return NOT_STORED


def _count_all(stream: Stream) -> None:
    """Count to the end of the input; anew where counting failed, from what the store took."""
    if stream.tally.failed and stream.incoming:
        stream.tally.stop()
        stream.tally, at = Tally(), 0
        while data := stream.incoming.read_at(at, min(CHUNK, stream.counted - at)):
            stream.tally.add(data)
            at += len(data)
    while stream.pending or stream.read():
        stream.tally.add(stream.pending)
        stream.count()
