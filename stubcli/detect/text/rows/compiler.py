"""What compilers, linters and scanners found: path, line, column, severity, rule, message.

Notes, which explain a finding, are a table of their own.
"""

import re
from collections.abc import Iterator, Sequence

from stubcli.detect.model import NotableLine
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.finding_lines import SaidFinding
from stubcli.detect.text.finding_walk import FindingWalk
from stubcli.text.characters import decode

# So much of a line is compared, as of a page.
_COMPARED = 400
_NAMES = ("path", "line", "column", "severity", "rule", "message")
# Behind a path, and before a message below the name of its file: 12:5, (12,5), [12,5].
_PLACE = re.compile(rb"(?::|::| ?\(|:\[|: \()(\d+)(?:[:,] ?(\d+))?")
_UNDER = re.compile(rb"\s*(\d+)(?::(\d+)| \|)")


def rows(lines: LineSource) -> Iterator[TableRow]:
    walk = _FindingRows()
    for number, line in lines:
        walk.whole = line
        if not walk.see(number, line[:_COMPARED]) and line.strip():
            walk.rows.append(TableRow(number))
        if walk.rows:
            yield from walk.rows
            walk.rows.clear()
    walk.flush()
    walk.end()
    yield from walk.rows


class _FindingRows(FindingWalk):
    """whole: the line that it is fed with. rows: what is complete and was not handed on yet."""

    def __init__(self) -> None:
        super().__init__()
        found = columns(*_NAMES, numbers=("line", "column"))
        self._table, self._notes = RowTable("", *found), RowTable("notes", *found)
        self.rows: list[TableRow] = []
        self.whole = b""
        # The last finding, as its place may stand in a line below it.
        self._last: tuple[int, list[str]] | None = None

    def found(
        self, number: int, line: bytes, found: SaidFinding, beside: Sequence[NotableLine] = ()
    ) -> None:
        self.end()
        self._last = (number, self._cells(line, found))

    def noted(self, number: int, line: bytes, found: SaidFinding) -> None:
        self.rows.append(TableRow(number, self._notes, self._cells(line, found)))

    def stepped(self, name: bytes) -> None:
        """Nothing: a step is no finding."""

    def placed(self, path: bytes, line: bytes) -> None:
        if self._last is not None:
            self._last[1][:3] = [decode(path), *_place(line, path)]

    def end(self) -> None:
        """Hand on the last finding."""
        if self._last is not None:
            self.rows.append(TableRow(self._last[0], self._table, self._last[1]))
        self._last = None

    def _cells(self, line: bytes, found: SaidFinding) -> list[str]:
        said = found.said
        if len(self.whole) > len(line) and line.endswith(said):
            said += self.whole[len(line) :]
        place = _place(line, b"" if found.under else found.path)
        return [decode(found.path), *place, found.severity, found.code, decode(said).strip()]


def _place(line: bytes, path: bytes) -> list[str]:
    """Line and column that stand behind the path, or at the beginning where no path does."""
    if path:
        at = line.find(path)
        match = _PLACE.match(line, at + len(path)) if at >= 0 else None
    else:
        match = _UNDER.match(line)
    return [decode(part or b"") for part in match.groups()] if match else ["", ""]
