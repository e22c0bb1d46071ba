"""What the tests of leases share: journals made in memory, what they protect, runs in a child."""

import hashlib
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from stubcli.errors import NOT_STORED, IntegrityError, StubError
from stubcli.retention.leases import chain
from stubcli.retention.leases.anchor import STRIDE, Anchor, encode, examine
from stubcli.retention.leases.chain import NONE_BEFORE, Chain, Place
from stubcli.retention.leases.claims import Protection, fold
from stubcli.retention.leases.file_names import HEAD, JOURNAL, LOCK
from stubcli.retention.leases.journal import open_journal
from stubcli.retention.leases.model import (
    ABORTED,
    COMMITTED,
    PREPARED,
    RELEASED,
    TERMINAL,
    Claim,
    Lease,
)
from stubcli.store.records import Record
from stubcli.store.surface import Session
from stubcli.store.values import ACKNOWLEDGED
from tests.helpers import AnyStore, code_of, disturbed, fork, keep, session_of

NAME = "test"
MOMENT = "2026-01-01T00:00:00+00:00"
PAST = "2020-01-01T00:00:00+00:00"
DATA = b"one line\n" * 3000


@contextmanager
def with_artifact(store: AnyStore, data: bytes = DATA) -> Iterator[tuple[Session, Record]]:
    """A session, and the record of an artifact that it keeps."""
    with session_of(store) as session:
        yield session, keep(session, data)


def lease_of(name: str, phase: str, number: int = 1, until: str | None = None) -> Lease:
    digest = hashlib.sha256(b"%d" % number).hexdigest()
    source = f"artifact:{NAME}:tool_result_{number:03d}.txt:{digest[:16]}"
    return Lease(name, Claim(source, digest, 1, until), phase, MOMENT, MOMENT)


def lines_of(leases: list[Lease], session: str = NAME) -> list[bytes]:
    """The records, in order, as they would have been written."""
    lines, place = [], Place(1, NONE_BEFORE)
    for lease in leases:
        line, sha256 = chain.write(lease, session, place)
        lines.append(line)
        place = Place(place.sequence + 1, sha256)
    return lines


def mixed(count: int) -> list[Lease]:
    """So many records of leases that end in every phase, some with an end, some without."""
    records: list[Lease] = []
    number = 0
    while len(records) < count:
        number += 1
        lease = lease_of(f"lease-{number}", PREPARED, number, None if number % 2 else PAST)
        after = ((), (COMMITTED,), (ABORTED,), (COMMITTED, RELEASED))[number % 4]
        records += [lease, *(replace(lease, phase=phase) for phase in after)]
    return records[:count]


def anchor_of(lines: list[bytes], session: str = NAME) -> Anchor:
    read, data = Chain(session), b"".join(lines)
    read.read(data)
    prefix = hashlib.sha256(data).hexdigest()
    return Anchor(session, read.sequence, len(data), read.sha256, prefix)


def head_of(lines: list[bytes]) -> bytes:
    """The anchor's file behind these lines: the newest slot and the one before it."""
    slots = sorted((anchor_of(lines[:-1]), anchor_of(lines)), key=lambda a: a.sequence % 2)
    return encode(slots[0]).ljust(STRIDE, b"\0") + encode(slots[1])


def plant(store: AnyStore, lines: list[bytes], head: bytes | None = None) -> None:
    """Put a journal into the session's folder, as if it had been written there."""
    with session_of(store):
        (store.folder / ACKNOWLEDGED).touch()
    files = {JOURNAL: b"".join(lines), HEAD: head_of(lines) if head is None else head, LOCK: b"\n"}
    for name, data in files.items():
        (store.folder / name).write_bytes(data)


def recovered(journal: bytes | None, head: bytes | None, marked: bool = True) -> Chain | None:
    """What gc would go by, None where it would refuse."""
    try:
        standing = examine(journal, head, marked, NAME)
        read = Chain(NAME)
        read.read(standing.lines)
    except IntegrityError:
        return None
    return read


def protected(leases: dict[str, Lease]) -> set[str]:
    """The transactions that protect their artifact, now or until their end."""
    return {name for name, lease in leases.items() if lease.phase not in TERMINAL}


def leases_in(session: Session) -> dict[str, Lease]:
    with open_journal(session) as journal:
        return journal.leases


def protections(session: Session, now: datetime | None = None) -> dict[int, Protection]:
    moment = now or datetime.now(UTC)
    return fold(leases_in(session).values(), session.name, moment, moment)


def phases(session: Session) -> list[tuple[str, str]]:
    """(transaction, phase) of every record, in order."""
    data = session.read_side_file(JOURNAL)
    events = [chain.read(line, session.name) for line in data.split(b"\n")[:-1]]
    assert [event.place.sequence for event in events] == list(range(1, len(events) + 1))
    return [(event.transaction_id, event.phase) for event in events]


def status_of(act: Callable[[], object]) -> int:
    """The status that it would end with."""
    try:
        act()
    except StubError as error:
        return error.status
    except OSError:
        return NOT_STORED  # as the command's own boundary has it
    return 0


def in_child(act: Callable[[], object], prepare: Callable[[], None] | None = None) -> int:
    """Run it in a child of its own: its status, 128+N where a signal ended it."""
    pid = fork()
    if pid == 0:
        status = 70
        try:
            if prepare:
                prepare()
            status = status_of(act)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return code_of(os.waitpid(pid, 0)[1])


def failing(act: Callable[[], object], prepare: Callable[[], None]) -> int:
    """Run it while `prepare` lets its calls fail: its status."""
    with disturbed(prepare):
        return status_of(act)
