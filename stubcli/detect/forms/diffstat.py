"""What git diff --stat writes: files, and those that changed most."""

import re

from stubcli.detect.brief import clip, counted, limited
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source
from stubcli.text.decode import decode

NAME = "diffstat"
_LIMIT = 16 * 1024 * 1024
_STAT = re.compile(rb" (\S.{0,300}?)\s+\|\s+(?:(\d{1,9})(?: [-+]+)?|Bin .*)\s*$")
_CHANGED = re.compile(rb" \S.{0,300}?\s+\|\s+\d{1,9} [-+]+\s*$")
_LARGEST = 8


def holds(lines: list[bytes]) -> bool:
    changed = sum(1 for line in lines if b"|" in line and _CHANGED.match(line[:600]))
    return changed >= 3 and changed >= 0.7 * len(lines)


def describe(source: Source, scan: Scan) -> Described:
    files = binary = 0
    largest: list[tuple[int, int, str]] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        stat = _STAT.match(line[:600]) if b"|" in line else None
        if stat is None:
            continue
        files += 1
        binary += stat[2] is None
        if stat[2] is not None:
            largest = sorted([*largest, (-int(stat[2]), number, decode(stat[1]))])[:_LARGEST]
    told = [counted(files, "file") + (f", {binary:,} binary" if binary else "")]
    told += [f"  {clip(name, 120)} {-lines:,}" for lines, _, name in largest]
    return Described(told + list(limited(seen, source.size)))
