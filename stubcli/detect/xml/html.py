"""Reads HTML by its tags alone, whether or not they are closed."""

import re
from collections import Counter
from itertools import islice

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import blocks
from stubcli.detect.words import clip
from stubcli.detect.xml.facts import HtmlFacts, XmlFacts
from stubcli.text.characters import decode

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
_TAGS = 31


def read_html(source: ByteSource, scan: Scan) -> XmlFacts:
    text = decode(b"".join(blocks(source, _HTML_BYTES)))
    body = _without(text, "script")
    tags = Counter(tag[1].lower() for tag in islice(_TAG.finditer(body), 1_000_000))
    title = _TITLE.search(text)
    ranked = sorted(tags.items(), key=lambda item: (-item[1], item[0]))
    tables = len(_TABLE.findall(body))
    html = HtmlFacts(
        title=clip(title[1].strip()) if title else None,
        lines=scan.lines,
        tag_count=tags.total(),
        tags=tuple(ranked[:_TAGS]),
        tag_names=len(ranked),
        tables=tables,
        rows=len(_ROW.findall(body)) if tables else 0,
        headers=_headers(body) if tables else (),
        headings=tuple(map(clip, _headings(body))),
    )
    return XmlFacts(
        kind="xml",
        form="html",
        notable=scan.notable,
        size=source.size,
        looked_at=_HTML_BYTES if source.size > _HTML_BYTES else None,
        html=html,
    )


def _headers(body: str) -> tuple[tuple[str, int], ...]:
    """The distinct headers of columns, with their tables."""
    headers: dict[str, int] = {}
    for row in islice(_ROW.finditer(body), 20_000):
        text = body[row.end() : row.end() + 2000]
        end = _ROW_END.search(text)
        cells = _HEADER.findall(text[: end.start()] if end else text)
        if cells:
            names = " | ".join(" ".join(_MARKUP.sub("", cell).split()) for cell in cells)
            headers[names] = headers.get(names, 0) + 1
    ranked = sorted(headers.items(), key=lambda item: -item[1])[:4]
    return tuple((clip(names), number) for names, number in ranked)


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
