"""Whether a stream is a delimited table: comma, semicolon, pipe or tab.

A claim needs widths that agree all over the sample and lines that are no log, diff, listing or
prose. In tab-separated data quotes are data; elsewhere they are honoured, and a record may take
several lines.
"""

import re
from collections import Counter

from stubcli.detect.fields.column import is_typed
from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.detect.table.header import names_columns
from stubcli.detect.table.rows import head_lines, parsed
from stubcli.text.characters import decode
from stubcli.value import Value

# What all rows of one width are worth: less than lines that only one tool writes, more than columns
# that are laid out for human eyes.
_WORTH = 0.75
_DELIMITERS = ",;\t|"
_NUMBERED = re.compile(rb" *\d+\t")
# Addresses before a tab: instructions laid out in columns.
_ADDRESS = re.compile(rb"(?:=>)? *(?:0x)?[0-9a-f]+(?: <[^>]*>)?:\t")
# A dump holds the rows of its tables beside the statements that make them.
_STATEMENT = re.compile(
    rb"(?:CREATE|ALTER|COPY|INSERT|GRANT|SET|DROP|SELECT|BEGIN|COMMIT)\b[^;]*;\s*$", re.IGNORECASE
)
_STATEMENTS = 2
_KEYED = re.compile(rb"\s*(?:- )?[\w./-]+: ?[\[{&*\"'\w]")


class _Widths(Value):
    """The most frequent number of cells with this delimiter, and the share that has it."""

    delimiter: str
    width: int
    share: float


def claim(sample: Sample) -> KindClaim:
    lines = [line for line in sampled_lines(sample) if line.strip()]
    hint = hinted(sample, "csv", "tab-separated", "tsv")
    if len(lines) < (2 if hint else 3):
        return refused(f"{len(lines)} lines")
    if other := _other(lines):
        return refused(other)
    tables = [found for found in (_widths(lines, sample, d) for d in _DELIMITERS) if found]
    if not tables:
        return refused("no delimiter stands in most lines")
    best = max(tables, key=lambda t: (round(t.share, 1), t.width, -_DELIMITERS.index(t.delimiter)))
    evidence = f"{best.share:.0%} of the lines have {best.width} cells between {best.delimiter!r}"
    if best.share < (0.6 if hint else 0.9):
        return refused(evidence)
    if not _plausible(lines, best, hint):
        return refused(f"{evidence}, and read like prose, code or a layout")
    form = "tsv" if best.delimiter == "\t" else "csv"
    return KindClaim(form, best.delimiter, evidence, _WORTH * (best.share + (0.2 if hint else 0)))


def _other(lines: list[bytes]) -> str:
    """What else the lines are, "" where nothing else is known."""
    if sum(1 for line in lines if _NUMBERED.match(line)) == len(lines):
        return "numbered lines"
    if sum(1 for line in lines if _ADDRESS.match(line)) > 0.5 * len(lines):
        return "instructions with their addresses"
    if sum(1 for line in lines if _KEYED.match(line)) > 0.6 * len(lines):
        return "keys with values"
    if sum(1 for line in lines if _STATEMENT.match(line)) >= _STATEMENTS:
        return "statements of SQL"
    # Colours hold semicolons and stand for layout, not for cells.
    return "colours" if sum(b"\x1b[" in line for line in lines) > 0.1 * len(lines) else ""


def _widths(lines: list[bytes], sample: Sample, delimiter: str) -> _Widths | None:
    """The most frequent width, and the share of records that have it."""
    mark = delimiter.encode()
    if sum(mark in line for line in lines) < len(lines) * (0.3 if delimiter != "\t" else 0.6):
        return None
    head = head_lines(sample)
    rows = parsed(head, delimiter)
    widths = Counter(map(len, rows))
    # Beyond the head only lines without quotes are sure to be whole records, and only where no
    # record takes several lines.
    if len(rows) == len(head):
        rest = [line for line in lines[len(head) :] if b'"' not in line]
        widths.update(line.count(mark) + 1 for line in rest)
    if not widths:
        return None
    width, times = widths.most_common(1)[0]
    return _Widths(delimiter, width, times / widths.total()) if width > 1 else None


def _plausible(lines: list[bytes], table: _Widths, hint: bool) -> bool:
    rows = parsed([decode(line[:4000]) for line in lines[:200]], table.delimiter)
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
        typed = any(is_typed(row[at] for row in rows[1:]) for at in filled)
        return typed or (names_columns(rows) and wordy < 0.2 * len(cells))
    return wordy < 0.6 * len(cells) or names_columns(rows)


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
