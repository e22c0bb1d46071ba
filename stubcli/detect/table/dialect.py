"""How the cells of a table are written: what is between them, around them, and between records.

A value that the claim decides on and facts keep, so that reading and a query follow the same.
"""

from stubcli.detect.fields.column import shape
from stubcli.detect.table.shapes import form_of
from stubcli.value import Value

NAMES = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "pipe",
    "^": "caret",
    "~": "tilde",
    " ": "space",
}


class Overflow(Value):
    """The column that delimiters without quotes belong to, and what stands in all others.

    kinds: for each column the form of its cells, "" where they have none in common.
    """

    column: int
    kinds: tuple[str, ...]

    def folded(self, row: list[str], delimiter: str) -> list[str] | None:
        """A row that is too wide with its surplus in the column; None where others do not fit."""
        more = len(row) - len(self.kinds)
        last = self.column + more + 1
        inside = row[self.column : last]
        # What holds a delimiter was in quotes, and is a cell of its own. What is no part of a
        # sentence is one too.
        if any(delimiter in cell for cell in inside):
            return None
        if delimiter != " " and not all(cell.startswith(" ") for cell in inside[1:]):
            return None
        cells = [*row[: self.column], delimiter.join(inside), *row[last:]]
        fits = all(
            not kind or not cell or kind in (shape(cell), form_of(cell))
            for kind, cell in zip(self.kinds, cells, strict=True)
        )
        return cells if fits else None


class Dialect(Value):
    """delimiter: between cells. quote: around them; empty where quotes are data. escape: what
    makes a quote inside a cell data, besides another quote. padded: a space follows each delimiter
    and belongs to it. returns: records end in CR alone.
    """

    delimiter: str
    quote: str = '"'
    escape: str = ""
    padded: bool = False
    returns: bool = False
    overflow: Overflow | None = None

    @property
    def plain(self) -> bool:
        """Whether it is one of those that every reader knows."""
        return not (self.escape or self.padded or self.returns or self.overflow)

    @property
    def line_end(self) -> bytes:
        """What ends a line, where records are counted by lines."""
        return b"\r" if self.returns else b"\n"
