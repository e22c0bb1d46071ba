"""One whole output that is in memory already: kept, and the stub to put in its place.

For hooks, messages and the library. Fails open: where the store cannot take the bytes the caller
still has them, and is told why; whatever is wrong costs no data.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from stubcli.debug import swallowed
from stubcli.errors import explain
from stubcli.settings.load import disabled
from stubcli.settings.table import Settings
from stubcli.spill.filter import passes
from stubcli.spill.keep import begin, seal
from stubcli.spill.stream import About, Tally, moment
from stubcli.store.records import CAPPED, COMPLETE, Origin, Record


@dataclass(frozen=True)
class Outcome:
    """stub: the text to show instead; None where the data itself is the answer. ref: its name.

    failure: why nothing was kept, where that was meant; empty where the data simply passes.
    """

    stub: str | None = None
    failure: str = ""
    ref: str = ""


def offload(data: bytes, settings: Settings, origin: Origin, notice: str = "") -> Outcome:
    """Keep `data` where it exceeds the threshold, exactly as the filter does.

    notice: a remark that the stub carries. Never raises: what fails is said in the answer.
    """
    if disabled() or settings.exempt or passes(data, settings.threshold):
        return Outcome()
    kept = data[: settings.max_bytes] if settings.max_bytes else data
    about = About(origin, notice)
    try:
        record, stub = keep((kept,), settings, about, dropped=len(data) - len(kept))
    except Exception as error:
        # Of a bug too: a caller that lives in somebody else's process goes on with its data.
        swallowed("keeping an output", error)
        return Outcome(failure=explain(error))
    return Outcome(stub, ref=str(record.reference)) if stub is not None else Outcome()


def keep(
    pieces: Iterable[bytes],
    settings: Settings,
    about: About,
    *,
    dropped: int = 0,
    always: bool = False,
) -> tuple[Record, str | None]:
    """Keep all of `pieces`; the record and the stub.

    No stub where none is shorter than the input: then nothing is kept, unless `always`. dropped:
    bytes of the input that are not in `pieces`. Raises OSError, StubError; nothing is kept then.
    """
    (session, incoming), tally = begin(settings), Tally()
    try:
        started = moment()
        for data in pieces:
            incoming.write(data)
            tally.add(data)
        state = CAPPED if dropped else COMPLETE
        record, stub = seal(
            session,
            incoming,
            tally,
            settings,
            about,
            state=state,
            started=started,
            dropped=dropped,
            always=always,
        )
        if stub is None and not always:
            incoming.discard()
        return record, stub
    except BaseException:
        incoming.discard()
        raise
    finally:
        tally.stop()
        incoming.close()
        session.close()
