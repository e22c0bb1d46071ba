"""What sessions keep: their runs, newest first, each with the record of its content.

One that cannot be read hides none of the others. Knows no command and words nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from stubcli.debug import swallowed
from stubcli.errors import IntegrityError, MissingError, StubError
from stubcli.reference import Reference
from stubcli.retrieve.selection import Selection
from stubcli.store import open_session
from stubcli.store.records import Arrival, Record, Run
from stubcli.store.surface import Keeping
from stubcli.store.values import IN_PROGRESS, Sighting

COMMAND = 60
# Later than every time that a run records.
_NOW = "~"


@dataclass(frozen=True)
class RunRow:
    """One run: its content's record, None where that is damaged, and what is recorded of the run,
    None where that is; or how far one is that is unfinished. Its text is not in it.

    first_line: of its content, as it is displayed.
    """

    session: str
    number: int
    digest: str
    run_number: int
    record: Record | None = None
    run: Run | None = None
    sighting: Sighting | None = None
    first_line: str = ""

    @property
    def ref(self) -> str:
        """The reference of its content; of one that is unfinished without a digest."""
        return str(Reference(self.session, self.number, self.digest))

    @property
    def command(self) -> str:
        """The command as it would be typed, cut to 60 characters; else the tool, or ""."""
        text = self.run.origin.command if self.run else ""
        return text if len(text) <= COMMAND else text[: COMMAND - 1] + "…"


@dataclass(frozen=True)
class Listing:
    """A page of runs, and how many runs and artifacts there are.

    searched: the runs of which these were chosen. unread: of how many nobody can say whether they
    should be. failed: why sessions cannot be listed.
    """

    rows: tuple[RunRow, ...]
    runs: int
    artifacts: int
    searched: int = 0
    unread: int = 0
    failed: tuple[StubError, ...] = ()


class _Found(NamedTuple):
    """A run that was chosen, before anything else is read of it."""

    finished: str
    session: str
    run: Sighting | Arrival


class _Search:
    """The runs of several sessions while they are chosen. dated: whether the time of each is asked
    for, by which those of several sessions are put in one order."""

    def __init__(self, selection: Selection, *, dated: bool) -> None:
        self.selection = selection
        self.dated = dated
        self.found: list[_Found] = []
        self.artifacts = self.searched = self.unread = 0
        self.failed: list[StubError] = []

    def add(self, session: Keeping) -> None:
        """Choose among the runs of a session, the newest first."""
        unfinished = session.unfinished()
        arrivals = [one for one in session.arrivals() if one.number not in unfinished]
        merged = _merge(arrivals, sorted(unfinished.values(), key=lambda one: one.number))
        found = list(self._choose(session, merged))
        self.searched += len(merged)
        self.artifacts += len({one.run.number for one in found})
        self.found += found[::-1]

    def _choose(self, session: Keeping, runs: list[Sighting | Arrival]) -> Iterator[_Found]:
        finished = ""
        for one in runs:
            if isinstance(one, Sighting):
                if self.selection.takes_unfinished(one):
                    yield _Found(_NOW if one.state == IN_PROGRESS else finished, session.name, one)
                continue
            if self.dated:
                try:
                    finished = session.finished_of(one)
                    if not self._takes(session, one, finished):
                        continue
                except (IntegrityError, MissingError) as error:
                    swallowed(f"choosing run {one.run} of session {session.name}", error)
                    if not self.selection.is_everything:
                        self.unread += 1
                        continue
            yield _Found(finished, session.name, one)

    def _takes(self, session: Keeping, run: Arrival, finished: str) -> bool:
        selection = self.selection
        if finished < selection.since or not selection.may_take(run.summary):
            return False
        if selection.is_by_time:
            return True
        summary = session.summary_of(run)
        if selection.text and summary.first_line is None:
            first = session.first_line_of(session.find(run.number, run.digest))
            summary = summary._replace(first_line=first)
        return selection.takes(summary)


def list_runs(
    home: str, names: Iterable[str], *, limit: int, skip: int, selection: Selection | None = None
) -> Listing:
    """The newest runs of these sessions, of those that are chosen. Those of one session stand in
    the order in which they came, those of several in that of their times.

    Raises StubError where the only session cannot be listed, OSError. One that keeps nothing has
    no rows.
    """
    names, selection = list(names), selection or Selection()
    search = _Search(selection, dated=len(names) > 1 or not selection.is_everything)
    for name in names:
        try:
            with open_session(home, name) as session:
                search.add(session)
        except MissingError:
            continue
        except StubError as error:
            if len(names) == 1:
                raise
            search.failed.append(error)
    if len(names) > 1:
        search.found.sort(key=itemgetter(0), reverse=True)
    return Listing(
        _rows(home, search.found[skip : skip + limit]),
        len(search.found),
        search.artifacts,
        search.searched,
        search.unread,
        tuple(search.failed),
    )


def _merge(arrivals: list[Arrival], unfinished: list[Sighting]) -> list[Sighting | Arrival]:
    """Both, the oldest first: one that is unfinished stands where its number belongs."""
    merged: list[Sighting | Arrival] = []
    for one in arrivals:
        while unfinished and unfinished[0].number < one.run:
            merged.append(unfinished.pop(0))
        merged.append(one)
    return merged + unfinished


def _rows(home: str, chosen: list[_Found]) -> tuple[RunRow, ...]:
    rows: list[RunRow] = []
    for name, found in groupby(chosen, key=itemgetter(1)):
        with open_session(home, name) as session:
            records: dict[tuple[int, str], Record | None] = {}
            rows += [_row(session, one.run, records) for one in found]
    return tuple(rows)


def _row(
    session: Keeping, one: Sighting | Arrival, records: dict[tuple[int, str], Record | None]
) -> RunRow:
    if isinstance(one, Sighting):
        return RunRow(session.name, one.number, "", one.number, sighting=one)
    key = (one.number, one.digest)
    run, first = None, ""
    try:
        if key not in records:
            records[key] = None
            records[key] = session.find(*key)
        if record := records[key]:
            run = session.run_of(one, record)
            first = session.first_line_of(record)
    except (IntegrityError, MissingError) as error:
        swallowed(f"listing run {one.run} of session {session.name}", error)
    return RunRow(session.name, *key, one.run, records[key], run, first_line=first)
