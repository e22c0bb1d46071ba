"""JSON: one document, lines of records, or values one after the other.

The claim is only a suspicion: what decides is reading the stream. A first line that is a whole
value means lines; a value that spans lines means a document, however many of its lines would
parse alone.
"""

from typing import Any

from stubcli.synopsis.brief import clip, counted, limited, listed
from stubcli.synopsis.kinds.jsonread import LIMIT, VALUES, Broken, Number, Reader, TooMuch
from stubcli.synopsis.kinds.jsonshape import Items, Shape
from stubcli.synopsis.model import Claim, NotableLine, Sample, Scan, Source, Synopsis
from stubcli.synopsis.reading import BOM, hinted
from stubcli.synopsis.reading import lines as lines_of
from stubcli.text.decode import decode

# Warnings of the tool that wrote the JSON come before it; more than these are a log.
_LINES_BEFORE = 20
_SHOWN_ARRAYS = 3


def detect(sample: Sample) -> Claim | None:
    offset, before = _start(sample.head)
    if offset < 0:
        return None
    return Claim("json", "", f"a value begins at byte {offset}, {before} lines before it")


def _start(head: bytes) -> tuple[int, int]:
    """Where the first line stands that opens an object or array, and the lines before it."""
    offset = len(BOM) if head.startswith(BOM) else 0
    for before in range(_LINES_BEFORE + 1):
        end = head.find(b"\n", offset)
        line = head[offset : len(head) if end < 0 else end].lstrip()
        while line == b"" and end >= 0:
            offset, end = end + 1, head.find(b"\n", end + 1)
            line = head[offset : len(head) if end < 0 else end].lstrip()
        if line[:1] in (b"{", b"["):
            return offset, before
        if end < 0:
            break
        offset = end + 1
    return -1, 0


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    offset, before = _start(sample.head)
    line = sample.head[offset:].split(b"\n", 1)[0].strip()
    if _is_record(decode(line)):
        found = _lines(source, scan)
        if found is not None or not _is_last(sample, line):
            return found
    return _values(sample, source, scan, offset, before)


def _is_last(sample: Sample, line: bytes) -> bool:
    """Whether the line is the stream's only one."""
    return sample.head.strip().endswith(line) and sample.size <= len(sample.head)


def _decoder() -> Any:
    import json

    keep: Any = Number
    return json.JSONDecoder(parse_float=keep, parse_int=keep, parse_constant=keep, strict=False)


def _is_record(line: str) -> bool:
    try:
        return isinstance(_decoder().decode(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _lines(source: Source, scan: Scan) -> Synopsis | None:
    """Records a line each; other lines are counted and the first one is named."""
    decoder = _decoder()
    items, other, first_other = Items("line"), 0, 0
    first, seen = "", 0
    for number, raw in enumerate(lines_of(source, LIMIT), 1):
        if items.count + other >= VALUES:
            break
        seen += len(raw) + 1
        text = decode(raw.removeprefix(BOM) if number == 1 else raw).strip()
        if not text:
            continue
        try:
            value = decoder.decode(text) if text[0] in "{[" else None
        except (ValueError, RecursionError):
            value = None
        if value is None:
            other += 1
            first_other = first_other or number
        else:
            first = first or text
            items.add(value, text, number)
    if items.count < 2 or items.count < other:
        return None
    summary = [f"{counted(items.count, 'record')}, one a line"]
    if other:
        summary.append(f"{counted(other, 'other line')}, the first at line {first_other:,}")
    read = min(source.size, LIMIT) if items.count + other < VALUES else seen
    summary += limited(read, source.size)
    keys = listed(items.fields, len(items.fields))
    structure = [
        f"keys ({len(items.fields)}): {keys}",
        *items.told(),
        f"first record: {clip(first)}",
    ]
    return Synopsis("json", "lines", tuple(summary), tuple(structure), scan.notable)


def _values(
    sample: Sample, source: Source, scan: Scan, offset: int, before: int
) -> Synopsis | None:
    reader = Reader(source, offset)
    shape, documents, note = Shape(), 0, ""
    try:
        while reader.peek() in ("{", "["):
            # Of the values after the first only their number is told.
            if not documents:
                shape.read(reader)
            elif reader.value() is None:
                reader.skip()
            documents += 1
        end = reader.offset
    except TooMuch:
        note = f"looked at the first {reader.offset:,} of {source.size:,} bytes"
        end = source.size
    except Broken as broken:
        end = broken.offset
        what = "incomplete JSON: the input ends" if broken.ended else "invalid JSON"
        note = f"{what} at byte {end:,}"
    if not _holds(sample, source, shape, documents, note, end - offset):
        return None
    return _told(source, scan, shape, documents, note, before, end)


def _holds(
    sample: Sample, source: Source, shape: Shape, documents: int, note: str, read: int
) -> bool:
    """Most of the stream is JSON, and it is more than a bracket that a log line opens with."""
    if not shape.root or (not documents and not note):
        return False
    if not documents and not shape.key_count and not shape.length and not shape.deep:
        return False
    most = 0.1 if hinted(sample, "json") else 0.5
    return read >= most * source.size


def _told(
    source: Source, scan: Scan, shape: Shape, documents: int, note: str, before: int, end: int
) -> Synopsis:
    form = "concatenated" if documents > 1 else "document"
    summary = [f"{documents:,} documents" if documents > 1 else _root(shape)]
    summary += [note] if note else []
    if before:
        first = decode(source.read_at(0, 400)).split("\n", 1)[0]
        summary.append(f"{counted(before, 'line')} before it: {clip(first)}")
    if not note and end < source.size:
        after = source.read_at(end, min(4096, source.size - end)).strip()
        if after:
            summary.append(f"other text after it, from byte {end:,}: {clip(decode(after), 120)}")
    if shape.deep:
        summary.append("some values too large or too deep to look into")
    structure = _structure(shape, documents)
    return Synopsis("json", form, tuple(summary), tuple(structure), _beside(scan, before))


def _root(shape: Shape) -> str:
    if shape.root == "array":
        return f"array of {counted(shape.length or 0, 'item')}"
    return f"object of {counted(shape.key_count, 'key')}"


def _structure(shape: Shape, documents: int) -> list[str]:
    lines = []
    if documents > 1:
        lines.append(f"the first is an {_root(shape)}")
    if shape.keys:
        keys = (f"{clip(key, 60)} {told}" for key, told in list(shape.keys.items())[:10])
        lines.append(f"keys ({shape.key_count:,}): {listed(keys, shape.key_count, 290, 90)}")
    for path, source in shape.examples:
        lines.append(f"{clip(path, 80)}: {clip(source, 120)}")
    ranked = sorted(shape.arrays.items(), key=lambda item: -item[1].count)
    for path, items in ranked[:_SHOWN_ARRAYS]:
        if items.count:
            name = clip(path, 80) or "items"
            lines.append(f"{name}: {counted(items.count, 'item')}")
            lines += items.told()
    return lines


def _beside(scan: Scan, before: int) -> tuple[NotableLine, ...]:
    """Words in values are data; only lines before the document are messages."""
    return tuple(line for line in scan.notable if line.number <= before)
