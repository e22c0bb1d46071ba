"""Commits that git log lists, one a line: commit, refs, subject."""

from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.tool_signs import ONELINE, ungraphed
from stubcli.text.characters import decode


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns("commit", "refs", "subject"))
    for number, line in lines:
        match = ONELINE.match(ungraphed(line))
        if match:
            yield TableRow(number, table, [decode(part or b"") for part in match.groups()])
        elif line.strip():
            yield TableRow(number)
