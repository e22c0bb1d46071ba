"""Before the model sees a turn: what is too large, alone or together, becomes a stub.

Decides; what is kept and how a stub looks is the keeper's. Sizes are in characters.
"""

from collections import defaultdict
from dataclasses import dataclass

from stubcli.messages.keeper import Keeper
from stubcli.messages.model import Change, Edit, MessageItems, Path, Report, Watch
from stubcli.messages.replay import ReplayDecision
from stubcli.messages.survey import Text, TextSurvey, text_at
from stubcli.text.display import amount

SINGLE, TURN, REPLAYED = "single_threshold", "turn_budget", "replayed"
_VERB = "offload"
# Where a text stands: its item, and its path in that.
Place = tuple[int, Path]


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
    items: MessageItems, found: TextSurvey, name: str, budget: Budget, keeper: Keeper, watch: Watch
) -> tuple[list[Edit], Report]:
    """The edits, and what they are. The decisions are remembered before they are returned.

    found: a survey of results alone. watch is given the turns, each of which may take a while.
    """
    work = _Offloading(items, keeper)
    texts = found.texts
    turns: defaultdict[int, list[Text]] = defaultdict(list)
    for text in texts:
        work.recall(text)
        turns[text.turn].append(text)
    over = []
    for turn, members in watch(list(turns.items()), _octets):
        for text in members:
            if work.is_open(text) and keeper.takes(text) and keeper.exceeds(text):
                work.replace(text, SINGLE, None)
        if (left := work.fit(members, budget)) > budget.turn:
            over.append(f"turn {turn}: {amount(left, 'character')} of {budget.turn:,}")
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


def _octets(turn: tuple[int, list[Text]]) -> int:
    return sum(text.octets for text in turn[1])


class _Offloading:
    """What is decided in this run.

    A decision is remembered by what the text is and not by where it stands. So all texts of one
    key share it here, too: decided each by its own turn, one of two equal texts would be replaced
    now and the other one in the next run.
    """

    def __init__(self, items: MessageItems, keeper: Keeper) -> None:
        self._items = items
        self._keeper = keeper
        self.edits: list[Edit] = []
        self.changes: list[Change] = []
        self.failures: list[str] = []
        self._decisions: dict[str, ReplayDecision] = {}
        # The texts that no earlier run decided on, by key; the key of each by its place; and how
        # long each text is now.
        self._fresh: dict[str, list[Text]] = {}
        self._keys: dict[Place, str] = {}
        self._sizes: dict[Place, int] = {}

    def recall(self, text: Text) -> None:
        """Repeat what was decided before. What is our own stays; the rest is to be decided."""
        self._sizes[_place(text)] = text.size
        key = text.key(_VERB)
        if decision := self._keeper.decided(key):
            self._apply(text, decision, REPLAYED)
        elif not self._keeper.own(text):
            self._keys[_place(text)] = key
            self._fresh.setdefault(key, []).append(text)

    def is_open(self, text: Text) -> bool:
        """Whether it is to be decided, and was not replaced yet."""
        key = self._keys.get(_place(text))
        return key in self._fresh and key not in self._decisions

    def _apply(self, text: Text, decision: ReplayDecision, reason: str) -> None:
        if decision.text is None or len(decision.text) >= text.size:
            return
        size = len(decision.text)
        self.edits.append(Edit(text.index, text.path, decision.text))
        self._sizes[_place(text)] = size
        self.changes.append(
            Change(text.index, text.tool, text.call_id, reason, decision.ref, text.size, size)
        )

    def replace(self, text: Text, reason: str, preview: int | None) -> None:
        """Put a stub in the place of an open text and of those that are equal to it.

        None where none is shorter, or where the store does not take the text.
        """
        key = self._keys[_place(text)]
        content = text_at(self._items[text.index], text.path)
        kept = self._keeper.stub(text, content, reason, preview)
        if isinstance(kept, str):
            self.failures.append(kept)
            # Not remembered as seen: it is tried again the next time.
            del self._fresh[key]
            return
        self._decisions[key] = kept
        for equal in self._fresh[key]:
            self._apply(equal, kept, reason)

    def fit(self, members: list[Text], budget: Budget) -> int:
        """Take the largest of a turn until its results fit together; what they have in the end."""
        total = sum(self._sizes[_place(text)] for text in members)
        candidates = [text for text in members if self._may_go(text, budget.floor)]
        largest = sorted(candidates, key=lambda text: (-text.size, text.index))
        if total > budget.turn:
            count = self._count(largest, total - budget.turn, budget)
            for text in largest[:count]:
                if self.is_open(text):
                    self.replace(text, TURN, budget.share(count))
        return sum(self._sizes[_place(text)] for text in members)

    def _may_go(self, text: Text, floor: int) -> bool:
        return self.is_open(text) and text.size >= floor and self._keeper.takes(text)

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
        seen = {key: self._decisions.get(key, ReplayDecision(None)) for key in self._fresh}
        self._keeper.note(seen)


def _place(text: Text) -> Place:
    return text.index, text.path
