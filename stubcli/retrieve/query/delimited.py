"""Delimited tables for DuckDB: where the records begin, the names and the types of the columns.

Names, header and what stands before it are those of the synopsis. A column has a type only where
writing its values gives the text that was read: 007 is text, and so is a date that could be
read in two ways.
"""

from dataclasses import dataclass
from typing import Any

from stubcli.detect.kinds import tablerows
from stubcli.detect.kinds.columns import header_of
from stubcli.detect.reading import Held
from stubcli.retrieve.query import dirty
from stubcli.retrieve.query.shelf import URL, Shelf
from stubcli.retrieve.query.types import quoted
from stubcli.store.artifact import Artifact
from stubcli.text.decode import decode

_HEAD = 1 << 20
_SAMPLE = 20_480
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
# DuckDB takes a longer line for a quote that is not closed.
_LONGEST_LINE = 8 << 20
# Read at once. DuckDB's own choice, sixteen of the longest lines, took twice the time.
_BUFFER = 16 << 20

# $c is the cell. Empty cells are NULL and take no part.
_TYPES = (
    ("BIGINT", "regexp_full_match($c, '0|-?[1-9][0-9]{0,17}')"),
    ("HUGEINT", "regexp_full_match($c, '0|-?[1-9][0-9]{0,37}')"),
    (
        "DOUBLE",
        r"regexp_full_match($c, '-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,2})?') AND "
        r"(length(regexp_replace(regexp_replace($c, '[eE].*', ''), '[-.]', '', 'g')) <= 15 "
        "OR TRY_CAST($c AS DOUBLE)::VARCHAR = $c)",
    ),
    ("BOOLEAN", "lower($c) IN ('true', 'false')"),
    ("DATE", "TRY_CAST($c AS DATE)::VARCHAR = $c"),
    (
        "TIMESTAMP",
        r"regexp_full_match($c, '\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?') "
        "AND TRY_CAST($c AS TIMESTAMP) IS NOT NULL",
    ),
)
# Versions: as numbers 1.10 and 1.1 were one. All with as many places, 2.50 is another than 2.5.
_PLACES = "length($c) - strpos($c, '.')"
_APART = {
    "DOUBLE": r"NOT coalesce(bool_or(regexp_matches($c, '\.[0-9]+0$')), false) OR "
    f"min({_PLACES}) FILTER (contains($c, '.')) = max({_PLACES}) FILTER (contains($c, '.'))"
}


@dataclass(frozen=True)
class Layout:
    """names of the columns; start: the byte at which the first record begins; lines before it
    are preamble and header. line_end as in most of the head."""

    delimiter: str
    quotes: bool
    names: tuple[str, ...]
    start: int
    line_end: str


def layout(artifact: Artifact, form: str, unbalanced: bool) -> Layout:
    delimiter = _DELIMITERS[form]
    head = artifact.read_at(0, _HEAD)
    if len(head) < artifact.size:
        head = head[: head.rfind(b"\n") + 1] or head
    rows = tablerows.read(Held(head), delimiter)
    first, last = rows.first
    header = rows.header
    if not header and last and (header := _header(head, first, delimiter, rows.width)):
        first = last + 1
    start = _line_start(head, first) if last else len(head)
    first_line = head[: head.find(b"\n") + 1]
    return Layout(
        delimiter,
        delimiter != "\t" and not unbalanced,
        _names(header or [""] * rows.width),
        start or (3 if head.startswith(b"\xef\xbb\xbf") else 0),
        "\r\n" if first_line.endswith(b"\r\n") else "\n",
    )


def _header(head: bytes, line: int, delimiter: str, width: int) -> list[str]:
    """The first record where it would name the columns if its names were distinct.

    The synopsis takes it for a record then: the rows are one fewer than its records.
    """
    lines = decode(head[_line_start(head, line) :]).split("\n", 200)[:200]
    rows = [row for row in tablerows.parsed(lines, delimiter) if len(row) == width]
    if len(rows) < 2:
        return []
    cells = [cell.strip() for cell in rows[0]]
    distinct = list(_names(cells))
    named = distinct != cells and any(cells) and header_of([distinct, *rows[1:]])
    return cells if named else []


