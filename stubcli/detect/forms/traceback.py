"""Tracebacks and stack dumps: how many, and how they end."""

import re

from stubcli.detect.brief import counted, limited
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source

NAME = "traceback"
_LIMIT = 8 * 1024 * 1024
_FRAME = re.compile(
    rb"\s+File \".{1,300}\", line \d+|\s+at [\w$.<>/]+[ (]|\s+at .{1,300}:\d+|goroutine \d+ \[|"
    rb"#\d+ +0x[0-9a-f]+|\s+from .{1,200}:\d+:in |\t/\S+:\d+ \+0x"
)
_BEGIN = re.compile(rb"Traceback \(most recent|Exception in thread|panic: |Caused by: |Unhandled ")


def holds(lines: list[bytes]) -> bool:
    frames = sum(1 for line in lines if _FRAME.match(line[:400]))
    begins = sum(1 for line in lines if _BEGIN.search(line[:200]))
    return frames >= 3 and frames >= 0.25 * len(lines) and begins + frames > 3


def describe(source: Source, scan: Scan) -> Described:
    frames = begins = 0
    seen = reach(source, _LIMIT)
    for line in lines_of(source, seen):
        frames += bool(_FRAME.match(line[:400]))
        begins += bool(_BEGIN.search(line[:200]))
    told = [f"{counted(begins, 'traceback')}, {counted(frames, 'frame')}"]
    return Described(told + list(limited(seen, source.size)))
