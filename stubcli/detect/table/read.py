"""Reads the records of a delimited table in batches, with flat memory, and feeds the columns.

A quote that is never closed would swallow the rest of the stream; then quotes are read as data.
"""

import csv
from collections.abc import Sequence

import stubcli.debug as debug
from stubcli.detect.charset import charset_of
from stubcli.detect.fields.choice import rarest
from stubcli.detect.fields.column import ColumnCounts
from stubcli.detect.fields.facts import Differing
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import BOM, blocks, hinted
from stubcli.detect.table.facts import Outside, TableFacts
from stubcli.detect.table.places import line_start, start_from_end
from stubcli.detect.table.rows import (
    LONGEST_CELL,
    Records,
    RowLines,
    Unclosed,
    has_quotes,
    head_lines,
    typical_width,
)
from stubcli.detect.table.start import Start, start_of
from stubcli.detect.table.trailer import LOOKED_AT, trailer
from stubcli.detect.words import clip
from stubcli.text.characters import decode

# After so many bytes records are counted and their cells no longer looked into.
DETAILED = 32 * 1024 * 1024
_MOST_LINES = 2000
_FEW_LINES = 20
_BATCH = 4096
_MOST_COLUMNS = 200
_BETWEEN = 6
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> TableFacts | None:
    """The facts of the table; None where too many records are of another width."""
    found = _read_table(sample, source, claim.form)
    if not found.count:
        return None
    if found.ragged > 0.4 * found.count and not hinted(sample, "csv", "tab-sep"):
        return None
    return _facts(claim, sample, source, scan, found)


class _Table:
    """What was read so far: rows that wait, then counts and columns."""

    def __init__(self, lines: RowLines) -> None:
        self.lines = lines
        self.quotes = self.balanced = True
        # Rows, their first and last lines, and those first lines that an empty one precedes.
        self.rows: list[list[str]] = []
        self.at: list[tuple[int, int]] = []
        self.apart: set[int] = set()
        self.row_count = self.line_count = 0
        self.start = Start(0, (), -1, 0)
        self.header_line = self.before = 0
        self.first = (1, 0)
        self.between: list[Outside] = []
        # The lines of the records that may be told of.
        self.places: dict[int, tuple[int, int]] = {}
        self.unclosed = self.unclosed_line = 0
        self.after: Outside | None = None
        self.columns: list[ColumnCounts] = []
        self.count = self.ragged = self.ragged_line = self.detailed = 0

    def take(self) -> None:
        """Count the rows that wait, but for the last ones: they may stand below the table."""
        if not self.columns:
            self._begin()
        self._take(len(self.rows) - LOOKED_AT)
        self.apart.clear()

    def finish(self) -> None:
        """Count the rest; the rows below the table are left out."""
        if not self.columns and self.rows:
            self._begin()
        self._take(max(0, len(self.rows) - LOOKED_AT))
        apart = [line in self.apart for line, _ in self.at]
        more = trailer(self.rows, apart, self.columns, self.start.width)
        if more:
            line = self.at[-more][0]
            text = next((" ".join(row) for row in self.rows[-more:] if any(row)), "")
            self.after = Outside(more, line, clip(" ".join(text.split())))
            del self.rows[-more:], self.at[-more:]
        self._take(len(self.rows))

    def _begin(self) -> None:
        start = self.start = start_of(self.rows)
        if start.header_at >= 0:
            self.header_line = self.at[start.header_at][0]
        self.before = start.first if start.header_at < 0 else start.header_at
        if len(self.at) > start.first:
            self.first = self.at[start.first]
        self.columns = [ColumnCounts() for _ in range(min(start.width, _MOST_COLUMNS))]
        del self.rows[: start.first], self.at[: start.first]

    def _take(self, most: int) -> None:
        width, rows, at = self.start.width, self.rows[:most], self.at[:most]
        del self.rows[:most], self.at[:most]
        kept = rows
        numbers: Sequence[int] = range(self.count + 1, self.count + len(rows) + 1)
        if any(len(row) != width for row in rows):
            self._ragged(rows, at)
            fits = [n for n, row in enumerate(rows) if len(row) == width]
            kept = [rows[n] for n in fits]
            numbers = [self.count + 1 + n for n in fits]
        if self.lines.seen <= DETAILED:
            for column, cells in zip(self.columns, zip(*kept, strict=True), strict=False):
                column.add(cells, self.count + 1, numbers)
                for row in column.remembered():
                    if isinstance(row, int) and row > self.count:
                        self.places[row] = at[row - self.count - 1]
            self.detailed += len(kept)
        self.count += len(rows)

    def _ragged(self, rows: list[list[str]], at: list[tuple[int, int]]) -> None:
        """Count the rows of another width; lines without a delimiter are told."""
        for row, (line, _) in zip(rows, at, strict=True):
            if len(row) != self.start.width:
                self.ragged_line = self.ragged_line or line
                self.ragged += 1
                if len(row) == 1 and row[0].strip() and len(self.between) < _BETWEEN:
                    self.between.append(Outside(1, line, clip(row[0].strip())))


def _read_table(sample: Sample, source: ByteSource, delimiter: str) -> _Table:
    previous = csv.field_size_limit(LONGEST_CELL)
    head = head_lines(sample)
    quotes, width = has_quotes(head, delimiter), typical_width(head, delimiter)
    try:
        try:
            found = _read(source, delimiter, quotes, width)
            if found.unclosed and found.start.width != width:
                found = _read(source, delimiter, quotes, found.start.width)
            return found
        except Unclosed as error:
            debug.note(f"detect: table: quotes are data: {type(error).__name__} {error}")
            found = _read(source, delimiter, False, width)
            found.balanced = False
            found.unclosed_line = error.line
            return found
    finally:
        csv.field_size_limit(previous)


