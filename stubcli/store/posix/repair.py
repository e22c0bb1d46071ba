"""Look after a session: verify what is there, finish or adopt what a crash left.

`inspect` only looks. `repair` finishes a publication or a collection that was cut short and adopts
unfinished files as interrupted artifacts; run twice it does nothing more. Nothing is ever deleted
here but second names of what is published, files that hold no byte, and the record of what gc
deleted.
"""

import datetime
import os
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.durable import exists, open_regular, remove, sync_directory, try_lock
from stubcli.errors import IntegrityError, StubError
from stubcli.reference import file_name, file_number, parse_record_name, record_name
from stubcli.store.measure import Blocks, Measured, Meter
from stubcli.store.posix.artifacts import (
    Artifact,
    artifact_numbers,
    mark_used,
    read_record,
    record_names,
)
from stubcli.store.posix.collected import find, tombstones
from stubcli.store.posix.incoming import publish_file, publish_record
from stubcli.store.posix.index import forget, note, noted
from stubcli.store.posix.layout import COLLECTED, Session
from stubcli.store.posix.sequence import incoming_name, incoming_number
from stubcli.store.records import BLOCK, INTERRUPTED, Record, load

OK, DAMAGED, LEFTOVER, WRITING, FOREIGN, REPAIRED = (
    "ok",
    "damaged",
    "leftover",
    "being written",
    "foreign",
    "repaired",
)


@dataclass(frozen=True)
class Finding:
    """What was found under a name of a session: status is one of the words above."""

    session: str
    name: str
    status: str
    what: str


def inspect(session: Session) -> Iterator[Finding]:
    """Every artifact, record and leftover of the session, verified; nothing is changed."""
    # In this order: a writer names the record first, and gc removes it last.
    numbers = artifact_numbers(session)
    records = record_names(session)
    for number in sorted(numbers | set(records)):
        if finding := _inspect_number(session, number, records.get(number, [])):
            yield finding
    for name in sorted(os.listdir(session.results)):
        if file_number(name) is None and parse_record_name(name) is None:
            yield Finding(session.name, name, FOREIGN, "no file of ours; left alone")
    for name in sorted(os.listdir(session.incoming)):
        if finding := _inspect_incoming(session, name):
            yield finding
    try:
        tombstones(session)
    except (OSError, IntegrityError) as error:
        yield Finding(session.name, COLLECTED, DAMAGED, str(error))


def _inspect_number(session: Session, number: int, names: list[str]) -> Finding | None:
    """What is to be said of a number; None where gc took it since it was listed."""
    name = file_name(number)
    if not names and not exists(name, session.results):
        return None
    if len(names) != 1:
        what = f"has {len(names)} records" if names else "has no record"
        return Finding(session.name, name, DAMAGED, what)
    try:
        with Artifact(session, read_record(session, names[0])) as artifact:
            artifact.verify()
    except StubError as error:
        if not exists(name, session.results):
            return _without_data(session, number, names[0])
        return Finding(session.name, name, DAMAGED, error.message)
    return Finding(session.name, name, OK, f"{artifact.size:,} bytes verified")


def _without_data(session: Session, number: int, record: str) -> Finding | None:
    name = file_name(number)
    if exists(incoming_name(number), session.incoming):
        return Finding(session.name, name, WRITING, "it is just being published, or was cut short")
    if not was_collected(session, number, record):
        return Finding(session.name, name, DAMAGED, "its data is gone; only the record is left")
    if not exists(record, session.results):
        return None
    return Finding(session.name, name, LEFTOVER, "gc deleted its data and not yet its record")


def _inspect_incoming(session: Session, name: str) -> Finding | None:
    try:
        descriptor = open_regular(name, session.incoming)
    except FileNotFoundError:
        return None  # published since it was listed
    except OSError as error:
        return Finding(session.name, name, FOREIGN, f"cannot be opened: {error.strerror}")
    try:
        if incoming_number(name.removesuffix(".json")) is None:
            return Finding(session.name, name, FOREIGN, "no file of ours; left alone")
        if not name.endswith(".json") and not try_lock(descriptor):
            return Finding(session.name, name, WRITING, "another process is writing it")
        size = os.fstat(descriptor).st_size
        return Finding(session.name, name, LEFTOVER, f"{size:,} bytes of a run that was cut short")
    finally:
        os.close(descriptor)


def repair(session: Session) -> Iterator[Finding]:
    """Finish or adopt every leftover, and give a record to data that has none."""
    for name in sorted(os.listdir(session.incoming)):
        number = incoming_number(name)
        if number is not None and (finding := _repair_incoming(session, name, number)):
            yield finding
    for name in sorted(os.listdir(session.incoming)):
        number = incoming_number(name.removesuffix(".json"))
        if name.endswith(".json") and number and not exists(name[:-5], session.incoming):
            remove(name, session.incoming)
            yield Finding(session.name, name, REPAIRED, "removed the copy of a record")
    yield from finish_collections(session)
    yield from _give_records(session)
    _note_all(session)


