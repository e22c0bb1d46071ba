"""Between a decision and the store: keep a text, give what stands in its place.

Asks the settings of each tool, and knows which texts `stub` wrote itself.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stubcli.advice import Advice
from stubcli.debug import swallowed
from stubcli.detect.reading import InMemory
from stubcli.errors import explain
from stubcli.messages.replay import Replacements, ReplayDecision
from stubcli.messages.survey import Text, to_bytes
from stubcli.reference import Reference
from stubcli.settings.load import load, session_of
from stubcli.settings.readers import BYTES, TOKENS
from stubcli.settings.table import SMALLEST_BUDGET, Settings
from stubcli.spill.in_memory import keep
from stubcli.spill.ours import OwnTexts
from stubcli.spill.stream import About, Tally
from stubcli.spill.stub import describe, render
from stubcli.store.records import COMPLETE, Origin, Record, Run
from stubcli.text.display import amount

# What a stub takes beside its ends: frames, summary, the lines that decide.
_FRAME = 1500
HISTORY = "history"
_LONGEST_ID = 1000
# A longer text that begins like a line of ours is none, and is told like any other.
_LONGEST_LINE = 2000
_CONVERSATION = Origin("messages", mime="application/json")


@dataclass(frozen=True)
class Kept:
    """What is kept: how it is named, how much it is, and the command that reads it."""

    ref: Reference
    characters: int
    lines: int
    command: str


class Keeper:
    """Keeps texts as the settings say. flags: setting name → text as typed.

    state: what was decided before. pretend: keep and remember nothing, and give what would stand
    there.
    """

    def __init__(
        self, flags: Mapping[str, str], state: Replacements, *, pretend: bool = False
    ) -> None:
        """Raises UsageError."""
        self._flags = dict(flags)
        self._state = state
        self._pretend = pretend
        self._settings: dict[str, Settings] = {}
        self.settings("")
        self._wrote = {
            _digest(one.text): one.ref for one in state.decided.values() if one.text is not None
        }
        self._own = OwnTexts(self.settings(""), self._words)

    def settings(self, tool: str) -> Settings:
        if tool not in self._settings:
            self._settings[tool] = load(self._flags, tool or None)
        return self._settings[tool]

    def takes(self, text: Text) -> bool:
        """Whether a text may be replaced: its tool is not exempt, and it is no page read back."""
        return not text.reads and not self.settings(text.tool).exempt

    def exceeds(self, text: Text) -> bool:
        """Whether it is larger than its tool's threshold."""
        threshold = self.settings(text.tool).threshold
        if threshold.unit == BYTES:
            return text.octets > threshold.amount
        if threshold.unit == TOKENS:
            return text.octets > threshold.amount * 4
        return text.size > threshold.amount

    def bound(self, tool: str, preview: int) -> int:
        """No stub with so many characters of preview is longer."""
        settings = self.settings(tool)
        shown = min(preview, settings.head + settings.tail)
        return max(SMALLEST_BUDGET, min(settings.budget, _FRAME + shown))

    def _words(self, record: Record) -> tuple[str, ...]:
        """What messages put in the place of an artifact, besides its stub."""
        return (two_lines(_kept(record, self.settings(""))),)

    def own(self, text: Text) -> str:
        """The reference that a text of `stub`'s own stands for, "" where it is none."""
        if text.sha256 in self._wrote:
            return self._wrote[text.sha256]
        return text.candidate.ref if text.candidate and self._own.find(text.candidate) else ""

    def tells(self, text: Text) -> bool:
        """Whether it is a line that stands for a longer text: there is a history behind it."""
        if text.candidate is None or text.size > _LONGEST_LINE:
            return bool(self.own(text))
        record = self._own.record(text.candidate.ref)
        runs = self._own.runs(record) if record else []
        return bool(self.own(text) or any(run.reason == HISTORY for run in runs))

    def decided(self, key: str) -> ReplayDecision | None:
        """What was decided before, where what it refers to is still there."""
        decision = self._state.get(key)
        if decision and decision.text is not None and self._own.record(decision.ref) is None:
            return None
        return decision

    def note(self, decisions: dict[str, ReplayDecision]) -> None:
        """Remember what was decided. Raises OSError."""
        if not self._pretend:
            self._state.note(decisions)

    def stub(
        self, text: Text, content: str, reason: str, preview: int | None
    ) -> ReplayDecision | str:
        """Keep a text and give its stub; no text where none is shorter; why, where it failed."""
        settings = self.settings(text.tool)
        if preview is not None:
            ends = max(1, settings.head + settings.tail)
            shown = min(preview, ends)
            settings = settings.but(
                budget=self.bound(text.tool, preview),
                head=shown * settings.head // ends,
                tail=shown * settings.tail // ends,
            )
        done = self._keep((to_bytes(content),), settings, _origin(text), reason)
        if isinstance(done, str):
            return done
        record, stub = done
        return ReplayDecision(stub, str(record.reference)) if stub else ReplayDecision(None)

    def reference(self, text: Text, content: str, reason: str) -> Kept | str:
        """Keep a text and say where; of a stub of ours, where its artifact is."""
        settings = self.settings(text.tool)
        if (ref := self.own(text)) and (record := self._own.record(ref)):
            return _kept(record, settings)
        done = self._keep((to_bytes(content),), settings, _origin(text), reason, always=True)
        return done if isinstance(done, str) else _kept(done[0], settings)

    def history(self, pieces: Iterable[bytes]) -> Kept | str:
        """Keep a whole conversation and say where."""
        settings = self.settings("")
        done = self._keep(pieces, settings, _CONVERSATION, HISTORY, always=True)
        return done if isinstance(done, str) else _kept(done[0], settings)

    def _keep(
        self,
        pieces: Iterable[bytes],
        settings: Settings,
        origin: Origin,
        reason: str,
        *,
        always: bool = False,
    ) -> tuple[Record, str | None] | str:
        try:
            if self._pretend:
                return _pretended(pieces, settings, origin, reason, always=always)
            return keep(pieces, settings, About(origin, reason=reason), always=always)
        except Exception as error:
            swallowed("keeping a text", error)
            return explain(error)


def _pretended(
    pieces: Iterable[bytes], settings: Settings, origin: Origin, reason: str, *, always: bool
) -> tuple[Record, str | None]:
    tally, data = Tally(), b""
    for piece in pieces:
        tally.add(piece)
        data = piece
    measured, scan = tally.finish()
    name = session_of(settings)
    record = measured.record(name, 0, Run(0, COMPLETE, reason, "", "", origin))
    if always:  # all that is shown of it is how much it is
        return record, None
    ends = (tally.head, tally.tail)
    facts = describe(InMemory(data), *ends, origin, scan)
    reference = record.reference
    return record, render(
        settings, measured, facts, origin, ends, reference=reference, state=COMPLETE
    )


def two_lines(kept: Kept) -> str:
    """What stands in the place of a result that was reclaimed."""
    size = f"{amount(kept.characters, 'character')}, {amount(kept.lines, 'line')}"
    return f"[stub {kept.ref}] {size}, kept\nRead them with: {kept.command}"


def _kept(record: Record, settings: Settings) -> Kept:
    command = Advice("read", record.reference.short).shell(settings.where)
    return Kept(record.reference, record.characters, record.lines, command)


def _origin(text: Text) -> Origin:
    return Origin(text.tool[:_LONGEST_ID] or None, text.call_id[:_LONGEST_ID] or None)


def _digest(text: str) -> bytes:
    return hashlib.sha256(to_bytes(text)).digest()
