"""Finds a number by its digest and a digest by its number, without listing 100,000 names.

Symbolic links, made by one atomic call each and never followed, only read: .index/9f86d0 names the
numbers whose digest begins so, the newest last, and .index/n007 the digest of a number. All are
hints: where one is missing a listing answers, or the same bytes are kept twice.
"""

import os

from stubcli.debug import swallowed
from stubcli.durable import exists, remove
from stubcli.reference import parse_digits, record_name
from stubcli.store.posix.folders import FORMAT, Folders

# The shortest prefix that a reference may have; two of 20,000 digests begin alike so far.
_SHORTEST = 6


def number_link(number: int) -> str:
    """The name under which the digest of a number is noted."""
    return f"n{number:03d}"


def number_of_link(name: str) -> int | None:
    """The number whose digest is noted under this name; None where it is none of those."""
    return parse_digits(name.removeprefix("n")) if name.startswith("n") else None


def note(session: Folders, number: int, sha256: str) -> bool:
    """Remember which number has this digest, and which digest has this number; whether it did."""
    others = [one for one in _read_numbers(session, sha256) if one != number]
    try:
        _link(session, number_link(number), sha256[:16])
        _link(session, sha256[:_SHORTEST], " ".join(map(str, [*others, number])))
    except OSError as error:  # a full disk, or a file system without links
        swallowed("noting a digest", error)
        _lose_whole(session)
        return False
    return True


def _link(session: Folders, name: str, text: str) -> None:
    try:
        os.symlink(text, name, dir_fd=session.index)
    except FileExistsError:
        remove(name, session.index)
        os.symlink(text, name, dir_fd=session.index)


def _read_link(session: Folders, name: str) -> str:
    """The text of a link; empty where there is none."""
    try:
        return os.readlink(name, dir_fd=session.index)
    except FileNotFoundError:
        return ""
    except OSError as error:
        swallowed(f"reading the hint {name}", error)
        return ""


def _read_numbers(session: Folders, digest: str) -> list[int]:
    """The numbers that are noted under the first digits of this one, the newest last."""
    words = _read_link(session, digest[:_SHORTEST]).split(" ")
    return [number for word in words if (number := parse_digits(word)) is not None]


def forget(session: Folders, number: int, sha256: str) -> None:
    """Remove what `note` left of an artifact that is gone; another's links are left alone."""
    digest = sha256[:16]
    try:
        if find_noted_digest(session, number) == digest:
            remove(number_link(number), session.index)
        noted = _read_numbers(session, digest)
        if number in noted:
            others = [str(one) for one in noted if one != number]
            remove(digest[:_SHORTEST], session.index)
            if others:
                _link(session, digest[:_SHORTEST], " ".join(others))
    except OSError as error:
        swallowed("forgetting a digest", error)
        _lose_whole(session)


def find_noted_digest(session: Folders, number: int) -> str | None:
    """The digest (16 digits) that `note` left for this number."""
    return _read_link(session, number_link(number)) or None


def find_noted_number(session: Folders, digest: str) -> int | None:
    """The newest number that `note` left for this digest (16 digits)."""
    numbers = reversed(_read_numbers(session, digest))
    return next((one for one in numbers if find_noted_digest(session, one) == digest), None)


def find_noted(session: Folders, prefix: str) -> list[tuple[int, str]]:
    """Number and digest of the records that are noted under digests beginning so (6 to 16 digits),
    as far as they stand."""
    keys = (
        (number, find_noted_digest(session, number) or "")
        for number in _read_numbers(session, prefix)
    )
    return [
        key
        for key in keys
        if key[1].startswith(prefix) and exists(record_name(*key), session.results)
    ]


def is_whole(session: Folders) -> bool:
    """Whether every record was noted, as far as is known; a copied store may have lost its links,
    and with them this one."""
    return bool(_read_link(session, FORMAT))


def _lose_whole(session: Folders) -> None:
    """From now on a digest is looked for in a listing too."""
    try:
        remove(FORMAT, session.index)
    except OSError as error:
        swallowed("noting a digest", error)
