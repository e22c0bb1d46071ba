"""Logs: lines that begin with a time or carry a level. Levels and the span of time.

It also answers, for the other kinds, whether lines are those of a log.
"""

import re
from collections import Counter
from collections.abc import Iterable

from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import beginning
from stubcli.detect.model import Scan, Source
from stubcli.detect.reading import blocks
from stubcli.text.decode import decode

NAME = "log"
# Where not all lines are looked at singly, so many tell how levels stand in them; then the words
# are counted, half a millisecond a MiB and word. Of what is too long to be counted to its end,
# less tells as much.
_LEARNT = 4000
_COUNTED = 32 * 1024 * 1024
_COUNTED_OF_MORE = 8 * 1024 * 1024
_TOKENS = 60
_Tokens = Counter[tuple[str, bytes]]
_TOKEN = 16
_END = 64 * 1024
_LEVELS = rb"TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRIT(?:ICAL)?|SEVERE|EMERG|ALERT"
_TIME = (
    rb"(?:\d{4}[-/.]\d\d[-/.]\d\d[T _]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|"
    rb"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d+)?|"
    rb"\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d|[EWIF]\d{4} \d\d:\d\d:\d\d\.\d+|\[ *\d+\.\d{6}\])"
)
STAMP = re.compile(rb"(?:\S{1,40} - \S{1,40} )?\W{0,2}" + _TIME)
_LEVEL = re.compile(rb"(?:\S{1,60}[ \t]+){0,6}?\W{0,2}(" + _LEVELS + rb")(?![\w-])", re.IGNORECASE)
_UPPER = re.compile(rb"(?:\S{1,60}[ \t]+){0,6}?\W{0,2}(?:" + _LEVELS + rb")(?![\w-])")
_FIRST = re.compile(rb"(?:" + _LEVELS + rb")\b", re.IGNORECASE)
_COMMA_MILLIS = re.compile(rb"\W{0,2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}(?!\d|,)")


def is_log(lines: list[bytes]) -> bool:
    """Whether so many lines carry a level or log time that they are no table, JSON or YAML."""
    if len(lines) < 3:
        return False
    marked = sum(1 for line in lines if _marked(line[:200]))
    return marked >= 0.5 * len(lines)


def _marked(line: bytes) -> bool:
    return bool(_UPPER.match(line) or _COMMA_MILLIS.match(line))


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 3:
        return False
    stamped = sum(1 for line in lines if STAMP.match(line[:200]) or _marked(line[:200]))
    return stamped >= 0.4 * len(lines)


def describe(source: Source, scan: Scan) -> Described:
    begun = beginning(source)
    first = _first_time(begun.lines)
    if begun.whole:
        levels, _ = _levels(begun.lines)
        last = _first_time(reversed(begun.lines)) if first else b""
        where = ""
    else:
        limit = source.size if source.size <= _COUNTED else _COUNTED_OF_MORE
        levels = _counted(source, limit, _tokens(begun.lines))
        within = "" if limit == source.size else f" of the first {limit:,} bytes"
        where = f" (all places{within} that hold the word as the first lines do)"
        last = _end(source) or _first_time(reversed(begun.lines))
    structure = []
    if levels:
        ranked = sorted(levels.items(), key=lambda item: (-item[1], item[0]))
        told = ", ".join(f"{name} {count:,}" for name, count in ranked)
        structure.append(f"levels{where}: {told}")
    if first:
        structure.append(f"time: {decode(first).strip()} to {decode(last).strip()}")
    return Described(structure)


def _first_time(lines: Iterable[bytes]) -> bytes:
    stamps = (STAMP.match(line[:100]) for line in lines)
    return next((stamp[0] for stamp in stamps if stamp), b"")


def _levels(lines: list[bytes]) -> tuple[Counter[str], _Tokens]:
    """How many lines are of each level, and how the word stands in them."""
    levels: Counter[str] = Counter()
    tokens: _Tokens = Counter()
    for line in lines:
        found = _LEVEL.match(line[:160])
        if found:
            level = found[1].upper().decode()
            levels[level] += 1
            # With what stands around it, the word is counted where lines are not looked at singly.
            token = line[max(0, found.start(1) - 1) : found.end(1) + 1]
            if len(tokens) < _TOKENS or (level, token) in tokens:
                tokens[level, token] += 1
    return levels, tokens


def _tokens(lines: list[bytes]) -> _Tokens:
    """How levels stand in these lines: in the first ones, and in those unlike them."""
    levels, tokens = _levels(lines[:_LEARNT])
    others = lines[_LEARNT:]
    for (_, token), _ in tokens.most_common(len(levels)):
        others = [line for line in others if token not in line]
    return tokens + _levels(others[:_LEARNT])[1]


def _counted(source: Source, limit: int, tokens: _Tokens) -> Counter[str]:
    """How often the most frequent token of each level stands in the first `limit` bytes.

    Levels that the beginning does not hold are looked for as the others stand.
    """
    chosen: dict[str, bytes] = {}
    for (level, token), _ in tokens.most_common():
        chosen.setdefault(level, token)
    if chosen:
        usual, form = next(iter(chosen.items()))
        for level in ("ERROR", "FATAL"):
            if form[1:-1] == usual.encode():
                chosen.setdefault(level, form[:1] + level.encode() + form[-1:])
    levels: Counter[str] = Counter()
    before = b""
    for block in blocks(source, limit):
        for level, token in chosen.items():
            # What the border between two blocks cuts is in neither.
            over = len(token) - 1
            levels[level] += block.count(token) + (before[-over:] + block[:over]).count(token)
        before = block[-_TOKEN:]
    return Counter({level: count for level, count in levels.items() if count})


def _end(source: Source) -> bytes:
    """The last time that stands in the stream."""
    lines = source.read_at(source.size - _END, _END).split(b"\n")[1:]
    return _first_time(reversed(lines))
