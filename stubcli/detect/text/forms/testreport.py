"""Output of test runners: how often each result word stands, and what failed. The outcome is
quoted elsewhere.
"""

import re
from collections import Counter

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts, Heading
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import RESULT as RESULT
from stubcli.detect.words import clip, limited, listed
from stubcli.text.characters import decode

NAME = "test-report"
ALIKE = True
_LIMIT = 8 * 1024 * 1024
_NAMED = 40
# Fewer stand among the lines that decide.
_MANY = 6
_FAILING = frozenset(
    ("FAIL", "FAILED", "ERROR", "not ok", "--- FAIL", "✕", "✗", "✘", "Failed", "Timeout")
)
# What stands around the name of a test.
_AROUND = re.compile(r"\s*(?:\(\d.*|\[ *\d.*|\.\.\. *)?$|^\d+ (?:- )?|^(?:test )")


class ReportFacts(FormFacts):
    """results: each result word with its lines, the most frequent first. failing: the first names
    of tests that failed, with their lines, of failing_count.
    """

    VERSION = 2
    results: tuple[tuple[str, int], ...] = ()
    failing: tuple[Heading, ...] = ()
    failing_count: int = 0


FACTS = ReportFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    # A failure stands once where it ran and again in the summary: by where the word stands.
    places: list[Counter[str]] = [Counter() for _ in range(RESULT.groups)]
    failing: dict[str, int] = {}
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        found = RESULT.match(line[:400])
        if found and found.lastindex:
            word = decode(found[found.lastindex])
            places[found.lastindex - 1][word] += 1
            if word in _FAILING and len(failing) < 10 * _NAMED:
                failing.setdefault(_name(line, found), number)
    times = {word: max(place[word] for place in places) for place in places for word in place}
    ranked = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    named = tuple(Heading(number, name) for name, number in list(failing.items())[:_NAMED])
    return FormReading(ReportFacts(seen, source.size, tuple(ranked), named, len(failing)))


def _name(line: bytes, found: re.Match[bytes]) -> str:
    """The line without the word of its result, its time and its number."""
    start, end = found.span(found.lastindex or 0)
    kept = line[:start].strip(b" .*[") or line[end:400].strip(b" :.]")
    return clip(_AROUND.sub("", decode(kept)).strip(), 120)


def words(facts: ReportFacts) -> list[str]:
    said = []
    if facts.results:
        said.append(
            "lines by result word: " + ", ".join(f"{word} {n:,}" for word, n in facts.results)
        )
    if facts.failing_count > _MANY:
        names = (f"{one.line:,}: {one.text}" for one in facts.failing)
        said.append(
            f"failing ({facts.failing_count:,}): " + listed(names, facts.failing_count, 280, 90)
        )
    return [*said, *limited(facts.seen, facts.size)]
