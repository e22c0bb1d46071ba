"""Whether a stream is a delimited table.

A claim needs widths that agree all over the sample and lines that are no log, diff, listing or
prose. In tab-separated data quotes are data; elsewhere they are honoured, and a record may take
several lines.
"""

import re

from stubcli.detect.fields.column import is_typed
from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import hinted, sampled_lines
from stubcli.detect.table.dialect import Dialect
from stubcli.detect.table.header import names_columns
from stubcli.detect.table.rows import head_lines, parsed
from stubcli.detect.table.sniff import Sniffed, sniffed
from stubcli.text.characters import decode

# What all rows of one width are worth: less than lines that only one tool writes, more than columns
# that are laid out for human eyes.
_WORTH = 0.75
# Names above the columns, which no log has.
_HEADER = 0.08
# Rows without names that begin with times: less than a log whose messages have various lengths.
_TIMED_WORTH = 0.71
_NUMBERED = re.compile(rb" *\d+\t")
# Addresses before a tab: instructions laid out in columns.
_ADDRESS = re.compile(rb"(?:=>)? *(?:0x)?[0-9a-f]+(?: <[^>]*>)?:\t")
# A dump holds the rows of its tables beside the statements that make them.
_STATEMENT = re.compile(
    rb"(?:CREATE|ALTER|COPY|INSERT|GRANT|SET|DROP|SELECT|BEGIN|COMMIT)\b[^;]*;\s*$", re.IGNORECASE
)
_STATEMENTS = 2
_TWO = 2
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
# Not the hour in the time that opens a row.
_TIME = re.compile(rb"\W{0,2}\d[\dT/. -]{5,13}:\d\d?:\d\d?")
_KEYED = re.compile(rb"\s*(?:- )?[A-Za-z_][\w./-]*:(?: |(?=[\[{&*\"']))[\[{&*\"'\w]")


class TableClaim(KindClaim):
    """A table in that dialect; most records have `width` cells."""

    dialect: Dialect = Dialect(",")
    width: int = 0


def claim(sample: Sample) -> KindClaim:
    returns = _ends_in_returns(sample)
    if returns:
        sample = _with_feeds(sample)
    lines = [line for line in sampled_lines(sample) if line.strip()]
    hint = hinted(sample, "csv", "tab-separated", "tsv")
    if len(lines) < (2 if hint else 3):
        return refused(f"{len(lines)} lines")
    if other := _other(lines):
        return refused(other)
    head = head_lines(sample)
    rest = [decode(line) for line in lines[len(head) :]]
    if lines[0].startswith(b"##"):
        # The comments above a table may be more than all lines that are looked at.
        below = [line for line in lines if not line.startswith(b"#")]
        rest = [decode(line) for line in below]
        head = rest if head[:1] and head[0].startswith("##") else head
        lines = [*(line.encode() for line in head), *below]
    tables = sniffed(head, rest, returns)
    if not tables:
        return refused("no delimiter stands in most lines")
    # Of several delimiters the one of which more lines have as many, then the tab, which hardly
    # stands in cells, then the one of more cells.
    best = max(tables, key=lambda t: (round(t.share, 1), _by_tabs(t), t.width, -tables.index(t)))
    delimiter = best.dialect.delimiter
    evidence = f"{best.share:.0%} of the lines have {best.width} cells between {delimiter!r}"
    if best.share < (0.6 if hint else 0.9):
        return refused(evidence)
    if not _plausible(lines, best, hint):
        return refused(f"{evidence}, and read like prose, code or a layout")
    kind = "tsv" if delimiter == "\t" else "csv"
    worth = _WORTH if best.header or hint or not _is_timed(lines) else _TIMED_WORTH
    score = worth * (best.share + (0.2 if hint else 0)) + (_HEADER if best.header else 0)
    return TableClaim(kind, delimiter, evidence, score, dialect=best.dialect, width=best.width)


def _by_tabs(table: Sniffed) -> bool:
    return table.dialect.delimiter == "\t" and table.width > _TWO


def _is_timed(lines: list[bytes]) -> bool:
    """Whether the lines begin with times, as those of a log do."""
    return sum(1 for line in lines if _TIME.match(line)) > 0.9 * len(lines)


def _ends_in_returns(sample: Sample) -> bool:
    """Whether lines end in CR alone, as far as the sample tells."""
    pieces = (sample.head, *sample.middle, sample.tail)
    return b"\r" in sample.head and not any(b"\n" in piece for piece in pieces)


def _with_feeds(sample: Sample) -> Sample:
    """The sample with LF for each CR."""
    head, *middle, tail = (
        piece.replace(b"\r", b"\n") for piece in (sample.head, *sample.middle, sample.tail)
    )
    return sample.replace(head=head, middle=tuple(middle), tail=tail)


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


def _plausible(lines: list[bytes], table: Sniffed, hint: bool) -> bool:
    delimiter = table.dialect.delimiter
    texts = [decode(line[:4000]) for line in lines[:200]]
    rows = parsed(texts, table.dialect, table.width)
    rows = [row for row in rows if len(row) == table.width]
    if len(rows) < 2 or all(not row[0].strip() for row in rows[1:]):
        return False
    if delimiter == "|" and sum(row[0][-1:] == " " for row in rows) > len(rows) / 2:
        return False
    if hint:
        return True
    # A column that is empty everywhere is none: a mark at the end of each line separates nothing.
    filled = [at for at in range(table.width) if any(row[at].strip() for row in rows)]
    if len(filled) < 2 or _laid_out(rows, delimiter):
        return False
    cells = [cell for row in rows for cell in row]
    # In prose a comma is followed by a space and stands between several words.
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:])
    if table.dialect.padded and not _quoted(texts, table.dialect):
        spaced = len(cells)
    wordy = sum(cell.strip().count(" ") >= 2 for cell in cells)
    if spaced > 0.5 * (len(cells) - len(rows)) and wordy > 0.25 * len(cells):
        return False
    if _code_like(lines) or _inside_brackets(rows):
        return False
    if len(filled) == 2 and delimiter != "\t":
        typed = any(is_typed(row[at] for row in rows[1:]) for at in filled)
        return typed or (names_columns(rows) and wordy < 0.2 * len(cells))
    return wordy < 0.6 * len(cells) or names_columns(rows)


def _quoted(lines: list[str], dialect: Dialect) -> bool:
    """Whether most lines have a cell in quotes, which no prose has behind each comma."""
    mark = f"{dialect.delimiter} {dialect.quote}"
    return 2 * sum(mark in line for line in lines) > len(lines)


def _laid_out(rows: list[list[str]], delimiter: str) -> bool:
    """Whether tabs stand behind cells that spaces fill up to the same width: layout for eyes."""
    if delimiter != "\t":
        return False
    return any(
        sum(row[at][-2:] == "  " for row in rows) > 0.5 * len(rows)
        and len({len(row[at]) for row in rows}) == 1
        for at in range(len(rows[0]) - 1)
    )


def _inside_brackets(rows: list[list[str]]) -> bool:
    """Whether what would part cells stands inside of brackets, in most rows."""
    open_ended = (
        any(cell.count(left) != cell.count(right) for cell in row for left, right in _BRACKETS)
        for row in rows
    )
    return 2 * sum(open_ended) > len(rows)


def _code_like(lines: list[bytes]) -> bool:
    ends = sum(line.rstrip()[-1:] in (b"{", b"}", b";", b",", b"(", b")", b".") for line in lines)
    return ends > 0.5 * len(lines) and any(
        line.rstrip()[-1:] in (b"{", b"}", b".") for line in lines
    )
