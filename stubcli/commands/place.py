"""Which store and which session a command speaks of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec

from stubcli.commands.answer import say, tracked, written
from stubcli.errors import MissingError
from stubcli.settings.load import Settings
from stubcli.store import count_read, open_session, session_names
from stubcli.store.artifact import Artifact, Unfinished
from stubcli.store.resolve import open_reference
from stubcli.store.surface import Session
from stubcli.store.workspace import home_of as home_of
from stubcli.store.workspace import session_of as session_of

_Given = ParamSpec("_Given")
_Verb = Callable[Concatenate[Settings, _Given], int]


def sessions_of(settings: Settings, *, everywhere: bool) -> list[str]:
    """The sessions to look at: the current one, or every one of the store."""
    return list(session_names(home_of(settings))) if everywhere else [session_of(settings)]


def open_artifact(settings: Settings, typed: str) -> Artifact:
    """The artifact that `typed` names; of one that is unfinished, what there is. Raises StubError.

    Said here, so that no command can pass it off as complete.
    """
    artifact = open_reference(home_of(settings), session_of(settings), typed, tracked)
    if isinstance(artifact, Unfinished):
        say(artifact.notice)
    return artifact


def open_kept(settings: Settings, typed: str) -> Artifact:
    """The artifact that `typed` names, where it has its final name. Raises StubError."""
    artifact = open_reference(home_of(settings), session_of(settings), typed, tracked)
    if isinstance(artifact, Unfinished):
        artifact.close()
        raise MissingError(f"artifact {artifact.record.number} is {artifact.notice}")
    return artifact


@contextmanager
def opened(settings: Settings, name: str) -> Iterator[Session]:
    """A session of the store, open. Raises StubError."""
    with open_session(home_of(settings), name) as session:
        yield session


def suffix_of(settings: Settings, session: str) -> str:
    """The options that a printed command must repeat to mean this session of the store."""
    if session == session_of(settings):
        return settings.suffix(session=True)
    return f"{settings.suffix()} --session {session}"


def reading(verb: _Verb[_Given]) -> _Verb[_Given]:
    """A verb that reads back: what it prints is counted in the session that asked."""

    @wraps(verb)
    def counted(settings: Settings, /, *given: _Given.args, **named: _Given.kwargs) -> int:
        before = written()
        try:
            return verb(settings, *given, **named)
        finally:
            if written() > before:
                count_read(home_of(settings), session_of(settings), written() - before)

    return counted
