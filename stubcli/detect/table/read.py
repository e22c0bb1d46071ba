"""Reads the records of a delimited table in batches, with flat memory, and feeds the columns.

A quote that is never closed would swallow the rest of the stream; then quotes are read as data.
"""

import csv
from collections.abc import Iterator

import stubcli.debug as debug
from stubcli.detect.charset import charset_of
from stubcli.detect.fields import owners
from stubcli.detect.fields.choice import rarest
from stubcli.detect.fields.column import shape
from stubcli.detect.fields.facts import ColumnFacts, Differing
from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import BOM, blocks, hinted
from stubcli.detect.table.claim import TableClaim
from stubcli.detect.table.dialect import NAMES, Dialect
from stubcli.detect.table.facts import Affected, Keyed, Outside, TableFacts
from stubcli.detect.table.lines import LONGEST_CELL, RowLines, Unclosed
from stubcli.detect.table.places import line_start, start_from_end
from stubcli.detect.table.rows import Places, Records, parsed
from stubcli.detect.table.tables import BATCH, TableCounts, Tables
from stubcli.detect.words import clip
from stubcli.text.characters import decode

# After so many bytes records are counted and their cells no longer looked into.
DETAILED = 32 * 1024 * 1024
_MOST_LINES = 2000
_FEW_LINES = 20
# Lines at the beginning that may be a header, and others like them that are remembered.
_HEADS = 24
_WORDS = ("text", "empty")
_MOST_AGAIN = 100_000
# So many columns of numbers.
_OWNED = 8


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> TableFacts | None:
    """The facts of the table; None where too many records are of another width."""
    if not isinstance(claim, TableClaim):
        return None
    found = _read_table(source, claim)
    table = found.tables.main
    if not table.count:
        return None
    if table.ragged > 0.4 * table.count and not hinted(sample, "csv", "tab-sep"):
        return None
    return _facts(claim, sample, source, scan, found)


class _TableRead:
    """The tables of a stream, and how they are written."""

    def __init__(self, lines: RowLines, records: Records, dialect: Dialect) -> None:
        self.lines, self.records, self.dialect = lines, records, dialect
        self.balanced = True
        self.tables = Tables()
        self.row_count = self.line_count = 0
        self.unclosed_line = 0
        self._heads: dict[str, int] = {}
        self.first_cells: set[str] = set()

    @property
    def detailed(self) -> bool:
        return self.lines.seen <= DETAILED

    def compare(self, row: list[str], line: int) -> None:
        """Note whether the row, one of the first or one that begins like one, is a header again."""
        header = self._heads.get(self.records.text.rstrip("\n"))
        if header and len(self.tables.again) < _MOST_AGAIN:
            self.tables.again[line] = header
        if line < _HEADS and all(shape(cell.strip()) in _WORDS for cell in row):
            self._heads.setdefault(self.records.text.rstrip("\n"), line)
            self.first_cells.add(row[0])


def _read_table(source: ByteSource, claim: TableClaim) -> _TableRead:
    previous = csv.field_size_limit(LONGEST_CELL)
    dialect, width = claim.dialect, claim.width
    try:
        try:
            found = _read(source, dialect, width)
            if found.tables.main.start.width != width:
                found = _read(source, dialect, found.tables.main.start.width)
            return found
        except Unclosed as error:
            debug.note(f"detect: table: quotes are data: {type(error).__name__} {error}")
            found = _read(source, dialect.replace(quote="", escape=""), width)
            found.balanced = False
            found.unclosed_line = error.line
            return found
    finally:
        csv.field_size_limit(previous)


