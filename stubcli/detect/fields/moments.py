"""Dates with the name of their month, and those that begin with the year, as seconds to compare."""

import re

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_CLOCK = r"(\d\d?):(\d\d)(?::(\d\d))?"
_ZONE = r"(?: ?(?:[A-Z]{2,5}|Z|[+-]\d\d:?\d\d))?"
_FORMS = (
    # Nov 29 23:59:59 2026 GMT; with the day of the week before it, with the zone before the year.
    re.compile(
        rf"(?:[A-Z][a-z]{{2}},? )?(?P<m>[A-Z][a-z]{{2}}) +(?P<d>\d\d?) +{_CLOCK}{_ZONE} "
        rf"(?P<y>\d{{4}}){_ZONE}$"
    ),
    # Sun, 29 Nov 2026 23:59:59 +0000; 29-Nov-2026.
    re.compile(
        rf"(?:[A-Z][a-z]{{2}},? )?(?P<d>\d\d?)[ -](?P<m>[A-Z][a-z]{{2}})[ -](?P<y>\d{{4}})"
        rf"(?: {_CLOCK}{_ZONE})?$"
    ),
    # Nov 29, 2026.
    re.compile(r"(?P<m>[A-Z][a-z]{2})[a-z]* (?P<d>\d\d?), (?P<y>\d{4})$"),
    re.compile(rf"(?P<y>\d{{4}})[-/](?P<m>\d\d)[-/](?P<d>\d\d)(?:[T ]{_CLOCK}(?:\.\d+)?{_ZONE})?$"),
)
_LONGEST = 40


def moment(text: str) -> float | None:
    """Seconds, months of 31 days apart; None for anything else. Zones are not told apart."""
    if not 8 <= len(text) <= _LONGEST:
        return None
    for form in _FORMS:
        found = form.match(text)
        if found is None:
            continue
        named = found["m"].lower()
        month = int(named) if named.isdecimal() else _month(named)
        if not 1 <= month <= 12:
            return None
        day = (int(found["y"]) * 12 + month) * 31 + int(found["d"])
        clock = [int(part or 0) for part in _clock(found)]
        return day * 86400.0 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else 0


def _clock(found: re.Match[str]) -> list[str | None]:
    """Hours, minutes and seconds, which stand in groups without a name."""
    named = set(found.re.groupindex.values())
    parts = [found[at] for at in range(1, found.re.groups + 1) if at not in named]
    return [*parts, None, None, None][:3]
