"""XML, JUnit reports and HTML.

One root element must span most of the stream; an envelope in angle brackets does not make the
rest XML. HTML is read by its tags alone, whether or not they are closed.
"""

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.model import Claim, Sample, Scan, Source, Synopsis
from stubcli.detect.reading import BOM, blocks, hinted
from stubcli.text.decode import decode

if TYPE_CHECKING:
    from stubcli.detect.kinds.xmlread import Elements

_OPENS = re.compile(rb"<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w:.-]*[\s/>])", re.IGNORECASE)
_HTML = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)
_HTML_BYTES = 8 * 1024 * 1024
_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]{0,30})")
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,400})", re.IGNORECASE)
_HEADING = re.compile(r"<h[1-6]\b[^>]{0,300}>", re.IGNORECASE)
_HEADING_END = re.compile(r"</h[1-6]", re.IGNORECASE)
_HEADINGS = 18
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_ROW = re.compile(r"<tr\b[^>]{0,300}>", re.IGNORECASE)
_ROW_END = re.compile(r"</tr|</table|<tr\b|<td\b", re.IGNORECASE)
_HEADER = re.compile(r"<th\b[^>]{0,300}>((?:[^<]|<(?!/?th\b)){0,200})", re.IGNORECASE)
_MARKUP = re.compile(r"<[^>]{0,300}>")
_ATTRIBUTES = 8
_PATHS = 31


def detect(sample: Sample) -> Claim | None:
    start = _start(sample.head)
    if not _OPENS.match(sample.head, start):
        return None
    if _HTML.search(sample.head[start : start + 2048]) and not _xhtml(sample.head, start):
        return Claim("xml", "html", "an html element or doctype")
    return Claim("xml", "document", "opens with a tag")


def _start(head: bytes) -> int:
    at = len(BOM) if head.startswith(BOM) else 0
    return len(head) - len(head[at:].lstrip())


def _xhtml(head: bytes, start: int) -> bool:
    return head.startswith(b"<?xml", start)


def summarise(claim: Claim, sample: Sample, source: Source, scan: Scan) -> Synopsis | None:
    if claim.form == "html":
        return _html(source, scan)
    from stubcli.detect.kinds import xmlread

    start = _start(sample.head)
    found = xmlread.read(source, start)
    least = 0.1 if hinted(sample, "xml") else 0.5
    refused = found.entities or found.bounded
    if not (found.root or refused) or (not refused and found.read < least * (source.size - start)):
        return None
    if found.error and not found.closed and "token" in found.error and found.count < 2:
        return None
    form = "junit" if found.tests and found.root.startswith("testsuite") else "document"
    return Synopsis(
        "xml", form, tuple(_summary(found, source, start)), tuple(_structure(found, source, start))
    )


def _summary(found: "Elements", source: Source, start: int) -> list[str]:
    lines = []
    if found.root:
        lines.append(f"root {clip(found.root, 100)}, {counted(found.count, 'element')}")
    if found.entities:
        lines.append("a DTD declares entities: none is expanded, and what follows was not read")
    elif found.doctype:
        lines.append("has a DTD")
    if found.tests:
        results = [
            f"{counted(found.results.get('failure', 0), 'failure')}",
            f"{counted(found.results.get('error', 0), 'error')}",
            f"{found.results.get('skipped', 0):,} skipped",
        ]
        lines.append(f"{counted(found.tests, 'testcase')}, {', '.join(results)}")
    if found.error and found.closed:
        lines.append(f"more after the root element, at line {found.error_line:,}: {found.error}")
    elif found.error:
        end = start + found.read >= source.size - 4096 or "no element" in found.error
        lines.append(
            f"{'incomplete' if end else 'invalid'} at line {found.error_line:,}: {found.error}"
        )
    if found.bounded:
        lines += limited(found.read, source.size)
    return lines


