"""A command of the command line as a value: its name, what may be typed, its help, its work.

One file in `commands/` declares each; the parsers, the help, the man pages and the completions
are made from these values. Light: every run loads this module.
"""

from stubcli.settings.option import TYPE_CHECKING, Option, T, flag, optional, read_value
from stubcli.settings.readers import text
from stubcli.settings.table import PLACE, Setting, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from stubcli.errors import StubError
    from stubcli.settings.table import Settings


# What was typed, not yet read: a text, True for a switch, a list for what may be repeated.
Raw = dict[str, "str | bool | list[str]"]


class Given:
    """What was typed for a command: `given[OPTION]` is the value of its own option or argument.

    flags: the settings that were typed, name → text. closed: those of descriptors 0 to 2 that
    were closed when the process started.
    """

    def __init__(
        self,
        flags: "dict[str, str]",
        values: "dict[str, Any]",
        closed: "frozenset[int]" = frozenset(),
    ) -> None:
        self.flags = flags
        self.values = values
        self.closed = closed

    def __getitem__(self, option: "Option[T]") -> "T":
        value: T = self.values[option.name]
        return value

    def settings(self, tool: "str | None" = None) -> "Settings":
        """The effective settings, with what was typed above all else. Raises UsageError."""
        from stubcli.settings.load import load

        return load(self.flags, tool)

    @property
    def where(self) -> "tuple[tuple[str, str], ...]":
        """The options that a printed command repeats to mean the same store and session."""
        return tuple((row.name, self.flags[row.name]) for row in PLACE if row.name in self.flags)


class Command:
    """One command.

    name: `read`, `lease ls`; `stub` is the filter. help: the first paragraph is the summary.
    run: does the work and gives the exit status. parameters: its own arguments and options, to
    which come the settings that name it; store: whether --home and --session are among them.
    examples: (what it is for, command line) pairs. statuses: exit statuses of its own, beside the
    common ones. interspersed: whether options may follow the first argument. lenient: whether
    what is not known is passed over. refuse: what becomes of an invalid command line, of which as
    much as is known is given, where that is more than one line and status 2. filters: whether it
    passes a stream on, and by itself reports what becomes of that.
    """

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002 - the word that every option parser uses
        run: "Callable[[Given], int]",
        parameters: "tuple[Option[Any], ...]" = (),
        *,
        store: bool = True,
        examples: "tuple[tuple[str, str], ...]" = (),
        statuses: "tuple[tuple[str, str], ...]" = (),
        interspersed: bool = True,
        lenient: bool = False,
        refuse: "Callable[[StubError, Raw, frozenset[int]], int] | None" = None,
        filters: bool = False,
    ) -> None:
        self.name = name
        self.help = help
        self.run = run
        self.own = parameters
        self.parameters: tuple[Option[Any], ...] = (
            *parameters,
            *settings_of(name),
            *(PLACE if store else ()),
        )
        self.examples = examples
        self.statuses = statuses
        self.interspersed = interspersed
        self.lenient = lenient
        self.refuse = refuse
        self.filters = filters

    @property
    def path(self) -> str:
        """The command as it is typed: `stub lease ls`."""
        return self.name if self.name == "stub" else f"stub {self.name}"

    @property
    def summary(self) -> str:
        return " ".join(self.help.split("\n\n")[0].split())


class Group:
    """A command that holds others: `lease`, `messages`. One that works by itself is a Command."""

    def __init__(self, name: str, help: str) -> None:  # noqa: A002
        self.name = name
        self.help = help


def read(command: Command, raw: Raw, closed: "frozenset[int]" = frozenset()) -> Given:
    """What was typed, each value read by its own record. Raises UsageError that names the flag."""
    flags: dict[str, str] = {}
    values: dict[str, Any] = {}
    for option in command.parameters:
        typed = raw.get(option.name)
        if isinstance(option, Setting):
            if isinstance(typed, str):
                read_value(option, typed, option.flag)
                flags[option.name] = typed
        else:
            values[option.name] = _value(option, typed)
    return Given(flags, values, closed)


def _value(option: "Option[Any]", typed: "str | bool | list[str] | None") -> "Any":
    if option.kind == "switch":
        return bool(typed)
    if option.kind in ("list", "rest"):
        words = typed if isinstance(typed, list) else []
        return tuple(read_value(option, word, option.flag) for word in words)
    text = typed if isinstance(typed, str) else option.default
    return None if text is None else read_value(option, text, option.flag)


JSON = flag("json", "--json", "Print JSON.")
ALL_SESSIONS = flag("all_sessions", "--all-sessions", "Include every session of the store.")
REF: "Option[str]" = Option(
    "ref",
    (),
    "A number, a digest prefix, 'last', @NAME, the id of a call, a path, or "
    "artifact:SESSION:FILE:DIGEST.",
    text,
    kind="argument",
    metavar="REF",
    complete="ref",
    required=True,
)
TOOL = optional(
    "tool",
    "--tool",
    "Name of the program that made the output.",
    text,
    metavar="NAME",
    complete="tool",
)
CALL_ID = optional(
    "call_id", "--call-id", "Id of the call that it answers; a reference too.", text, metavar="ID"
)


def _name(typed: str) -> str:
    """What a run may be called. Raises UsageError."""
    # Who types none does not pay for the grammar of references.
    from stubcli.reference import check_name

    return check_name(typed)


NAME = optional(
    "name",
    "--name",
    "Name this run: stub read @NAME reads the newest of that name.",
    _name,
    metavar="NAME",
)
MIME = optional("mime", "--mime", "MIME type, as a hint.", text, metavar="TYPE")

__all__ = [
    "ALL_SESSIONS",
    "CALL_ID",
    "JSON",
    "MIME",
    "NAME",
    "REF",
    "TOOL",
    "Command",
    "Given",
    "Group",
    "Raw",
    "read",
]
