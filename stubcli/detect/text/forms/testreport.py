"""Output of test runners: how often each result word stands. The outcome is quoted elsewhere."""

from collections import Counter

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.read import FormReading
from stubcli.detect.text.tool_signs import RESULT as RESULT
from stubcli.detect.words import limited

NAME = "test-report"
ALIKE = True
_LIMIT = 8 * 1024 * 1024


class ReportFacts(FormFacts):
    """results: each result word with its lines, the most frequent first."""

    results: tuple[tuple[str, int], ...] = ()


FACTS = ReportFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    # A failure stands once where it ran and again in the summary: by where the word stands.
    places: list[Counter[str]] = [Counter(), Counter(), Counter()]
    seen = reach(source, _LIMIT)
    for line in plain_lines(source, seen):
        found = RESULT.match(line[:400])
        if found and found.lastindex:
            word = found[found.lastindex].decode("utf-8", "replace")
            places[found.lastindex - 1][word] += 1
    times = {word: max(place[word] for place in places) for place in places for word in place}
    ranked = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return FormReading(ReportFacts(seen, source.size, tuple(ranked)))


def words(facts: ReportFacts) -> list[str]:
    said = []
    if facts.results:
        said.append(
            "lines by result word: " + ", ".join(f"{word} {n:,}" for word, n in facts.results)
        )
    return [*said, *limited(facts.seen, facts.size)]
