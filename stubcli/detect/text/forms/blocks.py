"""Blocks that are built alike, whatever else stands in them: hosts with what was found on them,
certificates, devices. Their fields are compared with each other, the rows of the table that each
has are one table, and a line that hardly another block has is shown with the one that owns it.
"""

import re
from collections.abc import Iterator
from itertools import islice

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.block_counts import (
    BlockCounts,
    KeyValues,
    Line,
    Owned,
)
from stubcli.detect.text.block_lines import FIELD, BlockStart, mark, start_of
from stubcli.detect.text.block_words import key_words, owned_words, unusual
from stubcli.detect.text.columns import IN_NAMES
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.laid_out import LaidTable, TableTally
from stubcli.detect.text.laid_words import column_lines, seldom_lines
from stubcli.detect.text.layout import ColumnLayout, PlaceLayout, find
from stubcli.detect.text.mining import shared
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "blocks"
_LIMIT = 8 * 1024 * 1024
_SAMPLED = 2000
_ROWS = 400
_TEXT = 400
# A second key in a value: valid from … until: …
_INNER = b": "
_MARKS = 2000
_AMONG = 8
_RARE = 2
_NOTED = 6
_NAMES = 40
_OTHERS = 5000
# A column may have a name of two words.
_NAMED = 0.8


class AlikeFacts(FormFacts):
    """blocks: so many, the first of which begins with the line `first`. names: what the first lines
    of blocks say. table: of the rows that they hold, None for none.
    """

    blocks: int = 0
    first: str = ""
    names: tuple[str, ...] = ()
    keys: tuple[KeyValues, ...] = ()
    endings: tuple[Owned, ...] = ()
    table: LaidTable | None = None
    rare: tuple[Owned, ...] = ()
    lacking: tuple[tuple[str, tuple[str, ...]], ...] = ()


FACTS = AlikeFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    head = [line.rstrip(b"\r") for line in islice(plain_lines(source, 512 * 1024), _SAMPLED)]
    start = start_of(head) or BlockStart(b"")
    found = _BlockWalk(start, _layouts(head, start))
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        found.line(number, line.rstrip(b"\r"))
    found.finish()
    notable = joined(found.notable(), unusual(scan.notable, found.counts.blocks))
    numbers = {line.number for line in notable}
    table = found.table.facts(numbers) if found.table and found.table.rows else None
    facts = AlikeFacts(
        seen,
        source.size,
        found.counts.blocks,
        clip(found.first, 80),
        tuple(found.names),
        found.counts.facts(),
        found.counts.endings(),
        table,
        found.counts.rarities(),
        found.lacking(),
    )
    others, begins = frozenset(found.others), tuple(found.begins)
    return FormReading(facts, notable, instead=True, others=others, begins=begins)


def _layouts(lines: list[bytes], start: BlockStart) -> dict[bytes, ColumnLayout]:
    """The columns under the header that the blocks have, found on the rows of many of them.

    It stands wider in one block than in another; under each width are the columns found apart.
    """
    rows: dict[bytes, list[str]] = {}
    header = b""
    for line in lines:
        if start.header and line.split() == start.header.split():
            header = line.rstrip()
            rows.setdefault(header, [decode(header)])
        elif not line.strip() or mark(line) == start.mark or FIELD.match(line[:300]):
            header = b""
        elif header:
            rows[header].append(decode(line[:_TEXT]).expandtabs())
    return {header: _layout(found) for header, found in rows.items()}


def _layout(rows: list[str]) -> ColumnLayout:
    """The columns of rows under the first; where they are too few to tell, those of its names."""
    found = find(rows[:_ROWS], ruled=True)
    width = len(rows[0].split())
    if found is not None and found.width >= _NAMED * width:
        return found
    starts = [match.start() for match in re.finditer(r"\S+", rows[0])]
    return PlaceLayout(rows[0].split(), 0, starts, [1] * width)


