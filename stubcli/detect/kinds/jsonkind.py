"""JSON: one document, lines of records, or values one after the other.

The claim is only a suspicion: what decides is reading the stream. A first line that is a whole
value means lines; a value that spans lines means a document, however many of its lines would
parse alone.
"""

from stubcli.detect.brief import clip, counted, listed
from stubcli.detect.kinds import jsonlines
from stubcli.detect.kinds.items import Items
from stubcli.detect.kinds.jsonread import DOCUMENTS, Broken, Reader, TooMuch
from stubcli.detect.kinds.jsonshape import Shape
from stubcli.detect.model import Claim, NotableLine, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import BOM, hinted
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
    if jsonlines.is_record(decode(line)):
        found = jsonlines.summarise(source, scan)
        if found is not None or not _is_last(sample, line):
            return found
    return _values(sample, source, scan, offset, before)


def _is_last(sample: Sample, line: bytes) -> bool:
    """Whether the line is the stream's only one."""
    return sample.head.strip().endswith(line) and sample.size <= len(sample.head)


def _values(
    sample: Sample, source: Source, scan: Scan, offset: int, before: int
) -> Synopsis | None:
    reader = Reader(source, offset)
    shape, items, documents, note = Shape(), Items("document"), 0, ""
    try:
        if reader.peek() in ("{", "["):
            _first(source, offset, items)
            shape.read(reader)
            documents = 1
        while reader.peek() in ("{", "["):
            documents += _next(reader, items)
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
    items.count += documents > 1 and not items.count
    found = items if documents > 1 and items.objects else None
    return _told(source, scan, shape, documents, found, note, before, end)


def _first(source: Source, offset: int, items: Items) -> None:
    """The first document once more, as one of several: small ones resemble each other."""
    built = None
    head = Reader(source, offset)
    try:
        head.peek()
        built = head.value()
    except (Broken, TooMuch):
        pass
    if built is not None:
        items.add(*built, 1)


def _next(reader: Reader, items: Items) -> int:
    """One document more, or behind the bound as many as are at hand."""
    if reader.counting:
        later = reader.several(DOCUMENTS)
        if later:
            first = items.count + 1
            items.add_later(later, range(first, first + len(later)).__getitem__, reader.nth)
            return len(later)
    built = reader.value()
    if built is None:
        items.count += 1
        items.unseen += 1
        reader.skip()
    else:
        items.add(*built, items.count + 1)
    return 1


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
    source: Source,
    scan: Scan,
    shape: Shape,
    documents: int,
    items: Items | None,
    note: str,
    before: int,
    end: int,
) -> Synopsis:
    form = "concatenated" if documents > 1 else "document"
    names = None if note or before else _names(shape, items, documents)
    summary = [f"{documents:,} documents" if documents > 1 else _root(shape)]
    summary += [note] if note else []
    if before:
        first = decode(source.read_at(0, 400)).split("\n", 1)[0]
        summary.append(f"{counted(before, 'line')} before it: {clip(first)}")
    if not note and end < source.size:
        after = source.read_at(end, min(4096, source.size - end)).strip()
        if after:
            names = None
            summary.append(f"other text after it, from byte {end:,}: {clip(decode(after), 120)}")
    if shape.deep:
        summary.append("some values too large or too deep to look into")
    structure = _structure(shape, documents)
    if items:
        structure[1:1] = items.told()
    beside = _beside(scan, before)
    return Synopsis("json", form, tuple(summary), tuple(structure), beside, columns=names)


def _names(shape: Shape, items: Items | None, documents: int) -> tuple[str, ...]:
    """The names by which each of several records holds its values."""
    records = items if documents > 1 else shape.arrays.get("") if shape.root == "array" else None
    return records.names() if records else ()


def _root(shape: Shape) -> str:
    if shape.root == "array":
        return f"array of {counted(shape.length or 0, 'item')}"
    return f"object of {counted(shape.key_count, 'key')}"


def _structure(shape: Shape, documents: int) -> list[str]:
    lines = []
    if documents > 1:
        lines.append(f"the first is an {_root(shape)}")
    maps = {path: items for path, items in shape.maps.items() if items.alike()}
    if shape.keys:
        keys = (f"{clip(key, 60)} {told}" for key, told in list(shape.keys.items())[:10])
        lines.append(f"keys ({shape.key_count:,}): {listed(keys, shape.key_count, 290, 90)}")
    for path, source in shape.examples:
        if not _below(path, maps):
            lines.append(f"{clip(path, 80)}: {clip(source, 120)}")
    for path, items in _largest({p: i for p, i in maps.items() if not _below(p, maps)}):
        name = clip(path, 80) or "values"
        lines.append(f"{name}: map of {counted(items.count, 'key')} to objects")
        lines += items.told()
    for path, items in _largest({p: i for p, i in shape.arrays.items() if not _below(p, maps)}):
        if items.count:
            name = clip(path, 80) or "items"
            lines.append(f"{name}: {counted(items.count, 'item')}")
            lines += items.told()
    return lines


def _below(path: str, maps: dict[str, Items]) -> bool:
    """Whether the values of a map hold the path: they are told of together."""
    return any(path != above and (not above or path.startswith(above + ".")) for above in maps)


def _largest(found: dict[str, Items]) -> list[tuple[str, Items]]:
    return sorted(found.items(), key=lambda item: -item[1].count)[:_SHOWN_ARRAYS]


def _beside(scan: Scan, before: int) -> tuple[NotableLine, ...]:
    """Words in values are data; only lines before the document are messages."""
    return tuple(line for line in scan.notable if line.number <= before)
