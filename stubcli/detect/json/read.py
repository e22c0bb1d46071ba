"""Reads a stream as JSON: what decides whether it is.

A first line that is a whole value means lines; a value that spans lines means a document, however
many of its lines would parse alone.
"""

from collections.abc import Iterator

from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.tree import Tree, blocks
from stubcli.detect.json import lines
from stubcli.detect.json.claim import opening
from stubcli.detect.json.facts import (
    CONCATENATED,
    DOCUMENT,
    Aside,
    Example,
    JsonFacts,
    KeyFacts,
    Other,
)
from stubcli.detect.json.halves import halves
from stubcli.detect.json.reader import DOCUMENTS, Broken, Reader, TooMuch
from stubcli.detect.json.record import is_record
from stubcli.detect.json.shape import JsonShape
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan
from stubcli.detect.reading import hinted
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.value import Value

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
    shape, items, documents = JsonShape(), RecordGroup("document", Tree()), 0
    end = reader.mark()
    broken, looked_at = None, None
    try:
        if reader.peek() in ("{", "["):
            shape.read(reader)
            documents, end = 1, reader.mark()
        while reader.peek() in ("{", "["):
            if documents == 1:
                _first(source, offset, items)
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
        reader.skip()
        items.count += 1
        items.unseen += 1
    else:
        items.add(*built, items.count + 1)
    return 1


def _holds(sample: Sample, source: ByteSource, found: _Reading, offset: int) -> bool:
    """Most of the stream is JSON, and it is more than a bracket that a log line opens with."""
    shape, whole = found.shape, found.broken is None and found.looked_at is None
    if not shape.root or (not found.documents and whole):
        return False
    if not found.documents and not (shape.length or shape.deep):
        return False
    most = 0.1 if hinted(sample, "json") else 0.5
    return found.reached - offset >= most * source.size


def _facts(source: ByteSource, scan: Scan, found: _Reading, offset: int, before: int) -> JsonFacts:
    shape, items, several = found.shape, found.items, found.documents > 1
    items.count += several and not items.count
    records = items if several and items.objects else None
    shown, others = blocks(shape.tree)
    broken = found.broken is not None or found.looked_at is not None
    count, line = halves(source)
    return JsonFacts(
        kind="json",
        form=CONCATENATED if several else DOCUMENT,
        notable=_beside(scan, before),
        size=source.size,
        documents=found.documents,
        root=shape.root,
        length=shape.length,
        start=offset,
        end=found.end,
        before=_before(source, offset, before),
        after=None if broken else _after(source, found.reached),
        broken=found.broken,
        cut_off=found.cut_off,
        looked_at=found.looked_at,
        deep=shape.deep,
        keys=tuple(_keys(shape)),
        examples=tuple(_examples(shape)),
        records=records.facts() if records else None,
        groups=shown,
        others=tuple(Other(clip(path), count) for path, count in others),
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
    found = records if several else shape.tree.lists.get("") if shape.root == "array" else None
    return found.names() if found else ()


def _keys(shape: JsonShape) -> Iterator[KeyFacts]:
    """The outermost keys; an array that the stream ends within has the items that are whole."""
    for key, facts in list(shape.keys.items())[:_SHOWN_KEYS]:
        group = shape.tree.lists.get(key)
        if facts.length is None and facts.type == "array" and group is not None:
            facts = facts.replace(length=group.count)
        yield facts


def _examples(shape: JsonShape) -> Iterator[Example]:
    """Values that stand outside of lists and maps, and those of the first item of a list."""
    singles = [(path, text) for path, (_, text) in shape.tree.singles.items()]
    for path, text in (*singles, *shape.examples):
        yield Example(clip(path), clip(text))


def _beside(scan: Scan, before: int) -> tuple[NotableLine, ...]:
    """Words in values are data; only lines before the document are messages."""
    return tuple(line for line in scan.notable if line.number <= before)
