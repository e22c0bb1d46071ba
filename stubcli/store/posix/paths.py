"""From the path of a file in the store to the artifact that it belongs to."""

import os

from stubcli.advice import Advice
from stubcli.errors import UsageError
from stubcli.reference import file_number, parse_record_name, session_of_folder
from stubcli.store.posix.folders import INCOMING, RESULTS
from stubcli.store.posix.sequence import incoming_number


def locate_path(home: str, path: str) -> tuple[str | None, int, str | None]:
    """Session (None: a bare name), number and digest of 16 digits. Raises UsageError."""
    name = os.path.basename(path)
    folder = os.path.dirname(os.path.abspath(path))
    number, digest = parse_record_name(name) or (file_number(name), None)
    if number is None and os.path.basename(folder) == INCOMING:
        number = incoming_number(name)
    if number is None:
        raise UsageError(f"{path!r} is not an artifact's path", Advice("ls", json=True))
    return _session(home, path, folder) if "/" in path else None, number, digest


def _session(home: str, path: str, folder: str) -> str:
    where, part = os.path.split(folder)
    sessions = os.path.realpath(os.path.dirname(where))
    name = session_of_folder(os.path.basename(where))
    inside = sessions == os.path.join(os.path.realpath(home), "sessions")
    if name is None or not inside or part not in (RESULTS, INCOMING):
        raise UsageError(f"{path!r} is not inside the store", f"the store is {home}")
    return name
