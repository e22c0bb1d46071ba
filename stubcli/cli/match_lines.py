"""Matches in JSON, one object a line, in the shape of `rg --json`: begin, match, context, end and
summary. What rg has no name for stands beside its fields: where a line was cut, the byte offset of
a match in the artifact, how the page goes on.
"""

import base64
import json
import time
from typing import Any

from stubcli.cli.matches import MatchAnswer
from stubcli.cli.output import emit
from stubcli.retrieve.asked import Search
from stubcli.retrieve.context import Line
from stubcli.retrieve.grep_form import span
from stubcli.retrieve.hits import LineForm, Row
from stubcli.retrieve.near import Near
from stubcli.retrieve.search import Part
from stubcli.settings.table import Settings
from stubcli.store.artifact import Artifact
from stubcli.text.characters import encode
from stubcli.text.display import escape_json

# What `end` takes, at most, beside a name; and `summary`.
_END, _SUMMARY = 400, 600


def _event(kind: str, data: dict[str, Any]) -> str:
    """One event, without the LF at its end."""
    event = {"type": kind, "data": data}
    return escape_json(json.dumps(event, ensure_ascii=False, separators=(",", ":")))


class JsonForm:
    """See `hits.LineForm`."""

    separate = False

    def opening(self, artifact: Artifact) -> str:
        return _event("begin", {"path": _path(artifact)})

    def match(self, artifact: Artifact, row: Row) -> str:
        first = row.hits[0]
        found = []
        for hit in row.hits:
            start, end = span(first, hit)
            match = _data(first.text[start:end])
            found.append({"match": match, "start": start, "end": end, "offset": hit.offset})
        cut = {"before": first.before, "after": first.after}
        data = first.text + (b"" if cut["after"] != 0 else _end(artifact, row.line))
        event = _line(artifact, data, row.line, row.begin(artifact), found)
        return _event("match", event | ({"cut": cut} if first.before or cut["after"] != 0 else {}))

    def context(self, artifact: Artifact, line: Line) -> str:
        data = encode(line.text) + (_end(artifact, line.number) if line.whole else b"")
        return _event("context", _line(artifact, data, line.number, line.offset, []))

    def apart(self) -> str:
        return ""


def _line(
    artifact: Artifact, data: bytes, number: int, offset: int, found: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "path": _path(artifact),
        "lines": _data(data),
        "line_number": number,
        "absolute_offset": offset,
        "submatches": found,
    }


def _path(artifact: Artifact) -> dict[str, str]:
    return {"text": str(artifact.record.reference)}


def _data(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}


def _end(artifact: Artifact, number: int) -> bytes:
    """The LF of a line, which the last one may not have."""
    if number < artifact.record.lines:
        return b"\n"
    return b"\n" if artifact.read_at(artifact.size - 1, 1) == b"\n" else b""


class Stats:
    """What rg counts of a search; begun when it is made."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._printed = 0

    def printed(self, size: int) -> None:
        self._printed += size

    def elapsed(self) -> dict[str, Any]:
        nanos = int((time.monotonic() - self._started) * 1e9)
        seconds, rest = divmod(nanos, 10**9)
        return {"secs": seconds, "nanos": rest, "human": f"{nanos / 1e9:.6f}s"}

    def counted(self, part: Part, size: int, searches: int = 1, found: int = 1) -> dict[str, Any]:
        """size: bytes searched; found: searches with a match."""
        return {
            "elapsed": self.elapsed(),
            "searches": searches,
            "searches_with_match": found,
            "bytes_searched": size,
            "bytes_printed": self._printed,
            "matched_lines": part.lines,
            "matches": part.matches,
        }


class JsonAnswer(MatchAnswer):
    """The same in JSON, one event a line."""

    def __init__(self, settings: Settings, asked: Search) -> None:
        super().__init__(settings, asked)
        self._page.room -= _SUMMARY
        self._stats = Stats()
        self._current: tuple[dict[str, str], int, Stats] | None = None
        self._begun = False

    def _form(self) -> LineForm:
        return JsonForm()

    def open(self, artifact: Artifact) -> None:
        super().open(artifact)
        self._current = (_path(artifact), artifact.size, Stats())
        self._begun = False

    def _show(self, artifact: Artifact, part: Part) -> None:
        if not self._begun:
            self._page.room -= _END + self._size(str(artifact.record.reference))
        super()._show(artifact, part)

    def _emit(self, text: str) -> None:
        if text and self._current:
            self._begun = True
            self._stats.printed(len(text.encode()))
            self._current[2].printed(len(text.encode()))
        super()._emit(text)

    def end(self) -> None:
        if self._current and self._begun:
            path, size, stats = self._current
            counted = stats.counted(self.here, size)
            self._line("end", {"path": path, "binary_offset": None, "stats": counted})
        self._current = None
        super().end()

    def finish(self, named: list[str], near: Near | None) -> None:
        skip, shown = self._asked.skip, self._page.shown
        part = Part(self.matches, self.lines, ())
        stats = self._stats.counted(part, self.size, self.searched, self.artifacts)
        more = shown and skip + shown < self.matches
        page = {"skip": skip, "shown": shown, "next_skip": skip + shown if more else None}
        summary: dict[str, Any] = {
            "elapsed_total": self._stats.elapsed(),
            "stats": stats,
            "page": page,
        }
        self._line("summary", summary | ({"near": self._near(near, named)} if near else {}))

    def _near(self, near: Near, named: list[str]) -> dict[str, str]:
        return {"how": near.how, "next": self._again(near.asked, named)}

    def _line(self, kind: str, data: dict[str, Any]) -> None:
        emit(_event(kind, data).encode() + b"\n")
