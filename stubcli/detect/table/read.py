"""Reads the records of a delimited table in batches, with flat memory, and feeds the columns.

A quote that is never closed would swallow the rest of the stream; then quotes are read as data.
"""

import csv

import stubcli.debug as debug
from stubcli.detect.charset import charset_of
from stubcli.detect.fields.column import ColumnCounts
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import BOM, hinted
from stubcli.detect.table.facts import Outside, TableFacts
from stubcli.detect.table.places import line_start, start_from_end
from stubcli.detect.table.rows import LONGEST_CELL, RowLines, Unclosed, reader
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
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> TableFacts | None:
    """The facts of the table; None where too many records are of another width."""
    found = _read_table(source, claim.form)
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
        # Rows, the lines on which they begin, and those lines that an empty one precedes.
        self.rows: list[list[str]] = []
        self.at: list[int] = []
        self.apart: set[int] = set()
        self.row_count = self.line_count = 0
        self.start = Start(0, (), -1, 0)
        self.header_line = self.before = 0
        self.first = (1, 0)
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
        apart = [line in self.apart for line in self.at]
        more = trailer(self.rows, apart, self.columns, self.start.width)
        if more:
            line = self.at[-more]
            text = next((" ".join(row) for row in self.rows[-more:] if any(row)), "")
            self.after = Outside(more, line, clip(" ".join(text.split())))
            del self.rows[-more:], self.at[-more:]
        self._take(len(self.rows))

    def _begin(self) -> None:
        start = self.start = start_of(self.rows)
        if start.header_at >= 0:
            self.header_line = self.at[start.header_at]
        self.before = start.first if start.header_at < 0 else start.header_at
        if len(self.at) > start.first:
            following = self.at[start.first + 1 :][:1]
            self.first = (self.at[start.first], (*following, self.line_count + 1)[0] - 1)
        self.columns = [ColumnCounts() for _ in range(min(start.width, _MOST_COLUMNS))]
        del self.rows[: start.first], self.at[: start.first]

    def _take(self, most: int) -> None:
        width, rows, at = self.start.width, self.rows[:most], self.at[:most]
        del self.rows[:most], self.at[:most]
        kept = [row for row in rows if len(row) == width]
        if len(kept) < len(rows):
            if not self.ragged:
                ragged = (n for row, n in zip(rows, at, strict=True) if len(row) != width)
                self.ragged_line = next(ragged)
            self.ragged += len(rows) - len(kept)
        if self.lines.seen <= DETAILED:
            for column, cells in zip(self.columns, zip(*kept, strict=True), strict=False):
                column.add(cells, self.count + 1)
            self.detailed += len(kept)
        self.count += len(rows)


def _read_table(source: ByteSource, delimiter: str) -> _Table:
    previous = csv.field_size_limit(LONGEST_CELL)
    try:
        try:
            return _read(source, delimiter, quotes=delimiter != "\t")
        except (Unclosed, csv.Error) as error:
            debug.note(f"detect: table: quotes are data: {type(error).__name__} {error}")
            found = _read(source, delimiter, quotes=False)
            found.balanced = False
            return found
    finally:
        csv.field_size_limit(previous)


def _read(source: ByteSource, delimiter: str, *, quotes: bool) -> _Table:
    lines = RowLines(source)
    table = _Table(lines)
    table.quotes = quotes
    rows, at, apart = table.rows, table.at, table.apart
    following = reader(iter(lines), delimiter, quotes)
    line = span = width = 0
    blank = False
    for row in following:
        span, width = following.line_num - line, len(row)
        if span > _MOST_LINES:
            raise Unclosed
        if row:
            rows.append(row)
            at.append(line + 1)
            if blank:
                apart.add(line + 1)
        blank = not row
        line = table.line_count = following.line_num
        table.row_count += 1
        if len(rows) >= _BATCH + LOOKED_AT:
            table.take()
    table.finish()
    if span > _FEW_LINES and width != table.start.width:
        raise Unclosed
    return table


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
        first_record=_lines_of(sample, *found.first),
        last_record=_last_record(sample, found),
        undecodable=undecodable,
        charset=charset_of((sample.head, *sample.middle, sample.tail)) if undecodable else "",
    )


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
    if found.after or found.line_count != found.count + others:
        return ""
    return clip(decode(sample.tail).rstrip().rsplit("\n", 1)[-1])


def _lines_of(sample: Sample, start: int, end: int) -> str:
    """Lines of the head by number, their ends visible; empty where the head ends before them."""
    body = decode(sample.head.removeprefix(BOM)).split("\n")
    if len(body) < end and len(sample.head) < sample.size:
        end = len(body)
    found = "\n".join(body[start - 1 : end]).strip("\r\n")
    return clip(found.strip().replace("\r\n", "\n").replace("\n", "\\n"))
