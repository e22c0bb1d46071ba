"""A transcript on disk, replaced whole, with what stood there kept."""

import os
import stat
import tempfile
from collections.abc import Iterable

from stubcli.durable import sync_directory, sync_file
from stubcli.errors import NotStoredError, UsageError, reason_of


def replace(path: str, pieces: Iterable[bytes], before: os.stat_result) -> str:
    """Put `pieces` in the place of the file; where what stood there is kept.

    before: the file as it was read; one that was changed since is left alone. All of it or
    nothing; through a symbolic link. Raises UsageError, NotStoredError.
    """
    if not stat.S_ISREG(before.st_mode):
        raise UsageError(
            f"{path} is not a regular file and cannot be replaced", "leave --in-place out"
        )
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
                file.writelines(pieces)
                file.flush()
                sync_file(descriptor)
            if _version(os.stat(target)) != _version(before):
                raise NotStoredError(f"{path} was changed meanwhile", "run this again")
            kept = _keep(target)
            os.rename(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
        parent = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            sync_directory(parent)
        finally:
            os.close(parent)
    except OSError as error:
        raise NotStoredError(f"{path}: {reason_of(error)}", "it was left as it was") from None
    return kept


def _version(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)


def _keep(target: str) -> str:
    """A second name for the file, under which it stays when the first is given away."""
    number = 0
    while True:
        number += 1
        path = f"{target}.before-stub" + (f".{number}" if number > 1 else "")
        try:
            os.link(target, path)
        except FileExistsError:
            continue
        except OSError:
            _copy(target, path)  # a file system without second names
        return path


def _copy(source: str, path: str) -> None:
    import shutil

    with open(source, "rb") as old, open(path, "xb") as new:
        shutil.copyfileobj(old, new)
        new.flush()
        sync_file(new.fileno())
