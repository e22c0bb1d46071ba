"""From what was typed to the one artifact that it names.

Knows the surface of the store and nothing of what keeps it.
"""

from collections.abc import Callable
from contextlib import closing

from stubcli.advice import Advice
from stubcli.errors import MissingError, UsageError
from stubcli.reference import FORMS, SHORT, Wanted, parse
from stubcli.store import locate_path, open_session, session_names
from stubcli.store.artifact import Artifact, Unfinished
from stubcli.store.called import Called, ambiguous, find_call, find_name
from stubcli.store.elsewhere import each_session, with_elsewhere
from stubcli.store.records import Record, Run
from stubcli.store.surface import Session
from stubcli.store.values import Watch

# Finds the record in its open session; where only a number was given that: it may be unfinished;
# where a run is meant that.
Pick = Callable[[Session], Record | int | Called]


def open_reference(home: str, current: str, typed: str, watch: Watch | None = None) -> Artifact:
    """The artifact that `typed` names, open and marked as used, with the run that it names, else
    with its newest.

    home: the store's directory; current: the session for numbers, names and `last`; watch: shows
    the progress of measuring what is unfinished. Raises UsageError, MissingError, IntegrityError;
    what is ambiguous lists its candidates, and what other sessions have names them.
    """
    wanted = parse(typed)
    try:
        artifact = _open(home, *_locate(home, current, wanted, typed), watch)
    except (MissingError, UsageError) as error:
        called = find_call(home, current, wanted.call_id) if wanted.call_id else None
        if called is None:
            raise with_elsewhere(error, home, current, wanted) from None
        artifact = _open(home, called.session, lambda _: called, watch)
    artifact.mark_used()
    return artifact


def _open(home: str, name: str, pick: Pick, watch: Watch | None) -> Artifact:
    with open_session(home, name) as session:
        found = pick(session)
        if isinstance(found, int):
            return session.open_number(found, watch)
        if isinstance(found, Called):
            return session.open(found.record, found.run)
        return session.open(found, session.newest_run(found))


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
    if wanted.digest is not None:
        return _by_digest(home, current, wanted, typed)
    if wanted.number is not None:
        return current, _by_number(wanted.number, None)
    if wanted.name is not None:
        return current, _by_name(wanted.name)
    if wanted.last:
        return current, _last
    raise UsageError(f"invalid reference {typed!r}, and no call has that id", FORMS)


def _by_number(number: int, digest: str | None) -> Pick:
    if digest is None:
        return lambda _: number
    return lambda session: session.find(number, digest)


def _by_name(name: str) -> Pick:
    def pick(session: Session) -> Called:
        """The newest run of that name."""
        found = find_name(session, name)
        if found is None:
            raise MissingError(
                f"session {session.name} keeps no run named {name}; a small output is not kept",
                Advice("ls"),
            )
        return found

    return pick


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
        for session in each_session(home, names)
        for number, digest in session.find_digest(prefix, thorough=thorough)
    ]


def _explain(home: str, digest: str) -> MissingError | None:
    """Why the artifact of that digest is gone, where gc took it."""
    with closing(each_session(home, list(session_names(home)))) as sessions:
        found = (session.explain_missing(digest=digest) for session in sessions)
        return next((error for error in found if error), None)


def _only(
    current: str, found: list[tuple[str, int, str]], digest: str, typed: str
) -> tuple[str, Pick]:
    # The same bytes kept by several sessions are one content: this session's where it has them.
    if len({key for _, _, key in found}) > 1:
        raise ambiguous(typed, found, "give more digits")
    # And the newest: bytes are kept anew where what was kept before is damaged.
    name, number, key = max(found, key=lambda one: (one[0] == current, one[1]))

    def pick(session: Session) -> Record:
        record = session.find(number, key)
        if not record.sha256.startswith(digest):
            nearest = f"the nearest is {record.sha256}"
            raise MissingError(f"no artifact has the digest {typed}", nearest)
        return record

    return name, pick
