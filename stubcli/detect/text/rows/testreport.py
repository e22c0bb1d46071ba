"""Results of tests: suite, case, status, seconds.

A failure that stands where it ran and again in a summary is one row, as it is counted once.
"""

import re
from collections import Counter
from collections.abc import Iterator

from stubcli.detect.tabular import LineSource, RowTable, TableRow, columns
from stubcli.detect.text.tool_signs import RESULT
from stubcli.text.characters import decode

_LONGEST = 400
# The time that a test took: (0.01s), 0.123s, [12 ms], (3 ms).
_TOOK = re.compile(rb"[(\[ ]<? ?(\d+(?:\.\d+)?) ?(ms|s|sec|seconds|\xc2\xb5s|us)[)\]]?\s*$")
_SCALE = {b"ms": 1e-3, b"us": 1e-6, b"\xc2\xb5s": 1e-6}
# How far the tests are, and the number of one.
_PERCENT = re.compile(rb"\s*\[ *\d{1,3}%\]\s*$")
_NUMBER = re.compile(rb"^ *\d+/\d+ Test +#\d+: |^\d+ (?:- )?|^(?:test )")
_AROUND = b" .*:-\t"
# What parts a suite from its cases.
_PARTED = (b"::", b" > ", b" \xe2\x80\xba ", b"/", b".")


def rows(lines: LineSource) -> Iterator[TableRow]:
    where = _places(lines)
    names = ("suite", "case", "status", "seconds", "message")
    table = RowTable("", *columns(*names, numbers=("seconds",)))
    for number, line in lines:
        found = RESULT.match(line[:_LONGEST])
        if found and found.lastindex and where[found[found.lastindex]] == found.lastindex:
            yield TableRow(number, table, _cells(line, found, found.lastindex))
        elif line.strip():
            yield TableRow(number)


def _places(lines: LineSource) -> dict[bytes, int]:
    """Of each result word, where in its lines it stands most often."""
    times: Counter[tuple[bytes, int]] = Counter()
    for _, line in lines:
        found = RESULT.match(line[:_LONGEST])
        if found and found.lastindex:
            times[found[found.lastindex], found.lastindex] += 1
    # Of as many, the first.
    ranked = sorted(times.items(), key=lambda item: (item[1], -item[0][1]))
    return {word: place for (word, place), _ in ranked}


def _cells(line: bytes, found: re.Match[bytes], place: int) -> list[str]:
    start, end = found.span(place)
    before, behind = line[:start].strip(_AROUND + b"["), _PERCENT.sub(b"", line[end:])
    took = _TOOK.search(behind)
    seconds = str(round(float(took[1]) * _SCALE.get(took[2], 1), 9)) if took else ""
    behind = behind[: took.start() if took else None]
    status = found[place].strip(b"- ")
    if behind[:1] == b"\t":
        # A package with all its tests.
        return [decode(behind.strip()), "", decode(status), seconds]
    if before:
        name, message = before, behind.strip(_AROUND)
    else:
        name = _NUMBER.sub(b"", behind.strip(_AROUND + b"]"))
        name, _, message = name.partition(b" - ")
    suite, case = _parted(_NUMBER.sub(b"", name).strip(_AROUND))
    return [*map(decode, (suite, case, status)), seconds, decode(message)]


def _parted(name: bytes) -> tuple[bytes, bytes]:
    """The suite and the case in a name; what stands in brackets behind it parts nothing."""
    if name.endswith(b")") and b" (" in name:
        case, _, suite = name[:-1].rpartition(b" (")
        return suite.removesuffix(b"." + case), case
    plain, bracket, arguments = name.partition(b"[")
    for mark in _PARTED:
        suite, found, case = plain.rpartition(mark)
        # A sentence is no path.
        if found and (len(mark) > 1 or b" " not in plain):
            return suite, case + bracket + arguments
    return b"", name
