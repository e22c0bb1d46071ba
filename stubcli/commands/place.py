"""Which store and which session a command speaks of."""

from stubcli.settings.load import Settings
from stubcli.settings.places import state_home
from stubcli.store.artifacts import Artifact
from stubcli.store.layout import session_names
from stubcli.store.resolve import open_reference
from stubcli.store.workspace import workspace_session


def home_of(settings: Settings) -> str:
    """The store's directory. Raises NotStoredError where the user has no home."""
    return settings.home or state_home()


def session_of(settings: Settings) -> str:
    """The session that numbers and `last` mean."""
    return settings.session or workspace_session()


def sessions_of(settings: Settings, *, everywhere: bool) -> list[str]:
    """The sessions to look at: the current one, or every one of the store."""
    return list(session_names(home_of(settings))) if everywhere else [session_of(settings)]


def open_artifact(settings: Settings, typed: str) -> Artifact:
    """The artifact that `typed` names. Raises StubError."""
    return open_reference(home_of(settings), session_of(settings), typed)
