"""From the words of a command line to the command that they name, and its run.

Commands are the files below `commands/`: one that is not asked for is not loaded.
"""

import os

from stubcli.cli.command import Command, Group, read
from stubcli.descriptors import STDOUT, say
from stubcli.errors import NOT_STORED, OK, USAGE, NotStoredError, StubError
from stubcli.settings.option import TYPE_CHECKING

if TYPE_CHECKING:
    from stubcli.cli.command import Raw

FOLDER = os.path.join(os.path.dirname(__file__), "commands")


def find(words: "list[str]") -> "tuple[Command, list[str]]":
    """The command that `words` name, and what is typed for it; the filter where they name none."""
    name, below = [*words, "", ""][:2]
    path = os.path.join(FOLDER, name)
    if _is_file(path, name):
        return _command(name), words[1:]
    if _is_name(name) and os.path.isdir(path):
        if _is_file(os.path.join(path, below), below):
            return _command(f"{name} {below}"), words[2:]
        group = load(name)
        if isinstance(group, Command):
            return group, words[1:]
    from stubcli.cli.default import COMMAND

    return COMMAND, words


def _is_name(word: str) -> bool:
    return word.isidentifier() and not word.startswith("_")


def _is_file(path: str, word: str) -> bool:
    return _is_name(word) and os.path.exists(path + ".py")


def _command(name: str) -> Command:
    found = load(name)
    assert isinstance(found, Command)
    return found


def load(name: str) -> "Command | Group":
    # importlib itself takes half a millisecond, a twentieth of the interpreter's start.
    path = "stubcli.cli.commands." + name.replace(" ", ".")
    found: Command | Group = __import__(path, fromlist=["COMMAND"]).COMMAND
    return found


def invoke(command: Command, raw: "Raw", closed: "frozenset[int]") -> int:
    """Run `command` with what was typed; the exit status. An error of a user is one line."""
    try:
        given = read(command, raw, closed)
    except StubError as error:
        if command.refuse:
            return command.refuse(error, raw, closed)
        say(error.line())
        return USAGE
    try:
        status = command.run(given)
        if STDOUT in closed and status == OK and not command.filters:
            raise NotStoredError("standard output is closed")
        return status
    except StubError as error:
        say(error.line(given.where))
        return error.status
    except BrokenPipeError:
        raise
    except OSError as error:
        # Here, where it is known that no help was being printed.
        from stubcli.errors import refusal

        say(refusal(error).line(given.where))
        return NOT_STORED
