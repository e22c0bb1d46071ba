"""How typed values are read: sizes, counts, durations, choices. Each raises UsageError.

Knows neither which option a value is for nor where it came from.
"""

from stubcli.errors import UsageError, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CHARACTERS, BYTES, TOKENS = "characters", "bytes", "tokens"
# What is held in memory before the store is asked is bounded by the largest threshold.
LARGEST_THRESHOLD = 16 << 20

_DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CENTURY = 36_525 * 86_400
_DAYS = {"today": 0, "yesterday": 1}
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
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "


class Size:
    """An amount and its unit: characters, bytes or estimated tokens (bytes / 4)."""

    __slots__ = ("amount", "unit")

    def __init__(self, amount: int, unit: str) -> None:
        self.amount = amount
        self.unit = unit

    def __str__(self) -> str:
        suffix = {CHARACTERS: "", BYTES: "B", TOKENS: "tok"}[self.unit]
        return f"{self.amount}{suffix}"

    @property
    def scaled(self) -> int:
        """The amount in characters or bytes; a token counts as four bytes."""
        return self.amount * (4 if self.unit == TOKENS else 1)


def _whole(text: str) -> int | None:
    digits = text.replace("_", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def _split(text: str) -> tuple[int | None, str]:
    number = text.rstrip(_LETTERS)
    return _whole(number), text[len(number) :].strip().lower()


def text(typed: str) -> str:
    """Any text, as it was typed."""
    return typed


def threshold(typed: str) -> Size:
    """Characters (20000), bytes (50KiB, 64kB) or tokens (20000tok)."""
    amount, unit = _split(typed.strip())
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
            f"invalid threshold {typed!r}",
            f"give characters (20000), bytes (50KiB, 64kB) or tokens (20000tok), at most {limit}",
        )
    return size


def size(typed: str) -> int:
    """Bytes: 1000000, 50KiB, 2GiB."""
    amount, unit = _split(typed.strip())
    if amount is None or unit not in _UNITS:
        raise UsageError(
            f"invalid size {typed!r}", "give bytes (1000000, 50KiB, 2GiB), 0 for no limit"
        )
    return amount * _UNITS[unit]


def duration(typed: str) -> float:
    """Seconds: a number and its unit, s, m, h, d or w; a bare number is seconds.

    At least a millisecond; 10^9 seconds, the most, are no limit at all.
    """
    seconds = _seconds(typed)
    if seconds is None or not 0.001 <= seconds <= 10**9:
        raise UsageError(
            f"invalid duration {typed!r}", "give seconds (30, 0.5), or s, m, h, d or w: 90s, 5m"
        )
    return seconds


def age(typed: str) -> int:
    """Whole seconds, written like a duration, but with its unit: 7 could be meant as days.

    A fraction of a second counts as a whole one. Only 0 needs no unit.
    """
    seconds = _seconds(typed)
    if seconds is None or seconds > _CENTURY or (seconds and typed.strip()[-1:].isdigit()):
        raise UsageError(f"invalid duration {typed!r}", "give it with s, m, h, d or w: 24h, 7d")
    return int(-(-seconds // 1))


def since(typed: str) -> str:
    """When that was, in UTC, as runs record it: a duration ago (2h, 7d), a day, or a day and a time
    of day, which are local where they name no zone."""
    import datetime

    word, now = typed.strip().lower(), datetime.datetime.now(datetime.UTC)
    seconds = None if word[-1:].isdigit() else _seconds(word)
    try:
        if seconds is not None:
            begin = now - datetime.timedelta(seconds=seconds)
        elif word in _DAYS:
            day = now.astimezone().date() - datetime.timedelta(days=_DAYS[word])
            begin = datetime.datetime.fromisoformat(day.isoformat())
        else:
            begin = datetime.datetime.fromisoformat(typed.strip())
        return begin.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        hint = "give a duration (90s, 2h, 7d), a day (2026-01-31), or a day and a time"
        raise UsageError(f"invalid time {typed!r}", hint) from None


def _seconds(typed: str) -> float | None:
    word = typed.strip().lower()
    unit = word[-1:] if word[-1:] in _DURATIONS else ""
    number = word.removesuffix(unit).rstrip()
    whole, point, part = number.partition(".")
    digits = whole + part
    # Digits alone: float() takes "nan", "1e9" and "1_0" too. 18 of them are exact enough.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18) or (point and not part):
        return None
    return float(number) * _DURATIONS[unit or "s"]


def limit(typed: str) -> int | None:
    """A whole number; None for `all`."""
    word = typed.strip().lower()
    number = _whole(word)
    if number is None and word != "all":
        raise UsageError(f"invalid limit {typed!r}", "give a whole number, or all")
    return number


def switch(typed: str) -> bool:
    """true or false, in the words that configurations use."""
    word = typed.strip().lower()
    if word in ("", "0", "false", "no", "off"):
        return False
    if word in ("1", "true", "yes", "on"):
        return True
    raise UsageError(f"invalid value {typed!r}", "give true or false")


def count(low: int, high: int) -> "Callable[[str], int]":
    """A whole number from `low` to `high`."""

    def read(typed: str) -> int:
        number = _whole(typed.strip())
        if number is None or not low <= number <= high:
            raise UsageError(
                f"invalid value {typed!r}", f"give a whole number from {low} to {high}"
            )
        return number

    return read


def position(low: int) -> "Callable[[str], int]":
    """A whole number from `low` on; beyond 10^18 nothing lies, however many digits are typed."""

    def read(typed: str) -> int:
        digits = typed.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) < 4000):
            raise UsageError(f"invalid value {typed!r}", f"give a whole number from {low} on")
        number = int(digits)
        if number < low:
            raise UsageError(f"invalid value {typed!r}", f"give a whole number from {low} on")
        return min(number, 10**18)

    return read


def choice(*words: str) -> "Callable[[str], str]":
    """One of `words`."""

    def read(typed: str) -> str:
        if typed not in words:
            raise UsageError(f"invalid value {typed!r}", nearest(typed, words))
        return typed

    return read
