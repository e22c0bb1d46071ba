"""The declared settings: one record each feeds the flag, the variable, the file and the pages.

Knows how one value is read, not where it came from.
"""

from stubcli.errors import StubError, UsageError

CHARACTERS, BYTES, TOKENS = "characters", "bytes", "tokens"

# No stub fits below this, so an input up to here always passes.
SMALLEST_BUDGET = 800
# What is held in memory before the store is asked is bounded by the largest threshold.
LARGEST_THRESHOLD = 16 << 20

_DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CENTURY = 36_525 * 86_400
_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
    "tib": 1 << 40,
}


class Size:
    """An amount and its unit: characters, bytes or estimated tokens (bytes / 4)."""

    __slots__ = ("amount", "unit")

    def __init__(self, amount: int, unit: str) -> None:
        self.amount = amount
        self.unit = unit

    def __str__(self) -> str:
        suffix = {CHARACTERS: "", BYTES: "B", TOKENS: "tok"}[self.unit]
        return f"{self.amount}{suffix}"


def _whole(text: str) -> int | None:
    digits = text.replace("_", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def _split(text: str) -> tuple[int | None, str]:
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    return _whole(number), text[len(number) :].strip().lower()


def read_threshold(text: str) -> Size:
    amount, unit = _split(text.strip())
    size = None
    if amount is not None and unit in ("", "c", "char", "chars", "characters"):
        size = Size(amount, CHARACTERS)
    elif amount is not None and unit in ("tok", "token", "tokens"):
        size = Size(amount, TOKENS)
    elif amount is not None and unit in _UNITS:
        size = Size(amount * _UNITS[unit], BYTES)
    limit = LARGEST_THRESHOLD // 4 if size and size.unit == TOKENS else LARGEST_THRESHOLD
    if size is None or size.amount > limit:
        raise UsageError(
            f"{text!r} is no threshold",
            f"give characters (20000), bytes (50KiB, 64kB) or tokens (20000tok), at most {limit}",
        )
    return size


def read_bytes(text: str) -> int:
    amount, unit = _split(text.strip())
    if amount is None or unit not in _UNITS:
        raise UsageError(
            f"{text!r} is no size", "give bytes (1000000, 50KiB, 2GiB), 0 for no limit"
        )
    return amount * _UNITS[unit]


def read_duration(text: str) -> int:
    """Seconds: a whole number and its unit, s, m, h, d or w; a bare 0 needs none."""
    word = text.strip().lower()
    unit = word[-1:] if word[-1:] in _DURATIONS else ""
    number = _whole(word.removesuffix(unit))
    if number is None or not (unit or number == 0) or number * _DURATIONS[unit or "s"] > _CENTURY:
        raise UsageError(
            f"{text!r} is no duration", "give a whole number with s, m, h, d or w: 24h"
        )
    return number * _DURATIONS[unit or "s"]


def read_limit(text: str) -> int | None:
    """A whole number; None for `all`."""
    word = text.strip().lower()
    number = _whole(word)
    if number is None and word != "all":
        raise UsageError(f"{text!r} is no limit", "give a whole number, or all")
    return number


class Setting:
    """One setting: its key, its default and how a typed value is read.

    kind: threshold, count, bytes, choice, text, switch, duration or limit. low and high bound a
    count. A duration and a limit stay as they were typed, once they have been read.
    """

    __slots__ = ("choices", "default", "help", "high", "kind", "low", "name")

    def __init__(
        self,
        name: str,
        default: str,
        kind: str,
        help: str,  # noqa: A002 - the word that every option parser uses
        *,
        low: int = 0,
        high: int = 0,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.default = default
        self.kind = kind
        self.help = help
        self.low = low
        self.high = high
        self.choices = choices

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "STUB_" + self.name.upper()

    def read(self, text: str) -> object:
        """The value that `text` means. Raises UsageError."""
        if self.kind == "threshold":
            return read_threshold(text)
        if self.kind == "bytes":
            return read_bytes(text)
        if self.kind == "switch":
            return _switch(text)
        if self.kind == "count":
            return self._count(text)
        if self.kind == "duration":
            read_duration(text)
        if self.kind == "limit":
            read_limit(text)
        if self.kind == "choice" and text not in self.choices:
            raise UsageError(f"{text!r} is none of " + ", ".join(self.choices))
        return text

    def _count(self, text: str) -> int:
        number = _whole(text.strip())
        if number is None or not self.low <= number <= self.high:
            raise UsageError(
                f"{text!r} is out of range", f"give a whole number from {self.low} to {self.high}"
            )
        return number


def read_value(setting: Setting, text: str, source: str) -> object:
    """`setting.read`, with the source named where it is refused."""
    try:
        return setting.read(text)
    except StubError as error:
        raise UsageError(f"{source}: {error.message}", error.hint) from None


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word in ("", "0", "false", "no", "off"):
        return False
    if word in ("1", "true", "yes", "on"):
        return True
    raise UsageError(f"{text!r} is neither true nor false")


FILTER: tuple[Setting, ...] = (
    Setting(
        "threshold", "20000", "threshold", "Up to here the input passes: 20000, 50KiB, 20000tok."
    ),
    Setting(
        "budget", "5000", "count", "Longest stub, in characters.", low=SMALLEST_BUDGET, high=100_000
    ),
    Setting("head", "1000", "count", "Characters of the head shown.", low=0, high=50_000),
    Setting("tail", "2000", "count", "Characters of the tail shown.", low=0, high=50_000),
    Setting(
        "on_failure",
        "raw",
        "choice",
        "What to print where the store cannot take the bytes: raw, preview or reject.",
        choices=("raw", "preview", "reject"),
    ),
    Setting(
        "format", "text", "choice", "Print the stub as text or json.", choices=("text", "json")
    ),
    Setting("max_bytes", "0", "bytes", "Keep no more than this of one output; 0 keeps all of it."),
)
PLACE: tuple[Setting, ...] = (
    Setting("home", "", "text", "The store's directory."),
    Setting("session", "", "text", "The session; else one is made of the workspace."),
)
READING: tuple[Setting, ...] = (
    Setting("page", "10000", "count", "Characters that read shows at once.", low=1, high=1 << 20),
    Setting("matches", "20", "count", "Matches that search shows at once.", low=1, high=100_000),
    Setting("query_memory", "2GiB", "bytes", "Memory of a query; 0 for most of the machine's."),
    Setting("query_seconds", "60", "count", "How long a query may take.", low=1, high=86_400),
)
MESSAGES: tuple[Setting, ...] = (
    Setting(
        "turn_budget",
        "100000",
        "count",
        "Characters that the tool results of one turn may have together.",
        low=1,
        high=10**9,
    ),
    Setting(
        "turn_floor",
        "5000",
        "count",
        "No smaller result is taken for the turn's sake.",
        low=1,
        high=10**9,
    ),
    Setting(
        "turn_preview",
        "10000",
        "count",
        "Characters of head and tail that the results taken for the turn's sake share.",
        low=0,
        high=10**9,
    ),
    Setting(
        "turn_preview_floor",
        "1000",
        "count",
        "Characters of head and tail that each of them keeps.",
        low=0,
        high=50_000,
    ),
    Setting(
        "max_messages",
        "30",
        "count",
        "Compact a list of more messages than this.",
        low=0,
        high=10**9,
    ),
    Setting(
        "max_tokens",
        "16000",
        "count",
        "Compact a list of more estimated tokens than this.",
        low=0,
        high=10**9,
    ),
    Setting(
        "keep", "4", "count", "The newest messages, which compacting leaves.", low=0, high=10**9
    ),
)
COLLECTING: tuple[Setting, ...] = (
    Setting("older_than", "24h", "duration", "gc takes what was unused for so long: 90s, 7d."),
    Setting("max_deletions", "100", "limit", "gc takes no more of one session, the oldest first."),
    Setting(
        "keep_bytes", "0", "bytes", "gc stops once a session fits; 0 takes all that is unneeded."
    ),
)
SETTINGS: tuple[Setting, ...] = FILTER + PLACE + READING + MESSAGES + COLLECTING

# What `tools.<tool>` in the configuration file may say.
TOOL_KEYS: tuple[str, ...] = ("threshold", "budget", "head", "tail", "on_failure", "max_bytes")
EXEMPT = Setting("exempt", "false", "switch", "Pass the output of this tool whatever its size.")
DISABLE = "STUB_DISABLE"
