"""Output of test runners: how often each result word stands. The outcome is quoted elsewhere."""

import re
from collections import Counter

from stubcli.detect.brief import limited
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import Scan, Source

NAME = "test-report"
_LIMIT = 8 * 1024 * 1024
RESULT = re.compile(
    rb"^(?:\s*(PASS|FAIL|ok|not ok|--- (?:PASS|FAIL|SKIP)|"
    rb"\xe2\x9c[\x93\x94\x95\x98\x97]|\xe2\x88\x9a)[:\s]\s*\S"
    rb"|(?:\S+::\S.*|test \S+ \.\.\.|.{1,200} \.\.\.) "
    rb"(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|ok|FAIL|skipped|ignored)\b"
    rb"|(?:(PASSED|FAILED|ERROR|SKIPPED) \S+::))"
)
_DOTS = re.compile(rb"\S+\.py [.FEsxX]+(?:\s+\[ *\d+%\])?$|[.FEsxX]{20,}(?:\s+\[ *\d+%\])?$")
_BANNER = re.compile(
    rb"=+ test session starts|^running \d+ tests?$|^=== RUN|^TAP version|^Ran \d+ test"
)


def holds(lines: list[bytes]) -> bool:
    if not lines:
        return False
    results = sum(1 for line in lines if RESULT.match(line[:400]) or _DOTS.match(line[:400]))
    banner = any(_BANNER.match(line) for line in lines)
    return results >= 3 and results > (0.02 if banner else 0.3) * len(lines)


def describe(source: Source, scan: Scan) -> Described:
    # A failure stands once where it ran and again in the summary: by where the word stands.
    places: list[Counter[str]] = [Counter(), Counter(), Counter()]
    seen = reach(source, _LIMIT)
    for line in lines_of(source, seen):
        found = RESULT.match(line[:400])
        if found and found.lastindex:
            word = found[found.lastindex].decode("utf-8", "replace")
            places[found.lastindex - 1][word] += 1
    words = {word: max(place[word] for place in places) for place in places for word in place}
    ranked = sorted(words.items(), key=lambda item: (-item[1], item[0]))
    told = ["lines by result word: " + ", ".join(f"{word} {n:,}" for word, n in ranked)]
    return Described((told if ranked else []) + list(limited(seen, source.size)))
