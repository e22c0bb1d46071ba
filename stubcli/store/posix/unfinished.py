"""What has no final name yet: an artifact that is being written, or was left over by a crash.

What was written so far is served as a snapshot of the size at opening. There is no record to hold
it against, so it is measured then, and it never passes for complete or for verified.
"""

import fcntl
import os
import time
from collections.abc import Iterator

from stubcli.debug import swallowed
from stubcli.durable import exists, open_regular
from stubcli.errors import IntegrityError, reason_of
from stubcli.reference import file_name
from stubcli.store.artifact import Artifact, Unfinished
from stubcli.store.measure import Blocks, Meter
from stubcli.store.posix.artifacts import OpenFile, find_record, open_artifact
from stubcli.store.posix.folders import INCOMING, Folders
from stubcli.store.posix.history import newest_run
from stubcli.store.posix.sequence import incoming_name, incoming_number
from stubcli.store.records import BLOCK, REPAIR, Record, Run
from stubcli.store.values import IN_PROGRESS, LEFTOVER, Sighting, Watch, unwatched
from stubcli.text.characters import boundary

# Between making its file and locking it a writer needs microseconds.
_YOUNG = 2.0


def open_number(session: Folders, number: int, watch: Watch = unwatched) -> Artifact:
    """The artifact of that number; while it is unfinished, what was written of it so far.

    Raises MissingError, IntegrityError.
    """
    if not exists(file_name(number), session.results):
        unfinished = _open(session, number, watch)
        # Published while it was measured: then the final name is the answer.
        if unfinished and not exists(file_name(number), session.results):
            return unfinished
        if unfinished:
            unfinished.close()
    record = find_record(session, number)
    return open_artifact(session, record, newest_run(session, record))


def list_unfinished(session: Folders) -> dict[int, Sighting]:
    """What is being written or was left over, by number; what has its final name is not in it.

    List the records afterwards: what is published in between is then found there.
    """
    incoming = [n for name in os.listdir(session.incoming) if (n := incoming_number(name))]
    return {number: found for number in incoming if (found := _sight(session, number))}


def _sight(session: Folders, number: int) -> Sighting | None:
    try:
        descriptor = open_regular(incoming_name(number), session.incoming)
    except FileNotFoundError:
        return None  # published or given up since it was listed
    except OSError as error:
        swallowed(f"looking at unfinished artifact {number}", error)
        return None
    try:
        status, state = os.fstat(descriptor), _state(descriptor)
    finally:
        os.close(descriptor)
    final = exists(file_name(number), session.results)
    return None if final or status.st_nlink != 1 else Sighting(number, status.st_size, state)


def _open(session: Folders, number: int, watch: Watch) -> Unfinished | None:
    name = incoming_name(number)
    try:
        descriptor = open_regular(name, session.incoming)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise IntegrityError(f"{name} cannot be opened: {reason_of(error)}", REPAIR) from None
    try:
        record = _record(session, number, descriptor, watch)
        links = os.fstat(descriptor).st_nlink
        if links > 1 and not exists(file_name(number), session.results):
            # Another file under a second name: what stands elsewhere is no output of ours.
            raise IntegrityError(f"{name} has a second name elsewhere", REPAIR)
        if links:
            path = os.path.join(session.path, INCOMING, name)
            return Unfinished(record, OpenFile(descriptor), path)
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)  # its writer took it back: it passed the input on instead
    return None


def _record(session: Folders, number: int, descriptor: int, watch: Watch) -> Record:
    """What a record would state of the bytes so far."""
    state = _state(descriptor)
    size = os.fstat(descriptor).st_size
    if state == IN_PROGRESS:
        # The rest of a character that is cut here comes later; then it counts as one.
        end = os.pread(descriptor, 4, max(0, size - 4))
        size -= len(end) - boundary(end)
    meter, blocks = Meter(), Blocks()
    for piece in watch(_pieces(descriptor, size), "measuring", size):
        for block in blocks.add(piece):
            meter.feed(block)
    if rest := blocks.rest():
        meter.feed(rest)
    run = Run(number, state, reason="", started="", finished="")
    return meter.finish().record(session.name, number, run).replace(sha256="")


def _pieces(descriptor: int, size: int) -> Iterator[bytes]:
    offset = 0
    while data := os.pread(descriptor, min(BLOCK, size - offset), offset):
        offset += len(data)
        yield data


def _state(descriptor: int) -> str:
    """IN_PROGRESS where a writer holds its lock, else LEFTOVER.

    Looked at with a shared lock, so that two readers do not take each other for the writer, and
    not at all where the writer may be about to take it: one that does not get it gives up.
    """
    status = os.fstat(descriptor)
    if status.st_size == 0 and time.time() - status.st_mtime < _YOUNG:
        return IN_PROGRESS
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return IN_PROGRESS
    except OSError as error:  # no locks on this file system; `check` says the same
        swallowed("locking", error)
        return LEFTOVER
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return LEFTOVER
