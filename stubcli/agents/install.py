"""What `stub init` changes: for each file the text that stands there and the one that shall.

Looks at files and writes none; `apply` does, one change after the other.
"""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

from stubcli.agents import files, jsonedit, texts
from stubcli.agents.files import Found
from stubcli.agents.hosts import Commands, Document, Host, directory
from stubcli.agents.merge import plugged, unplugged
from stubcli.errors import RefusedError, StubError, UsageError


@dataclass(frozen=True)
class Part:
    """One file and what of ours belongs into it.

    install gives the text with ours in it, remove the text without, None where no file is needed.
    """

    path: str
    install: Callable[[str | None], str]
    remove: Callable[[str], str | None]


@dataclass(frozen=True)
class Change:
    """One file to be changed. restored: the backup that the file becomes again."""

    found: Found
    text: str | None
    restored: str | None = None
    keep: bool = True


def commands() -> Commands:
    """Where `stub` and `stub-shell` are installed. Raises UsageError."""
    own = sys.argv[0]
    stub = own if own.endswith("/stub") and os.access(own, os.X_OK) else shutil.which("stub")
    if stub is None:
        raise UsageError(
            "no command `stub` is on the PATH for the agent to run", "see: pipx install stubcli"
        )
    stub = os.path.abspath(stub)
    places = (os.path.dirname(stub), os.path.dirname(os.path.realpath(stub)))
    beside = [path for place in places if os.access(path := f"{place}/stub-shell", os.X_OK)]
    shell = beside[0] if beside else shutil.which("stub-shell")
    if shell is None:
        raise UsageError(f"no `stub-shell` stands beside {stub}", "install stubcli anew")
    return Commands(stub, os.path.abspath(shell))


def parts(
    host: Host, found: Commands, project: str | None, *, instructions: bool, skill: bool
) -> list[Part]:
    """The files of a host. project: its directory, None for the user's own. Raises UsageError."""
    top = project if project is not None else os.path.expanduser("~")
    base = directory(host) if project is None else os.path.join(project, host.project_directory)
    chosen = [_settings(host, _present(host, base, project), found)]
    if instructions:
        chosen.append(_block(_rules(host, base, project)))
    if skill:
        where = os.path.join(top, host.skills)
        if host.skills.startswith(host.project_directory):
            where = os.path.join(base, os.path.basename(host.skills))
        chosen.append(_whole(os.path.join(where, "stub", "SKILL.md"), texts.SKILL))
    return chosen


def _present(host: Host, base: str, project: str | None) -> str:
    """The settings file that is there, else the one to be made."""
    names = host.settings if project is None else host.project_settings or host.settings
    paths = [os.path.join(base, name) for name in names]
    return next((path for path in paths if os.path.lexists(path)), paths[-1])


def _rules(host: Host, base: str, project: str | None) -> str:
    if project is not None:
        return os.path.join(project, host.project_rules)
    if host.rules is None:
        raise UsageError(f"{host.title} reads no file with a user's rules", "give --project")
    return os.path.join(base, host.rules)


def _settings(host: Host, path: str, found: Commands) -> Part:
    def edited(text: str | None, change: Callable[[Document], Document]) -> str:
        given = text if text and text.strip() else "{}\n"
        try:
            document = jsonedit.parsed(given, comments=host.comments)
            if not isinstance(document, dict):
                raise jsonedit.NotJson("this is no JSON object")
            return jsonedit.rewritten(given, change(document), comments=host.comments)
        except jsonedit.NotJson as error:
            raise UsageError(f"{path}: {error}", "nothing was changed") from None
        except StubError as error:
            raise StubError(f"{path}: {error.message}", error.status, error.hint) from None

    def remove(text: str) -> str | None:
        if not text.strip():
            return text
        left = edited(text, lambda document: unplugged(host, document))
        skeleton = set(jsonedit.parsed(left, comments=host.comments)) <= {"version"}
        own = host.settings[-1].startswith("hooks")
        return None if own and skeleton and left != text else left

    return Part(
        path, lambda text: edited(text, lambda document: plugged(host, document, found)), remove
    )


def _whole(path: str, content: str) -> Part:
    """A file that is ours altogether."""

    def install(text: str | None) -> str:
        if text is not None and texts.MARK not in text:
            raise RefusedError(f"{path} is not ours", "move it away, then run this again")
        return content

    return Part(path, install, lambda text: None if texts.MARK in text else text)


def _block(path: str) -> Part:
    return Part(path, texts.with_block, texts.without_block)


def installing(part: Part, project: str | None) -> Change | None:
    """The change that brings ours in; None where nothing is to do. Raises StubError."""
    found = files.find(part.path, project)
    text = part.install(found.text)
    return None if text == found.text else Change(found, text, keep=found.text is not None)


def removing(part: Part, project: str | None) -> Change | None:
    """The change that takes ours out; None where nothing is to do. Raises StubError.

    Where the file is what installing made of its backup, or of nothing, it becomes just that
    again, to the byte.
    """
    found = files.find(part.path, project)
    if found.text is None:
        return None
    text = part.remove(found.text)
    if text == found.text:
        return None
    for path in files.backups(found):
        before = files.text_of(path)
        if before is not None and _becomes(part, before, found.text):
            return Change(found, before, restored=path, keep=False)
    fresh = part.install(None) == found.text
    return Change(found, None if fresh else text, keep=not fresh)


def _becomes(part: Part, before: str, now: str) -> bool:
    """Whether installing makes the one of the other, which has nothing of ours."""
    try:
        return part.remove(before) == before and part.install(before) == now
    except StubError:
        return False


def apply(change: Change) -> str | None:
    """Make the change; the path of the backup, if one was kept. Raises OSError, StubError."""
    kept = files.keep(change.found) if change.keep else None
    files.replace(change.found, change.text)
    if change.restored:
        os.unlink(change.restored)
    folder = os.path.dirname(change.found.target)
    if change.text is None and os.path.basename(folder) == "stub" and not os.listdir(folder):
        os.rmdir(folder)  # of the skill; it was made for this one file
    return kept
