"""JSON lines: records a line each, between them perhaps lines that are none.

After a bound the records are no longer looked into; they and their keys are counted.
"""

from collections.abc import Iterator
from typing import Any

from stubcli.detect.fields.items import RecordGroup
from stubcli.detect.fields.tree import Tree
from stubcli.detect.json.facts import LINES, Aside, JsonFacts
from stubcli.detect.json.halves import halves
from stubcli.detect.json.record import decoder, is_record, record_text
from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import BOM, InMemory, blocks
from stubcli.detect.reading import lines as lines_of
from stubcli.detect.words import clip
from stubcli.text.characters import decode

DETAILED = 16 * 1024 * 1024
_DETAILED_RECORDS = 150_000


class _Records:
    def __init__(self) -> None:
        self.items = RecordGroup("line", Tree())
        self.lines = self.other = self.first_other = 0
        self.first_words = self.first = ""
        self.framed = False

    def text(self, line: str) -> str:
        """The record that the line may hold."""
        text = record_text(line)
        self.framed = self.framed or (len(text) < len(line) and text != line.strip())
        return text

    def another(self, number: int, text: str) -> None:
        self.other += 1
        if not self.first_other:
            self.first_other, self.first_words = number, text


def read(source: ByteSource, scan: Scan) -> JsonFacts | None:
    """Records and other lines; None where these are not mostly records."""
    found = _Records()
    start = _detailed(source, found)
    items = found.items
    if items.count < 2 or items.count < found.other:
        return None
    if start < source.size:
        _counted(source, start, found)
    if items.count < found.other:
        return None
    other = None
    if found.other:
        other = Aside(found.other, found.first_other, 0, clip(found.first_words))
    count, line = _halves(source) if found.other else halves(source)
    return JsonFacts(
        kind="json",
        form=LINES,
        notable=_notable(items, scan),
        size=source.size,
        documents=items.count,
        root="object" if items.objects == items.count else "array",
        length=0,
        start=0,
        end=source.size,
        other=other,
        framed=found.framed,
        first=clip(found.first),
        records=items.facts(),
        names=items.names(),
        halves=count,
        halves_line=line,
        undecodable=scan.invalid,
    )


def _notable(items: RecordGroup, scan: Scan) -> tuple[NotableLine, ...]:
    """The lines that decide; what a record says of itself outranks the words in it."""
    grave = items.gravity.found()
    if not grave:
        return scan.notable
    from stubcli.detect.json import quoted

    said = {row for kept in grave for row in kept.rows}
    others = (line for line in scan.notable if line.number not in said)
    found = {line.number: line for line in (*others, *quoted.lines(grave))}
    return tuple(found[number] for number in sorted(found))


def _halves(source: ByteSource) -> tuple[int, int]:
    """As `halves`, but of the lines that are records alone."""
    count, first = halves(source)
    if not count:
        return 0, 0
    count = first = 0
    for number, line in enumerate(lines_of(source, source.size), 1):
        found = halves(InMemory(line))[0] if b"\\u" in line else 0
        if found and is_record(record_text(decode(line))):
            count, first = count + found, first or number
    return count, first


def _detailed(source: ByteSource, tally: _Records) -> int:
    """Look into the records of the first blocks; the offset after them."""
    scan = decoder().decode
    end = _bound(source)
    end = _line_end(source, end) if source.size > end else source.size
    waiting: tuple[Any, str, int] | None = None
    for raw in lines_of(source, end):
        tally.lines += 1
        text = tally.text(decode(raw.removeprefix(BOM) if tally.lines == 1 else raw))
        if not text:
            continue
        try:
            value = scan(text) if text[0] in "{[" else None
        except (ValueError, RecursionError):
            value = None
        if value is None:
            tally.another(tally.lines, text)
        elif not tally.first:
            # What has one line is no lines, and most documents have: only a second one tells.
            tally.first, waiting = text, (value, text, tally.lines)
        else:
            if waiting:
                tally.items.add(*waiting)
                waiting = None
            tally.items.add(value, text, tally.lines)
    return end


def _bound(source: ByteSource) -> int:
    """So many bytes as many records take that are as long as the first ones."""
    head = source.read_at(0, 1 << 20)
    return min(DETAILED, max(1, _DETAILED_RECORDS * len(head) // (head.count(b"\n") + 1)))


def _line_end(source: ByteSource, near: int) -> int:
    """Where a line begins after `near`; the end where none does within reach."""
    at = source.read_at(near, 1 << 20).find(b"\n")
    return near + at + 1 if at >= 0 else source.size


def _counted(source: ByteSource, start: int, tally: _Records) -> None:
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
            first = tally.lines + 1
            tally.items.add_later(
                found, range(first, first + len(lines)).__getitem__, records.__getitem__
            )
            tally.lines += len(lines)
        else:
            _one_by_one(lines, careful, tally)


def _one_by_one(lines: list[str], parse: Any, tally: _Records) -> None:
    found, texts, numbers = [], [], []
    for line in lines:
        tally.lines += 1
        text = tally.text(line)
        if not text:
            continue
        try:
            value = parse(text) if text[0] in "{[" else None
        except (ValueError, RecursionError):
            value = None
        if value is None:
            tally.another(tally.lines, text)
        else:
            found.append(value)
            texts.append(text)
            numbers.append(tally.lines)
    tally.items.add_later(found, numbers.__getitem__, texts.__getitem__)


def _batches(source: ByteSource, start: int) -> Iterator[list[str]]:
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
