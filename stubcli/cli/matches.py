"""How matches are printed: a page of them, or how many each artifact has; and the exact totals.

Knows what was found, not how it is searched for.
"""

from abc import ABC, abstractmethod

from stubcli.cli.output import emit, emit_json, emit_text, in_colour, json_text, paint, say
from stubcli.retrieve.asked import LONG_PATTERN, Search
from stubcli.retrieve.grep_form import GrepForm
from stubcli.retrieve.hits import LineForm, LinePage
from stubcli.retrieve.near import Near
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

    def _size(self, text: str) -> int:
        plain = self._settings.threshold.unit == CHARACTERS
        return len(text) if plain else len(text.encode("utf-8", "replace"))

    @abstractmethod
    def finish(self, named: list[str], near: Near | None) -> None:
        """Say the totals. named: the artifacts that were; near: what has matches instead."""

    def _total(self) -> str:
        """The totals in words."""
        line = amount(self.matches, "match", "matches")
        if not self.matches:
            size = f"{amount(self.all_lines, 'line')}, {amount(self.size, 'byte')}"
            return f"{line} in {amount(self.searched, 'artifact')} ({size})"
        if self.lines != self.matches:
            line += f" on {amount(self.lines, 'line')}"
        if len(self._asked.references) != 1:
            line += f" in {amount(self.artifacts, 'artifact')}"
        return line

    def _say_position(
        self, line: str, shown: int, total: int, named: list[str], near: Near | None, kind: str = ""
    ) -> None:
        """Say the totals in `line`, what was shown of `total`, and the next command."""
        skip = self._asked.skip
        if shown < total:
            line += f", shown {kind}{skip + 1:,}-{skip + shown:,}" if shown else ", none shown"
        if shown and skip + shown < total:
            next_ = self._again(self._asked, named, skip + shown)
            line += f"; next: {next_ or f'the same with --skip {skip + shown}'}"
        if near:
            next_ = self._again(near.asked, named)
            line += f"; {near.how} there are some" + (f"; next: {next_}" if next_ else "")
        say(line)

    def _again(self, asked: Search, named: list[str], skip: int = 0) -> str:
        again = asked.again(self._settings, named, skip)
        return again.shell(self._settings.where) if again else ""


class MatchAnswer(SearchAnswer):
    """The matches themselves, on lines as grep prints them."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        self._page = LinePage(self._room, self._size, asked.around, self._form())

    def _form(self) -> LineForm:
        return GrepForm(
            named=len(self._asked.references) != 1,
            offsets=self._asked.offsets,
            separate=self._asked.only,
            paint=paint if in_colour() else None,
        )

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
        self._emit(self._page.add(artifact, part.hits))
        if self._page.shown > shown:
            artifact.mark_used()

    def _emit(self, text: str) -> None:
        # What is data in it was made safe to show when it became a line.
        emit(text.encode("utf-8"))

    def close(self, artifact: Artifact) -> None:
        self._emit(self._page.close(artifact))

    def finish(self, named: list[str], near: Near | None) -> None:
        cut = ", context cut to fit" if self._page.cut else ""
        self._say_position(self._total() + cut, self._page.shown, self.matches, named, near)


class ArtifactAnswer(SearchAnswer):
    """The artifacts that have matches: their names, or how many lines or matches each has."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        self._full = False
        self._rows: list[object] = []
        self._entries = 0
        shown = asked.pattern[:LONG_PATTERN] + ("…" if len(asked.pattern) > LONG_PATTERN else "")
        self._document: dict[str, object] = {
            "pattern": shown.encode("utf-8", "backslashreplace").decode("utf-8")
        }
        if asked.as_json:
            self._room -= self._size_of_json(self._document) + _FRAME

    def _size_of_json(self, row: object) -> int:
        return self._size(json_text({"rows": [row]}))

    def enough(self) -> bool:
        return self._asked.names_only and self.here.matches > 0

    def close(self, artifact: Artifact) -> None:
        here = self.here
        if not here.matches and not (self._asked.counting and self._asked.references):
            return
        self._entries += 1
        if self._entries <= self._asked.skip or self._full:
            return
        ref = str(artifact.record.reference)
        counts = {"ref": ref, "matches": here.matches, "lines": here.lines}
        number = here.matches if self._asked.count_matches else here.lines
        row = counts if self._asked.counting else ref
        text = f"{ref} {number}\n" if self._asked.counting else f"{ref}\n"
        size = self._size_of_json(row) if self._asked.as_json else self._size(text)
        self._full = size > self._room
        if not self._full:
            self._room -= size
            self._rows.append(row)
            emit_text("" if self._asked.as_json else text)

    def finish(self, named: list[str], near: Near | None) -> None:
        shown = len(self._rows)
        if self._asked.as_json:
            self._finish_json(shown)
            return
        counted = self._asked.counting or not self._entries
        total = self._total() if counted else amount(self._entries, "artifact")
        kind = "artifacts " if self._asked.counting else ""
        self._say_position(total, shown, self._entries, named, near, kind)

    def _finish_json(self, shown: int) -> None:
        skip = self._asked.skip
        self._document |= (
            {"total": self.matches, "lines": self.lines} if self._asked.counting else {}
        )
        more = shown and skip + shown < self._entries
        emit_json(
            {
                **self._document,
                "skip": skip,
                "shown": shown,
                "next_skip": skip + shown if more else None,
                "artifacts": self.artifacts,
                "counts" if self._asked.counting else "refs": self._rows,
            }
        )
