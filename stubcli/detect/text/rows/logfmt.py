"""Lines of keys and values (logfmt): level=info msg="it began" took=3ms. The keys are columns."""

import json
import re
from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow
from stubcli.text.characters import decode

_PAIR = re.compile(rb'\s*([^\s="\[\]{}]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?(?=\s|$)')
_SAMPLED = 400
_LEAST = 0.9
_FEWEST = 2
_COLUMNS = 400
# Keys without a value, as they stand.
_FLAG = "true"


def holds(lines: list[bytes]) -> bool:
    """Whether nearly all lines are keys and values and nothing else."""
    sample = [line for line in lines[:_SAMPLED] if line.strip()]
    return bool(sample) and sum(map(bool, map(_pairs, sample))) >= _LEAST * len(sample)


def rows(lines: LineSource) -> Iterator[TableRow]:
    table = RowTable("")
    for number, line in lines:
        found = _pairs(line)
        if found:
            cells: list[str] = []
            for key, value in found:
                at = table.place(key, _COLUMNS)
                if at is None:
                    continue
                cells += [""] * (at + 1 - len(cells))
                cells[at] = value if not cells[at] else f"{cells[at]}\n{value}"
            yield TableRow(number, table, cells)
        elif line.strip():
            yield TableRow(number)


def _pairs(line: bytes) -> list[tuple[str, str]]:
    """The keys and values that the line consists of; none where it holds anything else."""
    found: list[tuple[str, str]] = []
    end = values = 0
    while end < len(line):
        match = _PAIR.match(line, end)
        if match is None:
            break
        values += match[2] is not None
        found.append((decode(match[1]), _FLAG if match[2] is None else _value(match[2])))
        end = match.end()
    whole = values >= _FEWEST and 2 * values >= len(found) and not line[end:].strip()
    return found if whole else []


def _value(text: bytes) -> str:
    written = decode(text)
    if written[:1] == '"':
        try:
            return str(json.loads(written, strict=False))
        except ValueError:
            return written[1:-1]
    return written
