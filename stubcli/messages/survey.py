"""The texts of a conversation, with what is known of each: whose they are, in which turn.

Keeps sizes and digests, not the texts: a conversation of 100 MB has as many as its items.
"""

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stubcli.messages.model import (
    ASSISTANT,
    CALL,
    RESULT,
    SPEECH,
    Format,
    MessageItems,
    Path,
    Piece,
)
from stubcli.messages.tokens import estimate
from stubcli.spill.ours import StubCandidate, candidate_of

# A command that is stub's own, alone or piped on: `bash -lc "cd x && stub read 7 | head"`. What
# runs beside another program prints that one's output too.
_READS = re.compile(
    r"""\s*(?:\S*sh\s+-[a-z]*c\s+)?["']?\s*(?:cd\s+[^;&|]+(?:&&|;)\s*)?(?:[A-Z_]+=\S*\s+)*"""
    r"(?:\S*/)?stub\s+(?:read|search|query|show|ls|find)\b(?:[^;&\n]|>&)*\s*",
    re.ASCII,
)
# Longer ones are scripts, and the pattern is no linear one.
_LONGEST_COMMAND = 1000
_TOOLS = re.compile(r"(?:^|[_./:-])stub_(?:read|search|query|list)$")


@dataclass(frozen=True, slots=True)
class Text:
    """One text: where it is, how long in characters (size), bytes (octets) and estimated tokens.

    turn: the results that came between two words of the assistant share one, from 1. part: its
    place among the texts of its piece. candidate: the stub that it seems to be, if any. reads: it
    is an answer of stub's own commands.
    """

    index: int
    path: Path
    size: int
    octets: int
    tokens: int
    sha256: bytes
    role: str
    kind: str
    tool: str
    call_id: str
    turn: int
    part: int
    candidate: StubCandidate | None
    reads: bool

    def key(self, verb: str) -> str:
        """What a decision of `verb` is remembered by.

        A digest: call ids repeat across agents and come from outside.
        """
        named = (verb, self.kind, self.role, self.call_id, self.tool)
        parts = (*named, str(self.part), "read back" if self.reads else "")
        whole = hashlib.sha256(self.sha256)
        for part in parts:
            data = to_bytes(part)
            whole.update(b"%d:" % len(data) + data)
        return whole.hexdigest()


@dataclass(frozen=True)
class TextSurvey:
    """All texts in order, and of each item the ids of the calls that it makes and of those that it
    answers, and the tools that it calls. last_assistant: the last item in which the assistant has
    a part, -1 for none."""

    texts: tuple[Text, ...]
    last_assistant: int
    made: tuple[tuple[str, ...], ...]
    answered: tuple[tuple[str, ...], ...]
    tools: tuple[tuple[str, ...], ...]


def to_bytes(text: str) -> bytes:
    """What is kept of a text. A lone surrogate, which JSON can write, has no UTF-8 of its own."""
    return text.encode("utf-8", "surrogatepass")


def survey(
    items: MessageItems, form: Format, *, kinds: tuple[str, ...] = (RESULT, SPEECH)
) -> TextSurvey:
    """Look at every item once, and take the texts of these kinds. Raises JsonTextError."""
    surveyor = _Surveyor(kinds)
    for index in range(len(items)):
        for piece in form.pieces(items[index]):
            surveyor.take(index, piece)
        surveyor.end_item()
    return TextSurvey(
        tuple(surveyor.texts),
        surveyor.last_assistant,
        tuple(surveyor.made),
        tuple(surveyor.answered),
        tuple(surveyor.tools),
    )


class _Surveyor:
    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds
        self.texts: list[Text] = []
        self.made: list[tuple[str, ...]] = []
        self.answered: list[tuple[str, ...]] = []
        self.tools: list[tuple[str, ...]] = []
        self.last_assistant = -1
        self._made: list[str] = []
        self._answered: list[str] = []
        self._called: list[str] = []
        # Of each call its tool, and whether it reads an artifact back.
        self._named: dict[str, tuple[str, bool]] = {}
        self._unnamed: defaultdict[str, deque[str]] = defaultdict(deque)
        self._turn = 0
        self._answering = False

    def end_item(self) -> None:
        self.made.append(tuple(self._made))
        self.answered.append(tuple(self._answered))
        self.tools.append(tuple(dict.fromkeys(self._called)))
        self._made, self._answered, self._called = [], [], []

    def take(self, index: int, piece: Piece) -> None:
        if piece.role == ASSISTANT:
            self.last_assistant = index
            self._answering = False
        call_id = piece.call_id or self._paired(piece)
        if piece.kind == CALL:
            self._made.append(call_id)
            self._named[call_id] = (piece.tool, _reads(piece))
            self._called.append(piece.tool)
            return
        if piece.kind == RESULT:
            self._answered.append(call_id)
            self._turn += not self._answering
            self._answering = True
        if piece.kind in self._kinds:
            self._add(index, piece, *self._named.get(call_id, ("", False)))

    def _paired(self, piece: Piece) -> str:
        """An id for what has none: results of a tool answer its calls in order, as in Gemini."""
        waiting = self._unnamed[piece.tool]
        if piece.kind == CALL:
            waiting.append(f"\0{len(self._named)}")
            return waiting[-1]
        return waiting.popleft() if piece.kind == RESULT and waiting else ""

    def _add(self, index: int, piece: Piece, called: str, reads: bool) -> None:
        tool = piece.tool or called
        reads = piece.kind == RESULT and (reads or bool(_TOOLS.search(tool)))
        for part, slot in enumerate(piece.slots):
            data = to_bytes(slot.text)
            self.texts.append(
                Text(
                    index=index,
                    path=slot.path,
                    size=len(slot.text),
                    octets=len(data),
                    tokens=estimate(slot.text),
                    sha256=hashlib.sha256(data).digest(),
                    role=piece.role,
                    kind=piece.kind,
                    tool=tool,
                    call_id=piece.call_id,
                    turn=self._turn if piece.kind == RESULT else 0,
                    part=part,
                    candidate=candidate_of(slot.text),
                    reads=reads,
                )
            )


def _reads(call: Piece) -> bool:
    return len(call.command) <= _LONGEST_COMMAND and bool(_READS.fullmatch(call.command))


def text_at(item: Any, path: Path) -> str:
    """The text at that place of an item."""
    for step in path:
        item = item[step]
    assert isinstance(item, str)
    return item


def results(texts: Sequence[Text]) -> list[Text]:
    return [text for text in texts if text.kind == RESULT]


def speeches(texts: Sequence[Text]) -> list[Text]:
    return [text for text in texts if text.kind == SPEECH]
