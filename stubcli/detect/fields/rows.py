"""Where a record stands: its number, the key of a map, or a place in a list inside of a record."""

from typing import Any

from stubcli.detect.words import clip

# (3, 12) is the 13th of a list inside of the record 3.
Row = int | str | tuple[Any, int | str]


def place_of(row: Row) -> int | str:
    """The row as it is shown: of a long key, its beginning; of an item of a list inside a record,
    both their places.
    """
    if not isinstance(row, tuple):
        return clip(row) if isinstance(row, str) else row
    inner: list[str] = []
    while isinstance(row, tuple):
        row, part = row
        inner.insert(0, f"[{part}]" if isinstance(part, int) else f".{clip(part, 40)}")
    return f"{place_of(row)}{''.join(inner)}"


def top_row(row: Row) -> int | str:
    """The record that the row is, or is inside of."""
    while isinstance(row, tuple):
        row = row[0]
    return row
