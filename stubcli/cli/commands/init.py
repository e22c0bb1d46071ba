"""`stub init AGENT`: plug into a coding agent, or out of it, and show what changes."""

import os
from collections.abc import Iterator
from difflib import unified_diff

from stubcli.agents import install
from stubcli.agents.host import Commands, Host, host_names, load_host
from stubcli.agents.install import FileChange
from stubcli.cli.command import Command, Given
from stubcli.cli.output import emit_text, say
from stubcli.debug import swallowed
from stubcli.errors import OK, RefusedError, StubError, UsageError, reason_of
from stubcli.settings import readers
from stubcli.settings.option import Option, flag

_AGENT: Option[str] = Option(
    "agent",
    (),
    f"The agent: {', '.join(host_names())}.",
    readers.text,
    kind="argument",
    metavar="AGENT",
    complete="agent",
    required=True,
)
_PROJECT = flag("project", "--project", "Change this project's files.")
_USER = flag("user", "--user", "Change the user's files (default).")
_INSTRUCTIONS = flag("instructions", "--instructions", "Add a few lines to its rules file, too.")
_SKILL = flag("skill", "--skill", "Add a SKILL.md, too.")
_UNINSTALL = flag("uninstall", "--uninstall", "Remove everything that was added.")
_DRY_RUN = flag("dry_run", "--dry-run", "Only print what would change.")


def run(given: Given) -> int:
    """Change the agent's files and print the difference. Raises StubError; then nothing changed."""
    if given[_PROJECT] and given[_USER]:
        raise UsageError("--project goes with no --user")
    uninstall, dry_run = given[_UNINSTALL], given[_DRY_RUN]
    host = load_host(given[_AGENT])
    place = os.getcwd() if given[_PROJECT] else None
    changes = list(_changes(host, place, given[_INSTRUCTIONS], given[_SKILL], uninstall))
    for change in changes:
        emit_text("".join(_difference(change)))
    if not changes:
        done = "contains nothing of stub" if uninstall else "is set up already"
        say(f"nothing to do: {host.title} {done}")
    for change in changes:
        if dry_run:
            say(f"would be {_done(change)}: {change.found.path}")
        else:
            _apply(change)
    if changes and host.note and not (uninstall or dry_run):
        say(f"{host.title}: {host.note}")
    return OK


def _changes(
    host: Host, project: str | None, instructions: bool, skill: bool, uninstall: bool
) -> Iterator[FileChange]:
    if not uninstall:
        found = install.find_commands()
        targets = install.list_targets(host, found, project, rules=instructions, skill=skill)
        for target in targets:
            if change := install.plan_install(target, project):
                yield change
        return
    try:
        found = install.find_commands()
    except StubError as error:
        swallowed("stub init --uninstall", error)
        found = Commands("stub", "stub-shell")  # it is gone already, and its traces go as well
    rules = project is not None or host.rules is not None
    for target in install.list_targets(host, found, project, rules=rules, skill=True):
        if change := install.plan_removal(target, project):
            yield change


def _apply(change: FileChange) -> None:
    found = change.found
    try:
        kept = install.apply(change)
    except OSError as error:
        raise RefusedError(
            f"{found.path} cannot be written: {reason_of(error)}", "nothing was lost"
        ) from None
    line = f"{_done(change)}: {found.path}"
    if os.path.islink(found.path):
        line += f", in the file that it leads to, {found.target}"
    if kept:
        line += f"; as it was: {kept}"
    say(line)


def _done(change: FileChange) -> str:
    if change.text is None:
        return "removed"
    if change.restored:
        return "restored"
    return "changed" if change.found.text is not None else "written"


def _difference(change: FileChange) -> Iterator[str]:
    before = (change.found.text or "").splitlines(keepends=True)
    after = (change.text or "").splitlines(keepends=True)
    old = "/dev/null" if change.found.text is None else change.found.path
    new = "/dev/null" if change.text is None else change.found.path
    for line in unified_diff(before, after, old, new):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


COMMAND = Command(
    "init",
    """Plug into a coding agent.

    Large outputs of its commands become stubs by themselves. Prints the difference, keeps the
    previous file beside the new one, and changes nothing else in it. Running it again changes
    nothing. --uninstall restores the file byte for byte if it was not edited since, and otherwise
    removes only what was added.
    """,
    run,
    (_AGENT, _PROJECT, _USER, _INSTRUCTIONS, _SKILL, _UNINSTALL, _DRY_RUN),
    store=False,
    examples=(("See what would change for Claude Code:", "stub init claude --dry-run"),),
)
