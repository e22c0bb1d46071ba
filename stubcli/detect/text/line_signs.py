"""The signs of logs, and of what is laid out for human eyes: Markdown, listings, tables, records.

They load no reader; a sign is a rule on sampled lines without colours.
"""

import re
from collections import Counter

from stubcli.text.characters import decode

REQUEST = re.compile(rb'"(?:([A-Z]{3,10}) (\S{1,500})[^"]*|-|[^"]{0,500})" ([1-5]\d\d)(?![\d.])')
_LEVELS = rb"TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRIT(?:ICAL)?|SEVERE|EMERG|ALERT"
_TIME = (
    rb"(?:\d{4}[-/.]\d\d[-/.]\d\d[T _]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|"
    rb"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d+)?|"
    rb"\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d|[EWIF]\d{4} \d\d:\d\d:\d\d\.\d+|\[ *\d+\.\d{6}\])"
)
STAMP = re.compile(rb"(?:\S{1,40} - \S{1,40} )?\W{0,2}" + _TIME)
_WORDS_BEFORE = rb"(?:\S{1,60}[ \t]+){0,6}?\W{0,2}"
LEVEL = re.compile(_WORDS_BEFORE + rb"(" + _LEVELS + rb")(?![\w-])", re.IGNORECASE)
_UPPER = re.compile(_WORDS_BEFORE + rb"(?:" + _LEVELS + rb")(?![\w-])")
_COMMA_MILLIS = re.compile(rb"\W{0,2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}(?!\d|,)")
HEADING = re.compile(rb"#{1,6} +[^\s#].*")
RULE = re.compile(rb"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$")
FENCE = re.compile(rb"\s{0,3}(?:```|~~~)")
_LINK = re.compile(rb"\[[^\]]{1,200}\]\([^)\s]{1,300}\)|\*\*\S[^*]{0,200}\*\*|^\s*[-*] \S|^> ")
ENTRY = re.compile(
    rb"([-dlbcps])([-rwxsStT]{9})[.+@]?\s+\d+\s+\S+\s+\S+\s+(\d+)\s+(\S+\s+\S+(?:\s+[\d:]+)?)\s+(.*)"
)
_PATH = re.compile(rb"(?:\./|/|[\w.@-]+/)[^\s:]*$")
# A checksum before a name, as md5sum, sha256sum and their like write it, or after it, as BSD does.
_SUM = re.compile(rb"\\?[0-9a-f]{32,128} [ *](?=\S)")
_SUM_AFTER = re.compile(rb"[A-Z][A-Z0-9/-]{1,11} \((.+)\) = [0-9a-f]{32,128}$")
_PERCENT = re.compile(rb"(?:^|[\s\[(])\d{1,3}(?:\.\d+)?%")
FIELD = re.compile(rb"(\s*)([A-Za-z][\w .()/-]{0,40}?)\s*:(?:\s+(\S.*?))?\s*$")
_GAP = re.compile(r"\s{2,}|\t")
_BAR = re.compile(r" *\| *")


def access(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    return sum(1 for line in lines if REQUEST.search(line[:1200])) >= 0.7 * len(lines)


def is_log(lines: list[bytes]) -> bool:
    """Whether so many lines carry a level or log time that they are no table, JSON or YAML."""
    if len(lines) < 3:
        return False
    return sum(1 for line in lines if marked(line[:200])) >= 0.5 * len(lines)


def marked(line: bytes) -> bool:
    """Whether the line carries a level, or a time as only logs write it."""
    return bool(_UPPER.match(line) or _COMMA_MILLIS.match(line))


def log(lines: list[bytes]) -> float:
    if len(lines) < 3:
        return 0
    stamped = sum(1 for line in lines if STAMP.match(line[:200]) or marked(line[:200]))
    if stamped < 0.4 * len(lines):
        return 0
    # Times alone stand in the first column of a table, too.
    return 1 if is_log(lines) else 0.9


def markdown(lines: list[bytes]) -> float:
    headings = sum(1 for line in lines if HEADING.match(line[:300]))
    rules = sum(1 for line in lines if RULE.match(line[:300]))
    fences = sum(1 for line in lines if FENCE.match(line[:50]))
    marks = sum(1 for line in lines if _LINK.search(line[:600]))
    rows = sum(line.lstrip().startswith(b"|") and line.rstrip().endswith(b"|") for line in lines)
    if rules and rows > 2:
        return headings > 0 or rows > 0.5 * len(lines)
    if headings >= 2 and headings > 0.3 * len(lines) and marks < 0.2 * len(lines):
        return False
    if headings < 2 or (fences < 2 and marks < 3):
        return 0
    # Comments of YAML look like headings of the first level, and its items like lists.
    return 1 if fences >= 2 or any(line.startswith(b"##") for line in lines) else 0.75


def listing(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    entries = sum(1 for line in lines if ENTRY.match(line[:400]))
    if entries >= 0.5 * len(lines):
        return True
    return sum(1 for line in lines if named_file(line[:400])) >= 0.9 * len(lines)


def named_file(line: bytes) -> bytes:
    """The path that the line consists of, but for a checksum; empty where it says anything else."""
    # A name of one word or with spaces is no path anywhere else.
    checksum = _SUM.match(line)
    if checksum:
        return line[checksum.end() :]
    after = _SUM_AFTER.match(line) if line[:1].isupper() else None
    if after:
        return after[1]
    return line if _PATH.match(line) else b""


def progress(lines: list[bytes]) -> bool:
    if not lines:
        return False
    redrawn = sum(line.count(b"\r") for line in lines)
    percent = sum(1 for line in lines if _PERCENT.search(line[:300]))
    return redrawn > 2 * len(lines) or (len(lines) > 5 and percent > 0.6 * len(lines))


def records(lines: list[bytes]) -> bool:
    if len(lines) < 12:
        return False
    fields = [match for line in lines if (match := FIELD.match(line[:300]))]
    opening = Counter(match[2] for match in fields if not match[1] and match[3])
    first = next((match[2] for match in fields if not match[1]), b"")
    return len(fields) >= 0.6 * len(lines) and opening[first] >= 2 and len(opening) >= 3


def table(lines: list[bytes]) -> bool:
    lines = [line for line in lines if not is_ruler(line)]
    if len(lines) < 5:
        return False
    widths = Counter(len(cells(decode(line[:2000]))) for line in lines)
    width, times = widths.most_common(1)[0]
    return width >= 3 and times >= (0.5 if _upper(lines[0]) else 0.8) * len(lines)


def cells(text: str) -> list[str]:
    """The cells of a line, as psql and mysql draw them, or with two spaces or more between."""
    text = text.strip()
    return _BAR.split(text.strip("| ")) if " | " in text else _GAP.split(text)


def is_ruler(line: bytes) -> bool:
    return not line.strip(b" \t\r-+=|")


def _upper(line: bytes) -> bool:
    """A first line of capitals, as kubectl, docker and ps write it."""
    words = line.split()
    return len(words) >= 3 and all(word[:1].isupper() and word.isupper() for word in words)


# The file of the form, its precedence, and whether lines are of it.
SIGNS = (
    ("access", 90, access),
    ("log", 100, log),
    ("markdown", 110, markdown),
    ("listing", 120, listing),
    ("progress", 130, progress),
    ("records", 140, records),
    ("table", 150, table),
)
