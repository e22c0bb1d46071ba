"""Logs: lines that begin with a time or carry a level. Levels and the span of time.

It also answers, for the other kinds, whether lines are those of a log.
"""

import re

from stubcli.synopsis.brief import limited
from stubcli.synopsis.model import Scan, Source
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

NAME = "log"
# Two regular expressions a line: a quarter of a second.
_LIMIT = 16 * 1024 * 1024
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


def describe(source: Source, scan: Scan) -> list[str]:
    levels: dict[str, int] = {}
    first = last = b""
    for line in lines_of(source, _LIMIT):
        found = _LEVEL.match(line[:160])
        if found:
            level = found[1].upper().decode()
            levels[level] = levels.get(level, 0) + 1
        stamp = STAMP.match(line[:100])
        if stamp:
            last = stamp[0]
            first = first or last
    if source.size > _LIMIT:
        end = source.read_at(source.size - _END, _END).split(b"\n")[1:]
        stamps = [stamp[0] for line in end if (stamp := STAMP.match(line[:100]))]
        last = stamps[-1] if stamps else last
    structure = []
    if levels:
        ranked = sorted(levels.items(), key=lambda item: (-item[1], item[0]))
        structure.append("levels: " + ", ".join(f"{name} {count:,}" for name, count in ranked))
    if first:
        structure.append(f"time: {decode(first).strip()} to {decode(last).strip()}")
    return [*structure, *limited(min(source.size, _LIMIT), source.size)]
