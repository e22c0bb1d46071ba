"""Whether a stream may be JSON: a suspicion only, as what decides is reading it.

One of the first lines opens an object or an array; lines before it are warnings of the tool that
wrote it.
"""

import re

from stubcli.detect.model import KindClaim, Sample, refused
from stubcli.detect.reading import BOM

# More lines than these before the first value are a log.
_LINES_BEFORE = 20
# A record separator (RFC 7464) is space between values.
_SPACE = b" \t\r\n\x1e"
# What follows the bracket: a key or the end of an object; a value or the end of an array.
_BEGINS = re.compile(
    rb"\{\s*(?:\"|\}|$)|\[\s*(?:[\"{[\]]|(?:-?\d[\d.eE+-]*|true|false|null|NaN)\s*[,\]]|$)"
)


def claim(sample: Sample) -> KindClaim:
    offset, before = opening(sample.head)
    if offset < 0:
        return refused("none of the first lines opens an object or an array")
    evidence = f"a value begins at byte {offset}, {before} lines before it"
    separated = sample.head[offset : offset + 1] == b"\x1e"
    plain = _BEGINS.match(sample.head, offset + separated)
    closes = sample.tail.rstrip()[-1:] in (b"}", b"]")
    if plain and closes and not before:
        return KindClaim("json", "", f"{evidence}, and the last one ends", 0.98, sure=True)
    # Behind more than a line of words, a program may well open a bracket.
    return KindClaim("json", "", evidence, (0.95 if before < 2 else 0.9) if plain else 0.6)


# It looks at few bytes.
quick = claim


def opening(head: bytes) -> tuple[int, int]:
    """Where the first line begins that opens an object or array, and the lines before it."""
    offset = len(BOM) if head.startswith(BOM) else 0
    for before in range(_LINES_BEFORE + 1):
        end = head.find(b"\n", offset)
        line = head[offset : len(head) if end < 0 else end].lstrip(_SPACE)
        while line == b"" and end >= 0:
            offset, end = end + 1, head.find(b"\n", end + 1)
            line = head[offset : len(head) if end < 0 else end].lstrip(_SPACE)
        if line[:1] in (b"{", b"["):
            return offset, before
        if end < 0:
            break
        offset = end + 1
    return -1, 0
