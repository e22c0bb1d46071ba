"""Files that git diff --stat lists: file, how many of its lines changed; none of a binary one."""

from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.forms.diffstat import STAT
from stubcli.text.characters import decode


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns("file", "changed", numbers=("changed",)))
    for number, line in lines:
        match = STAT.match(line)
        if match:
            yield TableRow(number, table, [decode(match[1]), decode(match[2] or b"")])
        elif line.strip():
            yield TableRow(number)