def _line_start(head: bytes, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = head.find(b"\n", at) + 1
    return at


def _names(header: list[str]) -> tuple[str, ...]:
    """Names that differ, whatever the case, and are not empty."""
    names: list[str] = []
    taken = {cell.lower() for cell in header}
    used: set[str] = set()
    for place, cell in enumerate(header, 1):
        name = cell or f"column{place}"
        more = 1
        while name.lower() in used or (name != cell and name.lower() in taken):
            more += 1
            name = f"{cell or 'column'}_{more}"
        used.add(name.lower())
        names.append(dirty.shown(name))
    return tuple(names)


def regular(artifact: Artifact, found: Layout, returns: bool) -> bool:
    """Whether every CR is part of a line end, and line ends are alike as far as the head tells.

    A file that mixes them was read as no record at all, in silence.
    """
    if not returns and found.line_end == "\n":
        return True
    feeds = pairs = alone = 0
    last = b""
    for _, data in artifact.blocks():
        both = data.count(b"\r\n") + (last == b"\r" and data[:1] == b"\n")
        pairs += both
        alone += data.count(b"\r")
        feeds += data.count(b"\n")
        last = data[-1:]
    return alone == pairs and (found.line_end == "\r\n" or not pairs)


def as_it_is(shelf: Shelf, found: Layout, whole: bool, connection: Any) -> tuple[str, ...]:
    """The view over the bytes as they stand. whole: types from all records, not from the first."""
    shelf.start, shelf.held = found.start, None
    reading = _reading(found.delimiter, '"' if found.quotes else "", found.line_end)
    _view(connection, reading, found.names, whole)
    return ()


def _reading(delimiter: str, quote: str, line_end: str) -> str:
    """The table function, up to the columns."""
    return (
        f"read_csv('{URL}', auto_detect = false, header = false, delim = '{delimiter}', "
        f"quote = '{quote}', escape = '{quote}', new_line = '{_escaped(line_end)}', "
        f"max_line_size = {_LONGEST_LINE}, buffer_size = {_BUFFER}, compression = 'none', "
        "columns = "
    )


def _escaped(line_end: str) -> str:
    return line_end.replace("\r", "\\r").replace("\n", "\\n")


def rewritten(shelf: Shelf, found: Layout, connection: Any) -> tuple[str, ...]:
    """The view over the same records, written anew: whatever is irregular is resolved first."""
    table = dirty.table(
        shelf.artifact, found.delimiter, found.quotes, found.start, len(found.names)
    )
    shelf.start, shelf.held = 0, table.data
    names = _names(
        [*found.names, *(f"more{n}" for n in range(1, table.width - len(found.names) + 1))]
    )
    reading = _reading(",", '"', "\n")
    _view(connection, reading, names, True)
    return table.notes


def _view(connection: Any, reading: str, names: tuple[str, ...], whole: bool) -> None:
    texts = _struct(names, ["VARCHAR"] * len(names))
    kinds = _kinds(connection, f"{reading}{texts})", names, whole)
    typed = _struct(names, kinds)
    connection.execute(f"CREATE VIEW artifact AS SELECT * FROM {reading}{typed})")


def _struct(names: tuple[str, ...], kinds: list[str]) -> str:
    pairs = (f"{_text(name)}: '{kind}'" for name, kind in zip(names, kinds, strict=True))
    return "{" + ", ".join(pairs) + "}"


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _kinds(connection: Any, reading: str, names: tuple[str, ...], whole: bool) -> list[str]:
    tests = [
        f"coalesce(bool_and(coalesce({test}, $c IS NULL)), false) "
        f"AND ({_APART.get(kind, 'true')})".replace("$c", quoted(name))
        for name in names
        for kind, test in _TYPES
    ]
    bound = "" if whole else f" LIMIT {_SAMPLE}"
    row = connection.execute(f"SELECT {', '.join(tests)} FROM (FROM {reading}{bound})").fetchone()
    return [
        next((kind for (kind, _), yes in zip(_TYPES, row[at:], strict=False) if yes), "VARCHAR")
        for at in range(0, len(row), len(_TYPES))
    ]
