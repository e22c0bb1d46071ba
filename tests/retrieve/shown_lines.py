"""The lines that a page prints whole, and those of them that a search does not find there."""

import re

from stubcli.retrieve.pattern import compile_pattern
from stubcli.retrieve.search import search
from stubcli.store.artifact import Artifact
from tests.render.reading import parse

# Of a line that is cut, and of data that is shown escaped.
_NOT_ITSELF = re.compile(r"… \(\+[\d,]+ characters\)$|…$| … |\\x[0-9a-f]{2}|\\n|<U\+[0-9A-F]{4}>")


def shown_lines(page: str) -> set[tuple[int, str]]:
    """Number and text of every notable line and every line of head and tail, but for those."""
    parsed = parse(page)
    found = {(row.line, row.text) for row in parsed.notable}
    for frame in (parsed.head, parsed.tail):
        if frame is None or frame.last - frame.first + 1 != len(frame.rows):
            continue
        rows = list(enumerate(frame.rows, frame.first))
        if frame.cut:
            rows = rows[:-1] if frame is parsed.head else rows[1:]
        found.update(rows)
    return {(number, text) for number, text in found if text and not _NOT_ITSELF.search(text)}


def not_found(artifact: Artifact, page: str) -> list[tuple[int, str]]:
    """Those of them that a literal search does not find at that number."""
    return [
        (number, text)
        for number, text in sorted(shown_lines(page))
        if number not in lines_with(artifact, text)
    ]


def lines_with(artifact: Artifact, text: str) -> set[int]:
    pattern = compile_pattern(text, literal=True, ignore_case=False, word=False)
    data = artifact.read_at(0, artifact.size)
    found, line, place = set(), 1, 0
    for part in search(artifact, pattern, range(1 << 40)):
        for hit in part.hits:
            line += data.count(b"\n", place, hit.offset)
            place = hit.offset
            found.add(line)
    return found
