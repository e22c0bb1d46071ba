"""The records of a group that say something grave of themselves, by what they say.

Memory is bounded: so many kinds of message are kept, the first record of each.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from stubcli.detect.fields import severity
from stubcli.detect.fields.facts import Grave
from stubcli.detect.fields.rows import Row, place_of
from stubcli.detect.words import clip

if TYPE_CHECKING:
    from stubcli.detect.fields.telling import Leaf

_KINDS = 24
_SHOWN = 6
# What a third of the records say is usual.
_USUAL = 3
_MESSAGES = ("msg", "message", "event", "@m", "@mt", "text", "MESSAGE", "title")
# How longer names of it end.
_ENDS = ("error", "message", "reason")
_SAME = 100
_SOURCE = 4000
_LEAVES = 9
_ROWS = 50
_TEXT = 160


def _message(record: dict[str, Any]) -> str:
    """What the record says in words, by what the member is called."""
    for name in _MESSAGES:
        if isinstance(text := record.get(name), str):
            return text
    said = (text for key, text in record.items() if key.lower().endswith(_ENDS))
    return next((text for text in said if isinstance(text, str)), "")


def _numberless(text: str) -> str:
    return " ".join([word for word in text.split() if not any(map(str.isdigit, word))])


class GraveKind:
    """Records that say the same: how many, the first of them, and where the first ones are."""

    __slots__ = ("count", "leaves", "rank", "row", "rows", "said", "source")

    def __init__(
        self, rank: int, said: str, row: Row, leaves: "tuple[Leaf, ...]", source: str
    ) -> None:
        self.rank, self.said, self.row = rank, said, row
        self.leaves, self.source = leaves, source
        self.count = 0
        self.rows: list[Row] = []

    def another(self, row: Row) -> None:
        self.count += 1
        if len(self.rows) < _ROWS:
            self.rows.append(row)


class Gravity:
    """`add` records; `found` are the gravest kinds of them."""

    __slots__ = ("_kinds", "_levels", "_many", "count")

    def __init__(self) -> None:
        self.count = 0
        self._levels: Counter[str] = Counter()
        self._kinds: dict[tuple[str, str], GraveKind] = {}
        # How many kinds say the same word.
        self._many: Counter[str] = Counter()

    def add(self, record: dict[str, Any], source: str, row: Row) -> None:
        self.count += 1
        rank, said = self._said(record)
        if not said:
            return
        key = (said, _numberless(_message(record)[:_SAME]))
        if key not in self._kinds and self._many[said] >= _KINDS:
            key = (said, "")
        kept = self._kinds.get(key)
        if kept is None and len(self._many) <= _KINDS:
            self._many[said] += 1
            # Most streams hold nothing grave; what tells of it is not loaded for them.
            from stubcli.detect.fields.telling import telling

            leaves = telling(record)[:_LEAVES]
            kept = self._kinds[key] = GraveKind(rank, said, row, leaves, source[:_SOURCE])
        if kept is not None:
            kept.another(row)

    def _said(self, record: dict[str, Any]) -> tuple[int, str]:
        """How grave the record is, NONE where that depends on other levels; "" for nothing."""
        level = severity.level_of(record)
        if level:
            self._levels[level] += 1
            if level.isdecimal() or severity.of_level(level, self._levels) >= severity.WARNING:
                return severity.NONE, level
        else:
            rank, word = severity.outcome_of(record)
            if rank >= severity.ERROR:
                return rank, word
        status = severity.status_of(record)
        return (severity.ERROR, status) if status else (severity.NONE, "")

    def found(self) -> list[GraveKind]:
        """The gravest first, then the rarest; nothing that is usual here."""
        kinds = list(self._kinds.values())
        for kept in kinds:
            kept.rank = kept.rank or severity.of_level(kept.said, self._levels)
        for least in (severity.ERROR, severity.FATAL):
            grave = [kept for kept in kinds if kept.rank >= least]
            if grave and _USUAL * sum(kept.count for kept in grave) <= self.count:
                more = [kept for kept in kinds if kept.rank == severity.WARNING and kept.count < 3]
                found = sorted(grave, key=lambda kept: (-kept.rank, kept.count))
                return [*found[:_SHOWN], *more[:2]]
        return []

    def facts(self) -> tuple[Grave, ...]:
        return tuple(
            Grave(
                clip(kept.said, 40),
                kept.count,
                place_of(kept.row),
                tuple((clip(path, 80), clip(text, _TEXT)) for path, text in kept.leaves),
            )
            for kept in self.found()
        )
