"""What programs found that search files: path, line, column, text; lines around it in `context`."""

import re
from collections.abc import Iterator

from stubcli.detect.reading import plain_lines
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.forms.matches import BETWEEN
from stubcli.detect.text.match_lines import (
    COUNTED,
    COUNTS,
    HEADED,
    NEARBY,
    NUMBERED,
    NUMBERS,
    UNDER_PATH,
    UNNUMBERED,
    is_path,
    manner_of,
)
from stubcli.text.characters import decode

_SAMPLE = 256 * 1024
_SAMPLED = 400
_COLUMN = re.compile(rb"(\d{1,6}):")
_MOSTLY = 0.95
_NUMBERS = ("line", "column", "matches")


def rows(lines: LineSource) -> Iterator[TableRow]:
    head = [line for line in plain_lines(lines.source, _SAMPLE) if line.strip()]
    manner = manner_of(head[:_SAMPLED]) or manner_of(head)
    find = _MatchRows(manner, manner in (NUMBERS, HEADED) and _have_columns(manner, head)).find
    for number, line in lines:
        if not BETWEEN.match(line) and (row := find(number, line)):
            yield row


def _have_columns(manner: str, lines: list[bytes]) -> bool:
    """Whether the number of the line is followed by that of the column, in nearly all matches."""
    pattern = NUMBERED if manner == NUMBERS else UNDER_PATH
    behind = [line[match.end(2) :] for line in lines if (match := pattern.match(line))]
    said = sum(bool(_COLUMN.match(text.removeprefix(b":"))) for text in behind)
    return bool(behind) and said >= _MOSTLY * len(behind)


class _MatchRows:
    """The rows of lines of one manner."""

    def __init__(self, manner: str, with_column: bool) -> None:
        self._with_column, self._heading = with_column, b""
        places = ["line"] if manner in (NUMBERS, HEADED) else []
        places += ["column"] if with_column else []
        names = ["path", *places, "matches" if manner == COUNTS else "text"]
        self._table = RowTable("", *columns(*names, numbers=_NUMBERS))
        self._nearby = RowTable("context", *columns("path", "line", "text", numbers=_NUMBERS))
        ways = {NUMBERS: self._numbered, HEADED: self._headed, COUNTS: self._counts}
        self.find = ways.get(manner, self._unnumbered)

    def _numbered(self, number: int, line: bytes) -> TableRow:
        match = NUMBERED.match(line)
        if match and is_path(match[1]):
            return self._hit(number, match[1], match[2], line[match.end(2) + 1 :])
        match = NEARBY.match(line)
        if match and is_path(match[1]):
            return TableRow(number, self._nearby, [decode(part) for part in match.groups()])
        return TableRow(number)

    def _headed(self, number: int, line: bytes) -> TableRow | None:
        match = UNDER_PATH.match(line)
        if match and self._heading:
            text = line[match.end(2) :]
            if match[2] == b":":
                return self._hit(number, self._heading, match[1], text)
            cells = [decode(part) for part in (self._heading, match[1], text)]
            return TableRow(number, self._nearby, cells)
        if is_path(line.rstrip()):
            self._heading = line.rstrip()
            return None
        return TableRow(number)

    def _hit(self, number: int, path: bytes, line: bytes, text: bytes) -> TableRow:
        cells = [path, line]
        if self._with_column:
            found = _COLUMN.match(text)
            cells.append(found[1] if found else b"")
            text = text[found.end() :] if found else text
        return TableRow(number, self._table, [decode(cell) for cell in (*cells, text)])

    def _counts(self, number: int, line: bytes) -> TableRow:
        match = COUNTED.match(line)
        return (
            TableRow(number, self._table, list(map(decode, match.groups())))
            if match
            else TableRow(number)
        )

    def _unnumbered(self, number: int, line: bytes) -> TableRow:
        match = UNNUMBERED.match(line)
        if match and is_path(match[1]) and not line.startswith(b"Binary file "):
            return TableRow(number, self._table, list(map(decode, match.groups())))
        return TableRow(number)
