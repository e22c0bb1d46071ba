"""Where things are in the store, and that the place is ours.

<home>/                                   0700
  sessions/<session>/
    tool-results/
      tool_result_007.txt                 the artifact, 0400: this name exists <=> it is complete
      tool_result_007.<digest16>.json     its record
    .digests/<digest16>                   a link whose text is the artifact's file name: a hint
    .incoming/tool_result_008             being written, or left over
    .sequence                             the last number taken, and the lock of taking one
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.durable import open_directory
from stubcli.errors import MissingError, NotStoredError, UsageError
from stubcli.reference import check_session, session_folder, session_of_folder

RESULTS = "tool-results"
INCOMING = ".incoming"
DIGESTS = ".digests"
SEQUENCE = ".sequence"


@dataclass(frozen=True)
class Session:
    """An open session: descriptors of its folders. `path` is for showing only."""

    name: str
    path: str
    folder: int
    results: int
    incoming: int
    digests: int

    def artifact_path(self, file: str) -> str:
        return os.path.join(self.path, RESULTS, file)


def _open_home(home: str, *, create: bool) -> int:
    """The store's directory, of our own and writable by nobody else. Raises StubError, OSError."""
    if not os.path.isabs(home):
        raise UsageError(
            f"the store's directory {home!r} is not absolute", "set STUB_HOME to a full path"
        )
    if create:
        # The parents are the user's own (~/.local/state); private too where we make them.
        os.makedirs(os.path.dirname(home.rstrip("/")) or "/", mode=0o700, exist_ok=True)
    descriptor = open_directory(home.rstrip("/") or "/", create=create)
    status = os.fstat(descriptor)
    if status.st_uid != os.geteuid():
        problem = f"{home} belongs to another user"
    elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        problem = f"{home} can be written by others"
    else:
        return descriptor
    os.close(descriptor)
    raise NotStoredError(problem, f"chmod 700 {home}, or set STUB_HOME to a directory of your own")


def open_session(home: str, name: str, *, create: bool) -> Session:
    """Open a session's folders. Raises MissingError where it is not there and not `create`.

    Raises NotStoredError or OSError where the place cannot be used.
    """
    check_session(name)
    try:
        home_fd = _open_home(home, create=create)
        sessions = open_directory("sessions", home_fd, create=create)
        folder = open_directory(session_folder(name), sessions, create=create)
        inner = [
            open_directory(part, folder, create=create) for part in (RESULTS, INCOMING, DIGESTS)
        ]
    except FileNotFoundError:
        if create:
            raise
        raise MissingError(f"session {name} keeps nothing", "see: stub ls --all-sessions") from None
    os.close(home_fd)
    os.close(sessions)
    path = os.path.join(home, "sessions", session_folder(name))
    return Session(name, path, folder, *inner)


def close_session(session: Session) -> None:
    for descriptor in (session.folder, session.results, session.incoming, session.digests):
        os.close(descriptor)


def session_names(home: str) -> Iterator[str]:
    """The sessions in the store, by name; foreign folders are passed over."""
    try:
        folders = sorted(os.listdir(os.path.join(home, "sessions")))
    except FileNotFoundError:
        return
    for folder in folders:
        if name := session_of_folder(folder):
            yield name
