"""The lines of records for human eyes: a key and its value, and what begins another record. It
loads no reader.
"""

import re
from collections import Counter
from itertools import pairwise

from stubcli.detect.model import Value

_COLON = re.compile(rb"(\s*)(?:- )?([A-Za-z][\w .()/#@+-]{0,46}?)\s*::?(?:\s+(\S.*?))?\s*$")
# Of vCard, iCalendar and LDIF, no blank follows the colon; parameters stand before it.
_CLOSE = re.compile(rb"()([A-Z][A-Z0-9-]{1,30})(?:;[^:]{0,80})?:(\S.*?)\s*$")
_EQUALS = re.compile(rb"(\s*)([A-Za-z_][\w.\[\]/*-]{0,80}?) ?= ?(.*?)\s*$")
_SPACED = re.compile(rb"(\s+)([A-Za-z][\w-]{1,40})\s+(\S.*?)\s*$")
_HEADING = re.compile(rb"[^\s#=-].{0,200}$|\s*\*-\S+")
COLON, CLOSE, EQUALS, SPACED = "colon", "close", "equals", "spaced"
_STYLES = ((COLON, _COLON), (CLOSE, _CLOSE), (EQUALS, _EQUALS), (SPACED, _SPACED))
_PATTERNS = dict(_STYLES)


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
    if line[:1] in b" \t" and not line.lstrip().startswith(b"*-"):
        return False
    match = field(line, style) if style != SPACED else None
    return bool(_HEADING.match(line)) and (match is None or not match[3])


def style_of(lines: list[bytes]) -> Style | None:
    """How the records in these lines are written; None where they are none."""
    if len(lines) < 12:
        return None
    lines = [line[:300] for line in lines if not line.lstrip().startswith((b"#", b";"))]
    for name, _ in _STYLES:
        found = _styled(lines, name)
        if found is not None:
            return found
    return None


def _styled(lines: list[bytes], name: str) -> Style | None:
    fields = [match for line in lines if (match := field(line, name))]
    keys = Counter(match[2] for match in fields)
    headings = _headings(lines, name)
    covered = len(fields) + (headings if name == SPACED else 0)
    if covered < 0.6 * len(lines) or not fields:
        return None
    # Keys come again, as the first words of sentences do not.
    again = 2.5 * len(keys) <= len(fields)
    if headings >= 3 and again and headings >= 0.02 * len(lines):
        return Style(name, b"")
    if name == SPACED:
        return None
    opening = Counter(match[2] for match in fields if not match[1] and match[3])
    first = next((match[2] for match in fields if not match[1] and match[3]), b"")
    if name == COLON and opening[first] >= 2 and len(opening) >= 3:
        return Style(name, first)
    if name == CLOSE and opening[first] >= 3 and again:
        return Style(name, first)
    if name == EQUALS and len(fields) >= 0.9 * len(lines):
        return Style(name, first if opening[first] >= 3 and again else None)
    return None


def _headings(lines: list[bytes], name: str) -> int:
    """How many lines name what the indented fields below them belong to."""
    found = 0
    for line, below in pairwise(lines):
        if heads(line, name) and below[:1] in (b" ", b"\t"):
            found += field(below, name) is not None
    return found


def records(lines: list[bytes]) -> bool:
    return style_of(lines) is not None
