"""Verify a session: every artifact, record, leftover and line of a log. Nothing is changed."""

import os
import re
from collections.abc import Callable, Iterator

from stubcli.durable import exists, open_regular, try_lock
from stubcli.errors import IntegrityError, StubError, reason_of
from stubcli.reference import file_name, file_number, parse_record_name
from stubcli.store.artifact import Artifact
from stubcli.store.posix.artifacts import (
    artifact_numbers,
    open_artifact,
    read_record,
    record_names,
)
from stubcli.store.posix.collected import tombstones
from stubcli.store.posix.folders import COLLECTED, RUNS, Folders
from stubcli.store.posix.lines import Lines
from stubcli.store.posix.removal import was_collected
from stubcli.store.posix.runs import is_whole
from stubcli.store.posix.sequence import incoming_name, incoming_number
from stubcli.store.values import DAMAGED, FOREIGN, LEFTOVER, LOST, OK, WRITING, Finding
from stubcli.text.display import amount

_PATIENCE = 1.0
# What was given up: see posix/lost.
_LOST = re.compile(r"(?:tool_result_[0-9]+(?:\.txt)?|[a-z]+\.jsonl)\.lost-[0-9]+", re.ASCII)


def verify(session: Folders, watch: Callable[[Artifact], None] | None = None) -> Iterator[Finding]:
    """What is to be said of every name in the session; watch is given what is about to be read."""
    # In this order: a writer names the record first, and gc removes it last.
    numbers = artifact_numbers(session)
    records = record_names(session)
    for number in sorted(numbers | set(records)):
        if finding := _verify_number(session, number, records.get(number, []), watch):
            yield finding
    for name in sorted(os.listdir(session.results)):
        if file_number(name) is None and parse_record_name(name) is None:
            yield Finding(session.name, name, FOREIGN, "no file of ours; left alone")
    for name in sorted(os.listdir(session.incoming)):
        if finding := _verify_incoming(session, name):
            yield finding
    yield from _verify_logs(session)
    for name in sorted(filter(_LOST.fullmatch, os.listdir(session.folder))):
        yield Finding(session.name, name, LOST, "was damaged and given up; yours to delete")


def _verify_number(
    session: Folders, number: int, names: list[str], watch: Callable[[Artifact], None] | None
) -> Finding | None:
    """What is to be said of a number; None where gc took it since it was listed."""
    name = file_name(number)
    if not names and not exists(name, session.results):
        return None
    if len(names) != 1:
        what = f"has {len(names)} records" if names else "has no record"
        return Finding(session.name, name, DAMAGED, what)
    try:
        with open_artifact(session, read_record(session, names[0])) as artifact:
            if watch:
                watch(artifact)
            artifact.verify()
    except StubError as error:
        if not exists(name, session.results):
            return _without_data(session, number, names[0])
        return Finding(session.name, name, DAMAGED, error.message)
    return Finding(session.name, name, OK, f"{amount(artifact.size, 'byte')} verified")


def _without_data(session: Folders, number: int, record: str) -> Finding | None:
    name = file_name(number)
    if exists(incoming_name(number), session.incoming):
        return Finding(session.name, name, WRITING, "it is just being published, or was cut short")
    parsed = parse_record_name(record)
    if parsed is None or not was_collected(session, number, parsed[1]):
        return Finding(session.name, name, DAMAGED, "its data is gone; only the record is left")
    if not exists(record, session.results):
        return None
    return Finding(session.name, name, LEFTOVER, "gc deleted its data and not yet its record")


def _verify_incoming(session: Folders, name: str) -> Finding | None:
    try:
        descriptor = open_regular(name, session.incoming)
    except FileNotFoundError:
        return None  # published since it was listed
    except OSError as error:
        return Finding(session.name, name, FOREIGN, f"cannot be opened: {reason_of(error)}")
    try:
        if incoming_number(name.removesuffix(".json")) is None:
            return Finding(session.name, name, FOREIGN, "no file of ours; left alone")
        if not name.endswith(".json") and not try_lock(descriptor):
            return Finding(session.name, name, WRITING, "another process is writing it")
        if is_second_file(session, name, descriptor):
            what = "another file has its final name"
            return Finding(session.name, name, DAMAGED, what)
        size = os.fstat(descriptor).st_size
        return Finding(
            session.name, name, LEFTOVER, f"{amount(size, 'byte')} of a run that was cut short"
        )
    finally:
        os.close(descriptor)


def is_second_file(session: Folders, name: str, descriptor: int) -> bool:
    """Whether what is open under a name of .incoming, and nobody writes, is not what was published
    under its number."""
    here, number = os.fstat(descriptor), incoming_number(name)
    if number is None or here.st_size == 0:
        return False  # gc has reserved the name
    try:
        there = os.stat(file_name(number), dir_fd=session.results, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return not os.path.samestat(here, there)


def _verify_logs(session: Folders) -> Iterator[Finding]:
    try:
        tombstones(session)
    except (OSError, IntegrityError) as error:
        yield Finding(session.name, COLLECTED, DAMAGED, str(error))
    try:
        with Lines(session, RUNS) as log:
            log.lock(_PATIENCE)  # a line that is just being written is not torn
            *lines, torn = log.read().split(b"\n")
    except FileNotFoundError:
        return
    except (OSError, IntegrityError) as error:
        yield Finding(session.name, RUNS, DAMAGED, str(error))
        return
    for place, line in enumerate(lines, 1):
        if not is_whole(line):
            yield Finding(session.name, RUNS, DAMAGED, f"line {place} is not what was written")
    if torn:
        yield Finding(session.name, RUNS, LEFTOVER, f"{amount(len(torn), 'byte')} of a torn line")