def _read(source: ByteSource, dialect: Dialect, width: int) -> _TableRead:
    lines = RowLines(source, dialect.returns)
    records = Records(iter(lines), dialect, width)
    found = _TableRead(lines, records, dialect)
    span = cells = line = 0
    blank = False
    rows: list[list[str]] = []
    at: list[tuple[int, int]] = []
    apart: set[int] = set()
    try:
        for row, first, line in records:
            span, cells = line - first + 1, len(row)
            if span > _MOST_LINES:
                raise Unclosed(first)
            if row:
                if row[0] in found.first_cells or line < _HEADS:
                    found.compare(row, line)
                if blank:
                    apart.add(first)
                rows.append(row)
                at.append((first, line))
                if len(rows) >= BATCH:
                    found.tables.add(rows, at, apart, found.detailed)
            blank = not row
            found.row_count += 1
    except (csv.Error, Unclosed) as error:
        raise Unclosed(getattr(error, "line", 0) or line + 1) from None
    found.tables.add(rows, at, apart, found.detailed)
    found.line_count = line
    found.unclosed_line = records.unclosed.line
    found.tables.finish(found.detailed)
    first, width = line - span + 1, found.tables.main.start.width
    if span > _FEW_LINES and (
        cells != width or (dialect.quote and _is_open(source, first, dialect))
    ):
        raise Unclosed(first)
    return found


def _is_open(source: ByteSource, line: int, dialect: Dialect) -> bool:
    """Whether the quotes from that line to the end are no pairs."""
    start, quote = line_start(source, line, dialect.line_end), dialect.quote.encode()
    return sum(block.count(quote) for block in blocks(source, source.size, start)) % 2 == 1


def _facts(
    claim: TableClaim, sample: Sample, source: ByteSource, scan: Scan, found: _TableRead
) -> TableFacts:
    table, feed, undecodable = found.tables.main, found.dialect.line_end, scan.invalid
    start = line_start(source, table.first[0], feed) or (len(BOM) if found.lines.bom else 0)
    before, after = _outside(source, found, table)
    records = found.records
    return TableFacts(
        kind=claim.kind,
        form=NAMES[claim.form],
        dialect=found.dialect,
        balanced=found.balanced,
        bom=found.lines.bom,
        line_end=found.lines.line_end(found.row_count),
        width=table.start.width,
        header=table.start.header,
        header_line=table.header_line,
        header_rows=table.header_rows,
        before=before,
        after=after,
        start=start,
        end=_end(source, after, found),
        lines=found.line_count,
        records=table.count,
        ragged=table.ragged,
        widest=table.widest,
        detailed=table.detailed,
        columns_read=_columns(table, source, feed, found.dialect),
        unclosed=records.unclosed.count,
        unclosed_line=found.unclosed_line,
        between=(*_unclosed(found, source), *table.between),
        differing=_differing(table, source, feed),
        first_record=_lines_of(sample, *table.first, feed),
        last_record="" if after else _last_record(sample, found, table),
        undecodable=undecodable,
        charset=charset_of((sample.head, *sample.middle, sample.tail)) if undecodable else "",
        wide=_affected(table.wide),
        short=_affected(table.short),
        loose=_affected(records.loose),
        folded=_affected(records.folded),
        repeats=_affected(table.repeats),
        tables=found.tables.others(table),
        crossed=table.crossing.facts(),
        keyed=tuple(_keyed(table)),
    )


def _affected(places: Places) -> Affected | None:
    return Affected(places.count, places.line) if places.count else None


def _outside(
    source: ByteSource, found: _TableRead, table: TableCounts
) -> tuple[Outside | None, Outside | None]:
    """The lines before the table and those after it."""
    above, below = found.tables.around(table)
    rows = sum(one.size for one in above) + table.before
    before = after = None
    if rows:
        text = _record(source, 1, 1, found.dialect.line_end).removeprefix("\ufeff").strip()
        before = Outside(rows, 1, clip(text))
    if below:
        line = below[0].line
        text = _record(source, line, line, found.dialect.line_end).strip()
        more = table.after.lines if table.after else 0
        after = Outside(more + sum(one.size for one in below), line, clip(text))
    if table.after:
        after = table.after.replace(lines=after.lines) if after else table.after
    return before, after


