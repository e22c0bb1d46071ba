"""A user's own files: read whole, replaced atomically, with a backup kept beside them.

Knows nothing of what they say.
"""

import os
import stat
from dataclasses import dataclass

from stubcli.debug import swallowed
from stubcli.descriptors import write_all
from stubcli.durable import create, remove, sync_directory, sync_file
from stubcli.errors import RefusedError, UsageError, reason_of

_LARGEST = 16 << 20
_BACKUP = ".before-stub"
_BOM = "\ufeff"


@dataclass(frozen=True)
class UserFile:
    """A file as it was found: text is None where there is none.

    path is as it was given, target where links lead. status: as of `stat`, None where there is no
    file. bom: whether a byte order mark precedes the text.
    """

    path: str
    target: str
    text: str | None
    status: os.stat_result | None
    bom: bool = False


def read_file(path: str, within: str | None = None) -> UserFile:
    """The file at `path`; through a symbolic link, since dotfiles are often kept elsewhere.

    within: a project, which nothing may lead out of: its links are whoever's who wrote it.
    Raises RefusedError, UsageError.
    """
    target = os.path.realpath(path)
    if within is not None and not target.startswith(os.path.realpath(within) + os.sep):
        raise RefusedError(
            f"{path} leads out of the project, to {target}", "replace the link with a file"
        )
    try:
        status = os.stat(target)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError(f"{path} is not a regular file", "move it away, then run this again")
        with open(target, "rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return UserFile(path, target, None, None)
    except OSError as error:
        raise RefusedError(f"{path}: {reason_of(error)}", "nothing was changed") from None
    if len(data) > _LARGEST:
        raise RefusedError(f"{path} is larger than 16 MiB", "nothing was changed")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8", "nothing was changed") from None
    return UserFile(path, target, text.removeprefix(_BOM), status, text.startswith(_BOM))


def list_backups(found: UserFile) -> list[str]:
    """The paths of its backups, the newest first."""
    folder, base = os.path.split(found.target + _BACKUP)
    try:
        names = os.listdir(folder)
    except OSError as error:
        swallowed(f"the backups of {found.path}", error)
        return []
    numbers = [_backup_number(name, base) for name in names]
    return [
        _backup_path(found.target, number)
        for number in sorted((number for number in numbers if number), reverse=True)
    ]


def _backup_number(name: str, base: str) -> int:
    """Which backup has this name, from 1; 0 where it is not one."""
    digits = name[len(base) + 1 :]
    if name == base:
        return 1
    return int(digits) if name.startswith(base + ".") and digits.isdecimal() else 0


def _backup_path(target: str, number: int) -> str:
    return f"{target}{_BACKUP}" + (f".{number}" if number > 1 else "")


def back_up(found: UserFile) -> str:
    """Copy the file, unless the newest backup is the same; the path. Raises OSError."""
    data = _encode(found, found.text or "")
    for path in list_backups(found)[:1]:
        if _read(path) == data:
            return path
    newest = list_backups(found)[:1]
    base = os.path.basename(found.target + _BACKUP)
    number = _backup_number(os.path.basename(newest[0]), base) + 1 if newest else 1
    path = _backup_path(found.target, number)
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _write(os.path.basename(path), folder, data, found.status)
    finally:
        os.close(folder)
    return path


def replace(found: UserFile, text: str | None) -> None:
    """Put `text` in the place of what was found, or remove the file. All of it or nothing.

    Raises OSError; RefusedError where somebody else changed the file meanwhile.
    """
    folder_path, name = os.path.split(found.target)
    if text is not None:
        os.makedirs(folder_path, exist_ok=True)
    folder = os.open(folder_path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    temporary = f".{name}.{os.getpid()}.stub"
    try:
        if text is not None:
            remove(temporary, folder)
            _write(temporary, folder, _encode(found, text), found.status)
        if _identity(_status_of(name, folder)) != _identity(found.status):
            raise RefusedError(f"{found.path} was changed meanwhile", "run this again")
        if text is None:
            remove(name, folder)
        else:
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        sync_directory(folder)
    finally:
        remove(temporary, folder)
        os.close(folder)


def _encode(found: UserFile, text: str) -> bytes:
    return (_BOM * found.bom + text).encode("utf-8")


def _write(name: str, folder: int, data: bytes, like: os.stat_result | None) -> None:
    """A new file with the mode and the owner of the one that it replaces."""
    descriptor = create(name, folder)
    try:
        write_all(descriptor, data)
        if like and like.st_uid != os.geteuid():
            os.fchown(descriptor, like.st_uid, like.st_gid)  # under sudo: it stays the user's
        os.fchmod(descriptor, stat.S_IMODE(like.st_mode) if like else 0o666 & ~_read_umask())
        sync_file(descriptor)
    except BaseException:
        remove(name, folder)
        raise
    finally:
        os.close(descriptor)


def _read_umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _status_of(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _identity(status: os.stat_result | None) -> tuple[int, ...]:
    if status is None:
        return ()
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(_LARGEST + 4)


def read_backup(path: str) -> str | None:
    """The text of a backup; None where it cannot be read."""
    try:
        return _read(path).decode("utf-8").removeprefix(_BOM)
    except (OSError, UnicodeDecodeError) as error:
        swallowed(f"the backup {path}", error)
        return None
