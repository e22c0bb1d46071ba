"""Where things are in the store, and that the place is ours.

<home>/                                   0700
  sessions/<session>/
    tool-results/
      tool_result_007.txt                 the content, 0400: this name exists <=> it is complete
      tool_result_007.<digest16>.json     its record: digests, counts, facts, and its first run
    runs.jsonl                            every run in the order in which they came, each with what
                                          it is found by; what is said of a further run of a
                                          content is only here: see posix/runs
    .incoming/tool_result_008             being written, or left over
    .incoming/tool_result_008.json        its record on the way to its final name
    .index/9f86d0, .index/n007            links that are only read: the first digits of a digest
                                          lead to numbers, a number to its digest: see posix/index
    .index/format                         the version; made with the session, before any record
    .index/acknowledged                   there were leases here: see posix/lockedfiles
    .sequence                             the last number taken, and the lock of taking one
    collected.jsonl                       what gc took: see posix/collected
    .readback                             how much was read back: see posix/readback
    retention-leases.jsonl, .head, .lock  who needs what: see retention/leases
    replacements.jsonl                    what stands for what in messages: see messages/replay

A number is taken by each run when it begins, also by one whose bytes turn out to be kept already:
its content keeps the older number, and the new one names the run alone.
"""

import os
import stat
from collections.abc import Iterator

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.durable import open_directory, open_path, open_regular, sync_directory
from stubcli.errors import MissingError, NotStoredError, RefusedError
from stubcli.reference import (
    check_session,
    file_number,
    parse_record_name,
    session_folder,
    session_of_folder,
)
from stubcli.settings.load import check_home
from stubcli.store.records import is_older

RESULTS = "tool-results"
INCOMING = ".incoming"
INDEX = ".index"
SEQUENCE = ".sequence"
COLLECTED = "collected.jsonl"
RUNS = "runs.jsonl"
FORMAT, VERSION = "format", "2"


class Folders:
    """The folders of an open session: descriptors. `path` is for showing only."""

    __slots__ = ("folder", "incoming", "index", "name", "path", "results")

    def __init__(
        self, name: str, path: str, folder: int, results: int, incoming: int, index: int
    ) -> None:
        self.name = name
        self.path = path
        self.folder = folder
        self.results = results
        self.incoming = incoming
        self.index = index

    def artifact_path(self, file: str) -> str:
        return os.path.join(self.path, RESULTS, file)

    def with_paths(self, error: OSError) -> OSError:
        """The same error, about paths: the names of what is open here say little elsewhere."""
        error.filename = self._path(error.filename)
        if error.filename2 is not None:
            error.filename2 = self._path(error.filename2)
        return error

    def _path(self, name: object) -> object:
        if not isinstance(name, str) or os.path.isabs(name):
            return name
        if file_number(name) is not None or parse_record_name(name):
            return self.artifact_path(name)
        folder = INCOMING if name.startswith("tool_result_") else ""
        return os.path.join(self.path, folder, name)

    def close(self) -> None:
        for descriptor in (self.folder, self.results, self.incoming, self.index):
            os.close(descriptor)


def _open_home(home: str, *, create: bool) -> int:
    """The store's directory, of our own and writable by nobody else. Raises StubError, OSError."""
    check_home(home)
    return _ours(open_path(home, create=create), home)


def _ours(descriptor: int, path: str) -> int:
    """The open directory, where it belongs to this user alone. Raises NotStoredError."""
    status = os.fstat(descriptor)
    if status.st_uid != os.geteuid():
        problem = f"{path} belongs to another user"
    elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        problem = f"{path} can be written by others"
    else:
        return descriptor
    os.close(descriptor)
    raise NotStoredError(problem, f"chmod 700 {path}, or set STUB_HOME to a directory of your own")