class _BlockWalk:
    """Parts the lines into blocks, and each line into what it is there."""

    def __init__(self, start: BlockStart, layouts: dict[bytes, ColumnLayout]) -> None:
        self.counts = BlockCounts()
        first = next(iter(layouts.values()), None)
        self.table = TableTally(first, "", 0) if first else None
        self.first = ""
        self.names: list[str] = []
        self.others: list[int] = []
        self.begins: list[int] = []
        self._start, self._layouts = start, layouts
        self._header = start.header.split()
        self._layout: ColumnLayout | None = None
        self._batch: list[tuple[Line, list[str]]] = []
        # Of each mark, in how many blocks it is; and of those in few, the first lines.
        self._marks: dict[bytes, list[int]] = {}
        self._kept: dict[bytes, list[tuple[NotableLine, Line]]] = {}
        self._owners: dict[int, Line] = {}
        # Marks that all blocks so far have but for those lines begin; the marks of this block.
        self._lacking: dict[bytes, list[Line]] | None = None
        self._own: set[bytes] = set()

    def line(self, number: int, line: bytes) -> None:
        if not line.strip():
            self._layout = None
            return
        marked = mark(line)
        if marked == self._start.mark and line[:1] not in b" \t":
            self._end()
            self._begin(number, line)
            return
        self._own.add(marked)
        if self._header and line.split() == self._header:
            self._layout = self._layouts.get(line.rstrip()) or next(iter(self._layouts.values()))
        elif not self._row(number, line):
            self._other(number, line, marked)

    def _begin(self, number: int, line: bytes) -> None:
        self.counts.begin(number, line)
        self._layout = None
        # What it says besides a name is compared with the others.
        if len(self.begins) < _OTHERS:
            self.begins.append(number)
            self.others.append(number)
        text = decode(line[:190]).strip()
        self.first = self.first or text
        if len(self.names) < _NAMES:
            self.names.append(clip(text, 100))

    def _end(self) -> None:
        """A block ends: what it lacks of what all had, or all but one or two."""
        own, self._own = self._own, set()
        if not self.counts.blocks:
            return
        if self._lacking is None:
            self._lacking = {one: [] for one in own}
        for one in self._lacking.keys() - own:
            self._lacking[one].append(self.counts.owner)
            if len(self._lacking[one]) > _RARE:
                del self._lacking[one]

    def lacking(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What hardly a block lacks, with the beginnings of those that do."""
        found = [(one, owners) for one, owners in (self._lacking or {}).items() if owners]
        if self.counts.blocks < _AMONG or len(found) > _NOTED:
            return ()
        return tuple(
            (decode(one), tuple(f"{at:,}: {clip(text.strip(), 80)}" for at, text in owners))
            for one, owners in found
        )

    def _row(self, number: int, line: bytes) -> bool:
        if self._layout is None:
            return False
        text = decode(line[:_TEXT]).expandtabs()
        cells = self._layout.cells(text)
        if cells is None or sum(map(bool, cells)) < min(2, len(cells)) or FIELD.match(line[:300]):
            return False
        self._batch.append(((number, text), cells))
        self._owners[number] = self.counts.owner
        if len(self._batch) >= _ROWS:
            self.flush()
        return True

    def finish(self) -> None:
        """After the last line."""
        self._end()
        self.flush()

    def flush(self) -> None:
        if self.table is not None:
            self.table.add(self._batch)
        self._batch = []

    def _other(self, number: int, line: bytes, marked: bytes) -> None:
        if self.counts.blocks:
            self._mark(number, line, marked)
        found = FIELD.match(line[:300])
        if found is None or not found[2] or not self.counts.blocks:
            if found is None and len(self.others) < _OTHERS:
                self.others.append(number)
            return
        for key, value in _fields(found[1], found[2]):
            self.counts.add(number, line, key, value)

    def _mark(self, number: int, line: bytes, marked: bytes) -> None:
        known = self._marks.get(marked)
        if known is None:
            if len(self._marks) >= _MARKS:
                return
            known = self._marks[marked] = [0, -1]
        new = known[1] != self.counts.blocks
        known[0] += new
        known[1] = self.counts.blocks
        if new and known[0] <= _RARE:
            quoted = NotableLine(number, decode(line[:190]))
            self._kept.setdefault(marked, []).append((quoted, self.counts.owner))

    def notable(self) -> tuple[NotableLine, ...]:
        """What few blocks have: rows and lines, each with the line that begins its block."""
        found: dict[int, NotableLine] = {}
        for row in self.table.odd() if self.table else ():
            self._show(found, row, self._owners.get(row.number))
        for quoted, owner in islice(self._alone(), _NOTED):
            self._show(found, quoted, owner)
        return tuple(found[number] for number in sorted(found))

    @staticmethod
    def _show(found: dict[int, NotableLine], line: NotableLine, owner: Line | None) -> None:
        if owner and owner[0]:
            found.setdefault(owner[0], NotableLine(*owner))
        found.setdefault(line.number, line)

    def _alone(self) -> Iterator[tuple[NotableLine, Line]]:
        """Lines of a mark that hardly a block has, where most lines are of marks that many have."""
        blocks = self.counts.blocks
        rare = [m for m, (times, _) in self._marks.items() if times <= _RARE]
        often = sum(times > _RARE for times, _ in self._marks.values())
        if blocks < _AMONG or len(rare) > max(_NOTED, often):
            return
        for marked in rare:
            if blocks >= _AMONG * self._marks[marked][0] and not marked.endswith(b":"):
                yield self._kept[marked][0]


def _fields(key: bytes, value: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The field, and a second one that stands in its value."""
    first, colon, second = value.partition(_INNER)
    word = first.rpartition(b" ")[2]
    if colon and word.isalpha() and word.islower() and b" " in first and b": " not in second:
        yield key, first[: -len(word)].strip()
        yield word, second.strip()
    else:
        yield key, value


def words(facts: AlikeFacts) -> list[str]:
    said = [f"{counted(facts.blocks, 'block')} built alike, each under a line like: {facts.first}"]
    said += owned_words("ends first", facts.endings)
    said += owned_words("hardly another block has", facts.rare)
    said += [f"  without {one}: {', '.join(owners)}" for one, owners in facts.lacking]
    said += key_words(facts.keys, facts.blocks)
    if facts.table is not None:
        width = len(facts.table.columns)
        said.append(f"{counted(facts.table.rows, 'row')} of {width} columns in them")
        said += [*column_lines(facts.table), *seldom_lines(facts.table)]
    if len(set(facts.names)) > 1:
        first, last = min(facts.names), max(facts.names)
        same = first[: shared(first, last)].rstrip(IN_NAMES)
        names = [name.removeprefix(same) for name in facts.names]
        said.append("they are: " + listed(names, facts.blocks, 290, 60))
    return [*said, *limited(facts.seen, facts.size)]
