"""Tables and JSON that DuckDB would refuse or misread, written anew for it in memory.

Read where and as the facts say, so that the counts agree. Every record is kept; what is changed is
counted in a note.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import stubcli.debug as debug
from stubcli.advice import Advice
from stubcli.detect.fields.values import Number
from stubcli.detect.json.facts import JsonFacts
from stubcli.detect.json.record import is_record
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
_RETURN = "\udc0d"
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_SPACE = re.compile(r"\s*")
# An escape of JSON; half of a surrogate pair is no character, and DuckDB refuses the whole file.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


@dataclass(frozen=True)
class Values:
    """data: `count` JSON values, one after the other."""

    data: bytes
    count: int
    notes: tuple[str, ...]


def shown(text: str) -> str:
    """`text` with each undecodable byte as `\\xff`: it cannot stand in UTF-8."""
    return _UNDECODABLE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def fits(artifact: Artifact) -> bool:
    """Whether the artifact is small enough to be written anew."""
    return artifact.size <= _MOST


def _bounded(artifact: Artifact) -> None:
    if not fits(artifact):
        raise UsageError(
            f"it is too irregular for a table of {amount(artifact.size, 'byte')}",
            Advice("search", "PATTERN", artifact.record.reference.short, lead="search it with"),
        )


def table(artifact: Artifact, facts: TableFacts) -> bytes:
    """The records of the table, of `widest` cells, all of them quoted, one a line with LF.

    Raises UsageError where they cannot be read.
    """
    _bounded(artifact)
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
        cells = [shown(cell.replace(_RETURN, "\r")) for cell in record]
        if len(cells) > width and any(cells[width:]):
            # The last column takes what is beyond all bounds.
            cells[width - 1 :] = [delimiter.join(cells[width - 1 :])]
        writer.writerow([*cells[:width], *[""] * (width - len(cells))])
    return out.getvalue().encode("utf-8")


def _records(artifact: Artifact, facts: TableFacts) -> Iterator[list[str]]:
    lines = _lines(artifact, facts.start, facts.end, facts.dialect.line_end)
    found = Records(lines, facts.dialect, facts.width)
    header = list(facts.header) if facts.repeats else []
    return (record for record, _, _ in found if record and record != header)


def _lines(artifact: Artifact, start: int, end: int, feed: bytes = b"\n") -> Iterator[str]:
    """Lines from byte `start` to `end`, with their ends, which are LF then; a CR inside one as
    _RETURN. feed: what ends a line.
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
        text = re.sub("\r(?!\n)", _RETURN, text)
    yield from io.StringIO(text, newline="\n")


def records(artifact: Artifact, facts: JsonFacts) -> Values:
    """JSON lines: those that are records."""
    _bounded(artifact)
    kept = _Strict()
    for line in _lines(artifact, facts.start, facts.end):
        text = line.replace(_RETURN, "\r").strip().removeprefix("\ufeff")
        if is_record(text):
            kept.add(text)
    return kept.values()


class _Strict:
    """Values as strict JSON: what is no character is escaped, and each key comes once."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._repeats = 0
        self._again = False
        keep: Any = Number
        options: Any = {
            "object_pairs_hook": self._once,
            **dict.fromkeys(("parse_float", "parse_int", "parse_constant"), keep),
        }
        self._strict = json.JSONDecoder(**options)
        self._lenient = json.JSONDecoder(strict=False, **options)

    def _once(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        """The object; of a key that comes again, the last value."""
        found = dict(pairs)
        self._again = self._again or len(found) < len(pairs)
        return found

    def add(self, text: str) -> None:
        text = _UNDECODABLE.sub(lambda found: f"\\\\x{ord(found[0]) - 0xDC00:02x}", text)
        text = _ESCAPE.sub(lambda one: rf"\\{one['half']}" if one["half"] else one[0], text)
        self._again = False
        try:
            value = self._strict.decode(text)
            text = _in_json(value) if self._again else text
        except ValueError:
            text = _in_json(self._lenient.decode(text))
        self._repeats += self._again
        self._texts.append(text)

    def values(self) -> Values:
        notes: tuple[str, ...] = ()
        if self._repeats:
            many = amount(self._repeats, "value has", "values have")
            notes = (f"{many} a key more than once; the last one counts",)
        return Values("\n".join(self._texts).encode("utf-8"), len(self._texts), notes)


def _in_json(value: object) -> str:
    """The value written anew, its numbers as they were."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_in_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_json, value)) + "]"
    return json.dumps(value)


def values(artifact: Artifact, facts: JsonFacts) -> Values:
    """The JSON values that follow each other, as far as they are complete."""
    _bounded(artifact)
    text = decode(artifact.read_at(facts.start, facts.end - facts.start)).removeprefix("\ufeff")
    decoder, kept = json.JSONDecoder(strict=False), _Strict()
    end = _after_space(text, 0)
    try:
        while end < len(text):
            _, stop = decoder.raw_decode(text, end)
            kept.add(text[end:stop])
            end = _after_space(text, stop)
    except (ValueError, RecursionError) as error:
        debug.swallowed("query: values one after the other", error)
    return kept.values()


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
