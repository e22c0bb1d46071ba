"""From what was typed to the one artifact that it names."""

import os
from collections.abc import Callable

from stubcli.errors import IntegrityError, MissingError, StubError, UsageError
from stubcli.reference import (
    Wanted,
    file_number,
    parse,
    parse_record_name,
    record_name,
    session_of_folder,
)
from stubcli.store.posix.artifacts import Artifact, find_record, read_record, record_names
from stubcli.store.posix.collected import gone
from stubcli.store.posix.index import noted
from stubcli.store.posix.layout import (
    INCOMING,
    RESULTS,
    Session,
    close_session,
    open_session,
    session_names,
)
from stubcli.store.posix.sequence import incoming_number
from stubcli.store.posix.unfinished import Watch, open_number, sightings, unwatched
from stubcli.store.records import Record

_SHOWN = 6
# Finds the record in its open session; where only a number was given that: it may be unfinished.
Pick = Callable[[Session], Record | int]


def open_reference(home: str, current: str, typed: str, watch: Watch = unwatched) -> Artifact:
    """The artifact that `typed` names, open, and marked as used.

    home: the store's directory; current: the session for numbers and `last`; watch: shows the
    progress of measuring what is unfinished. Raises UsageError, MissingError, IntegrityError; an
    ambiguous prefix lists its candidates.
    """
    name, pick = _locate(home, current, parse(typed), typed)
    session = open_session(home, name, create=False)
    try:
        found = pick(session)
        if isinstance(found, Record):
            artifact = Artifact(session, found)
        else:
            artifact = open_number(session, found, watch)
        artifact.mark_used()
        return artifact
    finally:
        close_session(session)


def _locate(home: str, current: str, wanted: Wanted, typed: str) -> tuple[str, Pick]:
    """The session's name, and how the artifact is found in it."""
    if wanted.session is not None and wanted.number is not None:
        return wanted.session, _numbered(wanted.number, wanted.digest)
    if wanted.path is not None:
        return _by_path(home, current, wanted.path)
    if wanted.digest is None:
        return current, _last if wanted.number is None else _numbered(wanted.number, None)
    return _by_digest(home, current, wanted, typed)


def _numbered(number: int, digest: str | None) -> Pick:
    if digest is None:
        return lambda _: number
    return lambda session: find_record(session, number, digest)


def _last(session: Session) -> int:
    """The newest that is complete; one that is unfinished only where there is no other."""
    unfinished = sightings(session)
    complete = [number for number in record_names(session) if number not in unfinished]
    numbers = complete or unfinished
    if not numbers:
        raise MissingError(
            f"session {session.name} keeps nothing yet", "see: stub ls --all-sessions"
        )
    return max(numbers)


def _by_path(home: str, current: str, path: str) -> tuple[str, Pick]:
    name = os.path.basename(path)
    folder = os.path.dirname(os.path.abspath(path))
    sessions = os.path.join(os.path.realpath(home), "sessions")
    number = file_number(name)
    if number is None and os.path.basename(folder) == INCOMING:
        number = incoming_number(name)
    parsed = parse_record_name(name)
    if number is None and parsed is None:
        raise UsageError(f"{path!r} is no artifact's path", "see: stub ls --json")
    where = os.path.dirname(folder)
    if "/" not in path:
        session_name: str | None = current
    elif (
        os.path.basename(folder) in (RESULTS, INCOMING)
        and os.path.realpath(os.path.dirname(where)) == sessions
    ):
        session_name = session_of_folder(os.path.basename(where))
    else:
        session_name = None
    if session_name is None:
        raise UsageError(f"{path!r} is not inside the store", f"the store is {home}")
    return session_name, _numbered(*parsed) if parsed else _numbered(number or 0, None)


def _by_digest(home: str, current: str, wanted: Wanted, typed: str) -> tuple[str, Pick]:
    """A digest prefix, in any session; six digits or more may also be a number of this one."""
    digest = wanted.digest or ""
    found: list[tuple[str, str]] = []
    for name in session_names(home):
        try:
            session = open_session(home, name, create=False)
        except (OSError, StubError):
            continue  # another's, or just removed
        for names in record_names(session).values():
            for record in names:
                parsed = parse_record_name(record)
                if parsed and (parsed[1].startswith(digest[:16])):
                    found.append((name, record))
        close_session(session)
    if not found and wanted.number is not None:
        return current, _numbered(wanted.number, None)
    if not found:
        raise _collected(home, digest) or MissingError(
            f"no artifact has a digest that begins with {typed}", "see: stub ls --all-sessions"
        )
    return _only(current, found, digest, typed)


def _collected(home: str, digest: str) -> MissingError | None:
    for name in session_names(home):
        try:
            session = open_session(home, name, create=False)
        except (OSError, StubError):
            continue
        try:
            if error := gone(session, digest=digest):
                return error
        finally:
            close_session(session)
    return None


def _only(current: str, found: list[tuple[str, str]], digest: str, typed: str) -> tuple[str, Pick]:
    # The same bytes kept by several sessions are one content: this session's where it has them.
    digests = {parse_record_name(record) for _, record in found}
    if len({parsed[1] for parsed in digests if parsed}) > 1:
        shown = ", ".join(
            f"{name}/{record.split('.')[0]} {record.split('.')[1]}"
            for name, record in found[:_SHOWN]
        )
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise UsageError(f"{typed} is ambiguous: {shown}{more}", "give more digits")
    # And the newest: bytes are kept anew where what was kept before is damaged.
    name, record_file = max(
        found, key=lambda pair: (pair[0] == current, parse_record_name(pair[1]) or (0, ""))
    )

    def pick(session: Session) -> Record:
        record = read_record(session, record_file)
        if not record.sha256.startswith(digest):
            nearest = f"the nearest is {record.sha256}"
            raise MissingError(f"no artifact has the digest {typed}", nearest)
        return record

    return name, pick


def find_same(session: Session, sha256: str) -> Record | None:
    """The artifact of this session that holds these bytes, verified, if there is one."""
    name = noted(session, sha256[:16])
    number = file_number(name) if name else None
    if number is None:
        return None
    try:
        record = read_record(session, record_name(number, sha256))
        if record.sha256 != sha256:
            return None
        with Artifact(session, record) as artifact:
            # Marked first and looked at last: in between gc may have decided that it is old.
            artifact.mark_used()
            artifact.verify()
            if not artifact.in_place(session):
                return None
    except (MissingError, IntegrityError, OSError):
        return None  # damaged or gone: these bytes are kept anew
    return record
