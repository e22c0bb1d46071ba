"""The store: contents, their records and their runs. What keeps them is chosen here alone.

The rooms above know `surface`, `artifact` and the values, and no implementation.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stubcli.store.surface import Session


def open_session(home: str, name: str, *, create: bool = False) -> "Session":
    """The session of that name in the store at `home`, open; whoever opened it closes it.

    Raises MissingError where it is not there and not `create`, RefusedError where an older version
    of stub wrote it, UsageError, NotStoredError or OSError where the place cannot be used.
    """
    from stubcli.store.posix.session import open_session as open_posix

    return open_posix(home, name, create=create)


def session_names(home: str) -> Iterator[str]:
    """The sessions in the store, by name."""
    from stubcli.store.posix.folders import session_names as posix_names

    return posix_names(home)


def locate_path(home: str, path: str) -> tuple[str | None, int, str | None]:
    """Session, number and digest of the artifact whose file or record has this path; the session
    is None where it is a bare name. Raises UsageError where it is none in this store."""
    from stubcli.store.posix.paths import locate_path as locate

    return locate(home, path)


def count_read(home: str, name: str, size: int) -> None:
    """Count one answer of `size` bytes in the session of that name, where there is one."""
    from stubcli.debug import swallowed
    from stubcli.errors import StubError

    try:
        with open_session(home, name) as session:
            session.count_read(size)
    except (StubError, OSError) as error:
        swallowed("counting what was read back", error)
