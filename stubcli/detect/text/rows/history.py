"""Commits that git log lists: commit, refs, author, date, subject."""

import re
from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.tool_signs import COMMIT, ungraphed
from stubcli.text.characters import decode

_NAMES = ("commit", "refs", "author", "date", "subject")
_HASH = re.compile(rb"commit (\S+)(?: [0-9a-f ]*)?(?:\(([^)]*)\))?")
_DATES = (b"Date: ", b"AuthorDate: ")


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("", *columns(*_NAMES, guessed=("date",)))
    began, cells = 0, dict.fromkeys(_NAMES, b"")
    for number, drawn in lines:
        line = ungraphed(drawn)
        if line.startswith(b"commit ") and COMMIT.match(line):
            if began:
                yield TableRow(began, table, list(map(decode, cells.values())))
            found = _HASH.match(line)
            named = (found[1], found[2] or b"") if found else (b"", b"")
            began, cells = number, dict(zip(_NAMES, (*named, b"", b"", b""), strict=True))
        elif began:
            _see(cells, line)
        elif line.strip():
            yield TableRow(number)
    if began:
        yield TableRow(began, table, list(map(decode, cells.values())))


def _see(cells: dict[str, bytes], line: bytes) -> None:
    """Take in a line below that of the commit."""
    if line.startswith(b"Author: ") and not cells["author"]:
        cells["author"] = line[8:].strip()
    elif line.startswith(_DATES) and not cells["date"]:
        cells["date"] = line.partition(b":")[2].strip()
    elif line.startswith(b"    ") and line.strip() and cells["author"] and not cells["subject"]:
        cells["subject"] = line.strip()
