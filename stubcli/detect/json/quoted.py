"""Of a record on a line, the members that tell what happened, as they stand in it."""

import re
from collections.abc import Iterable
from typing import Any

from stubcli.detect.fields.gravity import GraveKind
from stubcli.detect.fields.telling import Leaf
from stubcli.detect.json.record import decoder
from stubcli.detect.model import NotableLine
from stubcli.detect.notable import patterns
from stubcli.detect.words import ELIDED, ITEM, clip

_MEMBER = 100
_LONGEST = 150
_ROOM = 230
_RANKS = (patterns.NOTE, patterns.WARNING, patterns.ERROR, patterns.FATAL)


def lines(kept: Iterable[GraveKind]) -> list[NotableLine]:
    """The first of the lines that say so, and how many more do."""
    return [
        NotableLine(one.row, quoted(one.source, one.leaves), one.count - 1, _RANKS[one.rank])
        for one in kept
        if isinstance(one.row, int)
    ]


def quoted(source: str, leaves: tuple[Leaf, ...]) -> str:
    """The line, or what of it holds the leaves, in the order of the line."""
    if len(source) <= ITEM:
        return source
    spans: list[tuple[int, int]] = []
    room = _ROOM
    decode = decoder().decode
    for path, text in leaves:
        span = _span(source, path.rpartition(".")[2], text, decode)
        if span is None or any(begin < span[1] and span[0] < end for begin, end in spans):
            continue
        room -= span[1] - span[0] + len(ELIDED)
        if room < 0:
            room += span[1] - span[0] + len(ELIDED)
            continue
        spans.append(span)
    if not spans:
        return clip(source)
    return ELIDED.join(source[begin:end] for begin, end in sorted(spans))


def _span(source: str, key: str, text: str, decode: Any) -> tuple[int, int] | None:
    """Where the member stands; of a long value, what of it is told."""
    told = text.rpartition(ELIDED)[2]
    pattern = rf'"{re.escape(key)}"\s*:\s*("(?:[^"\\]|\\.)*"?|[^\s,"{{}}\[\]]+)'
    for found in re.finditer(pattern, source):
        raw, begin, end = found[1], found.start(), found.end()
        at = raw.find(told)
        if at >= 0:
            behind = found.start(1) + at + len(told)
            if end - begin <= _MEMBER:
                return begin, end
            return (begin if behind - begin <= _LONGEST else behind - len(told)), behind
        try:
            known = decode(raw)
        except ValueError:
            continue
        if known == text or (told and str(known).endswith(told)):
            return begin, min(end, begin + _MEMBER)
    return None
