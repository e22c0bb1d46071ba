"""The thin reference that a memory keeps of an artifact: what it is and where, never its content.

Made of the record and of the first block: a summary costs no more for a larger artifact.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import islice
from typing import Any

from stubcli.errors import UsageError
from stubcli.store.artifact import Artifact
from stubcli.store.records import COMPLETE, Record, Run
from stubcli.text.characters import clip, decode, iter_graphemes
from stubcli.text.display import amount, last_frame, neutralise

# A summary that was made of a whole first line broke this limit at 185 characters of it, and
# with it the writing of every minified JSON: here the line gets what room is left.
SUMMARY = 240
_TOOL = 60
_LOOKED_AT = 4096
_LINES = 1000
_NOT_BLANK = re.compile(r"\S")


@dataclass(frozen=True)
class MemorySource:
    """Where a remembered thing came from; captured_at is ISO 8601 in UTC."""

    source_id: str
    source_type: str
    title: str
    captured_at: str


@dataclass(frozen=True)
class MemoryReference:
    """What a memory keeps: summary (at most 240 characters, one line), path, full SHA-256."""

    summary: str
    path: str
    content_sha256: str
    source_tool: str | None
    source: MemorySource

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> "MemoryReference":
        """What `to_dict` gave, or what a publisher is given. Raises UsageError."""
        try:
            values = {each.name: document[each.name] for each in fields(cls)}
            return cls(**{**values, "source": MemorySource(**values["source"])})
        except (KeyError, TypeError) as error:
            raise UsageError(f"not a memory reference: {error}") from None


def memory_of(artifact: Artifact) -> MemoryReference:
    """The reference of an open artifact, whose first block is verified for it."""
    head = artifact.block(0) if artifact.size else b""
    return memory_reference(artifact.record, artifact.path, head, artifact.run)


def memory_reference(
    record: Record, path: str, head: bytes, run: Run | None = None
) -> MemoryReference:
    """The reference of a content; head: its verified beginning, which ends where it ends.

    run: the one that is remembered, else the first. Where all of `head` is blank the summary has
    the counts alone.
    """
    run = run or record.run
    tool = run.origin.tool
    name = f"{_shorten(tool, _TOOL)} output" if tool and tool.strip() else "output"
    return MemoryReference(
        summary=_summary(name, record, run, head),
        path=path,
        content_sha256=record.sha256,
        source_tool=tool,
        source=MemorySource(
            source_id=str(record.reference),
            source_type="artifact",
            title=f"{name} {record.reference.file}",
            captured_at=run.finished,
        ),
    )


def _summary(name: str, record: Record, run: Run, head: bytes) -> str:
    lines, characters = amount(record.lines, "line"), amount(record.characters, "character")
    state = "" if run.state == COMPLETE else f" ({run.state})"
    counts = f"{name}: {lines}, {characters}{state}"
    begin = "; starts with: "
    first = next(_visible_lines(decode(head)), "")
    shown = _shorten(first, SUMMARY - len(counts) - len(begin))
    return f"{counts}{begin}{shown}" if shown else counts


def _visible_lines(text: str) -> Iterator[str]:
    """What a terminal shows of each line that is not blank; of a long one, of its beginning."""
    for line in islice(_lines(text), _LINES):
        if visible := last_frame(line).strip():
            yield visible


def _lines(text: str) -> Iterator[str]:
    place = 0
    while found := _NOT_BLANK.search(text, place):
        begin = found.start()
        end = text.find("\n", begin)
        place = len(text) if end < 0 else end
        yield text[begin : min(place, begin + _LOOKED_AT)]


def _shorten(text: str, room: int) -> str:
    """`text` in one line, safe to show, cut at a grapheme's end; white space is one blank."""
    words = " ".join(clip(text, _LOOKED_AT).split())
    shown = neutralise(words)
    if len(shown) <= room:
        return shown
    kept, length = [], 0
    for cluster in iter_graphemes(words):
        piece = neutralise(cluster)
        if length + len(piece) > room - 1:
            break
        kept.append(piece)
        length += len(piece)
    return "".join(kept).rstrip() + "…"
