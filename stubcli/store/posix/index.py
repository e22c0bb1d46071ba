"""Finds a number by its digest and a digest by its number, without listing 100,000 names.

Symbolic links in a folder of their own, made by one atomic call each and never followed, only
read. They are hints: where one is missing, a listing answers, or the same bytes are kept twice.
"""

import os

from stubcli.durable import remove
from stubcli.reference import file_name
from stubcli.store.posix.layout import Session


def number_link(number: int) -> str:
    """The name under which the digest of a number is noted."""
    return f"n{number:03d}"


def note(session: Session, number: int, sha256: str) -> None:
    """Remember which number has this digest, and which digest has this number."""
    digest = sha256[:16]
    for name, text in ((digest, file_name(number)), (number_link(number), digest)):
        try:
            remove(name, session.index)
            os.symlink(text, name, dir_fd=session.index)
        except OSError:
            pass  # a full disk, or a file system without links


def forget(session: Session, number: int, sha256: str) -> None:
    """Remove what `note` left of an artifact that is gone; another's links are left alone."""
    digest = sha256[:16]
    for name, text in ((digest, file_name(number)), (number_link(number), digest)):
        if noted(session, name) == text:
            try:
                remove(name, session.index)
            except OSError:
                pass


def noted(session: Session, name: str) -> str | None:
    """What `note` left under this digest (16 digits) or number link."""
    try:
        return os.readlink(name, dir_fd=session.index)
    except OSError:
        return None
