"""Entries of a log: time, level, source, message, and the rest of what stands before the message.

The lines that follow an entry and have no header are the rest of its message.
"""

import re
from collections.abc import Iterator
from itertools import islice

from stubcli.detect.reading import Beginning, beginning
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text import header
from stubcli.detect.text.divided import Headed, divide
from stubcli.detect.text.header import AROUND, Header, spaced
from stubcli.detect.text.line_signs import LEVEL, STAMP
from stubcli.detect.text.rows import logfmt
from stubcli.text.characters import decode

_BATCH = 2000
_SAMPLED = 200
_MARKS = AROUND + b":=-*/#"
# Of an entry, so many bytes are its message, and lines beyond stand outside.
_LONGEST = 1 << 20
_COMMA = re.compile(rb"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d),(\d+)$")

Entry = tuple[int, list[bytes]]


def rows(lines: LineSource) -> Iterator[TableRow]:
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


def _joined(entries: Iterator[Entry], table: RowTable, message: int) -> Iterator[TableRow]:
    """Rows of entries; what has one cell alone goes on with the message of the one before it."""
    number, cells, length = 0, [b""], 0
    more: list[bytes] = []

    def row() -> TableRow:
        cells[message] = b"\n".join((cells[message], *more)).rstrip(b"\n")
        return TableRow(number, table, list(map(decode, cells)))

    for line, found in entries:
        if len(found) > 1:
            if number:
                yield row()
            number, cells, more, length = line, found, [], 0
        elif number and length <= _LONGEST:
            length += len(found[0]) + 1
            more.append(found[0])
        elif found[0].strip():
            yield TableRow(line)
    if number:
        yield row()


def _unheaded(lines: LineSource) -> Iterator[Entry]:
    """Lines whose headers are not alike: each that has a time or a level is an entry."""
    for number, line in lines:
        time, level = STAMP.match(line[:200]), LEVEL.match(line[:200])
        if time or level:
            said = level[1].upper() if level else b""
            yield number, [_plain(time[0]) if time else b"", said, line]
        else:
            yield number, [line]


def _headed(lines: LineSource, found: Header) -> Iterator[Entry]:
    klog = found.times[0] <= found.level < found.times[1]
    names = _names(found, beginning(lines.source).lines)
    each = iter(lines)
    number = 0
    while batch := _batch(each):
        headed = divide(Beginning(batch, 0, 0), found)
        cells: dict[str, list[bytes]] = {
            "time": [_plain(time[klog:]) for time in headed.times],
            "level": headed.levels,
            "source": headed.sources,
            "message": headed.messages,
            "header": _rests(headed) if "header" in names else [],
        }
        entries = zip(*(cells[name] for name in names), strict=True)
        for entry, time, level, line in zip(
            entries, headed.times, headed.levels, batch, strict=True
        ):
            number += 1
            yield number, list(entry) if time or level else [line]


def _batch(each: Iterator[tuple[int, bytes]]) -> list[bytes]:
    """The next lines, not too many and not too long together."""
    batch: list[bytes] = []
    size = 0
    for _, line in islice(each, _BATCH):
        batch.append(line)
        size += len(line)
        if size > _LONGEST:
            break
    return batch


def _plain(time: bytes) -> bytes:
    """The time without what stands around it, fractions of a second behind a dot."""
    if b"=" in time:
        time = time.rpartition(b"=")[2]
    time = time.strip(AROUND).rstrip(b":")
    return _COMMA.sub(rb"\1.\2", time) if b"," in time else time


def _rests(headed: Headed) -> list[bytes]:
    """What stands before each message besides its time, its level and its source."""
    found = headed.header
    known = {found.level, *range(*found.times)}
    kept = [place for place in range(found.places) if place not in known]
    rests = []
    for line, message, source, time, level in zip(
        headed.begun.lines,
        headed.messages,
        headed.sources,
        headed.times,
        headed.levels,
        strict=True,
    ):
        if not (time or level):
            rests.append(b"")
            continue
        words = spaced(line, found.separator, found.separators).split(None, found.places)
        parts = [words[place] for place in kept]
        if source or found.thread:
            behind = words[found.places] if len(words) > found.places else b""
            parts += behind[: len(behind) - len(message)].replace(source, b"", 1).split()
        rests.append(b" ".join([part for part in parts if part.strip(_MARKS)]))
    return rests


def _names(found: Header, lines: list[bytes]) -> list[str]:
    """The columns that the header has; the rest of it is one where it says more."""
    headed = divide(Beginning(lines[:_SAMPLED], 0, 0), found)
    names = ["time"] if found.times[1] else []
    names += ["level"] if found.level >= 0 else []
    names += ["source"] if any(headed.sources) else []
    return [*names, "message", *(["header"] if any(_rests(headed)) else [])]