def _read(source: ByteSource, delimiter: str, quotes: bool, width: int) -> _Table:
    lines = RowLines(source)
    table = _Table(lines)
    table.quotes = quotes
    records = Records(iter(lines), delimiter, quotes, width)
    span = cells = line = 0
    blank = False
    try:
        for row, first, line in records:
            span, cells = line - first + 1, len(row)
            if span > _MOST_LINES:
                raise Unclosed(first)
            if row:
                table.rows.append(row)
                table.at.append((first, line))
                if blank:
                    table.apart.add(first)
            blank = not row
            table.line_count = line
            table.row_count += 1
            if len(table.rows) >= _BATCH + LOOKED_AT:
                table.take()
    except (csv.Error, Unclosed) as error:
        raise Unclosed(getattr(error, "line", 0) or line + 1) from None
    table.unclosed, table.unclosed_line = records.unclosed, records.unclosed_line
    table.finish()
    first = line - span + 1
    if span > _FEW_LINES and (cells != table.start.width or (quotes and _is_open(source, first))):
        raise Unclosed(first)
    return table


def _is_open(source: ByteSource, line: int) -> bool:
    """Whether the quotes from that line to the end are no pairs."""
    start = line_start(source, line)
    return sum(block.count(b'"') for block in blocks(source, source.size, start)) % 2 == 1


def _facts(
    claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan, found: _Table
) -> TableFacts:
    first = found.first[0]
    start = line_start(source, first) or (len(BOM) if found.lines.bom else 0)
    head = decode(sample.head.removeprefix(BOM)).split("\n", 1)[0].strip()
    undecodable = scan.invalid
    return TableFacts(
        kind=claim.kind,
        form=_NAMES[claim.form],
        delimiter=claim.form,
        quotes=found.quotes,
        balanced=found.balanced,
        bom=found.lines.bom,
        line_end=found.lines.line_end(found.row_count),
        width=found.start.width,
        header=found.start.header,
        header_line=found.header_line,
        before=Outside(found.before, 1, clip(head)) if found.before else None,
        after=found.after,
        start=start,
        end=_end(source, found) if found.after else source.size,
        lines=found.line_count,
        records=found.count,
        ragged=found.ragged,
        ragged_line=found.ragged_line,
        detailed=found.detailed,
        columns_read=tuple(column.facts() for column in found.columns),
        unclosed=found.unclosed,
        unclosed_line=found.unclosed_line,
        between=(*_unclosed(found, source), *found.between),
        differing=_differing(found, source),
        first_record=_lines_of(sample, *found.first),
        last_record=_last_record(sample, found),
        undecodable=undecodable,
        charset=charset_of((sample.head, *sample.middle, sample.tail)) if undecodable else "",
    )


def _unclosed(found: _Table, source: ByteSource) -> tuple[Outside, ...]:
    """The line in which the first quote opens that is not closed."""
    line = found.unclosed_line
    return (Outside(1, line, clip(_record(source, line, line))),) if line else ()


def _differing(found: _Table, source: ByteSource) -> tuple[Differing, ...]:
    """The records with what few others have, as they stand."""
    names = [clip(name.strip(), 60) for name in found.start.header]
    names = names or [f"column {at}" for at in range(1, found.start.width + 1)]
    fields = [(name, one, found.detailed) for name, one in zip(names, found.columns, strict=False)]
    differing = []
    for row, odd in rarest(fields, found.detailed):
        if isinstance(row, int) and row in found.places:
            lacks = tuple(name for name, text in odd.items() if text is None)
            text = _record(source, *found.places[row])
            differing.append(Differing(row, clip(text, 300), (), lacks))
    return tuple(sorted(differing, key=lambda one: one.row))


def _record(source: ByteSource, first: int, last: int) -> str:
    """The lines of a record, their ends visible."""
    start = line_start(source, first)
    lines = decode(source.read_at(start, 2000)).split("\n")[: last - first + 1]
    return "\\n".join(line.rstrip("\r") for line in lines)


def _end(source: ByteSource, found: _Table) -> int:
    """Where the last record ends, before the empty lines and the lines after the table."""
    end = source.size
    if found.after:
        end = start_from_end(source, found.line_count - found.after.line + 1)
    near = source.read_at(max(0, end - 4096), min(4096, end))
    return end - (len(near) - len(near.rstrip(b"\r\n")))


def _last_record(sample: Sample, found: _Table) -> str:
    """The last line, where each record has one line and all lines are records."""
    others = bool(found.start.header) + found.before
    bare = bool(found.between) and found.between[-1].line == found.line_count
    if bare or found.after or found.line_count != found.count + others:
        return ""
    return clip(decode(sample.tail).rstrip().rsplit("\n", 1)[-1])


def _lines_of(sample: Sample, start: int, end: int) -> str:
    """Lines of the head by number, their ends visible; empty where the head ends before them."""
    body = decode(sample.head.removeprefix(BOM)).split("\n")
    if len(body) < end and len(sample.head) < sample.size:
        end = len(body)
    found = "\n".join(body[start - 1 : end]).strip("\r\n")
    return clip(found.strip().replace("\r\n", "\n").replace("\n", "\\n"))
