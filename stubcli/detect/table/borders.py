"""Where one table ends and another begins, of several that follow each other in one file."""

from collections import Counter
from collections.abc import Iterator, Sequence

from stubcli.detect.table.header import has_types, is_header

Row = list[str]
# So many rows of one width are a table.
_FEWEST = 3
# Rows that a header is held against.
_COMPARED = 50
# Titles and empty rows that stand above a header.
_ABOVE = 20


def borders(rows: Sequence[Row]) -> Iterator[int]:
    """The places where a table begins below others: its header, or the titles above that."""
    last = 0
    for at in range(1, len(rows)):
        if len(rows[at]) == len(rows[at - 1]) or not _begins(rows, at):
            continue
        widths = Counter(map(len, rows[last:at]))
        above = _above(rows, at, widths.most_common(1)[0][0])
        if above - last > _FEWEST:
            yield above
            last = above


def first_border(rows: Sequence[Row], width: int, most: int) -> int:
    """The first of the places up to `most` where records of that width end; -1 for none."""
    if not set(map(len, rows[:most])) - {width}:
        return -1
    for at in range(most):
        if len(rows[at]) != width and _begins(rows, at):
            return _above(rows, at, width)
    return -1


def _begins(rows: Sequence[Row], at: int) -> bool:
    """Whether the row is the header of a table of its own."""
    width = len(rows[at])
    if width < 2 or any(len(row) != width for row in rows[at + 1 : at + 1 + _FEWEST]):
        return False
    below = []
    for row in rows[at + 1 : at + 1 + _COMPARED]:
        if len(row) != width:
            break
        below.append(row)
    return len(below) >= _FEWEST and is_header([rows[at], *below]) and has_types(below)


def _above(rows: Sequence[Row], at: int, width: int) -> int:
    """Where the titles above the header begin: rows that the table before does not have."""
    first = at
    while first > max(0, at - _ABOVE) and _is_apart(rows[first - 1], width):
        first -= 1
    return first


def _is_apart(row: Row, width: int) -> bool:
    return len(row) != width or not any(cell.strip() for cell in row)