def _unclosed(found: _TableRead, source: ByteSource) -> tuple[Outside, ...]:
    """The line in which the first quote opens that is not closed."""
    line = found.unclosed_line
    text = clip(_record(source, line, line, found.dialect.line_end)) if line else ""
    return (Outside(1, line, text),) if line else ()


def _differing(table: TableCounts, source: ByteSource, feed: bytes) -> tuple[Differing, ...]:
    """The records with what few others have, as they stand."""
    names = [clip(name.strip(), 60) for name in table.start.header]
    names = names or [f"column {at}" for at in range(1, table.start.width + 1)]
    fields = [(name, one, table.detailed) for name, one in zip(names, table.columns, strict=False)]
    fields += [
        (f"{names[at]}.{clip(key, 60)}", one, one.filled + one.empty)
        for at, key, one in table.keyed()
    ]
    differing = []
    for row, odd in rarest(fields, table.detailed):
        if isinstance(row, int) and row in table.places:
            lacks = tuple(name for name, text in odd.items() if text is None)
            text = _record(source, *table.places[row], feed)
            differing.append(Differing(row, clip(text, 300), (), lacks))
    return tuple(sorted(differing, key=lambda one: one.row))


def _keyed(table: TableCounts) -> Iterator[Keyed]:
    for at, key, column in table.keyed():
        looked = column.filled + column.empty
        yield Keyed(at, clip(key, 60), column.facts(), looked if looked < table.count else 0)


def _columns(
    table: TableCounts, source: ByteSource, feed: bytes, dialect: Dialect
) -> tuple[ColumnFacts, ...]:
    """The columns; beside the largest numbers of the first, what their records are called."""
    columns = [column.facts() for column in table.columns]
    names = table.start.header
    at = owners.naming_column(names, columns[: len(names)])
    measured = [
        n
        for n, column in enumerate(columns)
        if at >= 0 and n < len(names) and owners.is_measured(names[n], column)
    ]
    for n in measured[:_OWNED]:
        place = table.places.get(columns[n].largest)  # type: ignore[arg-type]
        lines = _record(source, *place, feed) if place else ""
        rows = parsed([lines], dialect, table.start.width)
        if rows and len(rows[0]) > at:
            columns[n] = columns[n].replace(largest_of=clip(rows[0][at].strip(), 60))
    return tuple(columns)


def _record(source: ByteSource, first: int, last: int, feed: bytes) -> str:
    """The lines of a record, their ends visible."""
    start = line_start(source, first, feed)
    lines = decode(source.read_at(start, 2000)).split(feed.decode())[: last - first + 1]
    return "\\n".join(line.rstrip("\r") for line in lines)


def _end(source: ByteSource, after: Outside | None, found: _TableRead) -> int:
    """Where the last record ends, before the empty lines and the lines after the table."""
    if not after:
        return source.size
    feed = found.dialect.line_end
    end = start_from_end(source, found.line_count - after.line + 1, feed)
    near = source.read_at(max(0, end - 4096), min(4096, end))
    return end - (len(near) - len(near.rstrip(b"\r\n")))


def _last_record(sample: Sample, found: _TableRead, table: TableCounts) -> str:
    """The last line, where each record has one line and all lines are records."""
    others = table.header_rows + table.before
    bare = bool(table.between) and table.between[-1].line == found.line_count
    if bare or found.line_count != table.count + others:
        return ""
    return clip(decode(sample.tail).rstrip().rsplit(found.dialect.line_end.decode(), 1)[-1])


def _lines_of(sample: Sample, start: int, end: int, feed: bytes) -> str:
    """Lines of the head by number, their ends visible; empty where the head ends before them."""
    body = decode(sample.head.removeprefix(BOM)).split(feed.decode())
    if len(body) < end and len(sample.head) < sample.size:
        end = len(body)
    found = "\n".join(body[start - 1 : end]).strip("\r\n")
    return clip(found.strip().replace("\r\n", "\n").replace("\n", "\\n"))
