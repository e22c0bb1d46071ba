"""Reads XML: one root element must span most of the stream; an envelope in angle brackets does not
make the rest XML.
"""

import re

from stubcli.detect.model import ByteSource, KindClaim, Sample, Scan
from stubcli.detect.reading import hinted
from stubcli.detect.words import clip
from stubcli.detect.xml import elements
from stubcli.detect.xml.claim import first_byte
from stubcli.detect.xml.elements import Elements
from stubcli.detect.xml.facts import DifferingElement, JunitCounts, XmlFacts
from stubcli.detect.xml.html import read_html
from stubcli.detect.xml.records import XmlPlace
from stubcli.text.characters import decode, encode

_ATTRIBUTES = 40
_PATHS = 31
_DIFFERING = 5
_QUOTED = 230
# Fields of the first group, the second …
_ROOM = (10, 6, 4)


def read(claim: KindClaim, sample: Sample, source: ByteSource, scan: Scan) -> XmlFacts | None:
    if claim.form == "html":
        return read_html(source, scan)
    start = first_byte(sample.head)
    found = elements.read(source, start)
    least = 0.1 if hinted(sample, "xml") else 0.5
    refused = found.entities or found.bounded
    if not (found.root or refused) or (not refused and found.read < least * (source.size - start)):
        return None
    if found.error and not found.closed and "token" in found.error and found.count < 2:
        return None
    return _facts(found, source, start)


def _facts(found: Elements, source: ByteSource, start: int) -> XmlFacts:
    ranked = dict(sorted(found.paths.items(), key=lambda item: -item[1])[:_PATHS])
    attributes = list(found.attributes.items())
    ends = start + found.read >= source.size - 4096 or "no element" in found.error
    return XmlFacts(
        kind="xml",
        form="junit" if found.tests and found.root.startswith("testsuite") else "document",
        size=source.size,
        root=clip(found.root),
        attributes=tuple((clip(n), clip(value)) for n, value in attributes[:_ATTRIBUTES]),
        attribute_count=len(attributes),
        elements=found.count,
        doctype=found.doctype,
        entities=found.entities,
        junit=_junit(found) if found.tests else None,
        failing=tuple(map(clip, found.failing)),
        differing=() if found.failing else _differing(found, source, start),
        groups=tuple(
            items.facts(path, room)
            for (path, items), room in zip(found.records.main(), _ROOM, strict=False)
        ),
        texts=_texts(found),
        illegal=found.characters.count,
        illegal_line=_line(source, start) + found.characters.line if found.characters.count else 0,
        paths=tuple((clip(path), found.paths[path]) for path in found.paths if path in ranked),
        error=found.error,
        error_line=found.error_line,
        closed=found.closed,
        cut_off=ends,
        looked_at=found.read if found.bounded else None,
    )


def _junit(found: Elements) -> JunitCounts:
    names = ("failure", "error", "skipped")
    failures, errors, skipped = (found.results.get(name, 0) for name in names)
    return JunitCounts(found.tests, failures, errors, skipped, found.announced)


def _texts(found: Elements) -> tuple[tuple[str, str], ...]:
    """What elements hold that come once."""
    alone = ((p, text) for p, text in found.records.texts.items() if found.paths.get(p) == 1)
    return tuple((clip(path), clip(text)) for path, text in alone)


def _differing(found: Elements, source: ByteSource, start: int) -> tuple[DifferingElement, ...]:
    """The elements with what few of their siblings have, as they stand in the source."""
    differing: list[DifferingElement] = []
    # From where to where the quoted ones reach: what makes an element differ is told once.
    known: list[tuple[int, int]] = []
    for path, items in found.records.main():
        for row, _ in items.rarest():
            place = found.records.places.get((path, row))
            if place is None or not isinstance(row, int) or len(differing) >= _DIFFERING:
                continue
            if any(place.start <= at < place.end or at <= place.start < end for at, end in known):
                continue
            first, text = _quoted(source, start, path, place)
            known.append((first, place.end))
            line = _line(source, start) + place.line
            differing.append(
                DifferingElement(clip(path), row, clip(text, _QUOTED), line, clip(place.owner, 60))
            )
    return tuple(differing)


def _quoted(source: ByteSource, start: int, path: str, place: XmlPlace) -> tuple[int, str]:
    """The element, from the outermost one around it on that leaves room for it."""
    outer = (at for at in place.outer if place.end - at <= _QUOTED)
    first = next(outer, place.start)
    tag = len(encode(path.rpartition("/")[2])) + 3
    closes = source.read_at(start + place.end, 2) == b"</"
    end = place.end + (tag if closes else 0)
    text = decode(source.read_at(start + first, min(end - first, 2000)))
    return first, re.sub(r">\s+<", "><", " ".join(text.split()))


def _line(source: ByteSource, start: int) -> int:
    """How many lines lie before the first tag."""
    return source.read_at(0, start).count(b"\n")
