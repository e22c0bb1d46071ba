"""Files that git status lists: group, how each changed, path."""

from collections.abc import Iterator

from stubcli.detect.reading import plain_lines
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.tool_signs import STATUS_ENTRY, STATUS_HEADING, STATUS_SHORT
from stubcli.text.characters import decode

_SAMPLE = 256 * 1024


def rows(lines: LineSource) -> Iterator[TableRow]:
    long = any(STATUS_HEADING.match(line) for line in plain_lines(lines.source, _SAMPLE))
    return _long(lines) if long else _short(lines)


def _long(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns("group", "change", "path"))
    group = ""
    for number, line in lines:
        heading = STATUS_HEADING.match(line)
        entry = STATUS_ENTRY.match(line)
        if heading:
            group = decode(heading[1])
        elif entry and group:
            yield TableRow(number, table, [group, decode(entry[1] or b""), decode(entry[2])])
        elif line.strip():
            yield TableRow(number)


def _short(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns("change", "path"))
    for number, line in lines:
        match = STATUS_SHORT.match(line)
        if match and line[:2].strip():
            yield TableRow(number, table, list(map(decode, match.groups())))
        elif line.strip():
            yield TableRow(number)