def open_folders(home: str, name: str, *, create: bool) -> tuple[str, int, int, int, int]:
    """A session's path and its folders: its own, tool-results, .incoming, .index.

    Raises MissingError where it is not there and not `create`, RefusedError where an older version
    wrote it, NotStoredError or OSError where the place cannot be used.
    """
    check_session(name)
    path = os.path.join(home, "sessions", session_folder(name))
    opened: list[int] = []

    def enter(part: str, within: int, where: str) -> int:
        try:
            descriptor = open_directory(part, within, create=create)
        except OSError as error:
            error.filename = where  # its own is only a name
            raise
        opened.append(_ours(descriptor, where))
        return opened[-1]

    try:
        opened.append(_open_home(home, create=create))
        enter("sessions", opened[0], os.path.dirname(path))
        folder = enter(session_folder(name), opened[1], path)
        opened += _open_parts(name, folder, path, create=create)
    except BaseException as error:
        for descriptor in opened:
            os.close(descriptor)
        if isinstance(error, FileNotFoundError) and not create:
            missing = MissingError(f"session {name} keeps nothing", Advice("ls", all_sessions=True))
            raise missing from None
        raise
    for descriptor in opened[:2]:
        os.close(descriptor)
    _, _, folder, results, incoming, index = opened
    return path, folder, results, incoming, index


def _open_parts(name: str, folder: int, path: str, *, create: bool) -> list[int]:
    """The folders in a session's own; one synchronisation for all that are made."""
    opened: list[int] = []
    made = False

    def enter(part: str, *, new: bool) -> int:
        nonlocal made
        try:
            try:
                descriptor = open_directory(part, folder, create=False)
            except FileNotFoundError:
                descriptor = open_directory(part, folder, create=new, sync=False)
                made = True
        except OSError as error:
            error.filename = os.path.join(path, part)
            raise
        opened.append(_ours(descriptor, os.path.join(path, part)))
        return descriptor

    try:
        results = enter(RESULTS, new=create)
        fresh = _check_version(name, folder, results)
        # What only writing needs may be missing from a session that was copied or restored.
        enter(INCOMING, new=True)
        index = enter(INDEX, new=True)
        if made:
            sync_directory(folder)
        if fresh:
            mark_version(index)
    except BaseException:
        for descriptor in opened:
            os.close(descriptor)
        raise
    return opened


def _check_version(name: str, folder: int, results: int) -> bool:
    """Whether nothing was kept here yet. Raises RefusedError where another version wrote it.

    The mark is a hint like what stands beside it: where it is missing, a record tells.
    """
    try:
        version = os.readlink(f"{INDEX}/{FORMAT}", dir_fd=folder)
    except FileNotFoundError:
        version = ""
    except OSError as error:
        swallowed("reading the version of a session", error)
        version = ""
    if version == VERSION:
        return False
    if version.isdigit():
        raise _of_other_version(name, "a newer")
    record = _any_record(results)
    if record is not None and is_older(record):
        raise _of_other_version(name, "an older")
    return record is None


def _of_other_version(name: str, which: str) -> RefusedError:
    return RefusedError(
        f"session {name} was written by {which} version of stub, and nothing in it is touched",
        "name another session or store: --session, --home",
    )


def _any_record(results: int) -> bytes | None:
    """What some record of the session holds; None where there is none."""
    with os.scandir(results) as entries:
        name = next((entry.name for entry in entries if parse_record_name(entry.name)), None)
    if name is None:
        return None
    try:
        with os.fdopen(open_regular(name, results), "rb") as file:
            return file.read()
    except OSError as error:
        swallowed("looking for the version of a session", error)
        return b""


def mark_version(index: int) -> None:
    try:
        os.symlink(VERSION, FORMAT, dir_fd=index)
    except OSError as error:
        swallowed("marking the version of a session", error)


def session_names(home: str) -> Iterator[str]:
    """The sessions in the store, by name; foreign and unfinished folders are passed over."""
    try:
        folders = sorted(os.listdir(os.path.join(home, "sessions")))
    except (FileNotFoundError, NotADirectoryError):
        return
    for folder in folders:
        path = os.path.join(home, "sessions", folder)
        name = session_of_folder(folder)
        if name and not os.path.islink(path) and os.path.isdir(os.path.join(path, RESULTS)):
            yield name
