"""An artifact as a file of the user's: all of it verified, under its name at once or not at all.

Writes nowhere in the store, through no symbolic link, and over nothing that was not to be
replaced.
"""

import os
import stat

from stubcli.descriptors import write_all
from stubcli.durable import create, publish, remove, sync_directory, sync_file
from stubcli.errors import NotStoredError, RefusedError, UsageError, reason_of
from stubcli.store.artifact import Artifact

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A folder above may be one that may be passed but not read.
_ABOVE = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_ANOTHER = "name another file"


def export(artifact: Artifact, path: str, home: str, *, force: bool) -> None:
    """Write the artifact to `path`, a new file that only this user may read.

    home: the store, in which nothing is written. force: an existing file is replaced. Raises
    IntegrityError, RefusedError, UsageError, NotStoredError; nothing is left of it then.
    """
    folder, name = os.path.split(path)
    if name in ("", ".", ".."):
        raise UsageError(f"{path!r} names no file", "give the file to write")
    try:
        within = os.open(folder or ".", _FOLDER)
    except OSError as error:
        raise UsageError(f"{folder!r}: {reason_of(error)}", _ANOTHER) from None
    try:
        if _is_below(within, home):
            raise RefusedError(f"{path!r} is inside the store", _ANOTHER)
        _refuse_existing(path, name, within, force)
        _write(artifact, path, name, within, force)
    except OSError as error:
        raise NotStoredError(f"{path!r}: {reason_of(error)}", "nothing was written") from None
    finally:
        os.close(within)


def _is_below(folder: int, home: str) -> bool:
    """Whether the folder is the store's directory or below it, by whatever path it was opened."""
    store = os.stat(home)
    here = os.dup(folder)
    try:
        while True:
            status = os.fstat(here)
            if os.path.samestat(status, store):
                return True
            above = os.open("..", _ABOVE, dir_fd=here)
            os.close(here)
            here = above
            if os.path.samestat(os.fstat(here), status):
                return False
    finally:
        os.close(here)


def _refuse_existing(path: str, name: str, within: int, force: bool) -> None:
    try:
        mode = os.stat(name, dir_fd=within, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise RefusedError(f"{path!r} is a symbolic link", "name the file that it leads to")
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
        raise RefusedError(f"{path!r} is {what}", _ANOTHER)
    if not force:
        raise RefusedError(f"{path!r} exists", f"{_ANOTHER}, or give --force")


def _write(artifact: Artifact, path: str, name: str, within: int, force: bool) -> None:
    temporary = f".stub-export-{os.urandom(8).hex()}"
    descriptor = create(temporary, within)
    try:
        for _, data in artifact.blocks():
            write_all(descriptor, data)
        sync_file(descriptor)
        if force:
            os.rename(temporary, name, src_dir_fd=within, dst_dir_fd=within)
        else:
            publish(temporary, within, name, within)
    except FileExistsError:
        raise RefusedError(f"{path!r} exists", f"{_ANOTHER}, or give --force") from None
    finally:
        os.close(descriptor)
        remove(temporary, within)
    sync_directory(within)
