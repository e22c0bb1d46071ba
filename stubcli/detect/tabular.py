"""Rows that stand in the lines of a stream: which tables it holds, and their cells, one row at a
time. Memory does not grow with the stream. It knows no kind.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, cast

from stubcli.detect.facts import KindFacts
from stubcli.detect.model import ByteSource
from stubcli.detect.reading import BLOCK, BOM, displayed
from stubcli.value import Value

# Of a longer line, the beginning is read.
LONGEST = 4 << 20


TEXT, NUMBER, ANY = "text", "number", "any"


class RowColumn(Value):
    """kind: ANY where its cells are what they look like; TEXT whatever they look like; NUMBER
    where they are numbers, also if there are none.
    """

    name: str
    kind: str = ANY


def columns(
    *names: str, numbers: Collection[str] = (), guessed: Collection[str] = ()
) -> tuple[RowColumn, ...]:
    """Columns of texts, but for those."""
    return tuple(
        RowColumn(name, NUMBER if name in numbers else ANY if name in guessed else TEXT)
        for name in names
    )


class RowTable:
    """A table as far as it was read: its columns may still become more."""

    def __init__(self, name: str, *columns: RowColumn) -> None:
        self.name, self.columns = name, list(columns)
        self._places = {column.name: at for at, column in enumerate(columns)}

    def place(self, name: str, most: int) -> int | None:
        """Where the cells of that column are, which may be new; None where there are too many."""
        at = self._places.get(name)
        if at is None and len(self.columns) < most:
            at = self._places[name] = len(self.columns)
            self.columns.append(RowColumn(name))
        return at


class TableRow(NamedTuple):
    """line: where it begins. table: None for a line that stands outside of all tables. cells: in
    the order of its columns, "" for none; those that are left out at the end are none.
    """

    line: int
    table: RowTable | None = None
    cells: Sequence[str] = ()


class LineSource:
    """The lines of a stream as they are displayed, with their numbers; as often as needed.

    at: how many bytes were read; number: of the last line. cut: how many were longer than is read.
    """

    def __init__(self, source: ByteSource) -> None:
        self.source = source
        self.at = self.number = self.cut = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        self.number = self.cut = 0
        for batch in self._whole():
            for line in batch:
                self.number += 1
                yield self.number, line

    def _whole(self) -> Iterator[list[bytes]]:
        rest = b""
        for block in self._blocks():
            head, feed, tail = block.rpartition(b"\n")
            if feed:
                yield displayed(self._bounded(rest + head)).replace(b"\r\n", b"\n").split(b"\n")
                rest = b""
            rest = rest + tail if len(rest) <= LONGEST else rest
        if rest:
            yield displayed(self._bounded(rest)).removesuffix(b"\r").split(b"\n")

    def _bounded(self, lines: bytes) -> bytes:
        """The lines with a line end where each of them has one, none too long."""
        if len(lines) > LONGEST:
            several = lines.split(b"\n")
            self.cut += sum(len(line) > LONGEST for line in several)
            lines = b"\n".join(line[:LONGEST] for line in several)
        return lines.removesuffix(b"\r")

    def _blocks(self) -> Iterator[bytes]:
        self.at = 0
        while block := self.source.read_at(self.at, BLOCK):
            first = self.at == 0
            self.at += len(block)
            yield block.removeprefix(BOM) if first else block


Reader = Callable[[LineSource], Iterator[TableRow]]


class TabularKind(Protocol):
    """What the module `tabular` of a kind offers that holds rows."""

    def reader(self, facts: KindFacts) -> Reader | None: ...


def reader(facts: KindFacts) -> Reader | None:
    """How the rows of a stream with these facts are read; None where it has none."""
    name = f"stubcli.detect.{facts.detector}.tabular"
    if not facts.detector or find_spec(name) is None:
        return None
    return cast(TabularKind, import_module(name)).reader(facts)
