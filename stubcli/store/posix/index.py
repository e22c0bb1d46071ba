"""Finds a number by its digest and a digest by its number, without listing 100,000 names.

Symbolic links, made by one atomic call each and never followed, only read; those of digests in
folders by their first two digits, so that a prefix is looked up among a 256th of them. All are
hints: where one is missing a listing answers, or the same bytes are kept twice.
"""

import os

from stubcli.debug import swallowed
from stubcli.durable import PRIVATE_DIR, exists, remove
from stubcli.reference import file_name, file_number, record_name
from stubcli.store.posix.layout import FORMAT, Folders

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SPLIT = 2


def number_link(number: int) -> str:
    """The name under which the digest of a number is noted."""
    return f"n{number:03d}"


def note(session: Folders, number: int, sha256: str) -> bool:
    """Remember which number has this digest, and which digest has this number; whether it did."""
    digest = sha256[:16]
    try:
        folder = _open(session, digest, create=True)
        try:
            _link(file_name(number), digest[_SPLIT:], folder)
        finally:
            os.close(folder)
        _link(digest, number_link(number), session.index)
    except OSError as error:  # a full disk, or a file system without links
        swallowed("noting a digest", error)
        _lose_whole(session)
        return False
    return True


def _link(text: str, name: str, folder: int) -> None:
    try:
        os.symlink(text, name, dir_fd=folder)
    except FileExistsError:
        remove(name, folder)
        os.symlink(text, name, dir_fd=folder)


def _open(session: Folders, digest: str, *, create: bool = False) -> int:
    """The folder of the digests that begin like this one. Raises OSError."""
    name = digest[:_SPLIT]
    try:
        return os.open(name, _FOLDER, dir_fd=session.index)
    except FileNotFoundError:
        if not create:
            raise
    try:
        os.mkdir(name, PRIVATE_DIR, dir_fd=session.index)
        os.chmod(name, PRIVATE_DIR, dir_fd=session.index)  # umask may have taken our own bits
    except FileExistsError:
        pass  # another process was faster
    return os.open(name, _FOLDER, dir_fd=session.index)


def forget(session: Folders, number: int, sha256: str) -> None:
    """Remove what `note` left of an artifact that is gone; another's links are left alone."""
    digest = sha256[:16]
    try:
        if noted_digest(session, number) == digest:
            remove(number_link(number), session.index)
        if noted_number(session, digest) == number:
            folder = _open(session, digest)
            try:
                remove(digest[_SPLIT:], folder)
            finally:
                os.close(folder)
    except OSError as error:
        swallowed("forgetting a digest", error)


def noted_digest(session: Folders, number: int) -> str | None:
    """The digest (16 digits) that `note` left for this number."""
    try:
        return os.readlink(number_link(number), dir_fd=session.index)
    except OSError:
        return None


def noted_number(session: Folders, digest: str) -> int | None:
    """The number that `note` left for this digest (16 digits)."""
    try:
        folder = _open(session, digest)
    except OSError:
        return None
    try:
        return file_number(os.readlink(digest[_SPLIT:], dir_fd=folder))
    except OSError:
        return None
    finally:
        os.close(folder)


def find_noted(session: Folders, prefix: str) -> list[tuple[int, str]]:
    """Number and digest of the records that are noted under digests beginning so (6 to 16 digits),
    as far as they stand."""
    try:
        folder = _open(session, prefix)
        try:
            rests = [rest for rest in os.listdir(folder) if rest.startswith(prefix[_SPLIT:])]
        finally:
            os.close(folder)
    except OSError:
        return []
    found = []
    for rest in rests:
        digest = prefix[:_SPLIT] + rest
        number = noted_number(session, digest)
        if number is not None and exists(record_name(number, digest), session.results):
            found.append((number, digest))
    return found


def is_whole(session: Folders) -> bool:
    """Whether every record was noted, as far as is known; a copied store may have lost its links,
    and with them this one."""
    try:
        return bool(os.readlink(FORMAT, dir_fd=session.index))
    except OSError:
        return False


def _lose_whole(session: Folders) -> None:
    """From now on a digest is looked for in a listing too."""
    try:
        remove(FORMAT, session.index)
    except OSError as error:
        swallowed("noting a digest", error)
