"""The first records of a table as columns of short cells, kept until they are compared with each
other. It loads nothing: what compares them does so at the end.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stubcli.detect.fields.rows import Row

if TYPE_CHECKING:
    from stubcli.detect.fields.facts import CrossedFacts, LeadCounts

# 20 ms for twenty columns of so many records.
RECORDS = 8000
_LEAST = 12
_COLUMNS = 40
_CELL = 100
_DEPTH = 4


class Crossing:
    """Records by column. `add` takes batches of cells, `add_record` one record that nests."""

    __slots__ = ("_columns", "_rows", "whole")

    def __init__(self) -> None:
        self._columns: dict[str, list[str]] = {}
        self._rows: list[Row] = []
        # Whether these are all records.
        self.whole = True

    def add(
        self, names: Sequence[str], columns: Sequence[Sequence[str]], rows: Sequence[int]
    ) -> None:
        """Records of which each has all columns."""
        room = RECORDS - len(self._rows)
        self.whole = self.whole and len(rows) <= room
        if room <= 0:
            return
        self._rows += rows[:room]
        for at, cells in enumerate(columns[:_COLUMNS]):
            name = names[at] if at < len(names) else ""
            # Two columns of one name are two.
            alone = name and names.count(name) == 1
            name = name if alone else f"{name} (column {at + 1})".lstrip()
            self._columns.setdefault(name, []).extend([cell[:_CELL] for cell in cells[:room]])

    def few(self) -> "tuple[LeadCounts, ...]":
        """The columns of few values, with the most frequent of them."""
        from stubcli.detect.fields import crossed

        return crossed.few(self._columns)

    def add_record(self, record: dict[str, Any], row: Row) -> None:
        """A record with members that it may lack."""
        if len(self._rows) < RECORDS:
            self._members(record, "", len(self._rows), 0)
            self._rows.append(row)
        else:
            self.whole = False

    def _members(self, value: dict[str, Any], above: str, at: int, depth: int) -> None:
        columns = self._columns
        for key, child in value.items():
            if isinstance(child, str):
                text = child[:_CELL]
            elif isinstance(child, dict) and depth < _DEPTH:
                self._members(child, f"{above}{key}.", at, depth + 1)
                continue
            elif isinstance(child, bool):
                text = "true" if child else "false"
            else:
                continue
            cells = columns.get(above + key)
            if cells is None:
                if len(columns) >= _COLUMNS:
                    continue
                cells = columns[above + key] = []
            if len(cells) < at:
                cells.extend([""] * (at - len(cells)))
            if len(cells) == at:
                cells.append(text)

    def facts(self) -> "CrossedFacts | None":
        """What the records have in common across columns; None where nothing is told."""
        if len(self._rows) < _LEAST:
            return None
        from stubcli.detect.fields import crossed

        many = len(self._rows)
        for cells in self._columns.values():
            cells.extend([""] * (many - len(cells)))
        return crossed.compare(self._columns, self._rows, self.whole)
