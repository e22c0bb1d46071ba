"""Reads a stream as JSON: what decides whether it is.

A first line that is a whole value means lines; a value that spans lines means a document, however
many of its lines would parse alone.
"""

from stubcli.detect.fields.facts import ItemsFacts
from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.json import lines
from stubcli.detect.json.claim import opening
from stubcli.detect.json.facts import CONCATENATED, DOCUMENT, Aside, Example, JsonFacts
from stubcli.detect.json.halves import halves
from stubcli.detect.json.reader import DOCUMENTS, Broken, Reader, TooMuch
from stubcli.detect.json.record import is_record
from stubcli.detect.json.shape import JsonShape
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan, Value
from stubcli.detect.reading import hinted
from stubcli.detect.words import clip
from stubcli.text.characters import decode

_SHOWN_ARRAYS = 3
_SHOWN_KEYS = 60
_AFTER = 4096


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> JsonFacts | None:
    offset, before = opening(sample.head)
    line = sample.head[offset:].split(b"\n", 1)[0].strip()
    if is_record(decode(line)):
        found = lines.read(source, scan)
        if found is not None:
            return found
    return _values(sample, source, scan, offset, before)


class _Reading(Value):
    """How far the values go: `end` after the last complete one, `reached` after all JSON."""

    shape: JsonShape
    items: RecordGroup
    documents: int
    end: int
    reached: int
    broken: int | None = None
    cut_off: bool = False
    looked_at: int | None = None


def _values(
    sample: Sample, source: ByteSource, scan: Scan, offset: int, before: int
) -> JsonFacts | None:
    found = _read_values(source, offset)
    if not _holds(sample, source, found, offset):
        return None
    return _facts(source, scan, found, offset, before)


def _read_values(source: ByteSource, offset: int) -> _Reading:
    reader = Reader(source, offset)
    shape, items, documents = JsonShape(), RecordGroup("document"), 0
    end = reader.mark()
    broken, looked_at = None, None
    try:
        if reader.peek() in ("{", "["):
            _first(source, offset, items)
            shape.read(reader)
            documents, end = 1, reader.mark()
        while reader.peek() in ("{", "["):
            documents += _next(reader, items)
            end = reader.mark()
        reached = reader.offset
    except TooMuch:
        looked_at = reader.offset
        reached = source.size
    except Broken as error:
        broken = error
        reached = error.offset
    return _Reading(
        shape,
        items,
        documents,
        end(),
        reached,
        broken.offset if broken else None,
        bool(broken and broken.ended),
        looked_at,
    )


def _first(source: ByteSource, offset: int, items: RecordGroup) -> None:
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


def _next(reader: Reader, items: RecordGroup) -> int:
    """One document more, or after the bound as many as are at hand."""
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


def _holds(sample: Sample, source: ByteSource, found: _Reading, offset: int) -> bool:
    """Most of the stream is JSON, and it is more than a bracket that a log line opens with."""
    shape, whole = found.shape, found.broken is None and found.looked_at is None
    if not shape.root or (not found.documents and whole):
        return False
    if not found.documents and not shape.key_count and not shape.length and not shape.deep:
        return False
    most = 0.1 if hinted(sample, "json") else 0.5
    return found.reached - offset >= most * source.size


def _facts(source: ByteSource, scan: Scan, found: _Reading, offset: int, before: int) -> JsonFacts:
    shape, items, several = found.shape, found.items, found.documents > 1
    items.count += several and not items.count
    records = items if several and items.objects else None
    maps = {path: one for path, one in shape.maps.items() if one.alike()}
    broken = found.broken is not None or found.looked_at is not None
    count, line = halves(source)
    return JsonFacts(
        kind="json",
        form=CONCATENATED if several else DOCUMENT,
        notable=_beside(scan, before),
        size=source.size,
        documents=found.documents,
        root=shape.root,
        length=(shape.length or 0) if shape.root == "array" else shape.key_count,
        start=offset,
        end=found.end,
        before=_before(source, offset, before),
        after=None if broken else _after(source, found.reached),
        broken=found.broken,
        cut_off=found.cut_off,
        looked_at=found.looked_at,
        deep=shape.deep,
        keys=tuple(list(shape.keys.values())[:_SHOWN_KEYS]),
        examples=tuple(
            Example(clip(path), clip(text))
            for path, text in shape.examples
            if not _below(path, maps)
        ),
        records=records.facts() if records else None,
        maps=_largest({path: one for path, one in maps.items() if not _below(path, maps)}),
        arrays=_largest({p: one for p, one in shape.arrays.items() if not _below(p, maps)}),
        names=_names(shape, records, several),
        halves=count,
        halves_line=line,
        undecodable=scan.invalid,
    )


def _before(source: ByteSource, offset: int, lines_before: int) -> Aside | None:
    if not lines_before:
        return None
    return Aside(lines_before, 1, 0, clip(decode(source.read_at(0, 400)).split("\n", 1)[0]))


def _after(source: ByteSource, end: int) -> Aside | None:
    """What stands after the last value, where it is more than space."""
    text = decode(source.read_at(end, min(_AFTER, source.size - end)))
    if not text.strip():
        return None
    return Aside(None, None, end, clip(text.strip()))


def _names(shape: JsonShape, records: RecordGroup | None, several: bool) -> tuple[str, ...]:
    """The names by which each of several records holds its values."""
    found = records if several else shape.arrays.get("") if shape.root == "array" else None
    return found.names() if found else ()


def _below(path: str, maps: dict[str, RecordGroup]) -> bool:
    """Whether the values of a map hold the path: they are described together."""
    return any(path != above and (not above or path.startswith(above + ".")) for above in maps)


def _largest(found: dict[str, RecordGroup]) -> tuple[ItemsFacts, ...]:
    ranked = sorted(found.items(), key=lambda item: -item[1].count)[:_SHOWN_ARRAYS]
    return tuple(items.facts(path) for path, items in ranked)


def _beside(scan: Scan, before: int) -> tuple[NotableLine, ...]:
    """Words in values are data; only lines before the document are messages."""
    return tuple(line for line in scan.notable if line.number <= before)
