"""Where the columns of a table for human eyes are: by the blanks that its rows have in common.

A layout is found on the first rows and splits each later one. It loads no reader.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise

_WIDEST = 600
_WORD = re.compile(r"\S+")
_GAP = re.compile(r"\s{2,}|\t")
_BARS = re.compile(r"\s*[|│┃║]\s*")
_EDGES = " \t|│┃║"
_RULES = " \t\r-+=|─━┄═┼┿╪├┤┬┴┌┐└┘╞╡╭╮╰╯│┃┏┓┗┛┡┩╇┳┻╋╂┢┪╔╗╚╝╠╣╦╩╬║"
_DRAWN = "│┃║"
# A boundary may be crossed by so few rows; those are split by their words.
_CROSSED = 0.02
_FITS = 0.9
_HEADER = re.compile(
    r"[^\W\d_][\w%/#().:<>+-]*(?<!:)$|[#%][\w%/-]*$|\|\|/\w*$|[A-Z]\w*[-_/][\w/-]+$"
)


def is_rule(line: str) -> bool:
    """Whether the line only draws: a frame, or the dashes under a header."""
    return not line.strip(_RULES)


def is_header(line: str) -> bool:
    """Whether the words of the line may name columns: no number and no sentence is among them."""
    words = [word for word in line.split() if word not in "|│┃║"]
    return len(words) >= 2 and all(map(_HEADER.match, words))


def is_capital(line: str) -> bool:
    """Whether it is a header that nothing else can be: three words or more, all in capitals."""
    words = line.split()
    if len(words) < 3 or not is_header(line):
        return False
    # Values may be in capitals too, but not at the width of single words parted by one blank.
    return line.upper() == line and sum(len(word) > 1 for word in words) >= 2


def repeated_headers(rows: Sequence[str]) -> frozenset[str]:
    """Lines of three names or more that stand over several tables, each under another heading."""
    headings: dict[str, set[str]] = {}
    for above, row in pairwise(rows):
        if len(row.split()) >= 3 and is_header(row):
            headings.setdefault(row.strip(), set()).add(above)
    most = max(2, len(rows) // 4)
    return frozenset(row for row, above in headings.items() if 2 <= len(above) <= most)


class ColumnLayout(ABC):
    """Columns with their names."""

    def __init__(self, names: list[str], header: int) -> None:
        self.names, self.header = names, header

    @property
    def width(self) -> int:
        return len(self.names)

    @property
    def named(self) -> bool:
        """Whether a header names the columns."""
        return self.names[:1] != _numbered(1)

    @abstractmethod
    def cells(self, row: str) -> list[str] | None:
        """The row, split; None where it does not fit."""


class BarLayout(ColumnLayout):
    """Columns between drawn lines."""

    def cells(self, row: str) -> list[str] | None:
        found = _split_bars(row)
        return found if len(found) == self.width else None


class WordLayout(ColumnLayout):
    """So many words, the last of which is all the rest."""

    def cells(self, row: str) -> list[str] | None:
        found = row.split(None, self.width - 1)
        return [cell.strip() for cell in found] if len(found) == self.width else None


class GapLayout(ColumnLayout):
    """Columns that are two blanks or more apart."""

    def cells(self, row: str) -> list[str] | None:
        found = _GAP.split(row.strip())
        return found if len(found) == self.width else None


class PlaceLayout(ColumnLayout):
    """Columns that begin at fixed places; words: how many one holds that has several names."""

    def __init__(self, names: list[str], header: int, starts: list[int], words: list[int]) -> None:
        super().__init__(names, header)
        self.starts, self.words = starts, words
        self._spans = list(zip(starts, [*starts[1:], None], strict=True))

    def cells(self, row: str) -> list[str] | None:
        for start in self.starts[1:]:
            if row[start - 1 : start].strip() and row[start : start + 1].strip():
                return self._crossed(row)
        found: list[str] = []
        for (start, end), words in zip(self._spans, self.words, strict=True):
            cell = row[start:end].strip()
            if words == 1:
                found.append(cell)
                continue
            parts = cell.split(None, words - 1)
            if len(parts) != words:
                return None
            found += parts
        return found

    def _crossed(self, row: str) -> list[str] | None:
        found = _GAP.split(row.strip())
        if len(found) != self.width:
            found = row.split(None, self.width - 1)
        return found if len(found) == self.width else None


def find(rows: Sequence[str], ruled: bool) -> ColumnLayout | None:
    """The layout of rows, the first of which may be a header or stand before it.

    ruled: whether a line is drawn under or over the first of them. Two columns alone are words
    and their meanings elsewhere.
    """
    if len(rows) < 2:
        return None
    found = _barred(rows) or _headed(rows) or _unheaded(rows)
    return found if found and (found.width > 2 or ruled) else None


def fit(layout: ColumnLayout, rows: Sequence[str]) -> float:
    """The share of the rows behind the header that the layout fits."""
    behind = rows[layout.header + 1 :]
    return sum(layout.cells(row) is not None for row in behind) / max(1, len(behind))


def _split_bars(row: str) -> list[str]:
    row = row.strip()
    if row[:1] and row[0] in _EDGES:
        row = row[1:]
    if row[-1:] and row[-1] in _EDGES:
        row = row[:-1]
    return [cell.strip() for cell in _BARS.split(row)]


def _barred(rows: Sequence[str]) -> ColumnLayout | None:
    drawn = [row for row in rows if " | " in row or row[:1] == "|" or any(b in row for b in _DRAWN)]
    if len(drawn) < 0.8 * len(rows):
        return None
    widths = [len(_split_bars(row)) for row in rows]
    width = max(set(widths), key=widths.count)
    if width < 2 or widths.count(width) < 0.8 * len(rows):
        return None
    header = widths.index(width)
    cells = _split_bars(rows[header])
    if any(cell[:1].isdigit() for cell in cells):
        return BarLayout(_numbered(width), header - 1)
    return BarLayout([cell or f"column {at}" for at, cell in enumerate(cells, 1)], header)


def _headed(rows: Sequence[str]) -> ColumnLayout | None:
    """The widest layout under one of the first rows that is a header; most rows fit it."""
    best: ColumnLayout | None = None
    for at in range(min(6, len(rows) - 1)):
        if not is_header(rows[at]) or not _over_columns(rows[at], rows[at + 1 :]):
            continue
        found = _placed(rows, at) or _worded(rows, at)
        if found is not None and (best is None or found.width > best.width):
            best = found
    return best


def _worded(rows: Sequence[str], at: int) -> ColumnLayout | None:
    words = rows[at].split()
    layout = WordLayout(words, at)
    return layout if len(words) >= 3 and fit(layout, rows) >= 0.98 else None


def _over_columns(header: str, behind: Sequence[str]) -> bool:
    """Whether the rows are more than lines of words: of lines all alike, each has its column."""
    apart = sum("  " in row.strip() for row in behind)
    return behind.count(header) <= 1 and (apart >= 0.5 * len(behind) or is_capital(header))


def _placed(rows: Sequence[str], at: int) -> ColumnLayout | None:
    header = rows[at]
    behind = rows[at + 1 :]
    filled = _filled(behind)
    most = int(_CROSSED * len(behind))
    places = [(match.start(), match.end()) for match in _WORD.finditer(header[:_WIDEST])]
    groups = list(_groups(places, filled, most))
    layout = _joined(header, at, groups, behind)
    if layout.width < 2:
        return None
    return layout if fit(layout, rows) >= _FITS else None


def _filled(rows: Sequence[str]) -> list[int]:
    """How many rows have anything at each place."""
    steps = [0] * (_WIDEST + 2)
    for row in rows:
        for match in _WORD.finditer(row[:_WIDEST]):
            steps[match.start()] += 1
            steps[match.end()] -= 1
    total = 0
    found: list[int] = []
    for step in steps:
        total += step
        found.append(total)
    return found


def _groups(
    places: list[tuple[int, int]], filled: list[int], most: int
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Names that no blank of the rows parts, with the place where their column begins."""
    first = places[0][0]
    start = 0
    # What stands before the first name is a column without one.
    before = [p for p in range(first) if filled[p] <= most]
    if first and before and any(filled[p] > most for p in range(before[-1])):
        left = max(p for p in before if any(filled[q] > most for q in range(p)))
        yield 0, []
        start = left + 1
    group = [places[0]]
    for (_, end), (begin, stop) in pairwise(places):
        blank = [p for p in range(end, begin) if filled[p] <= most]
        if blank:
            yield start, group
            group = []
            # Where cells reach to the left of their name, the column begins with them.
            start = blank[-1] + 1
        group.append((begin, stop))
    yield start, group


