"""Which store and which session a command is about."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from stubcli.advice import Where
from stubcli.cli.command import Given
from stubcli.cli.output import say, written
from stubcli.cli.progress import measured
from stubcli.settings.load import home_of as home_of
from stubcli.settings.load import session_of as session_of
from stubcli.settings.table import Settings
from stubcli.store import count_read, open_session, resolve, session_names
from stubcli.store.artifact import Artifact, Unfinished
from stubcli.store.surface import Session


def sessions_of(settings: Settings, *, everywhere: bool) -> list[str]:
    """The sessions to look at: the current one, or every one of the store."""
    return list(session_names(home_of(settings))) if everywhere else [session_of(settings)]


def open_artifact(settings: Settings, typed: str) -> Artifact:
    """The artifact that `typed` names; of one that is unfinished, what there is. Raises StubError.

    Said here, so that no command can pass it off as complete.
    """
    artifact = resolve.open_reference(home_of(settings), session_of(settings), typed, measured)
    if isinstance(artifact, Unfinished):
        say(artifact.notice)
    return artifact


def open_kept(settings: Settings, typed: str) -> Artifact:
    """The artifact that `typed` names, where it has its final name. Raises StubError."""
    return resolve.open_kept(home_of(settings), session_of(settings), typed, measured)


@contextmanager
def opened(settings: Settings, name: str) -> Iterator[Session]:
    """A session of the store, open. Raises StubError."""
    with open_session(home_of(settings), name) as session:
        yield session


def where_of(settings: Settings, session: str) -> Where:
    """The options that a printed command must repeat to mean this session of the store."""
    if session == session_of(settings):
        return settings.where
    home = tuple(pair for pair in settings.where if pair[0] == "home")
    return (*home, ("session", session))


def count_reading(run: Callable[[Given], int]) -> Callable[[Given], int]:
    """A command that reads back: what it prints is counted in the session that it was run in."""

    @wraps(run)
    def counted(given: Given) -> int:
        before = written()
        try:
            return run(given)
        finally:
            if written() > before:
                settings = given.settings()
                count_read(home_of(settings), session_of(settings), written() - before)

    return counted
