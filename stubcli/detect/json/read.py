"""Reads a stream as JSON: what decides whether it is.

A first line that is a whole value means lines; a value that spans lines means a document, however
many of its lines would parse alone.
"""

from collections.abc import Callable, Iterator
from functools import partial

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
from stubcli.detect.json.record import OPENS, is_record, record_text
from stubcli.detect.json.shape import JsonShape
from stubcli.detect.model import ByteSource, KindClaim, NotableLine, Sample, Scan
from stubcli.detect.reading import blocks as blocks_of
from stubcli.detect.reading import hinted
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.value import Value

_SHOWN_KEYS = 60
_AFTER = 4096
_BEGINNING = 4096


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> JsonFacts | None:
    offset, before = opening(sample.head)
    line = record_text(decode(sample.head[offset:].split(b"\n", 1)[0]))
    by_line = lines.read(source, scan) if is_record(line) else None
    if by_line is not None:
        return by_line
    values = _values(sample, source, scan, offset, before)
    if line or (values and (values.broken is None or values.cut_off)):
        return values
    # An array that is broken somewhere, whose items may have a line each.
    by_line = lines.read(source, scan)
    return by_line if by_line and by_line.documents > (values.length if values else 0) else values


class _Reading(Value):
    """How far the values go: `end` after the last complete one, `reached` after all JSON.

    other: what stands between documents; passed: its characters.
    """

    shape: JsonShape
    items: RecordGroup
    documents: int
    end: int
    reached: int
    broken: int | None = None
    cut_off: bool = False
    looked_at: int | None = None
    other: Aside | None = None
    passed: int = 0


class _Gaps:
    """Text between documents; it counts once another document follows."""

    def __init__(self, start: int) -> None:
        self.lines = self.characters = 0
        self.first: tuple[Callable[[], int], str] | None = None
        self._start = start
        self._waiting = 0, 0
        self._waiting_first: tuple[Callable[[], int], str] | None = None

    def pass_over(self, reader: Reader) -> bool:
        """Go on at the next line that opens a value; whether there is one."""
        place, lines, characters = reader.mark(), 0, 0
        text = reader.text[reader.at : reader.at + _BEGINNING]
        while not self._too_much(reader, characters):
            found = OPENS.search(reader.text, reader.at)
            # A line end that is the last character may be followed by a bracket.
            last = found.end() if found else len(reader.text) - (reader.text[-1:] == "\n")
            last = max(reader.at, last)
            lines += reader.text.count("\n", reader.at, last)
            characters += last - reader.at
            reader.at = last
            if found:
                self._waiting = self._waiting[0] + lines, self._waiting[1] + characters
                self._waiting_first = self._waiting_first or (place, text)
                return True
            if not reader.more():
                return False
        return False

    def _too_much(self, reader: Reader, more: int) -> bool:
        """Whether more than half of what was read is no JSON."""
        passed = self.characters + self._waiting[1] + more
        return passed > _BEGINNING and 2 * passed > reader.base + reader.at - self._start

    def close(self) -> None:
        """A document follows."""
        self.lines += self._waiting[0]
        self.characters += self._waiting[1]
        self.first = self.first or self._waiting_first
        self._waiting, self._waiting_first = (0, 0), None

    def aside(self, source: ByteSource) -> Aside | None:
        if not self.first:
            return None
        place, text = self.first
        offset = place()
        line = sum(block.count(b"\n") for block in blocks_of(source, offset)) + 1
        return Aside(self.lines, line, offset, clip(" ".join(text.split())))


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
    broken, looked_at, gaps = None, None, _Gaps(offset)
    again: Callable[[], None] | None = partial(_first, source, offset, items)
    try:
        if reader.peek() in ("{", "["):
            shape.read(reader)
            documents, end = 1, reader.mark()
        while documents and reader.peek():
            more = _next(reader, items, again) if reader.peek() in ("{", "[") else 0
            if more:
                gaps.close()
                documents, end = documents + more, reader.mark()
                again = None
            elif not gaps.pass_over(reader):
                break
        reached = end() if documents else reader.offset
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
        gaps.aside(source),
        gaps.characters,
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


def _next(reader: Reader, items: RecordGroup, again: Callable[[], None] | None) -> int:
    """One document more, or after the bound as many as are at hand; 0 where it is none.

    again: what comes before the second of them.
    """
    if again:
        again()
    if reader.counting:
        later = reader.several(DOCUMENTS)
        if later:
            first = items.count + 1
            items.add_later(later, range(first, first + len(later)).__getitem__, reader.nth)
            return len(later)
    base, start = reader.base, reader.at
    built = reader.value()
    if built is None:
        reader.skip()
        if reader.base == base and not is_record(reader.text[start : reader.at]):
            reader.at = start
            return 0
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
    return found.reached - offset - found.passed >= most * source.size


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
        other=found.other,
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
    space = len(text) - len(text.lstrip())
    return Aside(None, None, end + space, clip(" ".join(text.split())))


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
