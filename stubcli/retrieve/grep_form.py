"""Lines that match as grep prints them: name, number, text; the matches may be marked."""

from collections.abc import Callable

from stubcli.retrieve.context import Line
from stubcli.retrieve.hits import Row
from stubcli.retrieve.search import Hit
from stubcli.store.artifact import Artifact
from stubcli.text.characters import decode
from stubcli.text.display import amount, one_line

NAME, NUMBER, MARK, MATCH = "name", "number", "mark", "match"
# Marks a text as one of these, for who reads it on a terminal.
Paint = Callable[[str, str], str]


class GrepForm:
    """See `hits.LineForm`. named: each line begins with its artifact; offsets: behind the number
    stands the byte offset of the text; separate: only matches, each on a line of its own."""

    def __init__(
        self, *, named: bool, offsets: bool, separate: bool = False, paint: Paint | None = None
    ) -> None:
        self.separate = separate
        self._named = named
        self._offsets = offsets
        self._paint = paint

    def opening(self, _artifact: Artifact) -> str:
        return ""

    def match(self, artifact: Artifact, row: Row) -> str:
        first = row.hits[0]
        if self.separate and not first.length:
            return ""
        offset = 0
        if self._offsets:
            offset = first.offset if self.separate else row.begin(artifact)
        lead = self._lead(artifact, row.line, offset, ":")
        return lead + (self._only(first) if self.separate else self._text(row))

    def context(self, artifact: Artifact, line: Line) -> str:
        if self.separate:
            return ""
        return self._lead(artifact, line.number, line.offset, "-") + one_line(line.text)

    def apart(self) -> str:
        return self._painted(MARK, "--")

    def _painted(self, kind: str, text: str) -> str:
        return self._paint(kind, text) if self._paint and text else text

    def _lead(self, artifact: Artifact, line: int, offset: int, mark: str) -> str:
        name = artifact.record.reference.short if self._named else ""
        named = self._painted(NAME, name) + self._painted(MARK, ":" if name else "")
        numbers = (str(line), str(offset)) if self._offsets else (str(line),)
        between = self._painted(MARK, mark)
        return named + "".join(self._painted(NUMBER, number) + between for number in numbers)

    def _only(self, hit: Hit) -> str:
        start, end = span(hit, hit)
        return self._painted(MATCH, one_line(decode(hit.text[start:end])))

    def _text(self, row: Row) -> str:
        hit = row.hits[0]
        left = f"[{amount(hit.before, 'byte')}] …" if hit.before else ""
        after = f" [{amount(hit.after, 'byte')}]" if hit.after else ""
        right = f"…{after}" if hit.after != 0 else ""
        return left + self._marked(row) + right

    def _marked(self, row: Row) -> str:
        text = row.hits[0].text
        if not self._paint:
            return one_line(decode(text))
        parts, place = [], 0
        for hit in row.hits:
            start, end = span(row.hits[0], hit)
            parts.append(one_line(decode(text[place:start])))
            parts.append(self._painted(MATCH, one_line(decode(text[start:end]))))
            place = end
        return "".join((*parts, one_line(decode(text[place:]))))


def span(first: Hit, hit: Hit) -> tuple[int, int]:
    """Where the match stands in the text of `first`, as far as it does."""
    start = hit.column - first.before
    return start, min(start + hit.length, len(first.text))