def _repair_incoming(session: Session, name: str, number: int) -> Finding | None:
    try:
        descriptor = open_regular(name, session.incoming)
    except OSError:
        return None
    try:
        if not try_lock(descriptor):
            return None
        final = file_name(number)
        if os.fstat(descriptor).st_nlink == 0:
            return None  # gone since it was opened; another file may have its name by now
        if os.fstat(descriptor).st_size == 0:
            remove(name, session.incoming)
            return Finding(session.name, name, REPAIRED, "it was empty; removed")
        if exists(final, session.results):
            # Published; only the second name was left. If it is another file, it is kept.
            here, there = os.fstat(descriptor), os.stat(final, dir_fd=session.results)
            if (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
                return Finding(session.name, name, DAMAGED, f"{final} is another file; left alone")
            remove(name, session.incoming)
            return Finding(session.name, name, REPAIRED, f"{final} was published already")
        if os.fstat(descriptor).st_nlink != 1:
            return None  # another file under a second name; adopting would change it
        record = _record_for(session, name, number, _measure(descriptor))
        publish_file(session, descriptor, name, record)
        mark_used(descriptor)  # its time to be collected begins now
        return Finding(session.name, final, REPAIRED, f"{record.size:,} bytes, {record.state}")
    finally:
        os.close(descriptor)


def was_collected(session: Session, number: int, record: str) -> bool:
    """Whether gc deleted the data of the record of that name, whose data is not in its place."""
    parsed = parse_record_name(record)
    if parsed is None or find(session, number, parsed[1]) is None:
        return False
    # gc moves data to .incoming, and back where it was changed meanwhile: it is never nowhere.
    places = ((file_name(number), session.results), (incoming_name(number), session.incoming)) * 2
    return not any(exists(name, folder) for name, folder in places)


def finish_collections(session: Session) -> Iterator[Finding]:
    """Remove the records whose data gc deleted before it was cut short."""
    numbers = artifact_numbers(session)
    for number, names in sorted(record_names(session).items()):
        if number not in numbers and all(was_collected(session, number, name) for name in names):
            for name in names:
                remove(name, session.results)
                forget(session, number, (parse_record_name(name) or (0, ""))[1])
            sync_directory(session.results)
            yield Finding(session.name, file_name(number), REPAIRED, "its collection is finished")


def _measure(descriptor: int) -> Measured:
    meter, blocks = Meter(), Blocks()
    offset = 0
    while data := os.pread(descriptor, BLOCK, offset):
        offset += len(data)
        for block in blocks.add(data):
            meter.feed(block)
    if rest := blocks.rest():
        meter.feed(rest)
    return meter.finish()


def _record_for(session: Session, name: str, number: int, measured: Measured) -> Record:
    """The record that the writer made, where it fits these bytes; else that of an interruption."""
    names = (
        (name + ".json", session.incoming),
        (record_name(number, measured.sha256), session.results),
    )
    for candidate, folder in names:
        try:
            descriptor = open_regular(candidate, folder)
            with os.fdopen(descriptor, "rb") as file:
                record = load(file.read(), candidate)
        except (OSError, StubError):
            continue
        if (record.number, record.sha256, record.size) == (number, measured.sha256, measured.size):
            return record
    return _adopted(session, number, measured)


def _adopted(session: Session, number: int, measured: Measured) -> Record:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return measured.record(
        session.name, number, state=INTERRUPTED, reason="adopted", started=now, finished=now
    )


def _give_records(session: Session) -> Iterator[Finding]:
    """Data under a final name is complete; without a record nothing could verify or find it."""
    # In this order: a writer names the record first, and what it wrote is not to be replaced.
    numbers = artifact_numbers(session)
    for number in sorted(numbers - set(record_names(session))):
        name = file_name(number)
        try:
            descriptor = open_regular(name, session.results)
        except FileNotFoundError:
            continue  # collected since it was listed
        except OSError as error:
            yield Finding(session.name, name, FOREIGN, f"cannot be opened: {error.strerror}")
            continue
        try:
            if not try_lock(descriptor):
                continue
            if os.fstat(descriptor).st_nlink != 1:
                yield Finding(session.name, name, FOREIGN, "has a second name elsewhere")
                continue
            record = _adopted(session, number, _measure(descriptor))
            publish_record(session, incoming_name(number) + ".json", record)
            sync_directory(session.results)
            mark_used(descriptor)  # its time to be collected begins now
        finally:
            os.close(descriptor)
        yield Finding(session.name, name, REPAIRED, "a new record of what is there now")


def _note_all(session: Session) -> None:
    """Restore the index that a power cut took."""
    for names in record_names(session).values():
        for name in names:
            parsed = parse_record_name(name)
            if parsed and noted(session, parsed[1]) is None:
                try:
                    record = read_record(session, name)
                except StubError:
                    continue
                note(session, record.number, record.sha256)
