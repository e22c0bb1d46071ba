"""Where a table begins in its first records: its width, its header, and what stands before it.

Titles, units and smaller tables may stand above a header. Rows of another width before it belong
to no record, unless they are the first records of a table that grew wider.
"""

from collections import Counter
from itertools import islice

from stubcli.detect.table.header import has_types, is_header, names_columns
from stubcli.detect.table.headings import header_end, is_title, joined, names_groups, spread
from stubcli.detect.table.rows import preamble
from stubcli.value import Value

Row = list[str]
# Lines of another width at the beginning, at most.
_PREAMBLE = 20
# Rows that a header is held against.
_COMPARED = 200
# A table below others in one file has so many times the rows of those above it.
_OUTWEIGHS = 4
# So many rows under a title or an empty row are looked at.
_TABLES = 100


class Start(Value):
    """width: cells of most records. header: its names as they stand, blanks and all, those of
    several rows joined; empty where there is none. header_at, first: places of its first row (-1:
    none) and of the first record.
    """

    width: int
    header: tuple[str, ...]
    header_at: int
    first: int


def start_of(records: list[Row]) -> Start:
    """The start of the table whose first records these are; at least one."""
    above = preamble(row[0] for row in records)
    width = Counter(map(len, records[above:])).most_common(1)[0][0]
    if _grew_wider(records, width):
        padding = [""] * (width - len(records[0]))
        return Start(width, (*records[0], *padding), 0, 1)
    at = next(
        (
            at
            for at, row in enumerate(records[above : above + _PREAMBLE], above)
            if len(row) == width
        ),
        0,
    )
    header = _header_below_titles(records, at, width)
    if header < 0 and _heads(records, at, width):
        header = at
    if header < 0:
        found = _below_groups(records, at, width) or _of_another_width(records, at, width)
        return found or Start(width, (), -1, at)
    last = header_end(records, header, width)
    return Start(width, joined(records[header:last]), header, last)


def _of_another_width(records: list[Row], at: int, width: int) -> Start | None:
    """The start where only blanks make the header wider or narrower than the records below it.

    A delimiter stands at the end of it, or at the end of each of them; None where it is not so.
    """
    if not at:
        return None
    header, below = records[at - 1], _regular(records, at, width)
    if len(header) > width:
        header = [cell for cell in header if cell.strip()]
    elif any(cell.strip() for row in below for cell in row[len(header) :]):
        return None
    header = [*header, *[""] * (width - len(header))]
    if len(header) != width or not names_columns([header, *below]):
        return None
    return Start(width, tuple(header), at - 1, at)


def _below_groups(records: list[Row], at: int, width: int) -> Start | None:
    """The start where names of groups of columns stand above the header; None where they do not.

    A group is named once, above the first of its columns.
    """
    for header in range(at + 1, min(at + 3, len(records))):
        above = records[at:header]
        if any(not names_groups(row, width) for row in above) or not all(records[header]):
            return None
        if _heads(records, header, width) and has_types(_regular(records, header + 1, width)):
            last = header_end(records, header, width)
            rows = [*map(spread, above), *records[header:last]]
            return Start(width, joined(rows), at, last)
    return None


def _regular(records: list[Row], at: int, width: int) -> list[Row]:
    return [row for row in records[at : at + _COMPARED] if len(row) == width]


def _heads(records: list[Row], at: int, width: int) -> bool:
    """Whether the row names the columns of those below it."""
    return len(records[at]) == width and is_header(_regular(records, at, width))


def _grew_wider(records: list[Row], width: int) -> bool:
    """Whether a header and records of its width come before most records, which are wider."""
    narrow = len(records[0])
    if not 2 <= narrow < width or len(records) < 3 or len(records[1]) != narrow:
        return False
    wide = next((at for at, row in enumerate(records) if len(row) == width), 0)
    if _heads(records, wide, width):
        return False  # a table of its own stands above another
    return names_columns([row[:narrow] for row in records[:_COMPARED] if len(row) >= narrow])


def _header_below_titles(records: list[Row], at: int, width: int) -> int:
    """The header of the largest table that stands under a title or an empty row; -1: none.

    Looked for only where the first row is a title itself.
    """
    if not is_title(records[at]):
        return -1
    below = (n for n in range(at + 1, len(records)) if is_title(records[n - 1]))
    filled = (n for n in below if not is_title(records[n]))
    found = [n for n in islice(filled, _TABLES) if _is_named(records, n, width)]
    best = max(found, key=lambda place: _length(records, place), default=-1)
    if best < 0:
        return -1
    above = sum(not is_title(row) for row in records[at:best])
    return best if _length(records, best) >= _OUTWEIGHS * above else -1


def _is_named(records: list[Row], at: int, width: int) -> bool:
    row = records[at]
    if len(row) != width or sum(bool(cell.strip()) for cell in row) < 2:
        return False
    below = _regular(records, at, width)[: _length(records, at)]
    return len(below) > 1 and is_header(below) and has_types(below[1:])


def _length(records: list[Row], at: int) -> int:
    """How many rows stand together from `at` on, up to the next title."""
    end = next((end for end in range(at, len(records)) if is_title(records[end])), len(records))
    return end - at
