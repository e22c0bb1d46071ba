"""Which sessions belong to folders close by: there what is missing here may be kept.

Outside of a repository each folder has a session of its own, so an empty listing may only mean
that the command ran one folder higher.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice

from stubcli.debug import swallowed
from stubcli.settings.load import session_name

# So many folders are looked at in one; a listing should not wait for a home of a million files.
_MANY = 1000


def nearby_sessions(known: Iterable[str]) -> list[str]:
    """Those of the known sessions that belong to a folder above this one, in it or beside it."""
    names = set(known)
    try:
        near = [session_name(place) for place in _places(os.path.realpath(os.getcwd()))]
    except OSError:  # the current directory was removed
        return []
    return [name for name in dict.fromkeys(near) if name in names]


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
