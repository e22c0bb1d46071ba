"""Where things are in the store, and that the place is ours.

<home>/                                   0700
  sessions/<session>/
    tool-results/
      tool_result_007.txt                 the artifact, 0400: this name exists <=> it is complete
      tool_result_007.<digest16>.json     its record
    .index/<digest16>, .index/n007        links that are only read: file name, digest
    .incoming/tool_result_008             being written, or left over
    retention-leases.jsonl, .head, .lock  who needs what: see leases/files
    collected.jsonl                       what gc took: see store/collected
    replacements.jsonl                    what stands for what in messages: see messages/replay
    .readback                             how much was read back: see store/readback
    .sequence                             the last number taken, and the lock of taking one
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.durable import open_directory, open_path
from stubcli.errors import MissingError, NotStoredError, UsageError
from stubcli.reference import check_session, session_folder, session_of_folder

RESULTS = "tool-results"
INCOMING = ".incoming"
INDEX = ".index"
SEQUENCE = ".sequence"
COLLECTED = "collected.jsonl"


@dataclass(frozen=True)
class Session:
    """An open session: descriptors of its folders. `path` is for showing only."""

    name: str
    path: str
    folder: int
    results: int
    incoming: int
    index: int

    def artifact_path(self, file: str) -> str:
        return os.path.join(self.path, RESULTS, file)


def _open_home(home: str, *, create: bool) -> int:
    """The store's directory, of our own and writable by nobody else. Raises StubError, OSError."""
    if not os.path.isabs(home):
        raise UsageError(
            f"the store's directory {home!r} is not absolute", "set STUB_HOME to a full path"
        )
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


def open_session(home: str, name: str, *, create: bool) -> Session:
    """Open a session's folders. Raises MissingError where it is not there and not `create`.

    Raises NotStoredError or OSError where the place cannot be used.
    """
    check_session(name)
    path = os.path.join(home, "sessions", session_folder(name))
    opened: list[int] = []

    def enter(part: str, within: int, where: str, *, new: bool = create) -> None:
        opened.append(_ours(open_directory(part, within, create=new), where))

    try:
        opened.append(_open_home(home, create=create))
        enter("sessions", opened[0], os.path.dirname(path))
        enter(session_folder(name), opened[1], path)
        enter(RESULTS, opened[2], os.path.join(path, RESULTS))
        # What only writing needs may be missing from a session that was copied or restored.
        for part in (INCOMING, INDEX):
            enter(part, opened[2], os.path.join(path, part), new=True)
    except BaseException as error:
        for descriptor in opened:
            os.close(descriptor)
        if isinstance(error, FileNotFoundError) and not create:
            missing = MissingError(f"session {name} keeps nothing", "see: stub ls --all-sessions")
            raise missing from None
        raise
    for descriptor in opened[:2]:
        os.close(descriptor)
    return Session(name, path, *opened[2:])


def close_session(session: Session) -> None:
    for descriptor in (session.folder, session.results, session.incoming, session.index):
        os.close(descriptor)


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
