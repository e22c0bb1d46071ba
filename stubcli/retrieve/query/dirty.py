"""Tables and JSON that DuckDB would refuse or misread, written anew for it in memory.

Read as the synopsis reads them, so that the counts agree. Every record is kept; what is changed
or left out is counted in a note.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from stubcli.detect.kinds.jsonlines import is_record
from stubcli.errors import UsageError
from stubcli.store.artifact import Artifact
from stubcli.text.decode import decode

# Python reads 20 MiB a second of it, and holds it in memory.
_MOST = 256 << 20
_LONGEST_CELL = 4 << 20
_MORE_COLUMNS = 100
# Stands for a CR inside a cell, which the csv module takes for the end of a record; no decoded
# text holds it.
_RETURN = "\udc0d"
_UNDECODABLE = re.compile("[\udc80-\udcff]")
# An escape of JSON; half of a surrogate pair is no character, and DuckDB refuses the whole file.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


@dataclass(frozen=True)
class Table:
    """data: records of `width` cells, all of them quoted, one a line; LF at the end of each."""

    data: bytes
    width: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """data: `count` JSON values, one after the other."""

    data: bytes
    count: int
    notes: tuple[str, ...]


def shown(text: str) -> str:
    """`text` with each undecodable byte as `\\xff`: it cannot stand in UTF-8."""
    return _UNDECODABLE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def _bounded(artifact: Artifact) -> None:
    if artifact.size > _MOST:
        raise UsageError(
            f"it is too irregular for a table of {artifact.size:,} bytes",
            f"find what is in it with: stub search PATTERN {artifact.record.reference.short}",
        )


def table(artifact: Artifact, delimiter: str, quotes: bool, start: int, width: int) -> Table:
    """The records from byte `start` on. Raises UsageError where they cannot be read."""
    _bounded(artifact)
    previous = csv.field_size_limit(_LONGEST_CELL)
    try:
        widest, short, long, undecodable = width, 0, 0, 0
        for record in _records(artifact, delimiter, quotes, start):
            widest = max(widest, len(record))
            short += len(record) < width
            long += len(record) > width
        if widest > width + _MORE_COLUMNS:
            raise UsageError(
                f"a record has {widest:,} cells and the first ones have {width:,}: no table",
                f"stub read {artifact.record.reference.short}",
            )
        out = io.StringIO()
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for record in _records(artifact, delimiter, quotes, start):
            cells = [cell.replace(_RETURN, "\r") for cell in record]
            bad = sum(len(_UNDECODABLE.findall(cell)) for cell in cells)
            undecodable += bad
            cells += [""] * (widest - len(cells))
            writer.writerow(map(shown, cells) if bad else cells)
    except csv.Error as error:
        raise UsageError(
            f"its records cannot be read: {error}", "search it with: stub search"
        ) from None
    finally:
        csv.field_size_limit(previous)
    notes = []
    if short:
        notes.append(f"{_records_are(short)} shorter: what they lack is NULL")
    if long:
        notes.append(f"{_records_are(long)} longer: what they have more is in more1 and on")
    if undecodable:
        notes.append(f"{undecodable:,} bytes are no UTF-8 and stand as \\xNN")
    return Table(out.getvalue().encode("utf-8"), widest, tuple(notes))


def _records_are(count: int) -> str:
    return f"{count:,} records are" if count != 1 else "1 record is"


def _records(artifact: Artifact, delimiter: str, quotes: bool, start: int) -> Iterator[list[str]]:
    lines = _lines(artifact, start)
    if quotes:
        reader = csv.reader(lines, delimiter=delimiter)
    else:
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, quotechar=None)
    return (record for record in reader if record)


def _lines(artifact: Artifact, start: int = 0) -> Iterator[str]:
    """Lines from byte `start` on, with their ends; a CR inside one as _RETURN."""
    rest, skip = b"", start
    for _, block in artifact.blocks():
        data = block[skip:] if skip < len(block) else b""
        skip = max(0, skip - len(block))
        held = rest + data
        end = held.rfind(b"\n") + 1
        rest = held[end:]
        yield from _split(held[:end])
    yield from _split(rest)


def _split(data: bytes) -> Iterator[str]:
    text = decode(data)
    if "\r" in text:
        text = re.sub("\r(?!\n)", _RETURN, text)
    yield from io.StringIO(text, newline="\n")


def records(artifact: Artifact) -> Values:
    """JSON lines: those that are records."""
    _bounded(artifact)
    kept, other, first = [], 0, 0
    for number, line in enumerate(_lines(artifact), 1):
        text = line.replace(_RETURN, "\r").strip().removeprefix("\ufeff")
        if is_record(text):
            kept.append(_parsable(text))
        elif text:
            other += 1
            first = first or number
    many = f"{other:,} lines are" if other != 1 else "1 line is"
    notes = (f"{many} no record and no row, the first at line {first:,}",) if other else ()
    return Values("\n".join(kept).encode("utf-8"), len(kept), notes)


def _parsable(text: str) -> str:
    """The same value as strict JSON: what is no character, and control characters, escaped."""
    text = _UNDECODABLE.sub(lambda found: f"\\\\x{ord(found[0]) - 0xDC00:02x}", text)
    text = _ESCAPE.sub(lambda found: rf"\\{found['half']}" if found["half"] else found[0], text)
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(json.JSONDecoder(strict=False).decode(text), ensure_ascii=False)
    return text


def values(artifact: Artifact) -> Values:
    """The JSON values that follow each other from the first line on that opens one."""
    _bounded(artifact)
    text = decode(artifact.read_at(0, artifact.size))
    opens = re.search(r"^\ufeff?\s*(?=[\[{])", text, re.MULTILINE)
    start = end = opens.end() if opens else 0
    decoder, kept = json.JSONDecoder(strict=False), []
    try:
        while end < len(text):
            _, stop = decoder.raw_decode(text, end)
            kept.append(_parsable(text[end:stop]))
            space = re.compile(r"\s*").match(text, stop)
            end = space.end() if space else stop
    except (ValueError, RecursionError):
        pass
    if not kept:
        raise UsageError(
            f"no JSON value is complete from byte {start:,} on",
            f"stub read {artifact.record.reference.short}",
        )
    notes = []
    if text[:start].strip("\ufeff \t\r\n"):
        notes.append(f"{start:,} characters before the first value are no part of it")
    if end < len(text):
        notes.append(f"{len(text) - end:,} characters behind the last value are no part of it")
    return Values("\n".join(kept).encode("utf-8"), len(kept), tuple(notes))
