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
# Years that are not told are of one length.
_SOME_YEAR = 2001
_CLOCK = re.compile(rb"(\d\d?):(\d\d)(?::(\d\d))?")
_DIGITS = re.compile(rb"\d+")
_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()

_Parts = tuple[int, int, int]


def written(line: bytes, header: Header) -> bytes:
    """The time of a line that has the header, as it is written."""
    begin, end = header.times
    line = spaced(line[:LONGEST], header.separator, header.separators)
    words = line.split(None, end)[begin:end]
    if len(words) < end - begin or not words:
        return b""
    start = line.find(words[0])
    last = line.find(words[-1], start + len(b" ".join(words[:-1])))
    return line[start : last + len(words[-1])].rpartition(b"=")[2].strip(AROUND)


def find(times: list[bytes], levels: list[bytes]) -> Course | None:
    """The course of entries with these times and levels; None where it cannot be told."""
    ends = [next(filter(None, times), b""), next(filter(None, reversed(times)), b"")]
    if not ends[0]:
        return None
    try:
        return _course(times, levels, _seconds(set(ends)), ends[0])
    except ValueError:
        return None


def _course(
    times: list[bytes], levels: list[bytes], ends: dict[bytes, int], first: bytes
) -> Course | None:
    if len(ends) > 1 and max(ends.values()) - min(ends.values()) > _LONG and first.count(b":") > 1:
        times = [time.rpartition(b":")[0] for time in times]
    entries = Counter(times)
    del entries[b""]
    errors = Counter(
        [time for time, level in zip(times, levels, strict=True) if level in ERRORS and time]
    )
    seconds = _seconds(set(entries))
    if len(seconds) < _FEWEST:
        return None
    begin, end = min(seconds.values()), max(seconds.values())
    width = next((width for width in _WIDTHS if (end - begin) // width < _MOST), 0)
    if not width or (end - begin) // width + 1 < _FEWEST:
        return None
    return Course(
        width,
        *_sliced(entries, seconds, begin, end, width),
        *_sliced(errors, seconds, begin, end, width),
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
    """Of each time, the seconds since some day; none where one of them cannot be read."""
    found: dict[bytes, tuple[bytes | _Parts, int]] = {}
    for time in times:
        clock = _CLOCK.search(time)
        if clock is None:
            found[time] = _of_digits(time.split())
            continue
        hour, minute, second = clock.groups(b"0")
        year = time[-5:] if time[-5:-4] == b" " else b""
        of_day = int(hour) * 3600 + int(minute) * 60 + int(second)
        found[time] = time[: clock.start()] + year, of_day
    dates = {date: _date(date) for date in {date for date, _ in found.values()}}
    days = _days(set(dates.values()))
    if days is None:
        return {}
    return {time: days[dates[date]] * 86400 + clock for time, (date, clock) in found.items()}


def _of_digits(words: list[bytes]) -> tuple[bytes | _Parts, int]:
    """The date and the seconds of the day of a time without colons."""
    first = words[0].partition(b".")[0]
    if len(first) in (10, 13) and first.isdigit():
        return (0, 0, int(first[:10]) // 86400), int(first[:10]) % 86400
    if len(words) > 1 and len(words[1]) == 6 and words[1].isdigit():
        hour, minute, second = _pairs(words[1])
        return first, hour * 3600 + minute * 60 + second
    raise ValueError(f"no time: {words!r}")


def _pairs(number: bytes) -> list[int]:
    return [int(number[at : at + 2]) for at in range(0, 6, 2)]


def _date(written: bytes | _Parts) -> _Parts:
    """Year, month and day where names or four digits tell which is which; else as they stand."""
    if isinstance(written, tuple):
        return written
    numbers = [int(number) for number in _DIGITS.findall(written)]
    month = next((at for at, name in enumerate(_MONTHS, 1) if name in written), 0)
    if month:
        year = next((number for number in numbers if number > 99), _SOME_YEAR)
        return year, month, next((number for number in numbers if number <= 31), 1)
    if len(numbers) == 1 and numbers[0] > 9999:
        digits = b"%06d" % numbers[0]
        one, two, three = _pairs(digits[-6:])
        return (one + 100 * int(digits[:-6]) if digits[:-6] else one), two, three
    if len(numbers) > 2 and numbers[2] > 99:
        one, two, year = numbers[:3]
        return (year, two, one) if two <= 12 else (year, one, two)
    one, two, three = [0, 0, 0, *numbers[:3]][-3:]
    return one, two, three


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
