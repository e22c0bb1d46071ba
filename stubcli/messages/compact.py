"""Under pressure: old results become two lines, then old words a line each; all can be read back.

Nothing is added, dropped or moved. What came after the last word of the assistant was not seen
yet and is never touched; the newest messages stay as they are, with their calls and results.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stubcli.messages.keeper import HISTORY, Keeper, Kept, two_lines
from stubcli.messages.model import ASSISTANT, SYSTEM, Change, Edit, MessageItems, Report, Watch
from stubcli.messages.replay import ReplayDecision
from stubcli.messages.survey import Text, TextSurvey, results, speeches, text_at
from stubcli.messages.tokens import estimate
from stubcli.spill.ours import REFERENCE
from stubcli.text.display import amount, one_line, one_word

RECLAIM = "reclaimed"
SMALL = 500
_SHORT = 300
_NAMED, _TOOL, _BEGINNING = 5, 80, 160
_VERB = "compact"


@dataclass(frozen=True)
class CompactLimits:
    """When to compact, and what to leave alone. keep: the newest messages."""

    messages: int
    tokens: int
    keep: int

    def over(self, messages: int, tokens: int) -> tuple[str, ...]:
        """What does not fit, in words."""
        found = []
        if messages > self.messages:
            found.append(
                f"{amount(messages, 'message')} of {self.messages:,}: none is ever dropped"
            )
        if tokens > self.tokens:
            found.append(f"about {amount(tokens, 'token')} of {self.tokens:,}")
        return tuple(found)


def fits(found: TextSurvey, window: CompactLimits) -> bool:
    """Whether there is nothing to do."""
    return not window.over(len(found.made), sum(text.tokens for text in found.texts))


def compact(
    items: MessageItems,
    found: TextSurvey,
    name: str,
    window: CompactLimits,
    keeper: Keeper,
    whole: Callable[[], Iterable[bytes]],
    watch: Watch,
) -> tuple[list[Edit], Report]:
    """The edits, and what they are; the decisions are remembered before they are returned.

    watch is given the results, each of which may be kept. whole gives the list as it is, to be
    kept before a word of it is replaced.
    """
    work = _Compaction(items, found, keeper)
    old = _old(found, window.keep)
    reclaimed = [text for text in results(found.texts) if text.index in old]
    for text in watch(reclaimed, lambda text: text.octets):
        if text.size > SMALL:
            work.reclaim(text)
    if work.tokens > window.tokens:
        said = [text for text in speeches(found.texts) if text.index in old]
        work.tell([text for text in said if text.role != SYSTEM], window.tokens, whole)
    work.remember()
    before = sum(text.size for text in found.texts)
    return work.edits, Report(
        name,
        len(items),
        before,
        before - sum(change.before - change.after for change in work.changes),
        tuple(work.changes),
        window.over(len(items), work.tokens),
        tuple(dict.fromkeys(work.failures)),
    )


def _old(found: TextSurvey, keep: int) -> frozenset[int]:
    """The items that may be replaced: seen, not among the newest, and not tied to one of them."""
    length = len(found.made)
    last = max(0, min(found.last_assistant, length - keep))
    wanted, made = set[str](), set[str]()
    for index in range(last, length):
        wanted.update(set(found.answered[index]) - made)
        made.update(found.made[index])
    old = set()
    for index in reversed(range(last)):
        # Only the nearest of that id belongs to it: agents begin again at call_0 each turn.
        if wanted.isdisjoint(found.made[index]):
            old.add(index)
        else:
            wanted.difference_update(found.made[index])
    return frozenset(old)


class _Compaction:
    def __init__(self, items: MessageItems, found: TextSurvey, keeper: Keeper) -> None:
        self._items = items
        self._keeper = keeper
        self._tools = found.tools
        self.tokens = sum(text.tokens for text in found.texts)
        self.edits: list[Edit] = []
        self.changes: list[Change] = []
        self.failures: list[str] = []
        self._decisions: dict[str, ReplayDecision] = {}

    def _text(self, text: Text) -> str:
        return text_at(self._items[text.index], text.path)

    def _put(self, text: Text, decision: ReplayDecision, reason: str) -> None:
        self._decisions[self._key(text)] = decision
        new, size = decision.text or "", len(decision.text or "")
        if size >= text.size:
            return
        self.edits.append(Edit(text.index, text.path, new))
        self.tokens += estimate(new) - text.tokens
        self.changes.append(
            Change(text.index, text.tool, text.call_id, reason, decision.ref, text.size, size)
        )

    def _key(self, text: Text) -> str:
        """The same words beside other calls get another line, which names those."""
        return text.key("\n".join((_VERB, *self._tools[text.index])))

    def _again(self, text: Text, reason: str) -> bool:
        """Whether it was replaced before, and is by the same text now."""
        key = self._key(text)
        decision = self._decisions.get(key) or self._keeper.decided(key)
        if decision is None or decision.text is None:
            return False
        self._put(text, decision, reason)
        return True

    def reclaim(self, text: Text) -> None:
        """Two lines in the place of a result: how large it was, and how to read it."""
        if self._again(text, RECLAIM):
            return
        kept = self._keeper.reference(text, self._text(text), RECLAIM)
        if isinstance(kept, str):
            self.failures.append(kept)
        else:
            self._put(text, ReplayDecision(two_lines(kept), str(kept.ref)), RECLAIM)

    def tell(self, texts: list[Text], limit: int, whole: Callable[[], Iterable[bytes]]) -> None:
        """A line in the place of each longer text, once all of it is kept."""
        long_ones = [text for text in texts if text.size > _SHORT and not self._keeper.tells(text)]
        left = [text for text in long_ones if not self._again(text, HISTORY)]
        if not left or self.tokens <= limit:
            return
        kept = self._keeper.history(whole())
        if isinstance(kept, str):
            self.failures.append(kept)
            return
        for text in left:
            self._put(text, ReplayDecision(self._line(text, kept), str(kept.ref)), HISTORY)

    def _line(self, text: Text, kept: Kept) -> str:
        content = self._text(text)
        who = "the assistant" if text.role == ASSISTANT else "the user"
        parts = [f"[stub history {kept.ref}] {who} wrote {amount(text.size, 'character')} here"]
        if tools := self._tools[text.index]:
            parts.append("called " + ", ".join(one_word(tool, _TOOL) for tool in tools[:_NAMED]))
        if refs := list(dict.fromkeys(REFERENCE.findall(content)))[:_NAMED]:
            parts.append("cited " + ", ".join(refs))
        begins = " ".join(content[:400].split())[:_BEGINNING]
        # In quotes: what a text says does not pass for what is said of it.
        parts.append(f"it begins: {json.dumps(begins, ensure_ascii=False)}")
        return one_line("; ".join(parts)) + f" … Read it with: {kept.command}"

    def remember(self) -> None:
        """The same texts get the same lines in every later run. Raises OSError."""
        self._keeper.note(self._decisions)
