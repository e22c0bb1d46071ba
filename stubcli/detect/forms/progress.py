"""Progress displays: lines redrawn by CR, or percentages line after line."""

import re

from stubcli.detect.brief import counted
from stubcli.detect.forms.described import Described
from stubcli.detect.model import Scan, Source

NAME = "progress"
_PERCENT = re.compile(rb"(?:^|[\s\[(])\d{1,3}(?:\.\d+)?%")


def holds(lines: list[bytes]) -> bool:
    if not lines:
        return False
    redrawn = sum(line.count(b"\r") for line in lines)
    percent = sum(1 for line in lines if _PERCENT.search(line[:300]))
    return redrawn > 2 * len(lines) or (len(lines) > 5 and percent > 0.6 * len(lines))


def describe(source: Source, scan: Scan) -> Described:
    return Described([counted(scan.returns, "redrawn line")] if scan.returns else [])
