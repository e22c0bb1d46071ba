"""Where a table ends: totals, notes and explanations that stand apart below its records.

Rows after an empty line or an empty row are no records where most of them do not fit the types of
the columns.
"""

from collections.abc import Sequence

from stubcli.detect.fields.column import ColumnCounts, shape

# Rows at the end that are looked at.
LOOKED_AT = 24
_MOST = 20
# So many records come before; of fewer, the last rows may be as good as the first.
_RECORDS = 30
# Where more of the last rows stand apart, empty lines mean nothing.
_APART = 3
_FREE = ("", "text")
_WIDER = {"number": ("integer",), "decimal comma": ("integer", "number")}


def trailer(
    rows: Sequence[list[str]], apart: Sequence[bool], columns: Sequence[ColumnCounts], width: int
) -> int:
    """How many of the last `rows` belong to no record.

    apart: whether an empty line stands before the row. columns: of the records before these.
    """
    before = max((column.filled + column.empty for column in columns), default=0)
    if before < _RECORDS or sum(apart) > _APART:
        return 0
    for at in range(max(0, len(rows) - _MOST), len(rows)):
        if not (apart[at] or _is_empty(rows[at])):
            continue
        below = [row for row in rows[at:] if not _is_empty(row)]
        strange = sum(_is_strange(row, columns, width) for row in below)
        if strange and 3 * strange >= 2 * len(below):
            return len(rows) - at
    return 0


def _is_empty(row: list[str]) -> bool:
    return not any(cell.strip() for cell in row)


def _is_strange(row: list[str], columns: Sequence[ColumnCounts], width: int) -> bool:
    """Whether the row has another width, or most of the columns with a type do not fit it."""
    if len(row) != width:
        return True
    typed = [(cell, one) for cell, one in zip(row, columns, strict=False) if one.kind not in _FREE]
    return 2 * sum(_misfits(cell, column) for cell, column in typed) > len(typed)


def _misfits(cell: str, column: ColumnCounts) -> bool:
    if not cell:
        return not column.empty
    return shape(cell) not in (column.kind, *_WIDER.get(column.kind, ()))
