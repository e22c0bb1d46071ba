"""JSON lines: records a line each, between them perhaps lines that are none.

Behind a bound the records are no longer looked into; they and their keys are counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from stubcli.detect.brief import clip, counted, listed
from stubcli.detect.kinds.items import Items, Number
from stubcli.detect.model import Scan, Source, Synopsis
from stubcli.detect.reading import BOM, blocks
from stubcli.detect.reading import lines as lines_of
from stubcli.text.decode import decode

DETAILED = 16 * 1024 * 1024
_DETAILED_RECORDS = 150_000


@dataclass
class _Read:
    items: Items = field(default_factory=lambda: Items("line"))
    lines: int = 0
    other: int = 0
    first_other: int = 0
    first_words: str = ""
    first: str = ""

    def another(self, number: int, text: str) -> None:
        self.other += 1
        if not self.first_other:
            self.first_other, self.first_words = number, text


def decoder() -> Any:
    import json

    keep: Any = Number
    return json.JSONDecoder(parse_float=keep, parse_int=keep, parse_constant=keep, strict=False)


def is_record(line: str) -> bool:
    try:
        return isinstance(decoder().decode(line), dict | list)
    except (ValueError, RecursionError):
        return False


def summarise(source: Source, scan: Scan) -> Synopsis | None:
    """Records and other lines; None where these are not mostly records."""
    read = _Read()
    start = _detailed(source, read)
    items = read.items
    if items.count < 2 or items.count < read.other:
        return None
    if start < source.size:
        _counted(source, start, read)
    if items.count < read.other:
        return None
    summary = [f"{counted(items.count, 'record')}, one a line"]
    if read.other:
        other = counted(read.other, "other line")
        summary.append(f"{other}, the first at line {read.first_other:,}")
    told = items.told()
    keys = listed(items.fields, len(items.fields))
    structure = [f"keys ({len(items.fields)}): {keys}", *told, f"first record: {clip(read.first)}"]
    if read.other:
        structure.insert(1, f"other line {read.first_other:,}: {clip(read.first_words, 120)}")
    names = None if read.other else items.names()
    return Synopsis("json", "lines", tuple(summary), tuple(structure), scan.notable, columns=names)


def _detailed(source: Source, read: _Read) -> int:
    """Look into the records of the first blocks; the offset behind them."""
    scan, seen = decoder().decode, 0
    end = _bound(source)
    end = _line_end(source, end) if source.size > end else source.size
    for raw in lines_of(source, end):
        read.lines += 1
        seen += len(raw)
        text = decode(raw.removeprefix(BOM) if read.lines == 1 else raw).strip()
        if not text:
            continue
        try:
            value = scan(text) if text[0] in "{[" else None
        except (ValueError, RecursionError):
            value = None
        if value is None:
            read.another(read.lines, text)
        else:
            read.first = read.first or text
            read.items.add(value, text, read.lines)
    return end


def _bound(source: Source) -> int:
    """So many bytes as many records take that are as long as the first ones."""
    head = source.read_at(0, 1 << 20)
    return min(DETAILED, max(1, _DETAILED_RECORDS * len(head) // (head.count(b"\n") + 1)))


def _line_end(source: Source, near: int) -> int:
    """Where a line begins behind `near`; the end where none does within reach."""
    at = source.read_at(near, 1 << 20).find(b"\n")
    return near + at + 1 if at >= 0 else source.size


def _counted(source: Source, start: int, read: _Read) -> None:
    import json

    parse: Any = json.JSONDecoder(strict=False).decode
    careful: Any = json.JSONDecoder(parse_int=float, strict=False).decode
    for lines in _batches(source, start):
        records = [line for line in lines if line[:1] in ("{", "[") and line[-1:] in ("}", "]")]
        try:
            found = parse("[" + ",".join(records) + "]")
        except (ValueError, RecursionError):
            found = []
        if len(found) == len(records) == len(lines):
            first = read.lines + 1
            read.items.add_later(
                found, range(first, first + len(lines)).__getitem__, records.__getitem__
            )
            read.lines += len(lines)
        else:
            _one_by_one(lines, careful, read)


def _one_by_one(lines: list[str], parse: Any, read: _Read) -> None:
    found, texts, numbers = [], [], []
    for line in lines:
        read.lines += 1
        text = line.strip()
        if not text:
            continue
        try:
            value = parse(text) if text[0] in "{[" else None
        except (ValueError, RecursionError):
            value = None
        if value is None:
            read.another(read.lines, text)
        else:
            found.append(value)
            texts.append(text)
            numbers.append(read.lines)
    read.items.add_later(found, numbers.__getitem__, texts.__getitem__)


def _batches(source: Source, start: int) -> Iterator[list[str]]:
    """The lines of a block at a time; of one that is longer than a few blocks, pieces."""
    rest = b""
    for block in blocks(source, source.size, start):
        data = rest + block
        end = data.rfind(b"\n")
        if end < 0 and len(data) < 16 * len(block):
            rest = data
            continue
        rest = data[end + 1 :] if end >= 0 else b""
        text = decode(data[:end] if end >= 0 else data)
        yield [line[:-1] if line[-1:] == "\r" else line for line in text.split("\n")]
    if rest:
        yield [decode(rest).rstrip("\r")]
