"""Before the model sees a turn: what is too large, alone or together, becomes a stub.

Decides; what is kept and how a stub looks is the keeper's. Sizes are in characters.
"""

from collections import defaultdict
from dataclasses import dataclass

from stubcli.messages.keeper import Keeper
from stubcli.messages.model import Change, Edit, Items, Report, Watch
from stubcli.messages.replay import Decision
from stubcli.messages.survey import Survey, Text, text_at

SINGLE, TURN, REPLAYED = "single_threshold", "turn_budget", "replayed"
_VERB = "offload"


@dataclass(frozen=True)
class Budget:
    """What a turn may hold. turn: characters of its results together; floor: no smaller one is
    taken; preview: what the ends shown share; least: what each keeps of it."""

    turn: int
    floor: int
    preview: int
    least: int

    def share(self, count: int) -> int:
        """The characters of preview for each of `count` stubs."""
        return max(self.least, self.preview // max(1, count))


def offload(
    items: Items, found: Survey, name: str, budget: Budget, keeper: Keeper, watch: Watch
) -> tuple[list[Edit], Report]:
    """The edits, and what they are. The decisions are remembered before they are returned.

    found: a survey of results alone. watch is given the turns, each of which may take a while.
    """
    work = _Work(items, keeper)
    texts = found.texts
    turns: defaultdict[int, list[Text]] = defaultdict(list)
    for text in texts:
        turns[text.turn].append(text)
    over = []
    for turn, members in watch(list(turns.items())):
        for text in members:
            if not work.replayed(text) and keeper.takes(text) and keeper.exceeds(text):
                work.replace(text, SINGLE, None)
        if (left := work.fit(members, budget)) > budget.turn:
            over.append(f"turn {turn}: {left:,} characters of {budget.turn:,}")
    work.remember()
    before = sum(text.size for text in texts)
    changes = work.changes
    return work.edits, Report(
        name,
        len(items),
        before,
        before - sum(change.before - change.after for change in changes),
        tuple(changes),
        tuple(over),
        tuple(dict.fromkeys(work.failures)),
    )


class _Work:
    def __init__(self, items: Items, keeper: Keeper) -> None:
        self._items = items
        self._keeper = keeper
        self.edits: list[Edit] = []
        self.changes: list[Change] = []
        self.failures: list[str] = []
        # Of this run, by key: the same text may stand twice in one conversation.
        self._decisions: dict[str, Decision] = {}
        # What is still to be decided, by place, with its key; and how long each text is now.
        self._fresh: dict[tuple[int, object], str] = {}
        self._sizes: dict[tuple[int, object], int] = {}

    def replayed(self, text: Text) -> bool:
        """Whether it was decided before, or is our own: then it is as it was."""
        place = (text.index, text.path)
        self._sizes[place] = text.size
        if self._keeper.own(text):
            return True
        key = text.key(_VERB)
        decision = self._keeper.decided(key)
        if decision is None:
            self._fresh[place] = key
            return False
        if decision.text is not None and len(decision.text) < text.size:
            self._apply(text, decision, REPLAYED)
        return True

    def _apply(self, text: Text, decision: Decision, reason: str) -> None:
        assert decision.text is not None
        size = len(decision.text)
        self.edits.append(Edit(text.index, text.path, decision.text))
        self._sizes[text.index, text.path] = size
        self.changes.append(
            Change(text.index, text.tool, text.call_id, reason, decision.ref, text.size, size)
        )

    def replace(self, text: Text, reason: str, preview: int | None) -> None:
        """Put a stub in its place, where one is shorter and the store takes the text."""
        key = self._fresh[text.index, text.path]
        decision = self._decisions.get(key)
        if decision is None:
            content = text_at(self._items[text.index], text.path)
            kept = self._keeper.stub(text, content, reason, preview)
            if isinstance(kept, str):
                self.failures.append(kept)
                # Not remembered as seen: it is tried again the next time.
                del self._fresh[text.index, text.path]
                return
            decision = self._decisions[key] = kept
        if decision.text is not None and len(decision.text) < text.size:
            self._apply(text, decision, reason)

    def fit(self, members: list[Text], budget: Budget) -> int:
        """Take the largest of a turn until its results fit together; what they have in the end."""
        total = sum(self._sizes[text.index, text.path] for text in members)
        candidates = [text for text in members if self._may_go(text, budget.floor)]
        largest = sorted(candidates, key=lambda text: (-text.size, text.index))
        if total > budget.turn:
            count = self._count(largest, total - budget.turn, budget)
            for text in largest[:count]:
                self.replace(text, TURN, budget.share(count))
        return sum(self._sizes[text.index, text.path] for text in members)

    def _may_go(self, text: Text, floor: int) -> bool:
        place = (text.index, text.path)
        return (
            place in self._fresh
            and text.size >= floor
            and self._sizes[place] == text.size
            and self._keeper.takes(text)
        )

    def _count(self, largest: list[Text], need: int, budget: Budget) -> int:
        """How many it takes: known before any is made, so that each is described once."""
        saved = last = 0
        for count, text in enumerate(largest, 1):
            share = budget.share(count)
            fresh = (text,) if share == last else largest[:count]
            saved = saved * (share == last) + sum(self._saving(one, share) for one in fresh)
            last = share
            if saved >= need:
                return count
        return len(largest)

    def _saving(self, text: Text, share: int) -> int:
        """What a stub saves at least: none is longer than its bound."""
        return max(0, text.size - self._keeper.bound(text.tool, share))

    def remember(self) -> None:
        """What stays was seen, and stays. Raises OSError."""
        seen = {key: self._decisions.get(key, Decision(None)) for key in self._fresh.values()}
        self._keeper.note(seen)
