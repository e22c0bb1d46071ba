"""The settings: one row each. Flag, variable, key, help, pages and completions follow from it.

A new setting is a row here and the code that uses it. Knows how a value is read, not where it
came from.
"""

from stubcli.settings import readers
from stubcli.settings.option import TYPE_CHECKING, Generic, Option, T

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# No stub fits below this, so an input up to here always passes.
SMALLEST_BUDGET = 800

FILTER = ("stub", "run")
OFFLOAD, COMPACT = "messages offload", "messages compact"


class Setting(Option[T], Generic[T]):
    """An option that the environment and the configuration file may give too.

    As an attribute of `Settings`: the row itself on the class, its value on an instance.
    on: the commands that take it as an option; "" for every command that opens the store.
    per_tool: whether `tools.<tool>` in the configuration file may give it.
    """

    def __init__(
        self,
        default: str,
        read: "Callable[[str], T]",
        help: str,  # noqa: A002 - the word that every option parser uses
        *,
        on: "tuple[str, ...]" = (),
        per_tool: bool = False,
        flags: "tuple[str, ...]" = (),
        metavar: str = "",
        choices: "tuple[str, ...]" = (),
        complete: str = "",
    ) -> None:
        super().__init__(
            "",
            flags,
            help,
            read,
            default=default,
            metavar=metavar,
            choices=choices,
            complete=complete,
        )
        self.on = on
        self.per_tool = per_tool

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.flags = self.flags or ("--" + name.replace("_", "-"),)

    @property
    def variable(self) -> str:
        return "STUB_" + self.name.upper()

    def __get__(self, instance: "Settings | None", owner: object) -> "T":
        found: Any = self if instance is None else instance.values[self.name]
        value: T = found
        return value


