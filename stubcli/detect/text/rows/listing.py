"""Files in a list: path, and what the list says of each: mode, owner, group, size, time."""

import re
from collections.abc import Iterator

from stubcli.detect.reading import plain_lines
from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.entries import (
    BARE,
    TREE_SHAPE,
    leaves,
    pattern_of,
    shape_of,
)
from stubcli.detect.text.forms.listing import SELVES
from stubcli.detect.text.line_signs import named_file
from stubcli.text.characters import decode

_SAMPLE = 256 * 1024
_SAMPLED = 400
# No path is longer.
_LONGEST = 8 * 1024
# In the order of ls; sign: how a file changed, sum: its checksum.
_NAMES = ("sign", "mode", "owner", "group", "size", "time", "sum", "details", "path", "target")
_GUESSED = ("size", "time")
_OWNERS = re.compile(rb" +|/")


def rows(lines: LineSource) -> Iterator[TableRow]:
    head = [line.rstrip(b"\r") for line in plain_lines(lines.source, _SAMPLE) if line.strip()]
    shape = shape_of(head[:_SAMPLED]) or shape_of(head) or BARE
    if shape == TREE_SHAPE:
        return _leaves(lines)
    return _bare(lines, head) if shape == BARE else _Entries(shape).rows(lines)


def _table(*names: str) -> RowTable:
    ordered = [name for name in _NAMES if name in names]
    return RowTable("", *columns(*ordered, guessed=_GUESSED))


def _leaves(lines: LineSource) -> Iterator[TableRow]:
    table = _table("details", "path")
    for number, path, other in leaves(lines):
        if path:
            yield TableRow(number, table, [decode(other), decode(path)])
        else:
            yield TableRow(number)


def _bare(lines: LineSource, head: list[bytes]) -> Iterator[TableRow]:
    summed = any(named_file(line) not in (b"", line) for line in head[:_SAMPLED])
    table = _table("sum", "path") if summed else _table("path")
    for number, line in lines:
        # A name with blanks in it is one where it stands below a folder.
        path = named_file(line) or (line if line.startswith((b"./", b"/")) else b"")
        if path:
            sums = [decode(line.replace(path, b"").strip(b" *()=\\"))] if summed else []
            yield TableRow(number, table, [*sums, decode(path)])
        elif line.strip():
            yield TableRow(number)


class _Entries:
    """The rows of lines of one shape, below the names of their folders."""

    def __init__(self, shape: str) -> None:
        self._pattern, self._listed = pattern_of(shape), shape == "ls"
        groups = set(self._pattern.groupindex)
        groups |= {"group"} if "owner" in groups else set()
        groups |= {"target"} if "mode" in groups else set()
        self._table = _table(*groups)
        self._directory = self._root = b""

    def rows(self, lines: LineSource) -> Iterator[TableRow]:
        for number, line in lines:
            match = self._pattern.match(line) if len(line) <= _LONGEST else None
            if match is None:
                heading = line.rstrip()
                if heading.endswith(b":") and self._listed:
                    self._directory = heading[:-1].rstrip(b"/") + b"/"
                elif heading and not heading.startswith(b"total "):
                    yield TableRow(number)
            elif path := self._path(match["path"].rstrip(b"\r")):
                yield TableRow(number, self._table, self._cells(match, path))

    def _path(self, name: bytes) -> bytes:
        """The path below its folder; none of what is listed a second time."""
        if name not in SELVES or not self._listed:
            return self._directory + name
        directory, root = self._directory, self._root
        below = bool(root) and directory.startswith(root) and directory != root
        if name != b"." or below:
            return b""
        self._root = directory
        return directory.rstrip(b"/") or name

    def _cells(self, match: re.Match[bytes], path: bytes) -> list[str]:
        said = match.groupdict(b"")
        if "mode" in said:
            link = said["mode"][:1] == b"l"
            path, _, said["target"] = path.partition(b" -> ") if link else (path, b"", b"")
        if "owner" in said:
            owners = _OWNERS.split(said["owner"], 1)
            said["owner"], said["group"] = owners if len(owners) == 2 else (owners[0], b"")
        said["path"] = path
        return [decode(said.get(column.name, b"")) for column in self._table.columns]
