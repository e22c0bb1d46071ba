"""The course of a log: how many entries, and how many errors, fall into each slice of its time.

Times are read from their digits and the names of months. Where it is not known which number of a
date is the day, and it matters, nothing is said.
"""

import re
from collections import Counter

from stubcli.detect.text.facts import Course, Peak
from stubcli.detect.text.header import AROUND, LONGEST, Header, spaced
from stubcli.text.characters import decode

ERRORS = frozenset(
    b"ERROR ERR FATAL FTL CRIT CRITICAL SEVERE EMERG ALERT PANIC FAILURE E F".split()
)
_MOST = 30
_FEWEST = 4
_WIDTHS = (
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200),
    *(86400, 2 * 86400, 7 * 86400, 30 * 86400, 90 * 86400, 365 * 86400),
)
# Beyond, minutes tell as much, and are fewer.
_LONG = 4 * 3600
_CLOCK = re.compile(rb"(\d\d)[:.](\d\d)(?:[:.](\d\d))?")
_DIGITS = re.compile(rb"\d+")
_MONTHS = b"JanFebMarAprMayJunJulAugSepOctNovDec"
_MONTH = re.compile(rb"[A-Z][a-z]{2}")

_Parts = tuple[int, int, int]


def written(line: bytes, header: Header) -> bytes:
    """The time of a line that has the header, as it is written."""
    begin, end = header.times
    line = spaced(line[:LONGEST], header.separator)
    words = line.split(None, end)[begin:end]
    if len(words) < end - begin or not words:
        return b""
    start = line.find(words[0])
    last = line.find(words[-1], start + len(b" ".join(words[:-1])))
    return line[start : last + len(words[-1])].strip(AROUND)


def find(times: list[bytes], levels: list[bytes]) -> Course | None:
    """The course of entries with these times and levels; None where it cannot be told."""
    ends = [time for time in (next(filter(None, times), b""), times[-1] if times else b"") if time]
    if len(ends) < 2:
        return None
    begin, end = _seconds(set(ends)).get(ends[0]), _seconds(set(ends)).get(ends[1])
    if begin is not None and end is not None and end - begin > _LONG and ends[0].count(b":") > 1:
        times = [time.rpartition(b":")[0] for time in times]
    entries = Counter(times)
    del entries[b""]
    errors = Counter(
        [time for time, level in zip(times, levels, strict=True) if level in ERRORS and time]
    )
    seconds = _seconds(set(entries))
    if len(seconds) < _FEWEST or len(seconds) < len(entries):
        return None
    first, last = min(seconds.values()), max(seconds.values())
    width = next((width for width in _WIDTHS if (last - first) // width < _MOST), 0)
    if not width or (last - first) // width + 1 < _FEWEST:
        return None
    return Course(
        width,
        *_sliced(entries, seconds, first, last, width),
        *_sliced(errors, seconds, first, last, width),
    )


def _sliced(
    counts: Counter[bytes], seconds: dict[bytes, int], first: int, last: int, width: int
) -> tuple[tuple[int, ...], Peak | None]:
    """How many are in each slice, and where the most are; no slices where there is none."""
    slices = [0] * ((last - first) // width + 1)
    begins: dict[int, bytes] = {}
    for time, count in counts.items():
        at = (seconds[time] - first) // width
        slices[at] += count
        if at not in begins or seconds[time] < seconds[begins[at]]:
            begins[at] = time
    if not counts:
        return (), None
    most = max(slices)
    return tuple(slices), Peak(most, decode(begins[slices.index(most)]))


def _seconds(times: set[bytes]) -> dict[bytes, int]:
    """Of each time that can be read, the seconds since some day."""
    found: dict[bytes, tuple[_Parts, int]] = {}
    for time in times:
        read = _read(time)
        if read is not None:
            found[time] = read
    day = _days({date for date, _ in found.values()})
    if day is None:
        return {}
    return {time: day[date] * 86400 + clock for time, (date, clock) in found.items()}


def _read(time: bytes) -> tuple[_Parts, int] | None:
    """The date as numbers (0 for what is not known), and the seconds of the day."""
    numbers = _DIGITS.findall(time)
    if not numbers:
        return None
    if len(numbers[0]) in (10, 13) and numbers[0][:1] == b"1":
        epoch = int(numbers[0][:10])
        return (0, 0, epoch // 86400), epoch % 86400
    clock = _CLOCK.search(time)
    # A date of two digits each looks like a clock.
    while clock is not None and time[clock.end() :].count(b":") > 1:
        clock = _CLOCK.search(time, clock.end())
    if clock is None:
        if len(numbers) > 1 and len(numbers[0]) in (6, 8) and len(numbers[1]) == 6:
            return _date(numbers[:1]), _clock(_pairs(numbers[1]))
        return None
    seconds = _clock([int(part) for part in clock.groups(b"0")])
    before = time[: clock.start()]
    month = next((_MONTHS.find(name) // 3 for name in _MONTH.findall(time) if name in _MONTHS), -1)
    dates = _DIGITS.findall(before)
    if month < 0:
        return _date(dates), seconds
    dates += [number for number in _DIGITS.findall(time[clock.end() :]) if len(number) == 4]
    year = next((int(number) for number in dates if len(number) == 4), 0)
    day = next((int(number) for number in dates if len(number) <= 2), 0)
    return (year or 1970, month + 1, day), seconds


def _clock(parts: list[int]) -> int:
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def _pairs(number: bytes) -> list[int]:
    return [int(number[at : at + 2]) for at in range(0, len(number), 2)]


def _date(numbers: list[bytes]) -> _Parts:
    """A date of numbers, as year, month, day where the year has four digits; else as it stands."""
    if len(numbers) == 1 and len(numbers[0]) == 8:
        numbers = [numbers[0][:4], numbers[0][4:6], numbers[0][6:]]
    elif len(numbers) == 1 and len(numbers[0]) == 6:
        return (*_pairs(numbers[0]),)  # type: ignore[return-value]
    found = [int(number) for number in numbers[:3]]
    if len(numbers) > 2 and len(numbers[2]) == 4:
        found = [found[2], found[1], found[0]] if found[1] <= 12 else [found[2], *found[:2]]
    return (*[0] * (3 - len(found)), *found)  # type: ignore[return-value]


def _days(dates: set[_Parts]) -> dict[_Parts, int] | None:
    """The days that the dates are; None where it is not known which number is the day."""
    if len(dates) <= 1 or all(year > 999 for year, _, _ in dates):
        return {date: _day(*date) for date in dates}
    varying = [place for place in range(3) if len({date[place] for date in dates}) > 1]
    if len(varying) > 1:
        return None
    return {date: date[varying[0]] for date in dates}


def _day(year: int, month: int, day: int) -> int:
    """Days since the beginning of the calendar; of the Gregorian one, for any year."""
    if month < 3:
        year, month = year - 1, month + 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day


def blocks(slices: tuple[int, ...]) -> str:
    """The slices as a line of blocks; a dot for one with nothing in it."""
    most = max(slices)
    marks = "▁▂▃▄▅▆▇█"
    return "".join(marks[(count * 8 - 1) // most] if count else "·" for count in slices)
