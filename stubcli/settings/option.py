"""What can be set or typed, one record each: how it is spelled, read, explained and completed.

Settings and the options and arguments of every command are such records; the parser of a command
line, its help, the man pages, the completions and the configuration file all follow from them.
Light: no dataclass, no typing. A small input pays for this module at every run.
"""

from stubcli.errors import StubError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Generic, TypeVar

    T = TypeVar("T")
else:  # typing costs 9 ms, more than the interpreter's own start

    class Generic:
        def __class_getitem__(cls, _):
            return cls

    T = None

__all__ = ["TYPE_CHECKING", "Generic", "Option", "T", "flag", "optional", "read_value", "repeated"]
_POSITIONAL = ("argument", "rest")


class Option(Generic[T]):
    """One option or argument of a command; `given[OPTION]` is its value, of type T.

    name: the key of the value. flags: as they are typed, `("-m", "--max-count")`; none for an
    argument. help: one sentence. read: text → value, raising UsageError. default: the text that
    is read where nothing was typed; None where the value is None then. kind: value, switch (no
    value; T is bool), list (may be repeated; T is a tuple), argument, rest (all further words).
    complete: what completes a value: `ref`, `agent`, `session`, `tool`, `transaction`,
    `file`, or "" for choices alone. shows_default: whether the help names the default.
    """

    def __init__(
        self,
        name: str,
        flags: "tuple[str, ...] | str",
        help: str,  # noqa: A002 - the word that every option parser uses
        read: "Callable[[str], T]",
        *,
        kind: str = "value",
        default: "str | None" = None,
        metavar: str = "",
        choices: "tuple[str, ...]" = (),
        complete: str = "",
        required: bool = False,
    ) -> None:
        self.name = name
        self.flags = (flags,) if isinstance(flags, str) else flags
        self.help = help
        self.read = read
        self.kind = kind
        self.default = default
        self.choices = choices
        self.complete = complete
        self.required = required
        self.metavar = metavar or "|".join(choices) or "TEXT"

    @property
    def flag(self) -> str:
        """The long spelling, by which errors and printed commands name it."""
        return self.flags[-1] if self.flags else self.metavar

    @property
    def positional(self) -> bool:
        return self.kind in _POSITIONAL

    @property
    def text(self) -> str:
        """The help, with the default where there is one to know."""
        if self.default in (None, "", "0", "false") or self.kind == "switch":
            return self.help
        return f"{self.help.removesuffix('.')} (default: {self.default})."


def read_value(option: "Option[T]", text: str, source: str) -> "T":
    """`option.read`, with the source named where it is refused."""
    try:
        return option.read(text)
    except StubError as error:
        raise UsageError(f"{source}: {error.message}", error.hint) from None


def optional(
    name: str,
    flags: "tuple[str, ...] | str",
    help: str,  # noqa: A002
    read: "Callable[[str], T]",
    *,
    kind: str = "value",
    metavar: str = "",
    choices: "tuple[str, ...]" = (),
    complete: str = "",
) -> "Option[T | None]":
    """An option or argument whose value is None where it was not typed."""
    return Option(
        name, flags, help, read, kind=kind, metavar=metavar, choices=choices, complete=complete
    )


def flag(name: str, flags: "tuple[str, ...] | str", help: str) -> "Option[bool]":  # noqa: A002
    """An option without a value: True where it was typed."""
    return Option(name, flags, help, bool, kind="switch", default="")


def repeated(
    name: str,
    flags: "tuple[str, ...] | str",
    help: str,  # noqa: A002
    read: "Callable[[str], T]",
    *,
    kind: str = "list",
    metavar: str = "",
    complete: str = "",
    required: bool = False,
) -> "Option[tuple[T, ...]]":
    """An option that may be typed several times, or all remaining arguments: a tuple."""
    # Each word is read by itself; the parser makes the tuple.
    one: Callable[[str], Any] = read
    return Option(
        name, flags, help, one, kind=kind, metavar=metavar, complete=complete, required=required
    )