def _joined(
    header: str,
    at: int,
    groups: list[tuple[int, list[tuple[int, int]]]],
    behind: Sequence[str],
) -> ColumnLayout:
    """The layout; a name without cells, one blank behind another, is the second word of that."""
    kept: list[tuple[int, list[tuple[int, int]]]] = []
    ends = [start for start, _ in groups[1:]] + [_WIDEST]
    for (start, words), end in zip(groups, ends, strict=True):
        empty = not any(row[start:end].strip() for row in behind)
        if kept and empty and words and kept[-1][1] and words[0][0] - kept[-1][1][-1][1] == 1:
            kept[-1][1].extend(words)
        else:
            kept.append((start, list(words)))
    names: list[str] = []
    counts: list[int] = []
    ends = [start for start, _ in kept[1:]] + [_WIDEST]
    for (start, words), end in zip(kept, ends, strict=True):
        count = len(words)
        cells = [cell for row in behind if (cell := row[start:end].strip())]
        each = sum(len(cell.split()) == count for cell in cells)
        if count > 1 and cells and each >= 0.95 * len(cells) and len(cells) > 0.5 * len(behind):
            names += [header[begin:stop] for begin, stop in words]
            counts.append(count)
        else:
            names.append(header[words[0][0] : words[-1][1]] if words else "")
            counts.append(1)
    return PlaceLayout(names, at, [start for start, _ in kept], counts)


def _unheaded(rows: Sequence[str]) -> ColumnLayout | None:
    """Columns without names: two blanks apart, or always as many words."""
    widths = [len(_GAP.split(row.strip())) for row in rows]
    width = max(set(widths), key=widths.count)
    if width >= 3 and widths.count(width) >= 0.8 * len(rows):
        at = widths.index(width)
        cells = _GAP.split(rows[at].strip())
        if any(cell[:1].isdigit() for cell in cells) or at > 0:
            return GapLayout(_numbered(width), at - 1)
        return GapLayout(cells, at)
    return None


def _numbered(width: int) -> list[str]:
    return [f"column {at}" for at in range(1, width + 1)]
