"""Numbers in texts: sizes, durations and dates, as values that can be compared with each other.

For comparing only; what is shown is the text as it was written.
"""

import re

_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?"
    r" ?(?:Z|UTC|([+-]\d\d):?(\d\d))?)?$"
)
# Day before month: with slashes it could be either.
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})$")
_PLAIN = re.compile(r"[+-]?\d+(?:\.\d+)?$")
# Longer numbers are no floats; in texts they are names.
_EXACT = 16
_CLOCK = re.compile(r"(\d{1,4}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?$")
_WITH_UNIT = re.compile(r"([+-]?\d+(?:[.,]\d+)?) ?([A-Za-zµμ%]{1,5}(?:/s)?)$")
_PARTS = re.compile(r"(\d+(?:\.\d+)?)(d|h|m(?!s)|s|ms)(?=\d|$)")
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:d|h|ms|m|s)){2,}$")
_MONEY = re.compile(r"(-?)[$€£¥] ?(\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?)$")
_BEGINS = "+-$€£¥"
_SECONDS = {
    **dict.fromkeys(("ns",), 1e-9),
    **dict.fromkeys(("us", "µs", "μs"), 1e-6),
    **dict.fromkeys(("ms", "msec"), 1e-3),
    **dict.fromkeys(("s", "sec", "secs"), 1.0),
    # Or metres, or thousandths of a processor: among themselves it makes no difference.
    **dict.fromkeys(("m", "min", "mins"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
_PREFIXES = "kmgtpe"
# The longest text that may be one.
LONGEST = 40

Measure = tuple[str, float]


def measured(text: str) -> Measure | None:
    """What the text measures (size, duration, date, share …) and how much; None for other texts."""
    if not text or len(text) > LONGEST or not (text[0].isdigit() or text[0] in _BEGINS):
        return None
    if _PLAIN.match(text):
        return ("number", float(text)) if len(text) < _EXACT else None
    if found := _MONEY.match(text):
        amount = found[2].replace(",", "")
        return "money", float(f"-{amount}" if found[1] else amount)
    if found := _DATE.match(text):
        return _moment(found)
    if found := _DOTTED.match(text):
        day, month, year = map(int, found.groups())
        return _day(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None
    if found := _CLOCK.match(text):
        hours, minutes, seconds = found.groups()
        if seconds is None:
            return "clock", int(hours) * 60.0 + int(minutes)
        return "clock", int(hours) * 3600.0 + int(minutes) * 60 + _float(seconds)
    if found := _WITH_UNIT.match(text):
        return _unit(_float(found[1]), found[2])
    if _DURATION.match(text):
        return "duration", sum(float(n) * _SECONDS[unit] for n, unit in _PARTS.findall(text))
    return None


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def _moment(found: re.Match[str]) -> Measure | None:
    year, month, day, hour, minute, second, east, east_minutes = found.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    moment = _day(int(year), int(month), int(day))[1]
    if hour:
        moment += int(hour) * 3600 + int(minute) * 60 + (_float(second) if second else 0)
    if east:
        offset = int(east[1:]) * 3600 + int(east_minutes) * 60
        moment += offset if east[0] == "-" else -offset
    return "date", moment


def _day(year: int, month: int, day: int) -> Measure:
    # Months of 31 days keep the order; gaps between dates need no more than that.
    return "date", ((year * 12 + month) * 31 + day) * 86400.0


def _unit(number: float, unit: str) -> Measure | None:
    if unit == "%":
        return "share", number
    if unit in _SECONDS:
        return "duration", number * _SECONDS[unit]
    lower = unit.lower()
    rate = lower.endswith("/s")
    lower = lower.removesuffix("/s")
    rest = lower.removesuffix("ytes").removesuffix("yte").removesuffix("b")
    binary = rest.endswith("i")
    rest = rest.removesuffix("i")
    if rest == "" and lower in ("b", "byte", "bytes"):
        return ("rate" if rate else "size"), number
    if rest not in _PREFIXES or len(rest) != 1:
        return None
    power = _PREFIXES.index(rest) + 1
    return ("rate" if rate else "size"), number * (1024.0 if binary else 1000.0) ** power
