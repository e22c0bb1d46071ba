"""Tables for human eyes, their columns aligned by spaces: rows, and the values of each column."""

import re
from collections import Counter

from stubcli.synopsis.brief import clip, counted, limited
from stubcli.synopsis.kinds.columns import Column
from stubcli.synopsis.model import Scan, Source
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

NAME = "table"
_LIMIT = 16 * 1024 * 1024
_GAP = re.compile(r"\s{2,}|\t")
_COLUMNS = 10


def _cells(line: bytes) -> list[str]:
    return _GAP.split(decode(line[:2000]).strip())


def _upper(line: bytes) -> bool:
    """A first line of capitals, as kubectl, docker and ps write it."""
    words = line.split()
    return len(words) >= 3 and all(word[:1].isupper() and word.isupper() for word in words)


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 5:
        return False
    widths = Counter(len(_cells(line)) for line in lines)
    width, times = widths.most_common(1)[0]
    return width >= 3 and times >= (0.5 if _upper(lines[0]) else 0.8) * len(lines)


def describe(source: Source, scan: Scan) -> list[str]:
    rows: list[list[str]] = []
    columns: list[Column] = []
    names: list[str] = []
    width = total = read = 0
    for line in lines_of(source, _LIMIT):
        if not line.strip():
            continue
        rows.append(_cells(line))
        if len(rows) < 2000:
            continue
        width, names = _start(rows, width, names, columns)
        total, read = total + _add(rows, width, columns, read), read + len(rows)
        rows = []
    if rows:
        width, names = _start(rows, width, names, columns)
        total += _add(rows, width, columns, read)
    told = [f"{counted(total, 'row')} of {width} columns"]
    for name, column in list(zip(names, columns, strict=False))[:_COLUMNS]:
        told.append(f"  {clip(name, 40)}: {column.told()}")
    return told + list(limited(min(source.size, _LIMIT), source.size))


def _start(
    rows: list[list[str]], width: int, names: list[str], columns: list[Column]
) -> tuple[int, list[str]]:
    if width:
        return width, names
    width = Counter(map(len, rows)).most_common(1)[0][0]
    columns += [Column() for _ in range(width)]
    header = next((at for at, row in enumerate(rows[:8]) if len(row) == width), 0)
    if any(cell[:1].isdigit() for cell in rows[header]):
        return width, [f"column {at}" for at in range(1, width + 1)]
    names = rows[header]
    rows[: header + 1] = []
    return width, names


def _add(rows: list[list[str]], width: int, columns: list[Column], read: int) -> int:
    kept = [row for row in rows if len(row) == width]
    for column, cells in zip(columns, zip(*kept, strict=True), strict=False):
        column.add(cells, read + 1)
    return len(kept)
