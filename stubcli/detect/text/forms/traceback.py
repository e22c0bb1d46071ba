"""Tracebacks and stack dumps: how many, and how they end."""

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import FRAME, TRACED
from stubcli.detect.words import counted, limited

NAME = "traceback"
ALIKE = True
_LIMIT = 8 * 1024 * 1024


class TracebackFacts(FormFacts):
    tracebacks: int = 0
    frames: int = 0


FACTS = TracebackFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    frames = begins = 0
    seen = reach(source, _LIMIT)
    for line in plain_lines(source, seen):
        frames += bool(FRAME.match(line[:400]))
        begins += bool(TRACED.search(line[:200]))
    return FormReading(TracebackFacts(seen, source.size, begins, frames))


def words(facts: TracebackFacts) -> list[str]:
    said = f"{counted(facts.tracebacks, 'traceback')}, {counted(facts.frames, 'frame')}"
    return [said, *limited(facts.seen, facts.size)]