def _structure(found: "Elements", source: Source, start: int) -> list[str]:
    lines = [f"failing: {clip(name)}" for name in found.failing]
    if not found.failing:
        lines += _differing(found, source, start)
    if found.attributes:
        told = [f'{name}="{clip(value, 60)}"' for name, value in found.attributes.items()]
        lines.append("root attributes: " + listed(told[:_ATTRIBUTES], len(told), 280, 100))
    ranked = sorted(found.paths.items(), key=lambda item: -item[1])[:_PATHS]
    kept = dict(ranked)
    lines += [f"{clip(path, 150)}: {kept[path]:,}" for path in found.paths if path in kept]
    return lines


def _differing(found: "Elements", source: Source, start: int) -> list[str]:
    """The elements with what few of their siblings have, as they stand in the source."""
    main = found.records.main()
    if main is None:
        return []
    path, items = main
    lines = []
    for row, _ in items.rarest():
        place = found.records.places.get((path, row))
        if place and isinstance(row, int):
            text = decode(source.read_at(start + place[0], min(place[1] - place[0], 2000)))
            text = re.sub(r">\s+<", "><", " ".join(text.split()))
            lines.append(f"differs: {clip(path, 80)} number {row:,}: {clip(text, 260)}")
    return lines


def _html(source: Source, scan: Scan) -> Synopsis:
    text = decode(b"".join(blocks(source, _HTML_BYTES)))
    body = _without(text, "script")
    tags = Counter(tag[1].lower() for tag in islice(_TAG.finditer(body), 1_000_000))
    title = _TITLE.search(text)
    headings = _headings(body)
    summary = [f"{counted(scan.lines, 'line')}, {counted(tags.total(), 'tag')}"]
    if title:
        summary.insert(0, f"title: {clip(title[1].strip())}")
    summary += limited(min(source.size, _HTML_BYTES), source.size)
    structure = _tables(body)
    if headings:
        structure.append("headings: " + listed(headings, len(headings), 290, 100))
    ranked = sorted(tags.items(), key=lambda item: (-item[1], item[0]))
    structure.append("tags: " + listed((f"{t} {n:,}" for t, n in ranked[:_PATHS]), len(ranked)))
    return Synopsis("xml", "html", tuple(summary), tuple(structure), scan.notable)


def _tables(body: str) -> list[str]:
    """How many tables and rows, and the distinct headers of their columns."""
    number = len(_TABLE.findall(body))
    if not number:
        return []
    rows = len(_ROW.findall(body))
    lines = [f"{counted(number, 'table')}, {counted(rows, 'row')}"]
    headers: dict[str, int] = {}
    for row in islice(_ROW.finditer(body), 20_000):
        text = body[row.end() : row.end() + 2000]
        end = _ROW_END.search(text)
        cells = _HEADER.findall(text[: end.start()] if end else text)
        if cells:
            names = " | ".join(" ".join(_MARKUP.sub("", cell).split()) for cell in cells)
            headers[names] = headers.get(names, 0) + 1
    ranked = sorted(headers.items(), key=lambda item: -item[1])[:4]
    return lines + [f"columns of {counted(n, 'table')}: {clip(names)}" for names, n in ranked]


def _headings(body: str) -> list[str]:
    """What stands before each heading's end tag; looked for backwards, a few hundred characters."""
    found = []
    for end in islice(_HEADING_END.finditer(body), _HEADINGS):
        before = body[max(0, end.start() - 600) : end.start()]
        begins = list(_HEADING.finditer(before))
        if begins:
            found.append(" ".join(_MARKUP.sub("", before[begins[-1].end() :]).split()))
    return found


def _without(text: str, tag: str) -> str:
    """`text` without the elements whose content is another language."""
    kept: list[str] = []
    at, lower = 0, text.lower()
    while True:
        start = lower.find(f"<{tag}", at)
        if start < 0:
            return "".join([*kept, text[at:]])
        kept.append(text[at:start])
        end = lower.find(f"</{tag}", start)
        if end < 0:
            return "".join(kept)
        at = end
