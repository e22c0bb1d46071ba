"""The signs of logs, and of what is laid out for human eyes: Markdown, listings, tables, records.

They load no reader; a sign is a rule on sampled lines without colours.
"""

import re
from itertools import pairwise

from stubcli.detect.text import header

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
# To the second, also of those since 1970.
_SECONDS = rb"\d\d:\d\d:\d\d|-\d\d\.\d\d\.\d\d|^1\d{9}"
# Messages of a log have as many different lengths, in words.
_LENGTHS = 3
HEADING = re.compile(rb"#{1,6} +[^\s#].*")
RULE = re.compile(rb"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$")
FENCE = re.compile(rb"\s{0,3}(?:```|~~~)")
_LINK = re.compile(rb"\[[^\]]{1,200}\]\([^)\s]{1,300}\)|\*\*\S[^*]{0,200}\*\*|^\s*[-*] \S|^> ")
_PATH = re.compile(rb"(?:\./|/|[\w.@-]+/)[^\s:]*$")
# A checksum before a name, as md5sum, sha256sum and their like write it, or after it, as BSD does.
_SUM = re.compile(rb"\\?[0-9a-f]{32,128} [ *](?=\S)")
_SUM_AFTER = re.compile(rb"[A-Z][A-Z0-9/-]{1,11} \((.+)\) = [0-9a-f]{32,128}$")
_PERCENT = re.compile(rb"(?:^|[\s\[(])(\d{1,3}(?:\.\d+)?)%")


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
    if stamped >= 0.4 * len(lines) and is_log(lines):
        return 1
    found = header.find(lines)
    if found is not None and found.times[1] and found.level >= 0:
        return 1
    # Times alone stand in the first column of a table, too.
    if stamped >= 0.4 * len(lines):
        return 0.9
    return 0.92 if found is not None and found.times[1] and _is_spoken(found, lines) else 0


def _is_spoken(found: header.Header, lines: list[bytes]) -> bool:
    """Whether behind a header there are messages, of various lengths.

    A time that is not at the beginning is that of a log where it tells the second.
    """
    begin, end = found.times
    step = max(1, len(lines) // header.SAMPLED)
    split = [line.split() for line in lines[::step]]
    split = [words for words in split if len(words) >= end]
    lengths = {len(words) for words in split}
    if len(lengths) < _LENGTHS or max(lengths) < found.places + _LENGTHS:
        return False
    precise = (_tells_seconds(word) for words in split for word in words[begin:end])
    return begin < 2 or sum(precise) >= header.AGREED * len(split)


def _tells_seconds(word: bytes) -> bool:
    return re.search(_SECONDS, word.strip(header.AROUND)) is not None


def markdown(lines: list[bytes]) -> float:
    headings = sum(1 for line in lines if HEADING.match(line[:300]))
    if sum(line.strip() == b"#" for line in lines) > 1:
        # A block of comments.
        headings = 0
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
    if redrawn > 2 * len(lines):
        return True
    found = [float(match[1]) for line in lines if (match := _PERCENT.search(line[:300]))]
    # What is ranked or shared out falls as often as it rises.
    rises = sum((one < two) - (one > two) for one, two in pairwise(found))
    return len(lines) > 5 and len(found) > 0.6 * len(lines) and rises >= 0


# The file of the form, its precedence, and whether lines are of it.
SIGNS = (
    ("access", 90, access),
    ("log", 100, log),
    ("markdown", 110, markdown),
    ("progress", 130, progress),
)
