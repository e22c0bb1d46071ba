"""Tables that DuckDB would refuse or misread, written anew for it in memory.

Read where and as the facts say, so that the counts agree. Every record is kept.
"""

import csv
import io
import re
from collections.abc import Iterator

from stubcli.advice import Advice
from stubcli.detect.table.facts import TableFacts
from stubcli.detect.table.rows import Records
from stubcli.errors import UsageError
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.display import amount

# Python reads 20 MiB a second of it, and holds it in memory.
_MOST = 256 << 20
_LONGEST_CELL = 4 << 20
# Stands for a CR inside a cell, which the csv module takes for the end of a record; no decoded
# text holds it.
RETURN = "\udc0d"
UNDECODABLE = re.compile("[\udc80-\udcff]")


def shown(text: str) -> str:
    """`text` with each undecodable byte as `\\xff`: it cannot stand in UTF-8."""
    return UNDECODABLE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def fits(artifact: Artifact) -> bool:
    """Whether the artifact is small enough to be written anew."""
    return artifact.size <= _MOST


def bounded(artifact: Artifact) -> None:
    if not fits(artifact):
        raise UsageError(
            f"it is too irregular for a table of {amount(artifact.size, 'byte')}",
            Advice("search", "PATTERN", artifact.record.reference.short, lead="search it with"),
        )


def table(artifact: Artifact, facts: TableFacts) -> bytes:
    """The records of the table, of `widest` cells, all of them quoted, one a line with LF.

    Raises UsageError where they cannot be read.
    """
    bounded(artifact)
    previous = csv.field_size_limit(_LONGEST_CELL)
    try:
        return _written(_records(artifact, facts), facts.widest, facts.delimiter)
    except csv.Error as error:
        raise UsageError(
            f"its records cannot be read: {error}",
            Advice("search", "PATTERN", lead="search it with"),
        ) from None
    finally:
        csv.field_size_limit(previous)


def _written(records: Iterator[list[str]], width: int, delimiter: str) -> bytes:
    """The records with all cells quoted and all of one width."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for record in records:
        cells = [shown(cell.replace(RETURN, "\r")) for cell in record]
        if len(cells) > width and any(cells[width:]):
            # The last column takes what is beyond all bounds.
            cells[width - 1 :] = [delimiter.join(cells[width - 1 :])]
        writer.writerow([*cells[:width], *[""] * (width - len(cells))])
    return out.getvalue().encode("utf-8")


def _records(artifact: Artifact, facts: TableFacts) -> Iterator[list[str]]:
    lines = lines_of(artifact, facts.start, facts.end, facts.dialect.line_end)
    found = Records(lines, facts.dialect, facts.width)
    header = list(facts.header) if facts.repeats else []
    return (record for record, _, _ in found if record and record != header)


def lines_of(artifact: Artifact, start: int, end: int, feed: bytes = b"\n") -> Iterator[str]:
    """Lines from byte `start` to `end`, with their ends, which are LF then; a CR inside one as
    RETURN. feed: what ends a line.
    """
    rest = b""
    for offset, block in artifact.blocks(artifact.block_of(start)):
        if offset >= end:
            break
        data = rest + block[max(0, start - offset) : end - offset]
        cut = data.rfind(feed) + 1
        rest = data[cut:]
        yield from _split(data[:cut].replace(feed, b"\n"))
    yield from _split(rest.replace(feed, b"\n"))


def _split(data: bytes) -> Iterator[str]:
    text = decode(data)
    if "\r" in text:
        text = re.sub("\r(?!\n)", RETURN, text)
    yield from io.StringIO(text, newline="\n")
