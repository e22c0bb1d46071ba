"""What sessions keep: their runs, newest first, each with the record of its content.

One that cannot be read hides none of the others. Knows no command and words nothing.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.reference import Reference
from stubcli.store import open_session, session_names
from stubcli.store.nearby import nearby_sessions
from stubcli.store.records import Arrival, Origin, Record, Run
from stubcli.store.surface import Keeping
from stubcli.store.values import Sighting

COMMAND = 60


@dataclass(frozen=True)
class RunRow:
    """One run: its content's record, None where that is damaged, and what is recorded of the run,
    None where that is; or how far one is that is unfinished. Its text is not in it."""

    session: str
    number: int
    digest: str
    run_number: int
    record: Record | None = None
    run: Run | None = None
    sighting: Sighting | None = None

    @property
    def ref(self) -> str:
        """The reference of its content; of one that is unfinished without a digest."""
        return str(Reference(self.session, self.number, self.digest))

    @property
    def command(self) -> str:
        """The command as it would be typed, cut to 60 characters; else the tool, or ""."""
        return command_of(self.run.origin) if self.run else ""


@dataclass(frozen=True)
class Listing:
    """A page of runs, and how many runs and artifacts there are. failed: why sessions cannot be
    listed."""

    rows: tuple[RunRow, ...]
    runs: int
    artifacts: int
    failed: tuple[StubError, ...] = ()


class _ListPage:
    """A listing while it is collected."""

    def __init__(self, limit: int, skip: int) -> None:
        self.limit = limit
        self.skip = skip
        self.rows: list[RunRow] = []
        self.runs = self.artifacts = 0
        self.failed: list[StubError] = []


def list_runs(home: str, names: Iterable[str], *, limit: int, skip: int) -> Listing:
    """The newest runs of these sessions, one session after the other.

    Raises StubError where the only session cannot be listed, OSError. One that keeps nothing has
    no rows.
    """
    page, names = _ListPage(limit, skip), list(names)
    for name in names:
        try:
            with open_session(home, name) as session:
                _add(page, session)
        except MissingError:
            continue
        except StubError as error:
            if len(names) == 1:
                raise
            page.failed.append(error)
    return Listing(tuple(page.rows), page.runs, page.artifacts, tuple(page.failed))


def _add(page: _ListPage, session: Keeping) -> None:
    unfinished = session.unfinished()
    arrivals = [one for one in session.arrivals() if one.number not in unfinished]
    first = max(0, page.skip - page.runs)
    room = max(0, page.limit - len(page.rows))
    page.runs += len(unfinished) + len(arrivals)
    page.artifacts += len(unfinished) + len({one.number for one in arrivals})
    newest_first = _merge(arrivals[::-1], sorted(unfinished.values(), key=lambda one: -one.number))
    records: dict[tuple[int, str], Record | None] = {}
    for one in newest_first[first : first + room]:
        page.rows.append(_row(session, one, records))


def _merge(arrivals: list[Arrival], unfinished: list[Sighting]) -> list[Sighting | Arrival]:
    """Both, the newest first: one that is unfinished stands where its number belongs."""
    merged: list[Sighting | Arrival] = []
    for one in arrivals:
        while unfinished and unfinished[0].number > one.run:
            merged.append(unfinished.pop(0))
        merged.append(one)
    return merged + unfinished


def _row(
    session: Keeping, one: Sighting | Arrival, records: dict[tuple[int, str], Record | None]
) -> RunRow:
    if isinstance(one, Sighting):
        return RunRow(session.name, one.number, "", one.number, sighting=one)
    key = (one.number, one.digest)
    run = None
    try:
        if key not in records:
            records[key] = None
            records[key] = session.find(*key)
        if record := records[key]:
            run = session.run_of(one, record)
    except (IntegrityError, MissingError) as error:
        swallowed(f"listing run {one.run} of session {session.name}", error)
    record = records[key]
    return RunRow(session.name, *key, one.run, record, run)


def command_of(origin: Origin) -> str:
    """The command as it would be typed, cut to COMMAND characters; else the tool."""
    # One word is a whole command line, as a host or a program of its own hands it over.
    words = origin.argv
    text = words[0] if len(words) == 1 else shlex.join(words) or origin.tool or ""
    return text if len(text) <= COMMAND else text[: COMMAND - 1] + "…"


def find_elsewhere(home: str, current: str) -> tuple[list[str], bool]:
    """The sessions of folders close by that keep something, and whether any other session does."""
    names = [name for name in session_names(home) if name != current]
    near = [name for name in nearby_sessions(names) if _keeps(home, name)]
    return near, bool(near) or any(_keeps(home, name) for name in names)


def _keeps(home: str, name: str) -> bool:
    try:
        with open_session(home, name) as session:
            return session.newest() is not None
    except (StubError, OSError) as error:
        swallowed(f"looking into session {name}", error)
        return False
