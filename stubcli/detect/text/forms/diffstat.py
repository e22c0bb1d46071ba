"""What git diff --stat writes: files, and those that changed most."""

import re

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited
from stubcli.text.characters import decode

NAME = "diffstat"
QUOTES = True
_LIMIT = 16 * 1024 * 1024
STAT = re.compile(rb" (\S.{0,300}?)\s+\|\s+(?:(\d{1,9})(?: [-+]+)?|Bin .*)\s*$")
_LARGEST = 8


class DiffstatFacts(FormFacts):
    """largest: files with how many of their lines changed, the most first."""

    files: int = 0
    binary: int = 0
    largest: tuple[tuple[str, int], ...] = ()


FACTS = DiffstatFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    files = binary = 0
    largest: list[tuple[int, int, str]] = []
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        stat = STAT.match(line[:600]) if b"|" in line else None
        if stat is None:
            continue
        files += 1
        binary += stat[2] is None
        if stat[2] is not None:
            largest = sorted([*largest, (-int(stat[2]), number, decode(stat[1]))])[:_LARGEST]
    ranked = tuple((clip(name), -lines) for lines, _, name in largest)
    return FormReading(DiffstatFacts(seen, source.size, files, binary, ranked))


def words(facts: DiffstatFacts) -> list[str]:
    binary = f", {facts.binary:,} binary" if facts.binary else ""
    return [
        counted(facts.files, "file") + binary,
        *(f"  {clip(name, 120)} {lines:,}" for name, lines in facts.largest),
        *limited(facts.seen, facts.size),
    ]
