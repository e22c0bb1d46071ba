"""How a command answers: bytes on stdout, one line beside them on stderr, tables on a terminal."""

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from stubcli.descriptors import STDOUT, say, write_all
from stubcli.errors import NOT_STORED, StubError, reason_of
from stubcli.terminal import terminal
from stubcli.text.display import escape_json, mark, neutralise, one_line

__all__ = [
    "emit",
    "emit_json",
    "emit_rows",
    "emit_text",
    "in_colour",
    "json_text",
    "on_terminal",
    "paint",
    "say",
    "written",
]
_written = 0
# As grep has them.
_COLOURS = {"name": "35", "number": "32", "mark": "36", "match": "1;31"}


def on_terminal(descriptor: int = STDOUT, *, whole: bool = False) -> bool:
    """Whether it is a terminal; whole: one that obeys escape sequences, as programs on it need."""
    return os.isatty(descriptor) and not (whole and os.environ.get("TERM", "dumb") == "dumb")


def in_colour() -> bool:
    """Whether standard output shows colours, and its user wants to see them."""
    return on_terminal(whole=True) and not os.environ.get("NO_COLOR")


def paint(kind: str, text: str) -> str:
    """`text`, which is safe to show, in the colour of its kind."""
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[m"


def emit(data: bytes) -> None:
    """Write to stdout. Raises StubError where it takes no more; a reader that left is no error."""
    global _written
    try:
        with terminal:
            write_all(STDOUT, data)
            terminal.note(data)
        _written += len(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StubError(f"standard output: {reason_of(error)}", NOT_STORED) from None


def written() -> int:
    """How many bytes `emit` has written so far."""
    return _written


def emit_text(text: str) -> None:
    """Write text of our own and of others, made safe to show."""
    emit(neutralise(text).encode("utf-8"))


def emit_json(document: Any) -> None:
    """One JSON document in UTF-8. What could drive a terminal is in JSON's own escapes."""
    emit(json_text(document).encode("utf-8") + b"\n")


def json_text(document: Any) -> str:
    """What `emit_json` writes, without the LF at its end."""
    return escape_json(json.dumps(document, indent=2, ensure_ascii=False))


def emit_rows(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str]
) -> None:
    """A table: drawn by rich on a terminal, plain aligned columns in a pipe."""
    shown = [[one_line(cell) or "-" for cell in row] for row in rows]
    if on_terminal():
        _draw(header, shown, right)
        return
    widths = [
        max(len(row[place]) for row in [list(header), *shown]) for place in range(len(header))
    ]
    lines = []
    for row in [list(header), *shown]:
        cells = [
            cell.rjust(width) if name in right else cell.ljust(width)
            for cell, width, name in zip(row, widths, header, strict=True)
        ]
        # The names of columns, too, may be data.
        lines.append(mark("  ".join(cells).rstrip()) + "\n")
    emit("".join(lines).encode("utf-8"))


def _draw(header: Sequence[str], rows: list[list[str]], right: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    widths = [max(len(cells[place]) for cells in [header, *rows]) for place in range(len(header))]
    # On a narrow terminal the last columns give way: a folded table is read by nobody.
    fitting = len(widths)
    while fitting > 2 and sum(widths[:fitting]) + 3 * fitting > console.width:
        fitting -= 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in header[:fitting]:
        table.add_column(name, justify="right" if name in right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row[:fitting]))
    with console.capture() as drawn:
        console.print(table)
    emit(drawn.get().encode("utf-8"))
