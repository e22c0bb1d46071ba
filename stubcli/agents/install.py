"""What `stub init` changes: for each file its text as it is and as it shall be.

Planning reads files and writes none; `apply` does, one change after the other.
"""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

from stubcli.agents import instructions, jsonedit, user_files
from stubcli.agents.host import Commands, Host
from stubcli.agents.json_nodes import JsonSyntaxError
from stubcli.agents.merge import SHELL, Document, add_entries, remove_entries
from stubcli.agents.user_files import UserFile
from stubcli.debug import swallowed
from stubcli.errors import RefusedError, StubError, UsageError


@dataclass(frozen=True)
class Target:
    """One file, and what our part of it is.

    install gives its text with our part, remove the text without, None where no file is needed.
    """

    path: str
    install: Callable[[str | None], str]
    remove: Callable[[str], str | None]


@dataclass(frozen=True)
class FileChange:
    """One file to be changed.

    restored: the backup that the file becomes again. backup: whether to keep one of what it is.
    """

    found: UserFile
    text: str | None
    restored: str | None = None
    backup: bool = True


def find_commands() -> Commands:
    """Where `stub` and `stub-shell` are installed. Raises UsageError."""
    own = sys.argv[0]
    stub = own if own.endswith("/stub") and os.access(own, os.X_OK) else shutil.which("stub")
    if stub is None:
        raise UsageError("`stub` is not on the PATH", "install it: pipx install stubcli")
    stub = os.path.abspath(stub)
    places = (os.path.dirname(stub), os.path.dirname(os.path.realpath(stub)))
    beside = [path for place in places if os.access(path := f"{place}/{SHELL}", os.X_OK)]
    shell = beside[0] if beside else shutil.which(SHELL)
    if shell is None:
        raise UsageError(f"there is no `{SHELL}` beside {stub}", "reinstall stubcli")
    return Commands(stub, os.path.abspath(shell))


def list_targets(
    host: Host, commands: Commands, project: str | None, *, rules: bool, skill: bool
) -> list[Target]:
    """The files of a host. project: its directory, None for the user's own. Raises UsageError.

    rules, skill: whether the file with instructions, and the skill, are among them.
    """
    top = project if project is not None else os.path.expanduser("~")
    base = user_directory(host) if project is None else os.path.join(top, host.project_directory)
    targets = [_settings_target(host, _choose_settings(host, base, project), commands)]
    if rules:
        path = _rules_path(host, base, project)
        targets.append(Target(path, instructions.add_block, instructions.remove_block))
    if skill:
        folder = os.path.join(top, host.skills)
        if host.skills.startswith(host.project_directory):
            folder = os.path.join(base, os.path.basename(host.skills))
        targets.append(_own_file(os.path.join(folder, "stub", "SKILL.md"), instructions.SKILL))
    return targets


def user_directory(host: Host) -> str:
    """Where the host keeps what is this user's."""
    variable, _, below = host.variable.partition("/")
    given = os.environ.get(variable, "") if variable else ""
    return os.path.join(given, below) if given else os.path.expanduser(host.directory)


def _choose_settings(host: Host, base: str, project: str | None) -> str:
    """The settings file that exists, else the one to be made."""
    names = host.settings if project is None else host.project_settings
    paths = [os.path.join(base, name) for name in names]
    return next((path for path in paths if os.path.lexists(path)), paths[-1])


def _rules_path(host: Host, base: str, project: str | None) -> str:
    if project is not None:
        return os.path.join(project, host.project_rules)
    if host.rules is None:
        raise UsageError(f"{host.title} has no file for a user's own rules", "give --project")
    return os.path.join(base, host.rules)


def _settings_target(host: Host, path: str, commands: Commands) -> Target:
    def edit(text: str | None, change: Callable[[Document], Document]) -> str:
        given = text if text and text.strip() else "{}\n"
        try:
            document = jsonedit.parse(given, comments=host.comments)
            if not isinstance(document, dict):
                raise JsonSyntaxError("this is not a JSON object")
            return jsonedit.rewrite(given, change(document), comments=host.comments)
        except JsonSyntaxError as error:
            raise UsageError(f"{path}: {error}", "nothing was changed") from None
        except StubError as error:
            raise StubError(f"{path}: {error.message}", error.status, error.hint) from None

    def install(text: str | None) -> str:
        return edit(text, lambda document: add_entries(host, document, commands))

    def remove(text: str) -> str | None:
        if not text.strip():
            return text
        left = edit(text, lambda document: remove_entries(host, document))
        members = set(jsonedit.parse(left, comments=host.comments))
        empty = host.hooks_only and members <= set(host.required)
        return None if empty and left != text else left

    return Target(path, install, remove)


def _own_file(path: str, content: str) -> Target:
    """A file that is ours altogether."""

    def install(text: str | None) -> str:
        if text is not None and instructions.MARK not in text:
            raise RefusedError(
                f"{path} was not written by stub", "move it away, then run this again"
            )
        return content

    return Target(path, install, lambda text: None if instructions.MARK in text else text)


def plan_install(target: Target, project: str | None) -> FileChange | None:
    """The change that adds our part; None where nothing is to do. Raises StubError."""
    found = user_files.read_file(target.path, project)
    text = target.install(found.text)
    return None if text == found.text else FileChange(found, text, backup=found.text is not None)


def plan_removal(target: Target, project: str | None) -> FileChange | None:
    """The change that removes our part; None where nothing is to do. Raises StubError.

    Where the file is what installing made of its backup, or of nothing, it becomes just that
    again, to the byte.
    """
    found = user_files.read_file(target.path, project)
    if found.text is None:
        return None
    text = target.remove(found.text)
    if text == found.text:
        return None
    for path in user_files.list_backups(found):
        before = user_files.read_backup(path)
        if before is not None and _becomes(target, before, found.text):
            return FileChange(found, before, restored=path, backup=False)
    fresh = target.install(None) == found.text
    return FileChange(found, None if fresh else text, backup=not fresh)


def _becomes(target: Target, before: str, now: str) -> bool:
    """Whether installing makes `now` of `before`, which has nothing of ours."""
    try:
        return target.remove(before) == before and target.install(before) == now
    except StubError as error:
        swallowed(f"a backup of {target.path}", error)
        return False


def apply(change: FileChange) -> str | None:
    """Make the change; the path of the backup, if one was kept. Raises OSError, StubError."""
    kept = user_files.back_up(change.found) if change.backup else None
    user_files.replace(change.found, change.text)
    if change.restored:
        os.unlink(change.restored)
    folder = os.path.dirname(change.found.target)
    if change.text is None and os.path.basename(folder) == "stub" and not os.listdir(folder):
        os.rmdir(folder)  # of the skill; it was made for this one file
    return kept
