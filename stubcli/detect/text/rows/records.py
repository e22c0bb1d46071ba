"""Records for human eyes: a row for each block, its keys as columns; each value, too, in `fields`.

Where all is one block, its keys are the rows. Indented lines that are no field go on with the one
above.
"""

from collections.abc import Iterator

from stubcli.detect.reading import plain_lines
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text import record_lines
from stubcli.detect.text.record_lines import COLON, Style, heads, style_of
from stubcli.text.characters import decode

_SAMPLE = 256 * 1024
_SAMPLED = 2000
_COLUMNS = 400
# So much of a line is compared, as of a page.
_COMPARED = 300
# Of one block, so many characters are kept; fields beyond are in `fields` alone.
_BLOCK = 1 << 20
_HEADING = columns("heading")


def rows(lines: LineSource) -> Iterator[TableRow]:
    head = [line for line in plain_lines(lines.source, _SAMPLE) if line.strip()]
    style = style_of(head[:_SAMPLED]) or Style(COLON, None)
    if style.first is None:
        return _pairs(lines, style)
    return _BlockRows(style).rows(lines)


def _pairs(lines: LineSource, style: Style) -> Iterator[TableRow]:
    table = RowTable("", *columns("key", "value", guessed=("value",)))
    for number, line in lines:
        found = _field(line, style)
        if found and found[2]:
            yield TableRow(number, table, [decode(found[1]), found[2]])
        elif line.strip():
            yield TableRow(number)


def _field(line: bytes, style: Style) -> tuple[bytes, bytes, str] | None:
    """Indentation, key and value of the field in the line; its beginning decides."""
    match = record_lines.field(line[:_COMPARED], style.name)
    if match is None:
        return None
    return match[1], match[2], decode(line[match.start(3) :].strip()) if match[3] else ""


class _BlockRows:
    """The rows of blocks that a key begins, or a heading."""

    def __init__(self, style: Style) -> None:
        self._style = style
        named = _HEADING if style.first == b"" else ()
        self._table = RowTable("", *named)
        names = ("block", "key", "value")
        self._fields = RowTable("fields", *columns(*names, numbers=("block",), guessed=("value",)))
        self._block = self._began = self._size = 0
        self._cells: list[str] = []
        # The last field, which may go on: its line, its cells, its column.
        self._last: tuple[int, list[str], int | None] | None = None

    def rows(self, lines: LineSource) -> Iterator[TableRow]:
        style, headed = self._style, False
        for number, line in lines:
            if not line.strip():
                continue
            if style.first == b"" and heads(line, style.name):
                if headed:
                    # Of two lines that name a record, the first begins it.
                    self._cells[0] += "\n" + decode(line.strip())
                else:
                    yield from self._closed()
                    self._begin(number, [decode(line.strip())])
                headed = True
                continue
            headed = False
            found = _field(line, style)
            if found is None:
                if not self._goes_on(line):
                    yield TableRow(number)
                continue
            indent, key, value = found
            if key == style.first and not indent:
                yield from self._closed()
                self._begin(number, [])
            if value:
                yield from self._field(number, decode(key), value)
        yield from self._closed()

    def _begin(self, number: int, cells: list[str]) -> None:
        self._block, self._began, self._size = self._block + 1, number, 0
        self._cells = cells

    def _closed(self) -> Iterator[TableRow]:
        yield from self._said()
        if self._block:
            yield TableRow(self._began, self._table, self._cells)

    def _said(self) -> Iterator[TableRow]:
        """The last field."""
        if self._last is not None:
            yield TableRow(self._last[0], self._fields, self._last[1])
        self._last = None

    def _field(self, number: int, key: str, value: str) -> Iterator[TableRow]:
        yield from self._said()
        self._size += len(value)
        at = self._table.place(key, _COLUMNS) if self._block and self._size < _BLOCK else None
        if at is not None:
            self._cells += [""] * (at + 1 - len(self._cells))
            before = self._cells[at]
            self._cells[at] = f"{before}\n{value}" if before else value
        block = str(self._block) if self._block else ""
        self._last = (number, [block, key, value], at)

    def _goes_on(self, line: bytes) -> bool:
        """Whether the line is more of the last field."""
        if self._last is None or line[:1] not in b" \t" or self._size >= _BLOCK:
            return False
        _, cells, at = self._last
        text = "\n" + decode(line.strip())
        self._size += len(text)
        cells[2] += text
        if at is not None:
            self._cells[at] += text
        return True
