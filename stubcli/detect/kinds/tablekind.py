"""Delimited tables: comma, semicolon, pipe or tab.

A claim needs widths that agree all over the sample and lines that are no log, diff, listing or
prose. In tab-separated data quotes are data; elsewhere they are honoured, and a record may take
several lines. Types and extremes are the columns' work.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from stubcli.detect.brief import clip, columns, counted, listed
from stubcli.detect.kinds import tablerows
from stubcli.detect.kinds.columns import Column, header_of, shape
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import BOM, hinted, sampled_lines
from stubcli.text.decode import decode

_DELIMITERS = ",;\t|"
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_SHOWN_COLUMNS = 16
_NUMBERED = re.compile(rb" *\d+\t")
# Addresses before a tab: instructions laid out in columns.
_ADDRESS = re.compile(rb"(?:=>)? *(?:0x)?[0-9a-f]+(?: <[^>]*>)?:\t")
_KEYED = re.compile(rb"\s*(?:- )?[\w./-]+: ?[\[{&*\"'\w]")


@dataclass
class _Table:
    delimiter: str
    width: int
    share: float


def detect(sample: Sample) -> Claim | None:
    lines = [line for line in sampled_lines(sample) if line.strip()]
    hint = hinted(sample, "csv", "tab-separated")
    if len(lines) < (2 if hint else 3) or _is_other(lines):
        return None
    if sum(b"\x1b[" in line for line in lines) > 0.1 * len(lines):
        # Colours hold semicolons and stand for layout, not for cells.
        return None
    tables = [found for found in (_widths(lines, sample, d) for d in _DELIMITERS) if found]
    if not tables:
        return None
    best = max(tables, key=lambda t: (round(t.share, 1), t.width, -_DELIMITERS.index(t.delimiter)))
    if best.share < (0.6 if hint else 0.9) or not _plausible(lines, best, hint):
        return None
    kind = "tsv" if best.delimiter == "\t" else "csv"
    return Claim(kind, best.delimiter, f"{best.share:.0%} of the lines have {best.width} cells")


def _is_other(lines: list[bytes]) -> bool:
    from stubcli.detect.forms import compiler, diff, history, log, markdown, testreport, traceback

    if sum(1 for line in lines if _NUMBERED.match(line)) == len(lines):
        return True
    if sum(1 for line in lines if _ADDRESS.match(line)) > 0.5 * len(lines):
        return True
    if sum(1 for line in lines if _KEYED.match(line)) > 0.6 * len(lines):
        return True
    others = (history, diff, testreport, compiler, traceback, markdown)
    return log.is_log(lines) or any(form.holds(lines) for form in others)


def _widths(lines: list[bytes], sample: Sample, delimiter: str) -> _Table | None:
    """The most frequent width, and the share of records that have it."""
    mark = delimiter.encode()
    if sum(mark in line for line in lines) < len(lines) * (0.3 if delimiter != "\t" else 0.6):
        return None
    head = [line for line in decode(sample.head).split("\n")[:1500] if line.strip()]
    if len(sample.head) < sample.size:
        head = head[:-1]
    rows = tablerows.parsed(head, delimiter)
    widths = Counter(map(len, rows))
    # Beyond the head only lines without quotes are sure to be whole records, and only where no
    # record takes several lines.
    if len(rows) == len(head):
        rest = [line for line in lines[len(head) :] if b'"' not in line]
        widths.update(line.count(mark) + 1 for line in rest)
    if not widths:
        return None
    width, times = widths.most_common(1)[0]
    return _Table(delimiter, width, times / widths.total()) if width > 1 else None


def _plausible(lines: list[bytes], table: _Table, hint: bool) -> bool:
    rows = tablerows.parsed([decode(line[:4000]) for line in lines[:200]], table.delimiter)
    rows = [row for row in rows if len(row) == table.width]
    if len(rows) < 2 or all(not row[0].strip() for row in rows[1:]):
        return False
    if table.delimiter == "|" and sum(row[0][-1:] == " " for row in rows) > len(rows) / 2:
        return False
    if hint:
        return True
    # A column that is empty everywhere is none: a mark at the end of each line separates nothing.
    filled = [at for at in range(table.width) if any(row[at].strip() for row in rows)]
    if len(filled) < 2 or _laid_out(rows, table.delimiter):
        return False
    cells = [cell for row in rows for cell in row]
    # In prose a comma is followed by a space and stands between several words.
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:])
    wordy = sum(cell.strip().count(" ") >= 2 for cell in cells)
    if spaced > 0.5 * (len(cells) - len(rows)) and wordy > 0.25 * len(cells):
        return False
    if _code_like(lines):
        return False
    if len(filled) == 2 and table.delimiter != "\t":
        typed = any(_typed(row[at] for row in rows[1:]) for at in filled)
        return typed or (header_of(rows) and wordy < 0.2 * len(cells))
    return wordy < 0.6 * len(cells) or header_of(rows)


def _laid_out(rows: list[list[str]], delimiter: str) -> bool:
    """Whether tabs stand behind cells that spaces fill up to the same width: layout for eyes."""
    if delimiter != "\t":
        return False
    return any(
        sum(row[at][-2:] == "  " for row in rows) > 0.5 * len(rows)
        and len({len(row[at]) for row in rows}) == 1
        for at in range(len(rows[0]) - 1)
    )


def _code_like(lines: list[bytes]) -> bool:
    ends = sum(line.rstrip()[-1:] in (b"{", b"}", b";", b",", b"(", b")", b".") for line in lines)
    return ends > 0.5 * len(lines) and any(
        line.rstrip()[-1:] in (b"{", b"}", b".") for line in lines
    )


def _typed(cells: Iterable[str]) -> bool:
    shapes = [shape(cell) for cell in cells if cell]
    return bool(shapes) and sum(each != "text" for each in shapes) >= 0.9 * len(shapes)


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    read = tablerows.read(source, claim.form)
    records = read.regular + read.ragged
    if not read.width or (read.ragged > 0.4 * records and not hinted(sample, "csv", "tab-sep")):
        return None
    name = _NAMES[claim.form]
    many = "record" if read.header else "record (no header)"
    summary = [
        f"{counted(records, many, many.replace('record', 'records'))}, "
        f"{read.width} columns, delimiter {name}"
    ]
    if read.preamble:
        first = decode(sample.head.removeprefix(BOM)).split("\n", 1)[0].strip()
        summary.append(f"{counted(read.preamble, 'line')} before the table: {clip(first)}")
    if read.lines > records + bool(read.header) + read.preamble:
        summary.append(f"{read.lines:,} physical lines: cells hold line ends or lines are blank")
    if read.ragged:
        what = "record has" if read.ragged == 1 else "records have"
        summary.append(
            f"{read.ragged:,} {what} another width, the first at line {read.ragged_line:,}"
        )
    summary += read.notes
    if read.detailed < read.regular:
        summary.append(f"values of the first {read.detailed:,} records only; records of all")
    structure = tuple(_structure(read, sample))
    return Synopsis(claim.kind, name, tuple(summary), structure, columns=columns(read.names))


def _structure(read: tablerows.Rows, sample: Sample) -> list[str]:
    names = read.header or [f"column {at}" for at in range(1, read.width + 1)]
    lines = [f"columns: {listed(names, len(names), 290, 60)}"] if read.header else []
    shown: list[tuple[str, Column]] = list(zip(names, read.columns, strict=False))
    for name, column in shown[:_SHOWN_COLUMNS]:
        lines.append(f"  {clip(name, 60)}: {column.told()}")
    before = bool(read.header) + read.preamble
    first = _lines_of(sample, *read.first)
    if first:
        lines.append(f"first record: {clip(first, 200)}")
    if read.lines == read.regular + read.ragged + before:
        lines.append(
            f"last record: {clip(decode(sample.tail).rstrip().rsplit(chr(10), 1)[-1], 200)}"
        )
    return lines


def _lines_of(sample: Sample, start: int, end: int) -> str:
    """Lines of the head by number, their ends visible; empty where the head ends before them."""
    body = decode(sample.head.removeprefix(BOM)).split("\n")
    if len(body) < end and len(sample.head) < sample.size:
        end = len(body)
    found = "\n".join(body[start - 1 : end]).strip("\r\n")
    return found.strip().replace("\r\n", "\n").replace("\n", "\\n")
