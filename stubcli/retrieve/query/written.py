"""Rows as text: how many of them fit a page, and each form that a user may choose.

In csv, json and jsonl values are whole; in a table and in markdown a wide cell is cut, with a
count.
"""

import json
import re
from collections.abc import Callable, Sequence

from stubcli.errors import UsageError
from stubcli.retrieve.query.asking import Answer
from stubcli.retrieve.query.types import Column
from stubcli.text.characters import clip
from stubcli.text.display import amount, one_line

TABLE, CSV, JSON, JSONL, MARKDOWN = "table", "csv", "json", "jsonl", "markdown"
FORMS = (TABLE, CSV, JSON, JSONL, MARKDOWN)
_WIDEST, _NARROWEST = 80, 8
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")

Cell = str | None
Row = Sequence[Cell]


def lines_of(answer: Answer, form: str, room: int) -> tuple[list[str], int]:
    """The page as lines, and the number of rows on it. Raises UsageError where not one fits."""
    if form == CSV:
        return _whole(_csv([column.name for column in answer.columns]), _csv, answer, room)
    if form == MARKDOWN:
        return _markdown(answer, room)
    names = [column.name for column in answer.columns]
    nested = [column.type.nested or column.type.name == "JSON" for column in answer.columns]
    numbers = [column.type.number for column in answer.columns]

    def as_object(row: Row) -> str:
        cells = zip(names, row, nested, numbers, answer.columns, strict=True)
        pairs = (
            f"{json.dumps(name, ensure_ascii=False)}: {_json(cell, deep, number, column)}"
            for name, cell, deep, number, column in cells
        )
        return "{" + ", ".join(pairs) + "}"

    return _whole("", as_object, answer, room)


def _whole(
    header: str, written: Callable[[Row], str], answer: Answer, room: int
) -> tuple[list[str], int]:
    lines = [header] if header else []
    left = room - len(header)
    for row in answer.rows:
        line = written(row)
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    count = len(lines) - bool(header)
    if answer.rows and not count:
        size = len(written(answer.rows[0])) + len(header) + 1
        raise UsageError(
            f"one row takes {amount(size, 'character')}",
            "select a part of it, give a larger --page N, or --format table, which cuts",
        )
    return lines, count


def _json(cell: Cell, nested: bool, number: bool, column: Column) -> str:
    if cell is None:
        return "null"
    if column.type.name == "BOOLEAN" or (nested and _strict(cell)):
        return cell
    return cell if number and _NUMBER.fullmatch(cell) else json.dumps(cell, ensure_ascii=False)


def _strict(text: str) -> bool:
    """Whether `text` is JSON that every reader takes: NaN and infinities are none."""
    try:
        json.loads(text, parse_constant=lambda word: [][0])
    except (ValueError, IndexError, RecursionError):
        return False
    return True


def _csv(row: Row) -> str:
    """An empty text is quoted and NULL is not, so that they differ."""
    cells = []
    for cell in row:
        if cell is None:
            cells.append("")
        elif cell == "" or any(mark in cell for mark in ',"\n\r'):
            cells.append('"' + cell.replace('"', '""') + '"')
        else:
            cells.append(cell)
    return ",".join(cells)


def _markdown(answer: Answer, room: int) -> tuple[list[str], int]:
    header, rows = cut(answer, room - 6 * len(answer.columns))
    rules = ["---:" if column.type.number else "---" for column in answer.columns]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"

    return [line(header), line(rules), *map(line, rows)], len(rows)


def cut(answer: Answer, room: int) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table that takes at most `room` characters, with cells cut to fit."""
    names = [column.name for column in answer.columns]
    widest = _WIDEST
    while True:
        header = [_shortened(name, widest) for name in names]
        rows: list[list[str]] = []
        widths = [len(one_line(name)) for name in header]
        for row in answer.rows:
            cells = ["NULL" if cell is None else _shortened(cell, widest) for cell in row]
            wider = [max(w, len(one_line(c)), 1) for w, c in zip(widths, cells, strict=True)]
            if (sum(wider) + 2 * len(wider)) * (len(rows) + 2) > room:
                break
            widths = wider
            rows.append(cells)
        if rows or not answer.rows:
            return header, rows
        if widest <= _NARROWEST:
            raise UsageError(
                f"one row of {amount(len(names), 'column')} takes more than a page",
                "select some of the columns, or give a larger --page N",
            )
        widest //= 2


def _shortened(text: str, widest: int) -> str:
    shown = one_line(text)
    if len(shown) <= widest:
        return text
    kept = clip(shown, widest)
    return f"{kept}… (+{amount(len(shown) - len(kept), 'character')})"
