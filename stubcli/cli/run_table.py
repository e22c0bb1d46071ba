"""The table of runs: plain columns in a pipe; on a terminal what matters fits into 44 columns.

Fixed columns are whole; the command and the first line share what is left, cut with a mark. A
column for which there is no room is named to the caller, who says so.
"""

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from stubcli.cli.output import emit, emit_rows, on_terminal
from stubcli.cli.run_rows import HEADER, RIGHT, cells_of, ended
from stubcli.retrieve.listing import RunRow
from stubcli.store.records import COMPLETE
from stubcli.text.display import one_line

if TYPE_CHECKING:
    from rich.console import Console

# From this width on the time is shown, below it how long ago that was.
_WIDE = 100
_GAP = 2
# The room that a command, and beside it a first line, must have before anything else is shown.
_COMMAND, _FIRST = 20, 16
# What goes where there is no room, the last of them first; and what may be cut.
_OPTIONAL = ("bytes", "first line", "session")
_SHARING = ("command", "first line")
_AGES = ((86_400 * 2, 86_400, "d"), (3600 * 2, 3600, "h"), (120, 60, "m"))


class _Column(NamedTuple):
    name: str
    cells: list[str]
    right: bool = False

    @property
    def width(self) -> int:
        from rich.cells import cell_len

        return max(map(cell_len, [self.name, *self.cells]))


def emit_runs(rows: Sequence[RunRow], *, everywhere: bool) -> tuple[str, ...]:
    """Print a table of runs; the names of the columns for which a terminal had no room."""
    if on_terminal():
        return _draw(rows, everywhere=everywhere)
    header, cells = list(HEADER), [cells_of(row, everywhere) for row in rows]
    if everywhere:  # a number means nothing in another session: first what can be pasted
        for line in (header, *cells):
            line[:2] = line[1::-1]
    emit_rows(header, cells, right=RIGHT)
    return ()


def _draw(rows: Sequence[RunRow], *, everywhere: bool) -> tuple[str, ...]:
    """Print the runs; the names of the columns that were left out."""
    from rich.console import Console

    console = Console()
    columns = _columns(rows, wide=console.width >= _WIDE, everywhere=everywhere)
    kept, left_out = _fit(columns, console.width)
    _print(console, kept, _share(kept, console.width))
    return left_out


def _columns(rows: Sequence[RunRow], *, wide: bool, everywhere: bool) -> dict[str, _Column]:
    now = datetime.datetime.now(datetime.UTC)
    found = [
        _Column("ref", [row.digest[:12] or row.ref for row in rows])
        if everywhere
        else _Column("number", [str(row.number) for row in rows], right=True),
        _Column("finished", [_local(row) for row in rows])
        if wide
        else _Column("age", [_age(row, now) for row in rows], right=True),
        _Column("exit", [_ended(row) for row in rows]),
        _Column("bytes", [_size(row) for row in rows], right=True),
        _Column("command", [_command(row) for row in rows]),
        _Column("first line", [one_line(row.first_line) for row in rows]),
    ]
    if everywhere:
        found.append(_Column("session", [row.session for row in rows]))
    return {column.name: column for column in found}


def _fit(columns: dict[str, _Column], width: int) -> tuple[list[_Column], tuple[str, ...]]:
    """The columns for which there is room, and the names of the others."""
    least = {
        "command": min(columns["command"].width, _COMMAND),
        "first line": min(columns["first line"].width, _FIRST),
    }
    needed = {name: least.get(name, column.width) + _GAP for name, column in columns.items()}
    room = width + _GAP - sum(size for name, size in needed.items() if name not in _OPTIONAL)
    dropped = []
    for name in filter(columns.__contains__, _OPTIONAL):
        if needed[name] <= room:
            room -= needed[name]
        elif any(columns[name].cells):
            dropped.append(name)
    kept = [column for name, column in columns.items() if name not in dropped]
    return kept, tuple(dropped)


def _share(columns: list[_Column], width: int) -> dict[str, int]:
    """The width of each: command and first line share what the others leave."""
    widths = {column.name: column.width for column in columns}
    whole = (size for name, size in widths.items() if name not in _SHARING)
    left = width - sum(whole) - _GAP * (len(widths) - 1)
    command, first = widths["command"], widths.get("first line", 0)
    widths["command"] = max(1, min(command, max(left - first, left * 3 // 5)))
    if first:
        widths["first line"] = min(first, left - widths["command"])
    return widths


def _print(console: "Console", columns: list[_Column], widths: dict[str, int]) -> None:
    from rich.table import Table
    from rich.text import Text

    style = "" if console.no_color else "bold"
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style=style)
    for column in columns:
        table.add_column(
            column.name,
            justify="right" if column.right else "left",
            width=widths[column.name],
            no_wrap=True,
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    with console.capture() as drawn:
        console.print(table)
    emit(drawn.get().encode("utf-8"))


def _local(row: RunRow) -> str:
    """When it ended, in local time."""
    return finished.astimezone().strftime("%Y-%m-%d %H:%M") if (finished := _when(row)) else ""


def _age(row: RunRow, now: datetime.datetime) -> str:
    """How long ago that was: 5s, 3m, 20h, 9d."""
    finished = _when(row)
    if finished is None:
        return ""
    seconds = max(0, int((now - finished).total_seconds()))
    for least, unit, letter in _AGES:
        if seconds >= least:
            return f"{seconds // unit}{letter}"
    return f"{seconds}s"


def _when(row: RunRow) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(row.run.finished) if row.run else None
    except ValueError:
        return None


def _ended(row: RunRow) -> str:
    """What is not as it should be: a status that is not 0, a signal, an end that was cut off."""
    if row.sighting:
        return row.sighting.state
    if row.run is None:
        return "damaged"
    how = ended(row.run.origin)
    state = "" if row.run.state == COMPLETE else row.run.state
    return " ".join(word for word in (how if how != "0" else "", state) if word)


def _size(row: RunRow) -> str:
    size = row.sighting.size if row.sighting else row.record.size if row.record else None
    return "" if size is None else f"{size:,}"


def _command(row: RunRow) -> str:
    name = row.run.origin.name if row.run else None
    return one_line(f"@{name} {row.command}".rstrip() if name else row.command)
