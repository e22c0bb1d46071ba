"""Repair a session: finish or adopt what a crash left.

A publication or a removal that was cut short is finished, an unfinished file is adopted as an
interrupted artifact; run twice it does nothing more. Nothing is ever deleted here but second names
of what is published, second copies of what is kept, files that hold no byte, a torn line, and what
is recorded of what gc deleted.
"""

import datetime
import os
from collections.abc import Iterator

from stubcli.debug import swallowed
from stubcli.durable import exists, open_regular, remove, sync_directory, try_lock
from stubcli.errors import StubError, reason_of
from stubcli.reference import file_name, record_name
from stubcli.store.measure import Blocks, Measured, Meter
from stubcli.store.posix.artifacts import (
    artifact_numbers,
    find_same,
    mark_used,
    read_record,
    record_keys,
    record_names,
)
from stubcli.store.posix.folders import RUNS, Folders, mark_version
from stubcli.store.posix.incoming import publish_file, publish_record
from stubcli.store.posix.index import find_noted_number, is_whole, note
from stubcli.store.posix.lines import Lines
from stubcli.store.posix.removal import finish_removals
from stubcli.store.posix.sequence import incoming_name, incoming_number
from stubcli.store.posix.verify import is_second_file
from stubcli.store.records import BLOCK, INTERRUPTED, Record, Run, load
from stubcli.store.values import FOREIGN, REPAIRED, Finding
from stubcli.text.display import amount

# Whoever appends to the log of runs holds its lock for milliseconds.
_PATIENCE = 5.0


def repair(session: Folders) -> Iterator[Finding]:
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
    yield from finish_removals(session)
    yield from _give_records(session)
    yield from _cut_torn_run(session)
    _note_all(session)


def _repair_incoming(session: Folders, name: str, number: int) -> Finding | None:
    try:
        descriptor = open_regular(name, session.incoming)
    except OSError as error:
        swallowed(f"repairing {name}", error)
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
            # Published; only the second name was left. If it is another file, `verify` says so.
            if is_second_file(session, name, descriptor):
                return None
            remove(name, session.incoming)
            return Finding(session.name, name, REPAIRED, f"{final} was published already")
        if os.fstat(descriptor).st_nlink != 1:
            return None  # another file under a second name; adopting would change it
        measured = _measure(descriptor)
        record = _written_record(session, name, number, measured)
        if record is None and (same := find_same(session, measured.sha256)):
            remove(name, session.incoming)
            what = f"its bytes are kept already, as {file_name(same.number)}; removed"
            return Finding(session.name, name, REPAIRED, what)
        record = record or _adopt(session, number, measured)
        publish_file(session, descriptor, name, record)
        mark_used(descriptor)  # its time to be collected begins now
        return Finding(
            session.name, final, REPAIRED, f"{amount(record.size, 'byte')}, {record.run.state}"
        )
    finally:
        os.close(descriptor)


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


def _written_record(session: Folders, name: str, number: int, measured: Measured) -> Record | None:
    """The record that the writer made, where it fits these bytes."""
    names = (
        (name + ".json", session.incoming),
        (record_name(number, measured.sha256), session.results),
    )
    for candidate, folder in names:
        try:
            descriptor = open_regular(candidate, folder)
            with os.fdopen(descriptor, "rb") as file:
                record = load(file.read(), candidate)
        except FileNotFoundError:
            continue
        except (OSError, StubError) as error:
            swallowed("reading the record of a leftover", error)
            continue
        if (record.number, record.sha256, record.size) == (number, measured.sha256, measured.size):
            return record
    return None


def _adopt(session: Folders, number: int, measured: Measured) -> Record:
    """The record of bytes of which nothing else is known."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    run = Run(number, INTERRUPTED, reason="adopted", started=now, finished=now)
    return measured.record(session.name, number, run)


def _give_records(session: Folders) -> Iterator[Finding]:
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
            yield Finding(session.name, name, FOREIGN, f"cannot be opened: {reason_of(error)}")
            continue
        try:
            if not try_lock(descriptor):
                continue
            if os.fstat(descriptor).st_nlink != 1:
                yield Finding(session.name, name, FOREIGN, "has a second name elsewhere")
                continue
            record = _adopt(session, number, _measure(descriptor))
            publish_record(session, incoming_name(number) + ".json", record)
            sync_directory(session.results)
            mark_used(descriptor)  # its time to be collected begins now
        finally:
            os.close(descriptor)
        yield Finding(session.name, name, REPAIRED, "a new record of what is there now")


def _cut_torn_run(session: Folders) -> Iterator[Finding]:
    """Nothing that was acknowledged is torn: a line is whole before its reference is printed."""
    try:
        with Lines(session, RUNS) as log:
            if log.end() == log.size:
                return
        with Lines(session, RUNS, write=True) as log:
            if log.lock(_PATIENCE) and (torn := log.size - log.end()):
                log.cut()
                yield Finding(
                    session.name, RUNS, REPAIRED, f"cut off {amount(torn, 'byte')} of a torn line"
                )
    except FileNotFoundError:
        return
    except (OSError, StubError) as error:
        swallowed("repairing the log of runs", error)  # to verify it says why


def _note_all(session: Folders) -> None:
    """Restore the index that a power cut or a copy took."""
    whole = True
    for number, digest in record_keys(session):
        if find_noted_number(session, digest) is None:
            try:
                record = read_record(session, record_name(number, digest))
            except StubError as error:
                swallowed("noting a digest", error)
                whole = False
                continue
            whole &= note(session, record.number, record.sha256)
    if whole and not is_whole(session):
        mark_version(session.index)
