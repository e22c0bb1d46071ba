"""The lines of records for human eyes: a key and its value, and what begins another record. It
loads no reader.
"""

import re
from collections import Counter
from itertools import islice, pairwise

from stubcli.value import Value

_COLON = re.compile(rb"(\s*)(?:- )?([A-Za-z][\w .()/#@+-]{0,46}?)\s*::?(?:\s+(\S.*?))?\s*$")
# Of vCard, iCalendar and LDIF, no blank follows the colon; parameters stand before it.
_CLOSE = re.compile(rb"()([A-Z][A-Z0-9-]{1,30})(?:;[^:]{0,80})?:(\S.*?)\s*$")
_EQUALS = re.compile(rb"(\s*)([A-Za-z_][\w.\[\]/*-]{0,80}?) ?= ?(.*?)\s*$")
_SPACED = re.compile(rb"(\s+)([A-Za-z][\w-]{1,40})\s+(\S.*?)\s*$")
_BARRED = re.compile(rb"(\s?)([A-Za-z_][\w .]{0,60}?) +\|(?: (.*?))?\s*$")
_HEADING = re.compile(rb"[^\s#=-].{0,200}$|\s*\*-\S+")
# A line that is drawn around what numbers or names the record below it.
_DRAWN = re.compile(rb"(?:[-=*#]{2,}[ \[]+|-\[ )[\w./].{0,200}$")
_SECTION = re.compile(rb"\[{1,2}[^\[\]]+\]{1,2}\s*$")
COLON, CLOSE, EQUALS, BARRED, SPACED = "colon", "close", "equals", "barred", "spaced"
_STYLES = (
    *((COLON, _COLON), (CLOSE, _CLOSE), (EQUALS, _EQUALS)),
    *((BARRED, _BARRED), (SPACED, _SPACED)),
)
_PATTERNS = dict(_STYLES)
_SAMPLED = 800


class Style(Value):
    """How fields are written; first: the key that begins a record, "" where a heading does, which
    is an unindented line without a value; None where all are one record.
    """

    name: str
    first: bytes | None


def field(line: bytes, style: str) -> re.Match[bytes] | None:
    """The field in the line: indentation, key, value."""
    return _PATTERNS[style].match(line)


def heads(line: bytes, style: str) -> bool:
    """Whether the line names the record that follows it."""
    if _DRAWN.match(line):
        return True
    if line[:1] in b" \t" and not line.lstrip().startswith(b"*-"):
        return False
    match = field(line, style) if style != SPACED else None
    return bool(_HEADING.match(line)) and (match is None or not match[3])


def style_of(lines: list[bytes]) -> Style | None:
    """How the records in these lines are written; None where they are none."""
    if len(lines) < 12:
        return None
    kept = (line[:300] for line in lines if not line.lstrip().startswith((b"#", b";")))
    lines = list(islice(kept, _SAMPLED))
    for name, _ in _STYLES:
        found = _styled(lines, name)
        if found is not None:
            return found
    return None


def _styled(lines: list[bytes], name: str) -> Style | None:
    fields = [match for line in lines if (match := field(line, name))]
    # Below each heading is a field.
    if len(fields) < (0.3 if name in (SPACED, BARRED) else 0.6) * len(lines):
        return None
    keys = Counter(match[2] for match in fields)
    headings = _headings(lines, name)
    if not fields or len(fields) + headings < 0.6 * len(lines):
        return None
    # Keys come again, as the first words of sentences do not.
    again = 2.5 * len(keys) <= len(fields) and len(keys) >= 2
    opening = Counter(match[2] for match in fields if not match[1] and match[3])
    first = _first(opening)
    begun = not heads(lines[0], name) and opening[first] >= 0.5 * headings
    # A name in brackets is one, whatever key comes first below it.
    sections = sum(_SECTION.match(line) is not None for line in lines)
    begun = begun and sections < max(3, 0.5 * opening[first])
    if headings >= 3 and again and headings >= 0.02 * len(lines) and not begun:
        return Style(name, b"")
    if name in (SPACED, BARRED):
        return None
    # A record is more than its first line.
    blocks = 2 * opening[first] <= len(fields)
    if name == COLON and opening[first] >= 2 and len(keys) >= 3 and blocks:
        return Style(name, first)
    if name == CLOSE and opening[first] >= 3 and again and blocks:
        return Style(name, first)
    if name == EQUALS and len(fields) >= 0.9 * len(lines):
        return Style(name, first if opening[first] >= 3 and again else None)
    return None


def _first(opening: Counter[bytes]) -> bytes:
    """The first key that comes about as often as any: what stands before all blocks comes once."""
    most = max(opening.values(), default=0)
    return next((key for key, times in opening.items() if 2 * times >= most), b"")


def _headings(lines: list[bytes], name: str) -> int:
    """How many lines name what the indented fields below them belong to."""
    found = 0
    for line, below in pairwise(lines):
        under = below[:1] in (b" ", b"\t") or _DRAWN.match(line) or _SECTION.match(line)
        if heads(line, name) and under:
            found += field(below, name) is not None
    return found


def records(lines: list[bytes]) -> bool:
    return style_of(lines) is not None
