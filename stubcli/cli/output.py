"""How a command answers: bytes on stdout, one line beside them on stderr, tables on a terminal."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from stubcli.descriptors import STDERR, STDOUT, say, write_all
from stubcli.errors import NOT_STORED, StubError, reason_of
from stubcli.text.display import escape_json, mark, neutralise, one_line

_Item = TypeVar("_Item")

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
    "tracked",
    "written",
]
_written = 0
# The bar on the terminal, which makes room for what is printed there.
_bar: Any = None
# As grep has them.
_COLOURS = {"name": "35", "number": "32", "mark": "36", "match": "1;31"}


def on_terminal(descriptor: int = STDOUT) -> bool:
    return os.isatty(descriptor)


def in_colour() -> bool:
    """Whether what is printed on stdout may be in colours."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(kind: str, text: str) -> str:
    """`text`, which is safe to show, in the colour of its kind."""
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[m"


def emit(data: bytes) -> None:
    """Write to stdout. Raises StubError where it takes no more; a reader that left is no error."""
    if _bar and data and on_terminal():
        _bar.stop()
        try:
            _write(data)
        finally:
            _bar.start()
        return
    _write(data)


def _write(data: bytes) -> None:
    global _written
    try:
        write_all(STDOUT, data)
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

    console = Console()
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
    console.print(table)


def tracked(items: Iterable[_Item], label: str, total: int | None = None) -> Iterator[_Item]:
    """The items, with a progress bar on stderr where that is a terminal and it takes a second."""
    if not on_terminal(STDERR):
        yield from items
        return
    import time

    from rich.console import Console
    from rich.progress import Progress

    global _bar
    started = time.monotonic()
    progress = Progress(console=Console(stderr=True), transient=True)
    task = progress.add_task(label, total=total)
    try:
        for item in items:
            if not _bar and time.monotonic() - started > 1:
                progress.start()
                _bar = progress
            yield item
            progress.advance(task)
    finally:
        if _bar is progress:
            _bar = None
            progress.stop()
