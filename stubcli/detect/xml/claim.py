"""Whether a stream opens as XML or HTML does; what decides is reading it."""

import re

from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import BOM

_OPENS = re.compile(rb"<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w:.-]*[\s/>])", re.IGNORECASE)
_CLOSES = (b"</", b"/>", b"-->", b"?>")
_HTML = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)


def claim(sample: Sample) -> KindClaim:
    start = first_byte(sample.head)
    if not _OPENS.match(sample.head, start):
        return refused("it does not open with a tag")
    xhtml = sample.head.startswith(b"<?xml", start)
    if _HTML.search(sample.head[start : start + 2048]) and not xhtml:
        return KindClaim("xml", "html", "an html element or doctype", 0.97)
    if xhtml and sample.tail.rstrip().endswith(b">"):
        return KindClaim("xml", "document", "opens and ends with a tag", 0.98, sure=True)
    if not _goes_on(sample):
        return refused("what it opens with is a word in angle brackets")
    return KindClaim("xml", "document", "opens with a tag", 0.95)


# It looks at few bytes.
quick = claim


def _goes_on(sample: Sample) -> bool:
    """Whether something is closed, or most lines open something, too."""
    if any(mark in piece for piece in (sample.head, sample.tail) for mark in _CLOSES):
        return True
    lines = [line.lstrip() for line in sample.head.split(b"\n") if line.strip()]
    return 2 * sum(bool(_OPENS.match(line)) for line in lines) >= len(lines)


def first_byte(head: bytes) -> int:
    """Where something stands that is neither a BOM nor space."""
    at = len(BOM) if head.startswith(BOM) else 0
    return len(head) - len(head[at:].lstrip())
