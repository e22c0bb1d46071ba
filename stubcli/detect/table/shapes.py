"""Forms of cells: what the values of one column have in common, beyond numbers and dates."""

import re
from collections import Counter
from collections.abc import Sequence

from stubcli.detect.fields.column import shape

_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_ALIKE = 0.9
# Words, however many, are the form of any text.
_FREE = re.compile(r"[a ,.'&()-]*$")


def form_of(cell: str) -> str:
    """The cell with `a` for letters and `0` for digits that follow each other."""
    return _DIGITS.sub("0", _LETTERS.sub("a", cell))


def kind_of(cells: Sequence[str]) -> str:
    """What nearly all cells are: a type, or else their form; "" where they have none in common."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return ""
    for describe in (shape, form_of):
        kind, times = Counter(map(describe, filled)).most_common(1)[0]
        if times >= _ALIKE * len(filled) and kind != "text" and not _FREE.match(kind):
            return kind
    return ""


def kinds_of(rows: Sequence[list[str]]) -> tuple[str, ...]:
    """The kind of each column; all rows have one width."""
    return tuple(map(kind_of, zip(*rows, strict=True)))
