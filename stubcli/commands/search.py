"""`stub search`: matches in artifacts on stdout, exact totals and the next command on stderr."""

from collections.abc import Iterator
from contextlib import closing

from stubcli.commands.answer import emit_json, emit_text, json_text, on_terminal, say, tracked
from stubcli.commands.place import open_artifact, opened, reading, sessions_of
from stubcli.descriptors import STDERR
from stubcli.errors import NOTHING_FOUND, OK, IntegrityError, MissingError, StubError, UsageError
from stubcli.retrieve.asked import LONG_PATTERN, Search
from stubcli.retrieve.hits import JsonPage, TextPage
from stubcli.retrieve.pattern import Pattern, compile_pattern
from stubcli.retrieve.search import Part
from stubcli.retrieve.search import search as find
from stubcli.retrieve.session import artifacts_of, blocks_of
from stubcli.settings.load import Settings
from stubcli.settings.table import CHARACTERS, TOKENS
from stubcli.store.artifact import Artifact

# A page, whatever is asked for, is below the threshold: `stub search … | stub` changes nothing.
_ROOM, _LEAST = 18_000, 2_500
# What stands around the rows of a JSON answer, at most.
_FRAME = 300


@reading
def search(settings: Settings, asked: Search) -> int:
    """Print matches: line number, byte offset, the line around them. 0 where any, else 1.

    What can be searched is, whatever is damaged or missing beside it; the status then says that.
    """
    if asked.everywhere and asked.references:
        raise UsageError("--all-sessions goes with no REF")
    if asked.count and asked.names_only:
        raise UsageError("--count goes with no --files-with-matches")
    compiled = compile_pattern(
        asked.pattern, literal=asked.literal, ignore_case=asked.ignore_case, word=asked.word
    )
    source = _Source(settings, asked)
    answer = (_Listing if asked.listing else _Matches)(settings, asked)
    for _ in tracked(_work(source, compiled, answer), "searching", source.blocks()):
        pass
    answer.finish(source.named)
    return source.status or (OK if answer.matches else NOTHING_FOUND)


def _work(source: "_Source", compiled: Pattern, answer: "_Answer") -> Iterator[None]:
    """Search everything; one step for each block."""
    for artifact in source.artifacts():
        with artifact:
            try:
                with closing(find(artifact, compiled, answer.wanted())) as parts:
                    for part in parts:
                        answer.take(artifact, part)
                        yield
                        if answer.enough():
                            break
                answer.close(artifact)
            except IntegrityError as error:
                source.failed(error)
            answer.end()


class _Source:
    """The artifacts to search. status: OK, or that of what could not be searched."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        self._settings = settings
        self._asked = asked
        self.status = OK
        self.named: list[str] = []
        # The only one that is named: without it there is no search.
        single = len(asked.references) == 1
        self._single = open_artifact(settings, asked.references[0]) if single else None

    def failed(self, error: StubError) -> None:
        """One cannot be searched, or not to its end: the others are."""
        say(str(error))
        # What was collected in this moment is no failure, unless it was named.
        if self._asked.references or not isinstance(error, MissingError):
            self.status = max(self.status, error.status)

    def artifacts(self) -> Iterator[Artifact]:
        """Each of them, open."""
        if not self._asked.references:
            for name in sessions_of(self._settings, everywhere=self._asked.everywhere):
                yield from self._of_session(name)
        for typed in self._asked.references:
            try:
                artifact = self._single or open_artifact(self._settings, typed)
            except StubError as error:
                self.failed(error)
                continue
            self.named.append(artifact.record.reference.short)
            yield artifact

    def _of_session(self, name: str) -> Iterator[Artifact]:
        try:
            with opened(self._settings, name) as session:
                yield from artifacts_of(session, self.failed)
        except StubError as error:
            if not self._asked.everywhere:
                raise
            self.failed(error)

    def blocks(self) -> int | None:
        """About how many steps the work has; None where nobody watches, or nobody knows."""
        if self._single:
            return len(self._single.record.checkpoints) + 1
        if self._asked.references or self._asked.everywhere or not on_terminal(STDERR):
            return None
        with opened(self._settings, sessions_of(self._settings, everywhere=False)[0]) as session:
            return blocks_of(session)


class _Answer:
    """The totals, and a page of what was asked for."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        self._settings = settings
        self._asked = asked
        self.matches = self.lines = self.artifacts = 0
        self._here = Part(0, 0, ())
        limit = settings.threshold.amount * (4 if settings.threshold.unit == TOKENS else 1)
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

    def wanted(self) -> range:
        """The numbers, in the next artifact, of the matches that are to be shown."""
        return range(0)

    def take(self, artifact: Artifact, part: Part) -> None:
        """One more part of it."""
        self.matches += part.matches
        self.lines += part.lines
        self._here = Part(self._here.matches + part.matches, self._here.lines + part.lines, ())

    def enough(self) -> bool:
        """Whether the rest of it is of no interest."""
        return False

    def close(self, artifact: Artifact) -> None:
        """All of it was searched."""

    def end(self) -> None:
        """The next artifact follows."""
        self.artifacts += self._here.matches > 0
        self._here = Part(0, 0, ())

    def finish(self, named: list[str]) -> None:
        """Say the totals."""
        raise NotImplementedError

    def _total(self) -> str:
        """The totals in words."""
        line = _number(self.matches, "match", "matches")
        if self.lines != self.matches:
            line += f" on {_number(self.lines, 'line', 'lines')}"
        if len(self._asked.references) != 1:
            line += f" in {_number(self.artifacts, 'artifact', 'artifacts')}"
        return line

    def _position(self, line: str, shown: int, total: int, kind: str, named: list[str]) -> None:
        """Say the totals in `line`, what was shown of `total`, and the next command."""
        skip = self._asked.skip
        if shown < total:
            line += f", shown {kind}{skip + 1:,}-{skip + shown:,}" if shown else ", none shown"
        if shown and skip + shown < total:
            line += f"; next: {self._asked.again(self._settings, named, skip + shown)}"
        say(line)

    def _answer_json(self, shown: int, total: int, **rows: object) -> None:
        skip = self._asked.skip
        more = shown and skip + shown < total
        self._document |= {"skip": skip, "shown": shown}
        emit_json({**self._document, "next_skip": skip + shown if more else None, **rows})


class _Matches(_Answer):
    """The matches themselves."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        around = (asked.before, asked.after)
        named = len(asked.references) != 1
        self._text = TextPage(self._room, self._size, *around, named=named)
        self._json = JsonPage(self._room, self._size_of_json, *around)
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
            self._rows += self._json.add(artifact, part.hits)
        else:
            emit_text(self._text.add(artifact, part.hits))
        if self._page.shown > shown:
            artifact.mark_used()

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


class _Listing(_Answer):
    """The artifacts that have matches: their names, or how many each has."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        self._full = False
        self._rows: list[object] = []
        self._entries = 0

    def enough(self) -> bool:
        return self._asked.names_only and self._here.matches > 0

    def close(self, artifact: Artifact) -> None:
        here = self._here
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
            total = (
                self._total()
                if self._asked.count
                else _number(self._entries, "artifact", "artifacts")
            )
            kind = "artifacts " if self._asked.count else ""
            self._position(total, shown, self._entries, kind, named)
        elif self._asked.count:
            self._document |= {"total": self.matches, "lines": self.lines}
            self._answer_json(shown, self._entries, artifacts=self.artifacts, counts=self._rows)
        else:
            self._answer_json(shown, self._entries, artifacts=self.artifacts, refs=self._rows)


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
