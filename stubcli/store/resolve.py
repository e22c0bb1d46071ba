"""From what was typed to the one artifact that it names.

Knows the surface of the store and nothing of what keeps it.
"""

from collections.abc import Callable, Generator
from contextlib import closing

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.errors import MissingError, StubError, UsageError
from stubcli.reference import (
    SHORT,
    Wanted,
    file_name,
    parse,
)
from stubcli.store import locate_path, open_session, session_names
from stubcli.store.artifact import Artifact, Unfinished
from stubcli.store.records import Record, Run
from stubcli.store.surface import Session
from stubcli.store.values import Watch

_SHOWN = 6
# Finds the record in its open session; where only a number was given that: it may be unfinished.
Pick = Callable[[Session], Record | int]


def open_reference(home: str, current: str, typed: str, watch: Watch | None = None) -> Artifact:
    """The artifact that `typed` names, open, with its newest run, and marked as used.

    home: the store's directory; current: the session for numbers and `last`; watch: shows the
    progress of measuring what is unfinished. Raises UsageError, MissingError, IntegrityError; an
    ambiguous prefix lists its candidates.
    """
    name, pick = _locate(home, current, parse(typed), typed)
    with open_session(home, name) as session:
        found = pick(session)
        if isinstance(found, Record):
            artifact = session.open(found, session.newest_run(found))
        else:
            artifact = session.open_number(found, watch)
        artifact.mark_used()
        return artifact


def open_kept(home: str, current: str, typed: str, watch: Watch | None = None) -> Artifact:
    """The same, where it is finished; else MissingError."""
    artifact = open_reference(home, current, typed, watch)
    if isinstance(artifact, Unfinished):
        artifact.close()
        raise MissingError(f"artifact {artifact.record.number} is {artifact.notice}")
    return artifact


def find_runs(home: str, record: Record) -> list[Run]:
    """Every run of a content, the newest first. Raises StubError, OSError."""
    with open_session(home, record.session) as session:
        return session.runs(record)[::-1]


def _locate(home: str, current: str, wanted: Wanted, typed: str) -> tuple[str, Pick]:
    """The session's name, and how the artifact is found in it."""
    if wanted.session is not None and wanted.number is not None:
        return wanted.session, _by_number(wanted.number, wanted.digest)
    if wanted.path is not None:
        return _by_path(home, current, wanted.path)
    if wanted.digest is None:
        return current, _last if wanted.number is None else _by_number(wanted.number, None)
    return _by_digest(home, current, wanted, typed)


def _by_number(number: int, digest: str | None) -> Pick:
    if digest is None:
        return lambda _: number
    return lambda session: session.find(number, digest)


def _last(session: Session) -> int:
    """What came last; what is unfinished only where there is nothing else."""
    unfinished = session.unfinished()
    found = session.newest()
    if found is None:
        found = max(unfinished, default=None)
    if found is None:
        raise MissingError(
            f"session {session.name} keeps nothing yet", Advice("ls", all_sessions=True)
        )
    return found


def _by_path(home: str, current: str, path: str) -> tuple[str, Pick]:
    name, number, digest = locate_path(home, path)
    return name or current, _by_number(number, digest)


def _by_digest(home: str, current: str, wanted: Wanted, typed: str) -> tuple[str, Pick]:
    """A digest prefix, in any session; six digits or more may also be a number of this one."""
    digest = wanted.digest or ""
    prefix = digest[:16]
    # What a page prints is long enough to be alone: where this session has it, that is it.
    found = _keys([current], home, prefix) if len(prefix) >= SHORT else []
    if not found:
        names = list(session_names(home))
        # An index may have lost what a listing finds.
        found = _keys(names, home, prefix) or _keys(names, home, prefix, thorough=True)
    if not found and wanted.number is not None:
        return current, _by_number(wanted.number, None)
    if not found:
        raise _explain(home, digest) or MissingError(
            f"no artifact has a digest that begins with {typed}", Advice("ls", all_sessions=True)
        )
    return _only(current, found, digest, typed)


def _keys(
    names: list[str], home: str, prefix: str, *, thorough: bool = False
) -> list[tuple[str, int, str]]:
    """Session, number and digest (16 digits) of all that has a digest beginning so."""
    return [
        (session.name, number, digest)
        for session in _sessions(home, names)
        for number, digest in session.find_digest(prefix, thorough=thorough)
    ]


def _sessions(home: str, names: list[str]) -> Generator[Session, None, None]:
    """Each session that can be opened, open while it is looked at."""
    for name in names:
        try:
            session = open_session(home, name)
        except (OSError, StubError) as error:
            if not isinstance(error, MissingError):
                swallowed(f"opening session {name}", error)
            continue  # another's, of an older version, or just removed
        with session:
            yield session


def _explain(home: str, digest: str) -> MissingError | None:
    """Why the artifact of that digest is gone, where gc took it."""
    with closing(_sessions(home, list(session_names(home)))) as sessions:
        found = (session.explain_missing(digest=digest) for session in sessions)
        return next((error for error in found if error), None)


def _only(
    current: str, found: list[tuple[str, int, str]], digest: str, typed: str
) -> tuple[str, Pick]:
    # The same bytes kept by several sessions are one content: this session's where it has them.
    if len({key for _, _, key in found}) > 1:
        shown = ", ".join(
            f"{name}/{file_name(number).split('.')[0]} {key}"
            for name, number, key in found[:_SHOWN]
        )
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise UsageError(f"{typed} is ambiguous: {shown}{more}", "give more digits")
    # And the newest: bytes are kept anew where what was kept before is damaged.
    name, number, key = max(found, key=lambda one: (one[0] == current, one[1]))

    def pick(session: Session) -> Record:
        record = session.find(number, key)
        if not record.sha256.startswith(digest):
            nearest = f"the nearest is {record.sha256}"
            raise MissingError(f"no artifact has the digest {typed}", nearest)
        return record

    return name, pick
