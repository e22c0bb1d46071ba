"""Headings of a text: banners, lines that announce the indented ones below, groups of a build."""

import re

from stubcli.detect.reading import Beginning
from stubcli.detect.text.facts import Heading, Headings
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.text.display import looks_own

_MOST = 18
# Of all lines, more are no headings.
_SHARE = 0.1
_GROUP = re.compile(rb"(?:\S+ )?(?:##\[group\]|::group::|##\[section\])(.{1,200})")
_BANNER = re.compile(
    rb"(?:={3,}|-{3,}|#{3,}|\*{3,}) ?(\w.{0,100}?\w) ?(?:={3,}|-{3,}|#{3,}|\*{3,})\s*$"
)
_ANNOUNCED = re.compile(rb"([A-Z][^:=|]{3,90}):\s*$")
_RULES = frozenset((b"===", b"---", b"###", b"***"))
# A colon at the end may be followed by spaces.
_ENDS = frozenset((b":", b" ", b"\t", b"\r", b"\x0b", b"\x0c"))


def find(begun: Beginning) -> Headings:
    """The groups, and the headings where they are few."""
    groups: list[str] = []
    headings: list[Heading] = []
    count = found = 0
    for at in _candidates(begun.lines):
        line = begun.lines[at]
        if b"group" in line[:80] or b"section" in line[:80]:
            group = _GROUP.match(line[:300])
            if group:
                count += 1
                groups += [clip(decode(group[1]).strip(), 40)] if count <= _MOST else []
            continue
        above = begun.lines[at - 1] if at else b""
        heading = _heading(line, above, begun.lines[at + 1] if at + 1 < len(begun.lines) else b"")
        if heading:
            found += 1
            headings += [Heading(at + 1, decode(heading))] if found <= _MOST else []
    few = 2 <= found <= max(_MOST, _SHARE * len(begun.lines))
    return Headings(tuple(groups), count, tuple(headings) if few else (), found if few else 0)


def _candidates(lines: list[bytes]) -> list[int]:
    """Where lines stand that may be headings, by tests that cost next to nothing."""
    return [
        at
        for at, line in enumerate(lines)
        if line[-1:] in _ENDS
        or line[:3] in _RULES
        or line.isupper()
        or b"group" in line
        or b"section" in line
    ]


def _heading(line: bytes, above: bytes, below: bytes) -> bytes:
    """What a banner names, a line that announces the indented one `below` it, one in capitals.

    A copied frame of a stub is a banner of nothing.
    """
    if looks_own(decode(line[:200])):
        return b""
    if line.isupper() and not above.strip():
        named = b" " in line.strip() or line.strip().isalpha()
        return line.strip() if named and 3 < len(line) < 80 else b""
    if line.rstrip()[-1:] == b":" and len(line) < 100:
        match = _ANNOUNCED.match(line) if below[:1] in (b" ", b"\t") else None
    else:
        match = _BANNER.match(line) if line[:3] in _RULES and len(line) < 200 else None
    return match[1] if match else b""
