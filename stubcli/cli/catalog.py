"""Every command and group, for what needs them all: typer's program, pages, completions."""

import os

from stubcli.cli.command import Command, Group
from stubcli.cli.dispatch import FOLDER, load


def commands() -> list[Command | Group]:
    """Every command and group, the filter first, then by name; a group before what it holds."""
    from stubcli.cli.default import COMMAND

    found: list[Command | Group] = [COMMAND]
    for entry in sorted(os.listdir(FOLDER)):
        path = os.path.join(FOLDER, entry)
        if entry.endswith(".py") and not entry.startswith("_"):
            found.append(load(entry.removesuffix(".py")))
        elif os.path.exists(os.path.join(path, "__init__.py")):
            found.append(load(entry))
            below = [name.removesuffix(".py") for name in os.listdir(path) if name.endswith(".py")]
            found += [load(f"{entry} {name}") for name in sorted(below) if name[0] != "_"]
    return found
