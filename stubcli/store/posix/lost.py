"""Give up what is damaged: it is moved aside and kept, and a tombstone says what became of it.

Only where the user accepts the loss. What a damaged name leads to is moved into the session's
folder as NAME.lost-N, unread and never followed; the lines of a log that cannot be read are left
in such a copy of it. The caller holds the journal's lock.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator

from stubcli.debug import swallowed
from stubcli.descriptors import write_all
from stubcli.durable import (
    create,
    exists,
    open_regular,
    sync_directory,
    sync_file,
    try_lock,
)
from stubcli.errors import IntegrityError, StubError
from stubcli.reference import file_name, file_number, parse_record_name
from stubcli.store.posix import collected
from stubcli.store.posix.artifacts import open_artifact, read_record, record_names
from stubcli.store.posix.folders import COLLECTED, RUNS, Folders
from stubcli.store.posix.index import forget as forget_links
from stubcli.store.posix.lines import Lines
from stubcli.store.posix.removal import drop_runs
from stubcli.store.posix.runs import is_whole
from stubcli.store.posix.sequence import incoming_number
from stubcli.store.posix.verify import is_second_file
from stubcli.store.records import Record
from stubcli.store.values import REPAIRED, Finding, Tombstone

# Whoever appends to a log holds its lock for milliseconds.
_PATIENCE = 5.0


def give_up(session: Folders, names: Iterable[str]) -> Iterator[Finding]:
    """Give up what is damaged under each of these names, and what cannot be read of the logs.

    Raises OSError; what was given up by then stays so.
    """
    for name, is_good in ((COLLECTED, collected.is_whole), (RUNS, is_whole)):
        yield from _give_up_lines(session, name, is_good)
    for name in names:
        number = file_number(name)
        done = (
            _give_up_incoming(session, name) if number is None else _give_up_number(session, number)
        )
        if done:
            yield done
    drop_runs(session)


def _give_up_number(session: Folders, number: int) -> Finding | None:
    """Move aside what is damaged of a number: where a record is true of the data, the others."""
    names = record_names(session).get(number, [])
    records = {name: _record(session, name) for name in names}
    true = next((name for name in names if _is_true(session, records[name])), None)
    if true and len(names) == 1:
        return None  # it was repaired, or restored, since it was looked at
    data = file_name(number)
    if true is None:
        _bury(session, number, [records[name] for name in names] or [None], names)
    moved = [data] if true is None and exists(data, session.results) else []
    aside = [_move_aside(session, name) for name in moved + [n for n in names if n != true]]
    sync_directory(session.folder)
    sync_directory(session.results)
    return _gave_up(session, data, ", ".join(aside))


def _give_up_incoming(session: Folders, name: str) -> Finding | None:
    """Move aside what has a name in .incoming beside another file of its number."""
    if incoming_number(name) is None:
        return None
    try:
        descriptor = open_regular(name, session.incoming)
    except FileNotFoundError:
        return None
    try:
        if not try_lock(descriptor) or not is_second_file(session, name, descriptor):
            return None
        kept = _move_aside(session, name, session.incoming)
    finally:
        os.close(descriptor)
    sync_directory(session.folder)
    return _gave_up(session, name, kept)


def _bury(session: Folders, number: int, records: list[Record | None], names: list[str]) -> None:
    """A tombstone for each record, so that every reference is told."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    digests = [parsed[1] for name in names if (parsed := parse_record_name(name))] or [""]
    for record, digest in zip(records, digests, strict=True):
        sha256, size = (record.sha256, record.size) if record else (digest, 0)
        stone = Tombstone(number, sha256, size, collected.GIVEN_UP, when)
        collected.append(session, stone)
        forget_links(session, number, digest)


def _record(session: Folders, name: str) -> Record | None:
    try:
        return read_record(session, name)
    except StubError as error:
        swallowed(f"reading {name}", error)
        return None


def _is_true(session: Folders, record: Record | None) -> bool:
    try:
        if record is None:
            return False
        with open_artifact(session, record) as artifact:
            artifact.verify()
            return True
    except StubError as error:
        swallowed(f"reading {file_name(record.number) if record else ''}", error)
        return False


def _move_aside(session: Folders, name: str, folder: int | None = None) -> str:
    """Give a name of the results, or of `folder`, a free one beside them: that."""
    within = session.results if folder is None else folder
    kept = _free_name(session, name)
    os.rename(name, kept, src_dir_fd=within, dst_dir_fd=session.folder)
    return kept


def _free_name(session: Folders, name: str) -> str:
    number = 1
    while exists(f"{name}.lost-{number}", session.folder):
        number += 1
    return f"{name}.lost-{number}"


def _give_up_lines(
    session: Folders, name: str, is_good: Callable[[bytes], bool]
) -> Iterator[Finding]:
    """Keep a copy of a log in which lines cannot be read, and go on with the others."""
    try:
        log = Lines(session, name)
    except FileNotFoundError:
        return
    except (OSError, IntegrityError) as error:
        swallowed(f"opening {name}", error)
        yield _gave_up(session, name, _move_aside(session, name, session.folder))
        sync_directory(session.folder)
        return
    with log:
        if not log.lock(_PATIENCE) or not log.in_place():
            return
        data = log.read()
        *lines, _torn = data.split(b"\n")
        good = [line for line in lines if is_good(line)]
        if len(good) < len(lines):
            kept = _copy(session, name, data)
            log.replace(b"".join(line + b"\n" for line in good))
            yield _gave_up(session, name, kept)


def _gave_up(session: Folders, name: str, kept: str) -> Finding:
    return Finding(session.name, name, REPAIRED, f"given up; kept as {kept}")


def _copy(session: Folders, name: str, data: bytes) -> str:
    kept = _free_name(session, name)
    descriptor = create(kept, session.folder)
    try:
        write_all(descriptor, data)
        sync_file(descriptor)
    finally:
        os.close(descriptor)
    return kept
