"""Files that git diff --stat lists: file, how many of its lines changed; none of a binary one."""

from collections.abc import Iterator

from stubcli.detect.tables import Lines, Row, RowTable, columns
from stubcli.detect.text.forms.diffstat import STAT
from stubcli.text.characters import decode


def rows(lines: Lines) -> Iterator[Row]:
    table = RowTable("", *columns("file", "changed", numbers=("changed",)))
    for number, line in lines:
        match = STAT.match(line)
        if match:
            yield Row(number, table, [decode(match[1]), decode(match[2] or b"")])
        elif line.strip():
            yield Row(number)
