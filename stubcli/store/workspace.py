"""Which store and which session are meant: as the settings say, else one for each workspace.

The workspace is the git root above the current directory, or that directory itself.
"""

import hashlib
import os
import re

from stubcli.errors import UsageError
from stubcli.reference import check_session
from stubcli.settings.places import state_home
from stubcli.settings.table import Settings


def home_of(settings: Settings) -> str:
    """The store's directory. Raises NotStoredError where the user has no home."""
    return settings.home or state_home()


def session_of(settings: Settings) -> str:
    """The session that numbers, and that numbers and `last` mean."""
    return settings.session or workspace_session()


def check_place(settings: Settings) -> None:
    """Raises UsageError where the settings name a store or a session that cannot be."""
    if settings.home:
        check_home(settings.home)
    if settings.session:
        check_session(settings.session)


def check_home(home: str) -> None:
    """Raises UsageError where it is no full path."""
    if not os.path.isabs(home):
        raise UsageError(
            f"the store's directory {home!r} is not absolute", "set STUB_HOME to a full path"
        )


def workspace_session() -> str:
    """The session of the workspace here: its name, and a digest of its whole path."""
    try:
        return session_name(_workspace(os.getcwd()))
    except OSError:  # the current directory was removed
        return "nowhere"


def session_name(folder: str) -> str:
    """The name of the session of a workspace."""
    root = os.path.realpath(folder)
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    slug = re.sub(r"[^a-z0-9]+", "-", os.path.basename(root).lower()).strip("-")[:40].strip("-")
    return f"{slug or 'root'}-{digest}"


def _workspace(directory: str) -> str:
    place = directory
    while True:
        if os.path.exists(os.path.join(place, ".git")):
            return place
        parent = os.path.dirname(place)
        if parent == place:
            return directory
        place = parent
