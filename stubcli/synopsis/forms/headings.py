"""Headings of plain text and logs: groups, banners, lines that announce what is indented below.

It lists them in order where they are few; it does not know what they head.
"""

import re

from stubcli.synopsis.brief import clip, listed
from stubcli.synopsis.forms.plainlines import lines as lines_of
from stubcli.synopsis.model import Source
from stubcli.text.decode import decode

_LIMIT = 4 * 1024 * 1024
_MOST = 18
_GROUP = re.compile(rb"(?:\S+ )?(?:##\[group\]|::group::|##\[section\])(.{1,200})")
_BANNER = re.compile(
    rb"(?:={3,}|-{3,}|#{3,}|\*{3,}) ?(\w.{0,100}?\w) ?(?:={3,}|-{3,}|#{3,}|\*{3,})\s*$"
)
_ANNOUNCED = re.compile(rb"([A-Z][^:=|]{3,90}):\s*$")


def describe(source: Source) -> list[str]:
    """One line for each sort of heading that stands there."""
    groups: list[str] = []
    headings: list[str] = []
    count = found = 0
    announced: tuple[int, str] | None = None
    for number, line in enumerate(lines_of(source, _LIMIT), 1):
        if announced is not None and line[:1] in (b" ", b"\t"):
            found += 1
            headings += [f"{announced[0]:,}: {announced[1]}"] if found <= _MOST else []
        announced = None
        if b"group" in line[:80] or b"section" in line[:80]:
            group = _GROUP.match(line[:300])
            if group:
                count += 1
                groups += [clip(decode(group[1]).strip(), 40)] if count <= _MOST else []
        elif line.rstrip()[-1:] == b":" and len(line) < 100:
            match = _ANNOUNCED.match(line)
            announced = (number, decode(match[1])) if match else None
        elif line[:3] in (b"===", b"---", b"###", b"***") and len(line) < 200:
            banner = _BANNER.match(line)
            if banner:
                found += 1
                headings += [f"{number:,}: {decode(banner[1])}"] if found <= _MOST else []
    told = [f"groups ({count:,}): {listed(groups, count, 280, 40)}"] if count else []
    if 2 <= found <= _MOST:
        told.append(f"headings ({found:,}): {listed(headings, found, 290, 60)}")
    return told
