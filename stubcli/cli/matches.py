"""How matches are printed: a page of them, or how many each artifact has, and the exact totals.

Knows what was found, not how it is searched for.
"""

from abc import ABC, abstractmethod

from stubcli.cli.output import emit_json, emit_text, json_text, say
from stubcli.retrieve.asked import LONG_PATTERN, Search
from stubcli.retrieve.hits import Match, MatchPage, TextPage
from stubcli.retrieve.search import Part
from stubcli.retrieve.totals import Totals
from stubcli.settings.readers import CHARACTERS
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.text.display import amount

# A page, whatever is asked for, is below the threshold: `stub search … | stub` changes nothing.
_ROOM, _LEAST = 18_000, 2_500
# What frames the rows of a JSON answer takes, at most.
_FRAME = 300


class SearchAnswer(Totals, ABC):
    """The totals, and a page of what was asked for."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__()
        self._settings = settings
        self._asked = asked
        limit = settings.threshold.scaled
        self._room = max(_LEAST, min(_ROOM, limit - limit // 10))
        shown = asked.pattern[:LONG_PATTERN] + ("…" if len(asked.pattern) > LONG_PATTERN else "")
        self._document: dict[str, object] = {
            "pattern": shown.encode("utf-8", "backslashreplace").decode("utf-8")
        }
        if asked.as_json:
            self._room -= self._size_of_json(self._document) + _FRAME

    def _size(self, text: str) -> int:
        plain = self._settings.threshold.unit == CHARACTERS
        return len(text) if plain else len(text.encode("utf-8", "replace"))

    def _size_of_json(self, row: object) -> int:
        return self._size(json_text({"rows": [row]}))

    @abstractmethod
    def finish(self, named: list[str]) -> None:
        """Say the totals."""

    def _total(self) -> str:
        """The totals in words."""
        line = amount(self.matches, "match", "matches")
        if self.lines != self.matches:
            line += f" on {amount(self.lines, 'line', 'lines')}"
        if len(self._asked.references) != 1:
            line += f" in {amount(self.artifacts, 'artifact', 'artifacts')}"
        return line

    def _position(self, line: str, shown: int, total: int, kind: str, named: list[str]) -> None:
        """Say the totals in `line`, what was shown of `total`, and the next command."""
        skip = self._asked.skip
        if shown < total:
            line += f", shown {kind}{skip + 1:,}-{skip + shown:,}" if shown else ", none shown"
        if shown and skip + shown < total:
            again = self._asked.again(self._settings, named, skip + shown)
            next_ = (
                again.shell(self._settings.where)
                if again
                else f"the same with --skip {skip + shown}"
            )
            line += f"; next: {next_}"
        say(line)

    def _answer_json(self, shown: int, total: int, **rows: object) -> None:
        skip = self._asked.skip
        more = shown and skip + shown < total
        self._document |= {"skip": skip, "shown": shown}
        emit_json({**self._document, "next_skip": skip + shown if more else None, **rows})


class MatchAnswer(SearchAnswer):
    """The matches themselves."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        around = (asked.before, asked.after)
        named = len(asked.references) != 1
        self._text = TextPage(self._room, self._size, *around, named=named)
        self._json = MatchPage(self._room, self._size_of_match, *around)
        self._page = self._json if asked.as_json else self._text
        self._rows: list[dict[str, object]] = []

    def wanted(self) -> range:
        first = self._asked.skip - self.matches
        # No page holds more than one match a character.
        last = first + min(self._settings.matches, _ROOM)
        return range(0) if self._page.full else range(max(0, first), max(0, last))

    def take(self, artifact: Artifact, part: Part) -> None:
        super().take(artifact, part)
        if part.hits:
            self._show(artifact, part)

    def _show(self, artifact: Artifact, part: Part) -> None:
        """The one place where hits are printed; an artifact counts as used when one is."""
        shown = self._page.shown
        if self._asked.as_json:
            self._rows += map(self._document_of, self._json.add(artifact, part.hits))
        else:
            emit_text(self._text.add(artifact, part.hits))
        if self._page.shown > shown:
            artifact.mark_used()

    def _size_of_match(self, match: Match) -> int:
        return self._size_of_json(self._document_of(match))

    def _document_of(self, match: Match) -> dict[str, object]:
        document: dict[str, object] = {
            "ref": match.ref,
            "line": match.line,
            "offset": match.offset,
            "text": match.text,
            "before": match.bytes_before,
            "after": match.bytes_after,
        }
        if self._asked.before:
            document["lines_before"] = match.lines_before
        if self._asked.after:
            document["lines_after"] = match.lines_after
        return document

    def close(self, artifact: Artifact) -> None:
        emit_text(self._text.close(artifact))

    def finish(self, named: list[str]) -> None:
        shown = self._page.shown
        if self._asked.as_json:
            self._document |= {"total": self.matches, "lines": self.lines}
            self._document["artifacts"] = self.artifacts
            self._answer_json(shown, self.matches, hits=self._rows)
            return
        cut = ", context cut to fit" if self._page.cut else ""
        self._position(self._total() + cut, shown, self.matches, "", named)


class ArtifactAnswer(SearchAnswer):
    """The artifacts that have matches: their names, or how many each has."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        self._full = False
        self._rows: list[object] = []
        self._entries = 0

    def enough(self) -> bool:
        return self._asked.names_only and self.here.matches > 0

    def close(self, artifact: Artifact) -> None:
        here = self.here
        if not here.matches and not (self._asked.count and self._asked.references):
            return
        self._entries += 1
        if self._entries <= self._asked.skip or self._full:
            return
        ref = str(artifact.record.reference)
        counts = {"ref": ref, "matches": here.matches, "lines": here.lines}
        row = counts if self._asked.count else ref
        text = f"{ref} {here.matches}\n" if self._asked.count else f"{ref}\n"
        size = self._size_of_json(row) if self._asked.as_json else self._size(text)
        self._full = size > self._room
        if not self._full:
            self._room -= size
            self._rows.append(row)
            emit_text("" if self._asked.as_json else text)

    def finish(self, named: list[str]) -> None:
        shown = len(self._rows)
        if not self._asked.as_json:
            total = self._total() if self._asked.count else amount(self._entries, "artifact")
            kind = "artifacts " if self._asked.count else ""
            self._position(total, shown, self._entries, kind, named)
        elif self._asked.count:
            self._document |= {"total": self.matches, "lines": self.lines}
            self._answer_json(shown, self._entries, artifacts=self.artifacts, counts=self._rows)
        else:
            self._answer_json(shown, self._entries, artifacts=self.artifacts, refs=self._rows)