class Settings:
    """The effective value of every setting, its text in `texts`, where it came from in `sources`.

    Treat it as frozen. A source is `--flag`, `STUB_VARIABLE`, `FILE: key` or `default`. exempt:
    whether the output of this tool passes whatever its size.
    """

    threshold = Setting(
        "20000",
        readers.threshold,
        "Inputs up to this size pass through unchanged: 20000, 50KiB, 20000tok.",
        on=(*FILTER, OFFLOAD),
        per_tool=True,
        metavar="SIZE",
    )
    budget = Setting(
        "5000",
        readers.count(SMALLEST_BUDGET, 100_000),
        f"Longest stub, in characters (at least {SMALLEST_BUDGET}).",
        on=(*FILTER, OFFLOAD),
        per_tool=True,
        metavar="N",
    )
    head = Setting(
        "1000",
        readers.count(0, 50_000),
        "Characters of the head to show.",
        on=(*FILTER, OFFLOAD),
        per_tool=True,
        metavar="N",
    )
    tail = Setting(
        "2000",
        readers.count(0, 50_000),
        "Characters of the tail to show.",
        on=(*FILTER, OFFLOAD),
        per_tool=True,
        metavar="N",
    )
    on_failure = Setting(
        "raw",
        readers.choice("raw", "preview", "reject"),
        "What to print if the output cannot be stored: all of it, head and tail, or nothing.",
        on=FILTER,
        per_tool=True,
        choices=("raw", "preview", "reject"),
    )
    format = Setting(
        "text",
        readers.choice("text", "json"),
        "Print the stub as text or JSON.",
        on=FILTER,
        choices=("text", "json"),
    )
    max_bytes = Setting(
        "0",
        readers.size,
        "Keep at most this much of one output; 0 keeps all of it.",
        on=FILTER,
        per_tool=True,
        metavar="SIZE",
    )
    home = Setting(
        "",
        readers.text,
        "Directory of the store (default: in the user's state directory).",
        on=("",),
        metavar="DIR",
        complete="file",
    )
    session = Setting(
        "",
        readers.text,
        "Session name (default: derived from the workspace).",
        on=("",),
        metavar="NAME",
        complete="session",
    )
    page = Setting(
        "10000",
        readers.count(1, 1 << 20),
        "Characters per page of an artifact or a query's result.",
        on=("query",),
        metavar="N",
    )
    pager = Setting(
        "", readers.text, "Pager; else $PAGER, less, bat, more.", on=("view", "diff"), metavar="CMD"
    )
    matches = Setting(
        "20",
        readers.count(1, 100_000),
        "Matches per page of a search.",
        on=("search",),
        flags=("-m", "--max-count"),
        metavar="N",
    )
    query_memory = Setting(
        "2GiB",
        readers.size,
        "Memory that a query may use; 0 for most of the machine's.",
        on=("query",),
        flags=("--memory",),
        metavar="SIZE",
    )
    query_seconds = Setting(
        "60",
        readers.duration,
        "Stop a query after this long: 60, 90s, 5m.",
        on=("query",),
        flags=("--seconds",),
        metavar="DURATION",
    )
    turn_budget = Setting(
        "100000",
        readers.count(1, 10**9),
        "Characters that all tool results of one turn may have together.",
        on=(OFFLOAD,),
        metavar="N",
    )
    turn_floor = Setting(
        "5000",
        readers.count(1, 10**9),
        "Leave results smaller than this alone when a turn exceeds its budget.",
        on=(OFFLOAD,),
        metavar="N",
    )
    turn_preview = Setting(
        "10000",
        readers.count(0, 10**9),
        "Characters of head and tail, shared by the results replaced to meet the turn's budget.",
        on=(OFFLOAD,),
        metavar="N",
    )
    turn_preview_floor = Setting(
        "1000",
        readers.count(0, 50_000),
        "Characters of head and tail that each of those results keeps at least.",
        on=(OFFLOAD,),
        metavar="N",
    )
    max_messages = Setting(
        "30",
        readers.count(0, 10**9),
        "Compact lists with more messages than this.",
        on=(COMPACT,),
        metavar="N",
    )
    max_tokens = Setting(
        "16000",
        readers.count(0, 10**9),
        "Compact lists with more estimated tokens than this.",
        on=(COMPACT,),
        metavar="N",
    )
    keep = Setting(
        "4",
        readers.count(0, 10**9),
        "Newest messages that compacting leaves alone.",
        on=(COMPACT,),
        metavar="N",
    )
    older_than = Setting(
        "24h",
        readers.age,
        "Delete artifacts unused for this long; with a unit: 90s, 12h, 7d.",
        on=("gc",),
        metavar="DURATION",
    )
    max_deletions = Setting(
        "100",
        readers.limit,
        "Delete at most this many artifacts of a session, oldest first.",
        on=("gc",),
        metavar="N|all",
    )
    keep_bytes = Setting(
        "0",
        readers.size,
        "Stop deleting once a session is no larger than this; 0 deletes all that is unneeded.",
        on=("gc",),
        metavar="SIZE",
    )

    def __init__(
        self,
        values: dict[str, object],
        texts: dict[str, str],
        sources: dict[str, str],
        *,
        exempt: bool = False,
    ) -> None:
        self.values = values
        self.texts = texts
        self.sources = sources
        self.exempt = exempt

    def but(self, **values: object) -> "Settings":
        """The same with other values."""
        return Settings({**self.values, **values}, self.texts, self.sources, exempt=self.exempt)

    def typed(self, name: str) -> bool:
        """Whether the value was typed on the command line."""
        return self.sources[name].startswith("-")

    @property
    def where(self) -> "tuple[tuple[str, str], ...]":
        """The options that a printed command repeats to mean the same store and session."""
        return tuple(
            (name, str(self.values[name])) for name in ("home", "session") if self.typed(name)
        )


SETTINGS: "tuple[Setting[object], ...]" = tuple(
    row for row in vars(Settings).values() if isinstance(row, Setting)
)
BY_NAME = {setting.name: setting for setting in SETTINGS}
# What `tools.<tool>` in the configuration file may say.
TOOL_KEYS: tuple[str, ...] = tuple(setting.name for setting in SETTINGS if setting.per_tool)
EXEMPT: "Option[bool]" = Option(
    "exempt", (), "Pass the output of this tool whatever its size.", readers.switch, default="false"
)
DISABLE = "STUB_DISABLE"


def settings_of(command: str) -> "tuple[Setting[object], ...]":
    """The settings that `command` takes as options, in the order of the table."""
    return tuple(setting for setting in SETTINGS if command in setting.on)


PLACE = settings_of("")
