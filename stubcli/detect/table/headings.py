"""Rows of a header: names over names, names of groups, units and rules below the names."""

import re
from collections.abc import Sequence

from stubcli.detect.fields.column import shape
from stubcli.detect.table.shapes import kind_of

Row = list[str]
# Rows below the names that may belong to the header.
_MORE = 4
# Records that such a row is held against.
_COMPARED = 50
_RULE = re.compile(r"[-=_+ ]+$")
# What stands in a record where a value is missing.
_MISSING = {"na", "n/a", "null", "none", "nan", "-", "--", "?", "missing", "unknown", "\\n", "nil"}
_TYPES = ("integer", "number", "date", "day", "clock", "decimal comma")


def is_title(row: Row) -> bool:
    """Whether hardly a cell of the row is filled, or none."""
    return sum(bool(cell.strip()) for cell in row) <= max(1, len(row) // 4)


def header_end(records: Sequence[Row], header: int, width: int) -> int:
    """The place behind the last row of the header that begins at `header`.

    A row belongs to it where its cells are words in columns of which the records have a type.
    """
    end = header + 1
    for at in range(header + 1, min(header + 1 + _MORE, len(records) - 1)):
        if len(records[at]) != width:
            break
        below = [row for row in records[at + 1 : at + 1 + _COMPARED] if len(row) == width]
        if not (is_rule(records[at]) or _continues(records[at], records[header], below)):
            break
        end = at + 1
    return end


def _continues(row: Row, header: Row, below: Sequence[Row]) -> bool:
    if len(below) < 2:
        return False
    if [cell.strip() for cell in row] == [cell.strip() for cell in header]:
        return True
    kinds = [kind_of([other[at] for other in below]) for at in range(len(row))]
    typed = [cell.strip() for cell, kind in zip(row, kinds, strict=True) if kind in _TYPES]
    words = sum(bool(cell) for cell in typed)
    if any(cell.lower() in _MISSING for cell in typed):
        return False
    if any(cell.strip() and shape(cell.strip()) != "text" for cell in row):
        return False
    again = {(at, other[at]) for other in below for at in range(len(row))}
    # What comes again below is a value.
    if any(cell and (at, cell) in again for at, cell in enumerate(row)):
        return False
    return words >= 2 or (words == len(typed) == 1 and not any(_untyped(row, kinds)))


def _untyped(row: Row, kinds: Sequence[str]) -> list[str]:
    return [cell.strip() for cell, kind in zip(row, kinds, strict=True) if kind not in _TYPES]


def is_rule(row: Row) -> bool:
    """Whether the row is a line that was drawn below names."""
    return all(_RULE.match(cell) and len(cell.strip()) > 1 for cell in row)


def names_groups(row: Row, width: int) -> bool:
    """Whether the row may name groups of columns: blanks between names, and no title."""
    if len(row) != width or is_title(row) or all(cell.strip() for cell in row):
        return False
    return all(shape(cell.strip()) in ("text", "integer", "empty") for cell in row)


def spread(row: Row) -> Row:
    """The row with the name of a group above each of its columns."""
    found, name = [], ""
    for cell in row:
        name = cell.strip() or name
        found.append(name)
    return found


def joined(rows: Sequence[Row]) -> tuple[str, ...]:
    """The names that the rows give together; those of a single row as they stand."""
    rows = [row for row in rows if not is_rule(row)]
    if len(rows) == 1:
        return tuple(rows[0])
    return tuple(
        " ".join(cell.strip() for cell in column if cell.strip())
        for column in zip(*rows, strict=True)
    )
