"""Cells that are lists of keys with values: `AC=1;AF=0.5`, `app=web,tier=db`, `gene_id "X"; …`.

What each key has is a column of its own. It knows no delimiter of the table.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from stubcli.detect.fields.column import ColumnCounts

# So many records are looked into; 5 µs for each pair.
RECORDS = 8000
_LOOKED_AT = 200
_LEAST = 8
_KEYS = 40
_LONGEST = 4000
_NEARLY = 0.9
# Keys are those of properties where each comes so often, on average.
_AGAIN = 4
_KEY = r"[A-Za-z_][\w./-]{0,60}"


class PairStyle(NamedTuple):
    """What stands between the pairs, and between a key and its value."""

    between: str
    sign: str

    def items(self, cell: str) -> list[str]:
        """The pairs as they are written; what is between them may stand in quotes too."""
        if '"' not in cell:
            return cell.split(self.between)
        mark = re.escape(self.between)
        return re.findall(rf'(?:[^{mark}"]|"[^"]*"?)+', cell)

    def pairs(self, cell: str) -> dict[str, str] | None:
        """The values by their keys; a key alone is its own value. None where it is no such list."""
        found: dict[str, str] = {}
        for item in self.items(cell[:_LONGEST]):
            if not (item := item.strip()):
                continue
            key, sign, value = item.partition(self.sign)
            key = key.rstrip()
            if not _is_key(key):
                return None
            value = value.strip()
            if len(value) > 1 and value[0] == value[-1] == '"':
                value = value[1:-1]
            found.setdefault(key, value if sign else key)
        return found


_is_key = re.compile(rf"{_KEY}$").match
_STYLES = tuple(
    PairStyle(between, sign)
    for between, sign in (
        *((";", "="), (",", "="), ("&", "="), ("|", "="), (" ", "=")),
        *((";", ": "), (",", ": "), (";", ":"), (",", ":"), (";", " ")),
    )
)


def style_of(cells: Sequence[str]) -> PairStyle | None:
    """How nearly all of the cells are written as lists of pairs; None where they are not."""
    cells = [cell for cell in cells[:_LOOKED_AT] if len(cell) > 1]
    if len(cells) < _LEAST:
        return None
    found = [(_share(style, cells), -at, style) for at, style in enumerate(_STYLES)]
    best = max(found)
    return best[2] if best[0] else None


def _share(style: PairStyle, cells: Sequence[str]) -> int:
    """How many pairs the cells have; 0 where they are no lists of them."""
    seen: Counter[str] = Counter()
    several = lists = pairs = 0
    for cell in cells:
        known = style.pairs(cell) if style.sign in cell else None
        if known is None:
            continue
        signed = sum(value != key for key, value in known.items())
        lists += 2 * signed >= len(known) > 0
        several += signed > 1
        pairs += signed
        seen.update(known.keys())
    alike = seen and max(seen.values()) >= len(cells) / 2 and seen.total() >= _AGAIN * len(seen)
    plain = lists >= _NEARLY * len(cells) and 2 * several > len(cells) and len(seen) <= _KEYS
    return pairs if alike and plain else 0


class PairColumns:
    """The keys of one column's cells as columns."""

    def __init__(self, style: PairStyle) -> None:
        self.style = style
        self.looked = 0
        self.keys: dict[str, ColumnCounts] = {}

    def add(self, cells: Sequence[str], numbers: Sequence[int]) -> None:
        """Count the pairs of these cells, of the records with those numbers."""
        cells = cells[: RECORDS - self.looked]
        if not cells:
            return
        rows = [self.style.pairs(cell) or {} for cell in cells]
        for key in dict.fromkeys(key for row in rows for key in row):
            if key not in self.keys and len(self.keys) < _KEYS:
                self.keys[key] = ColumnCounts()
                self.keys[key].empty = self.looked
        for key, column in self.keys.items():
            column.add([row.get(key, "") for row in rows], numbers[0], numbers[: len(rows)])
        self.looked += len(cells)
