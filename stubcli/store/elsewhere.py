"""Other sessions that have what is missing in this one: those of folders close by come first.

Where no folder above has a session, each has one of its own, so what is missing may only mean that
the command ran one folder higher.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.errors import MissingError, StubError
from stubcli.reference import Wanted
from stubcli.settings.load import session_name
from stubcli.store import open_session, session_names
from stubcli.store.called import find_name
from stubcli.store.surface import Session

# So many folders are looked at in one; a listing should not wait for a home of a million files.
_MANY = 1000
_SHOWN = 3


def each_session(home: str, names: Iterable[str]) -> Generator[Session, None, None]:
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


def with_elsewhere(error: StubError, home: str, current: str, wanted: Wanted) -> StubError:
    """The same error, or the one that names the sessions which have what this one has not."""
    has = _looks_for(wanted)
    if has is None or not isinstance(error, MissingError) or _was_here(home, current, wanted):
        return error
    near, others = sessions_with(home, current, has)
    found = [*near, *others]
    if not found:
        return error
    typed = f"@{wanted.name}" if wanted.name else str(wanted.number or "last")
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    what = "something" if wanted.last else "one"
    have = f"{'has' if len(found) == 1 else 'have'} {what}"
    which = f"session{'s' * (len(found) > 1)} {', '.join(found[:_SHOWN])}{more}"
    return MissingError(f"{error.message}; {which} {have}", Advice("read", typed, session=found[0]))


def _looks_for(wanted: Wanted) -> Callable[[Session], bool] | None:
    """Whether a session has it; None where it is looked for in all sessions anyway."""
    if wanted.name:
        name = wanted.name
        return lambda session: find_name(session, name) is not None
    if wanted.last:
        return lambda session: session.newest() is not None
    if wanted.number is not None and wanted.session is None:
        number = wanted.number
        return lambda session: session.size_of(number) is not None
    return None


def _was_here(home: str, current: str, wanted: Wanted) -> bool:
    """Whether this session says itself what became of it."""
    if wanted.number is None:
        return False
    number = wanted.number
    return any(session.explain_missing(number) for session in each_session(home, [current]))


def sessions_with(
    home: str, current: str, has: Callable[[Session], bool]
) -> tuple[list[str], list[str]]:
    """The other sessions that have it: of folders nearby, and all the rest."""
    names = [name for name in session_names(home) if name != current]
    found = [session.name for session in each_session(home, names) if _try(has, session)]
    near = _nearby(found)
    return near, [name for name in found if name not in near]


def _try(has: Callable[[Session], bool], session: Session) -> bool:
    try:
        return has(session)
    except (StubError, OSError) as error:
        swallowed(f"looking into session {session.name}", error)
        return False


def _nearby(known: list[str]) -> list[str]:
    """Those of the sessions that belong to a folder above this one, in it or beside it."""
    try:
        near = [session_name(place) for place in _places(os.path.realpath(os.getcwd()))]
    except OSError:  # the current directory was removed
        return []
    return [name for name in dict.fromkeys(near) if name in known]


def _places(here: str) -> Iterator[str]:
    above = here
    while above != os.path.dirname(above):
        above = os.path.dirname(above)
        yield above
    for folder in (here, os.path.dirname(here)):
        try:
            with os.scandir(folder) as entries:
                inner = (entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
                yield from sorted(islice(inner, _MANY))
        except OSError as error:
            swallowed("looking for folders nearby", error)
