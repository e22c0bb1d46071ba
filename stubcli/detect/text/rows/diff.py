"""Files that a diff changes: lines added and removed, hunks, whether the file is new or gone.

Names that stand in one folder alone are a table of their own, `only`.
"""

from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.forms.diff import DiffReader, Patch
from stubcli.detect.text.tool_signs import ONLY
from stubcli.text.characters import decode

_NUMBERS = ("added", "removed", "hunks")


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns("file", *_NUMBERS, "note", numbers=_NUMBERS))
    reader = DiffReader()
    only = RowTable("only", *columns("folder", "name"))
    current, began = reader.current, 1
    for number, line in lines:
        alone = ONLY.match(line) if line[:8] == b"Only in " and reader.between else None
        if alone:
            yield TableRow(number, only, list(map(decode, alone.groups())))
            continue
        reader.line(line)
        if reader.current is not current:
            if reader.count > 1:
                yield _row(began, table, current)
            current, began = reader.current, number
    if reader.count or current.hunks:
        yield _row(began, table, current)


def _row(line: int, table: RowTable, patch: Patch) -> TableRow:
    numbers = (patch.added, patch.removed, patch.hunks)
    return TableRow(line, table, [patch.name, *map(str, numbers), patch.note])
