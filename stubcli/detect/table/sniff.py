"""Which dialect the first lines of a stream are written in, by how regular a table each makes.

A dialect is scored by the share of records that have the width of their table: one delimiter, one
kind of quotes and one kind of escapes make all lines alike, the others make them differ.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stubcli.detect.table.borders import borders
from stubcli.detect.table.dialect import NAMES, Dialect, Overflow
from stubcli.detect.table.header import is_header
from stubcli.detect.table.rows import parsed
from stubcli.detect.table.shapes import kinds_of
from stubcli.value import Value

# Of the lines, so many must have it; what is no delimiter of a table stands in fewer.
_PRESENT = {"\t": 0.6, "^": 0.9, "~": 0.9, " ": 0.9}
# Delimiters are followed by a space where so many of them are.
_PADDED = 0.9
# Cells in other quotes than the usual ones are so many, at least.
_QUOTED = 3
# Records that are too wide, so that one column may be to blame, in so many of them.
_WIDE = 3
# Of the first lines so many tell which quotes and escapes there may be.
_LOOKED_AT = 300
# A last record of so many lines is a quote that nothing closes.
_SWALLOWED = 20
# Records that a header is held against.
_COMPARED = 200
_ONE_COLUMN = 0.9


class Sniffed(Value):
    """A dialect, the width of most records in it, and the share of records that are regular.

    header: whether the first record names at least three columns.
    """

    dialect: Dialect
    width: int
    share: float
    header: bool = False


def sniffed(head: Sequence[str], rest: Sequence[str], returns: bool) -> list[Sniffed]:
    """What each delimiter makes of the lines; none for one that stands in too few.

    head: the first lines, one after the other; rest: some that stand further below. returns:
    whether lines end in CR.
    """
    lines = [*head, *rest]
    found = []
    # The rare ones come last: of two that explain as much, the first is taken.
    for delimiter in NAMES:
        present = sum(delimiter in line for line in lines)
        if not lines or present < len(lines) * _PRESENT.get(delimiter, 0.3):
            continue
        tries = [_scored(one, head, rest) for one in _dialects(delimiter, head, returns)]
        tries = [one for one in tries if one.width > 1]
        if tries:
            # The first one that explains most: an escape that explains nothing is none.
            found.append(max(tries, key=lambda one: round(one.share, 3)))
    return found


def _dialects(delimiter: str, lines: Sequence[str], returns: bool) -> Iterator[Dialect]:
    lines = lines[:_LOOKED_AT]
    padded = delimiter != " " and _is_padded(delimiter, lines)
    quote = _quote_of(delimiter, lines)
    if delimiter == " " and not _is_quoted(quote, lines):
        return
    plain = Dialect(delimiter, quote, "", padded, returns)
    escaped = sum(f"\\{quote}" in line for line in lines) if quote else 0
    if escaped and _is_escape(quote, delimiter, lines):
        yield plain.replace(escape="\\")
    yield plain
    if escaped:
        yield plain.replace(escape="\\")


def _is_padded(delimiter: str, lines: Sequence[str]) -> bool:
    count = sum(line.count(delimiter) for line in lines)
    return sum(line.count(f"{delimiter} ") for line in lines) >= _PADDED * count


def _is_quoted(quote: str, lines: Sequence[str]) -> bool:
    """Whether most lines have cells in quotes between spaces: others are words."""
    cell = re.compile(rf"(?:^| ){quote}[^{quote}]*{quote}(?= |$)")
    return bool(quote) and 2 * sum(bool(cell.search(line)) for line in lines) > len(lines)


def _is_escape(quote: str, delimiter: str, lines: Sequence[str]) -> bool:
    """Whether a backslash stands before quotes inside of cells, and no quote is doubled there."""
    d = re.escape(delimiter)
    inside = re.compile(rf"\\{quote}(?!{d}|\s*$)")
    doubled = re.compile(rf"[^{d}\\{quote}]{quote}{quote}(?!{quote})")
    return sum(bool(inside.search(line)) for line in lines) > sum(
        bool(doubled.search(line)) for line in lines
    )


def _quote_of(delimiter: str, lines: Sequence[str]) -> str:
    """What stands around cells: `"`, or `'` where more cells have it on both sides.

    Tabs seldom stand in cells, so that quotes beside them are data: unless nearly all that open a
    cell close one too, and they are many.
    """
    opened, closed = _edges('"', delimiter, lines)
    others, ends = _edges("'", delimiter, lines)
    if others >= max(_QUOTED, len(lines) // 5) and others > opened and ends >= 0.9 * others:
        return "'"
    if delimiter != "\t":
        return '"'
    return '"' if opened >= max(_QUOTED, len(lines) // 5) and closed >= 0.9 * opened else ""


def _edges(quote: str, delimiter: str, lines: Sequence[str]) -> tuple[int, int]:
    """How many cells begin with the quote, and how many of such end with it.

    In quotes a cell may hold delimiters, but hardly tabs.
    """
    if not any(quote in line for line in lines):
        return 0, 0
    d = re.escape(delimiter)
    space = " ?" if _is_padded(delimiter, lines) else ""
    opening = re.compile(rf"(?:^|{d}{space}){quote}")
    whole = f"{opening.pattern}[^\t]*" if delimiter == "\t" else ""
    closing = re.compile(rf"{whole}{quote}(?=$|{d})")
    return (
        sum(len(opening.findall(line)) for line in lines),
        sum(len(closing.findall(line)) for line in lines),
    )


def _scored(dialect: Dialect, head: Sequence[str], rest: Sequence[str]) -> Sniffed:
    rows, width = _read(dialect, head)
    nothing = Sniffed(dialect, width, 0.0)
    if not width:
        return nothing
    found = _regular(dialect, rows, width)
    wide = _overflowing(dialect, rows, width)
    if wide and wide.share > found.share:
        found = wide
    rows = _folded(rows, found)
    regular = [row for row in rows[:_COMPARED] if len(row) == found.width]
    found = found.replace(header=len(rows[0]) == found.width > 2 and is_header(regular))
    if dialect.delimiter == " " and not found.header:
        return nothing
    # Beyond the head only lines without quotes are sure to be whole records, and only where no
    # record takes several lines.
    if len(rows) != len(head) or not rest or found.dialect.overflow:
        return found
    alone = [line for line in rest if not dialect.quote or dialect.quote not in line]
    fits = sum(line.count(dialect.delimiter) + 1 == found.width for line in alone)
    share = (found.share * len(rows) + fits) / (len(rows) + len(alone))
    return found.replace(share=share)


def _read(dialect: Dialect, head: Sequence[str]) -> tuple[list[list[str]], int]:
    """The records, and how many cells most of them have."""
    rows = parsed(head, dialect)
    width = _typical(rows)
    if any(len(row) != width for row in rows):
        rows = parsed(head, dialect, width)
    if dialect.quote and rows and sum(cell.count("\n") for cell in rows[-1]) > _SWALLOWED:
        # A quote that nothing closes; the lines without it tell of the dialect.
        return _read(dialect.replace(quote="", escape=""), head)
    return rows, width


def _typical(rows: Sequence[list[str]]) -> int:
    widths = Counter(map(len, rows))
    return widths.most_common(1)[0][0] if widths else 0


def _regular(dialect: Dialect, rows: list[list[str]], width: int) -> Sniffed:
    """The share of records that have the width of their own table, of several in one file."""
    places = [0, *borders(rows), len(rows)]
    tables = [rows[a:b] for a, b in pairwise(places)]
    fits = sum(max(Counter(map(len, table)).values()) for table in tables)
    return Sniffed(dialect, width, fits / len(rows))


def _folded(rows: list[list[str]], found: Sniffed) -> list[list[str]]:
    overflow, mark = found.dialect.overflow, found.dialect.delimiter
    if not overflow:
        return rows
    return [(len(row) > found.width and overflow.folded(row, mark)) or row for row in rows]


def _overflowing(dialect: Dialect, rows: list[list[str]], width: int) -> Sniffed | None:
    """The same with one column that delimiters without quotes belong to; None if there is none."""
    width = min(width, len(rows[0]))
    wide = [row for row in rows[1:] if len(row) > width]
    regular = [row for row in rows[1:] if len(row) == width]
    if len(wide) < _WIDE or width < 3:
        return None
    tries = []
    for column in range(width):
        surplus = Overflow(column, ("",) * width)
        folded = [row for each in wide if (row := surplus.folded(each, dialect.delimiter))]
        kinds = kinds_of([*regular, *folded])
        if len(folded) >= _ONE_COLUMN * len(wide) and not kinds[column]:
            tries.append((sum(map(bool, kinds)), column, kinds))
    tries.sort(reverse=True)
    # The column that leaves all others what they are; two that do so are none.
    if not tries or not tries[0][0] or (len(tries) > 1 and tries[1][0] == tries[0][0]):
        return None
    overflow = Overflow(*tries[0][1:])
    fits = sum(overflow.folded(row, dialect.delimiter) is not None for row in wide)
    share = (fits + len(regular) + (len(rows[0]) == width)) / len(rows)
    return Sniffed(dialect.replace(overflow=overflow), width, share)
