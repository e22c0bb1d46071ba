"""Runs by what their host calls them, the id of a call, and by what their user calls them: a name.

The summaries of the runs say which; what they say is held against the record before it counts.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.debug import swallowed
from stubcli.errors import (
    IntegrityError,
    MissingError,
    NotStoredError,
    RefusedError,
    UsageError,
)
from stubcli.reference import file_name
from stubcli.store import open_session, session_names
from stubcli.store.records import Record, Run
from stubcli.store.surface import Session

_SHOWN = 6


@dataclass(frozen=True)
class Called:
    """A run, and the record of its content."""

    record: Record
    run: Run

    @property
    def session(self) -> str:
        return self.record.session


def find_name(session: Session, name: str) -> Called | None:
    """The newest run of that name that a session keeps. Raises IntegrityError, MissingError."""
    return next(_find(session, "name", name), None)


def find_call(home: str, current: str, call_id: str) -> Called | None:
    """The newest run that answers the call of that id: of this session, else of any.

    Raises UsageError where there are several contents, as of a call with several texts,
    IntegrityError.
    """
    found = _of_call(home, [current], call_id)
    if not found:
        found = _of_call(home, [name for name in session_names(home) if name != current], call_id)
    if len({one.record.sha256 for one in found}) > 1:
        keys = {(one.session, one.record.number, one.record.sha256[:16]): None for one in found}
        raise ambiguous(call_id, list(keys), "give the digits of one")
    return found[0] if found else None


def ambiguous(typed: str, found: list[tuple[str, int, str]], hint: str) -> UsageError:
    """The error that lists session, number and digest of what was found."""
    shown = ", ".join(
        f"{name}/{file_name(number).split('.')[0]} {key}" for name, number, key in found[:_SHOWN]
    )
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return UsageError(f"{typed} is ambiguous: {shown}{more}", hint)


def _of_call(home: str, names: list[str], call_id: str) -> list[Called]:
    found: list[Called] = []
    for name in names:
        try:
            with open_session(home, name) as session:
                found += _find(session, "call_id", call_id)
        except (MissingError, NotStoredError, RefusedError, OSError) as error:
            swallowed(f"looking for a call in session {name}", error)
    return found


def _find(session: Session, key: str, value: str) -> Iterator[Called]:
    """The runs whose name or call id is this, newest first; none is passed over for being damaged
    that seems to be one. Raises IntegrityError, MissingError."""
    written = f'"{key}":{json.dumps(value)}'.encode("ascii")
    for arrival in reversed(session.arrivals()):
        try:
            if arrival.summary and written not in arrival.summary:
                continue
            if getattr(session.summary_of(arrival), key) != value:
                continue
        except (IntegrityError, MissingError) as error:
            swallowed(f"looking at run {arrival.run} of session {session.name}", error)
            continue
        record = session.find(arrival.number, arrival.digest)
        for run in session.runs(record):
            if run.number == arrival.run and getattr(run.origin, key) == value:
                yield Called(record, run)
