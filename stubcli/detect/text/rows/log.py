"""Entries of a log: time, level, source, message, and what else stands before the message.

The lines that follow an entry and have no header are the rest of its message.
"""

import re
from collections.abc import Iterator
from itertools import islice

from stubcli.detect.reading import Beginning, beginning
from stubcli.detect.tables import Lines, Row, RowTable, columns
from stubcli.detect.text import header
from stubcli.detect.text.divided import Headed, divide
from stubcli.detect.text.header import AROUND, Header
from stubcli.detect.text.line_signs import LEVEL, STAMP
from stubcli.detect.text.rows import logfmt
from stubcli.text.characters import decode

_BATCH = 2000
_SAMPLED = 200
# Of an entry, so many bytes are its message, and lines beyond stand outside.
_LONGEST = 1 << 20
_COMMA = re.compile(rb"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d),(\d+)$")

Entry = tuple[int, list[bytes]]


def rows(lines: Lines) -> Iterator[Row]:
    begun = beginning(lines.source).lines
    if logfmt.holds(begun):
        return logfmt.rows(lines)
    found = header.find(begun)
    entries = _unheaded(lines) if found is None else _headed(lines, found)
    names = ["time", "level", "message"]
    if found is not None:
        names = _names(found, begun)
    table = RowTable("", *columns(*names, guessed=("time",)))
    return _joined(entries, table, names.index("message"))


def _joined(entries: Iterator[Entry], table: RowTable, message: int) -> Iterator[Row]:
    """Rows of entries; what has one cell alone goes on with the message of the one before it."""
    number, cells, length = 0, [b""], 0
    more: list[bytes] = []

    def row() -> Row:
        cells[message] = b"\n".join((cells[message], *more)).rstrip(b"\n")
        return Row(number, table, list(map(decode, cells)))

    for line, found in entries:
        if len(found) > 1:
            if number:
                yield row()
            number, cells, more, length = line, found, [], 0
        elif number and length <= _LONGEST:
            length += len(found[0]) + 1
            more.append(found[0])
        elif found[0].strip():
            yield Row(line)
    if number:
        yield row()


def _unheaded(lines: Lines) -> Iterator[Entry]:
    """Lines whose headers are not alike: each that has a time or a level is an entry."""
    for number, line in lines:
        time, level = STAMP.match(line[:200]), LEVEL.match(line[:200])
        if time or level:
            said = level[1].upper() if level else b""
            yield number, [_plain(time[0]) if time else b"", said, line]
        else:
            yield number, [line]


def _headed(lines: Lines, found: Header) -> Iterator[Entry]:
    klog = found.times[0] <= found.level < found.times[1]
    names = _names(found, beginning(lines.source).lines)
    each = iter(lines)
    number = 0
    while batch := [line for _, line in islice(each, _BATCH)]:
        headed = divide(Beginning(batch, 0, 0), found)
        cells: dict[str, list[bytes]] = {
            "time": [_plain(time[klog:]) for time in headed.times],
            "level": headed.levels,
            "source": headed.sources,
            "header": _before(headed) if "header" in names else [],
            "message": headed.messages,
        }
        entries = zip(*(cells[name] for name in names), strict=True)
        for entry, time, level, line in zip(
            entries, headed.times, headed.levels, batch, strict=True
        ):
            number += 1
            yield number, list(entry) if time or level else [line]


def _plain(time: bytes) -> bytes:
    """The time without what stands around it, fractions of a second behind a dot."""
    if b"=" in time:
        time = time.rpartition(b"=")[2]
    time = time.strip(AROUND).rstrip(b":")
    return _COMMA.sub(rb"\1.\2", time) if b"," in time else time


def _before(headed: Headed) -> list[bytes]:
    """What stands before each message, as it is written."""
    pairs = zip(headed.begun.lines, headed.messages, strict=True)
    return [line[: len(line) - len(message)].rstrip() for line, message in pairs]


def _names(found: Header, lines: list[bytes]) -> list[str]:
    """The columns that the header has; it is one itself where it says more than they do."""
    headed = divide(Beginning(lines[:_SAMPLED], 0, 0), found)
    names = ["time"] if found.times[1] else []
    names += ["level"] if found.level >= 0 else []
    names += ["source"] if any(headed.sources) else []
    says_more = any(map(_says_more, _before(headed), headed.times, headed.levels, headed.sources))
    return [*names, "message", *(["header"] if says_more else [])]


def _says_more(before: bytes, time: bytes, level: bytes, source: bytes) -> bool:
    """Whether letters or digits are left of a header without its parts."""
    if not (time or level):
        return False
    for part in (*time.split(), source):
        before = before.replace(part, b" ", 1) if part else before
    rest = before.upper().replace(level, b" ", 1) if level else before
    return any(byte in header.DIGITS[48:58] or chr(byte).isalpha() for byte in rest)
