"""A search as Python has it: the matches as values, and the exact totals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stubcli.errors import MissingError, StubError
from stubcli.retrieve.asked import Search
from stubcli.retrieve.hits import Around, Match, MatchReader
from stubcli.retrieve.kept import artifacts_of, artifacts_of_sessions
from stubcli.retrieve.search import Part
from stubcli.retrieve.totals import Totals, search_all
from stubcli.settings.load import home_of, session_of
from stubcli.settings.table import Settings
from stubcli.store import open_session, session_names
from stubcli.store.artifact import Artifact


@dataclass(frozen=True)
class Matches:
    """A page of matches, and how many there are in all.

    total matches on `lines` lines in `artifacts` artifacts; all three are exact, whatever the page
    holds. skip: the matches before this page. follow: the skip of the next page, None at the end.
    failures: why artifacts could not be searched, or not to their end; their totals are missing.
    unfinished: what of it is being written or was left over; it was searched as far as it went.
    """

    matches: tuple[Match, ...]
    total: int
    lines: int
    artifacts: int
    skip: int
    follow: int | None
    failures: tuple[StubError, ...] = ()
    unfinished: tuple[str, ...] = ()


class _Collected(Totals):
    """The totals, and the matches from `skip` on."""

    def __init__(self, skip: int, limit: int, around: Around) -> None:
        super().__init__()
        self._skip, self._limit = skip, limit
        self._reader = MatchReader(around)
        self.found: list[Match] = []

    def wanted(self) -> range:
        first = self._skip - self.matches
        return range(max(0, first), max(0, first + self._limit))

    def take(self, artifact: Artifact, part: Part) -> None:
        super().take(artifact, part)
        self.found += [self._reader.read(artifact, hit) for hit in part.hits]
        if part.hits:
            artifact.mark_used()


def find_matches(
    settings: Settings, asked: Search, artifact: Artifact | None, *, limit: int
) -> Matches:
    """Search one open artifact, else all of the session or of the store. Raises StubError."""
    pattern = asked.compiled()
    found = _Collected(asked.skip, limit, asked.around)
    failures: list[StubError] = []

    def note(error: StubError) -> None:
        if artifact:
            raise error
        if not isinstance(error, MissingError):  # collected in this moment
            failures.append(error)

    artifacts = iter((artifact,)) if artifact else _open_all(settings, note, asked.everywhere)
    for _ in search_all(artifacts, pattern, found, note):
        pass
    end = asked.skip + len(found.found)
    follow = end if found.found and end < found.matches else None
    return Matches(
        tuple(found.found),
        found.matches,
        found.lines,
        found.artifacts,
        asked.skip,
        follow,
        tuple(failures),
        tuple(found.unfinished),
    )


def _open_all(
    settings: Settings, failed: Callable[[StubError], None], everywhere: bool
) -> Iterator[Artifact]:
    home = home_of(settings)
    if everywhere:
        yield from artifacts_of_sessions(home, session_names(home), failed)
        return
    with open_session(home, session_of(settings)) as session:
        yield from artifacts_of(session, failed)
