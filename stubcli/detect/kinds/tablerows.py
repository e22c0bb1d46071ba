"""Reads the records of a delimited table in batches, with flat memory, and feeds the columns.

A quote that is never closed would swallow the rest of the stream; then quotes are read as data.
It decides nothing about whether a stream is a table.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from stubcli.detect.kinds.columns import Column, header_of
from stubcli.detect.model import Source
from stubcli.detect.reading import BOM, blocks
from stubcli.text.decode import boundary, decode

# Behind so many bytes records are counted and their cells no longer looked into.
DETAILED = 32 * 1024 * 1024
# Cells beyond this are a quote that is not closed, or no cells.
_LONGEST_CELL = 4 * 1024 * 1024
_MOST_LINES = 2000
_FEW_LINES = 20
_PREAMBLE = 20
_BATCH = 4096
_MOST_COLUMNS = 200


@dataclass
class Rows:
    """What was read: counts, columns, and where the first record of another width stands."""

    width: int = 0
    header: list[str] = field(default_factory=list)
    # The header as it stands there, blanks and all.
    names: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    regular: int = 0
    ragged: int = 0
    ragged_line: int = 0
    lines: int = 0
    preamble: int = 0
    detailed: int = 0
    # The first and the last line of the first record.
    first: tuple[int, int] = (1, 0)
    notes: list[str] = field(default_factory=list)


class _Unclosed(Exception):
    pass


def parsed(lines: list[str], delimiter: str) -> list[list[str]]:
    """The records of a few lines that follow each other; what cannot be read is left out."""
    rows = []
    try:
        for row in _reader(iter([line + "\n" for line in lines]), delimiter, True):
            if row:
                rows.append(row)
    except csv.Error:
        pass
    return rows


def read(source: Source, delimiter: str) -> Rows:
    previous = csv.field_size_limit(_LONGEST_CELL)
    try:
        try:
            return _read(source, delimiter, quotes=True)
        except (_Unclosed, csv.Error):
            found = _read(source, delimiter, quotes=False)
            found.notes.append("quotes are not balanced: read as data")
            return found
    finally:
        csv.field_size_limit(previous)


def _reader(lines: Iterator[str], delimiter: str, quotes: bool) -> Any:
    if delimiter == "\t" or not quotes:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, quotechar=None)
    return csv.reader(lines, delimiter=delimiter)


class _Lines:
    """Lines of text out of the stream, and how many bytes of it were read."""

    def __init__(self, source: Source) -> None:
        self.seen = 0
        self.crlf = False
        self.bom = source.read_at(0, 3) == BOM
        self._source = source

    def __iter__(self) -> Iterator[str]:
        rest, held = "", b""
        for block in blocks(self._source, self._source.size, len(BOM) if self.bom else 0):
            self.seen += len(block)
            data = held + block
            cut = boundary(data)
            held = data[cut:]
            # The csv module reads a CR inside a line as the end of a record.
            text = rest + decode(data[:cut])
            if "\r" in text:
                self.crlf = True
                last = text[-1] == "\r"
                text = text.replace("\r\n", "\n")
                text = text[:-1].replace("\r", " ") + ("\r" if last else text[-1:])
            end = text.rfind("\n") + 1
            rest = text[end:]
            if len(rest) > 2 * _LONGEST_CELL:
                raise _Unclosed
            yield from io.StringIO(text[:end], newline="\n")
        if rest or held:
            yield rest + decode(held)


def _read(source: Source, delimiter: str, quotes: bool) -> Rows:
    lines = _Lines(source)
    reader = _reader(iter(lines), delimiter, quotes)
    rows, batch = Rows(), _Batch()
    line, span, width = 0, 0, 0
    for record in reader:
        span, width = reader.line_num - line, len(record)
        if span > _MOST_LINES:
            raise _Unclosed
        if record:
            batch.add(record, line + 1)
        line = batch.end = reader.line_num
        if len(batch.records) >= _BATCH:
            _take(rows, batch, lines.seen <= DETAILED)
    _take(rows, batch, lines.seen <= DETAILED)
    if span > _FEW_LINES and width != rows.width:
        raise _Unclosed
    rows.lines = line
    marks = [name for name, there in (("BOM", lines.bom), ("CRLF line ends", lines.crlf)) if there]
    if marks:
        rows.notes.append("with " + " and ".join(marks))
    return rows


class _Batch:
    def __init__(self) -> None:
        self.records: list[list[str]] = []
        self.lines: list[int] = []
        self.end = 0

    def add(self, record: list[str], line: int) -> None:
        self.records.append(record)
        self.lines.append(line)


def _take(rows: Rows, batch: _Batch, detailed: bool) -> None:
    records = batch.records
    if not records:
        return
    if not rows.width:
        rows.width = Counter(map(len, records)).most_common(1)[0][0]
        _drop_preamble(rows, batch)
        regular = [record for record in records[:200] if len(record) == rows.width]
        if len(records[0]) == rows.width and len(regular) > 1 and header_of(regular):
            rows.names = records[0]
            rows.header = [cell.strip() for cell in rows.names]
            del records[0], batch.lines[0]
        if records:
            end = batch.lines[1] - 1 if len(batch.lines) > 1 else batch.end
            rows.first = (batch.lines[0], end)
        rows.columns = [Column() for _ in range(min(rows.width, _MOST_COLUMNS))]
    kept = [record for record in records if len(record) == rows.width]
    if len(kept) < len(records):
        if not rows.ragged:
            at = next(i for i, record in enumerate(records) if len(record) != rows.width)
            rows.ragged_line = batch.lines[at]
        rows.ragged += len(records) - len(kept)
    first = rows.regular + rows.ragged - (len(records) - len(kept)) + 1
    if detailed:
        for column, cells in zip(rows.columns, zip(*kept, strict=True), strict=False):
            column.add(cells, first)
        rows.detailed += len(kept)
    rows.regular += len(kept)
    batch.records, batch.lines = [], []


def _drop_preamble(rows: Rows, batch: _Batch) -> None:
    """Lines of another width before the header belong to no record."""
    records = batch.records
    at = 0
    while at < min(_PREAMBLE, len(records)) and len(records[at]) != rows.width:
        at += 1
    if at < min(_PREAMBLE, len(records)):
        rows.preamble = at
        del records[:at], batch.lines[:at]
