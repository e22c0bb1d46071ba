"""Blocks of keys and values so far: what each key holds over all blocks, and what few blocks have.

Where blocks say what they are called is found at the end: by a key that each has, each its own
value. It does not know how lines are written.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from stubcli.detect.model import NotableLine
from stubcli.detect.text.quantities import DATE, Quantities, quantity
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.value import Value

_KEYS = 400
_VALUES = 40
_SHOWN = 16
# So few blocks among at least so many differ from the rest.
_AMONG = 8
_RARE = 2
_NOTED = 6
# Of a block, so many fields may name it.
_NAMING = 24
_NAMES = re.compile(
    rb"(?i)(?:.*\b)?(?:name|subject|alias|locator|owner|host(?:name)?|device|interface|title|"
    rb"identity|label|path|address)s?$|id$|cn$|package$"
)
_ENDS = re.compile(rb"(?i)(?:.*\b)?(?:until|not after|expir\w*|valid (?:to|until)|ends?|due)\b")
_CODE = re.compile(rb"[0-9a-fA-F:. -]{8,}$")
_DIGITS = re.compile(rb"\d+")
_ENDING = 3
_OWNER = 96

# A line with its number.
Line = tuple[int, str]
Fields = dict[bytes, tuple[bytes, Line]]


class KeyValues(Value):
    """A key in so many blocks. values: the most frequent first, where they are few. low, high:
    of numbers, dates and sizes, as written.
    """

    name: str
    blocks: int
    values: tuple[tuple[str, int], ...] = ()
    low: str | None = None
    high: str | None = None


class Owned(Value):
    """A line of a block, and what the block is called."""

    line: int
    text: str
    owner: str


@dataclass
class _First:
    """Where a value came first, and the block that it is of."""

    quoted: NotableLine
    owner: Line
    fields: Fields
    blocks: int = 0
    last: int = -1


@dataclass
class _KeyCounts:
    blocks: int = 0
    last: int = -1
    total: int = 0
    values: Counter[bytes] | None = field(default_factory=Counter)
    first: dict[bytes, _First] = field(default_factory=dict)
    # The same with digits apart, where the values themselves are many.
    masked: Counter[bytes] = field(default_factory=Counter)
    first_masked: dict[bytes, _First] = field(default_factory=dict)
    quantities: Quantities = field(default_factory=Quantities)
    began: _First | None = None
    codes: int = 0
    ends: list[tuple[float, _First]] = field(default_factory=list)


class BlockCounts:
    """`begin` a block, then add its fields by `add`."""

    def __init__(self) -> None:
        self.blocks = self.fields = 0
        self.keys: dict[bytes, _KeyCounts] = {}
        self.prefixes: Counter[bytes] = Counter()
        self.owner: Line = (0, "")
        self._own: Fields = {}

    def begin(self, number: int, line: bytes) -> None:
        self.blocks += 1
        self.owner = (number, decode(line[:190]))
        self._own = {}

    def add(self, number: int, line: bytes, key: bytes, value: bytes) -> None:
        self.fields += 1
        known = self.keys.get(key)
        if known is None:
            if len(self.keys) >= _KEYS:
                return
            known = self.keys[key] = _KeyCounts()
        quoted = NotableLine(number, decode(line[:190]))
        if len(self._own) < _NAMING:
            self._own.setdefault(key, (value, (number, quoted.text)))
        self._count(known, key, value, _First(quoted, self.owner, self._own))

    def _count(self, known: _KeyCounts, key: bytes, value: bytes, found: _First) -> None:
        known.began = known.began or found
        known.blocks += known.last != self.blocks
        known.last = self.blocks
        known.total += 1
        known.codes += _CODE.match(value) is not None
        shown = decode(value)
        known.quantities.add([shown], [(found.quoted.number, found.quoted.text)])
        if _ENDS.match(key):
            self._ends(known, shown, found)
        if len(known.masked) <= _VALUES:
            masked = _DIGITS.sub(b"0", value)
            known.masked[masked] += 1
            known.first_masked.setdefault(masked, found)
        if known.values is None:
            return
        known.values[value] += 1
        first = known.first.setdefault(value, found)
        first.blocks += first.last != self.blocks
        first.last = self.blocks
        if len(known.values) > _VALUES:
            known.values = None
            known.first.clear()

    def _ends(self, known: _KeyCounts, value: str, found: _First) -> None:
        """Keep the earliest."""
        measure = quantity(value)
        if measure is None or measure[1] != DATE:
            return
        known.ends.append((measure[0], found))
        if len(known.ends) > 8 * _ENDING:
            known.ends = sorted(known.ends, key=lambda one: one[0])[:_ENDING]

    def telling(self) -> list[tuple[bytes, _KeyCounts]]:
        """The keys whose values sort the blocks or are numbers, and do not name them."""
        return [(name, key) for name, key in self.keys.items() if _sorts(key) or _measures(key)]

    def facts(self) -> tuple[KeyValues, ...]:
        return tuple(_key(name, key) for name, key in self.telling()[:_SHOWN])

    def endings(self) -> tuple[Owned, ...]:
        """What ends first, of the keys that tell when blocks end."""
        found: list[Owned] = []
        name = self._naming()
        for key in self.keys.values():
            if key.blocks < _AMONG or len(key.ends) < _ENDING or found:
                continue
            ranked = sorted(key.ends, key=lambda one: one[0])[:_ENDING]
            found += [_told(one, name) for _, one in ranked]
        return tuple(found)

    def rarities(self) -> tuple[Owned, ...]:
        """What few blocks have, each with what its block is called."""
        name = self._naming()
        return tuple(_told(one, name) for one in self._noted())

    def rare(self) -> tuple[NotableLine, ...]:
        """What few blocks have, each with the line that names its block."""
        name = self._naming()
        shown: dict[int, NotableLine] = {}
        for one in self._noted():
            number, owner = _named(one, name)
            if number:
                shown.setdefault(number, NotableLine(number, owner))
            shown[one.quoted.number] = one.quoted
        for _, key in self.telling():
            far = key.quantities.far_off()
            if far and len(shown) < 2 * _NOTED:
                shown.setdefault(far[0], NotableLine(*far))
        return tuple(shown[number] for number in sorted(shown))

    def _noted(self) -> list[_First]:
        """Of what is rare, the first of each block before the rest of any."""
        blocks: dict[int, list[_First]] = {}
        for one in self._rare():
            blocks.setdefault(one.owner[0], []).append(one)
        in_turn = chain.from_iterable(zip_longest(*blocks.values()))
        return [one for one in in_turn if one is not None][:_NOTED]

    def _rare(self) -> Iterator[_First]:
        for key in self.keys.values():
            if key.began and key.blocks <= _RARE and self.blocks >= _AMONG * key.blocks:
                yield key.began
            elif key.values and (key.blocks if self.blocks else key.total) >= _AMONG:
                yield from _lone(key, bool(self.blocks))
            if key.blocks >= _AMONG:
                yield from _lone_form(key)

    def _naming(self) -> bytes | None:
        """The key that tells blocks apart: each has it, with a value of its own that is no code."""
        best: tuple[bool, int, bytes] | None = None
        for at, (name, key) in enumerate(self.keys.items()):
            own = key.values is None or 2 * len(key.values) > key.blocks
            each = key.blocks >= 0.9 * self.blocks and key.total <= 1.5 * key.blocks
            if not own or not each or 2 * key.codes > key.total or _measures(key):
                continue
            rank = (not _NAMES.match(name), at, name)
            best = rank if best is None else min(best, rank)
        return best[2] if best and not best[0] else None


def _middle(text: str) -> str:
    """The text, without its middle where it is long: names are told from either end."""
    return text if len(text) <= _OWNER else f"{text[: _OWNER // 3]} … {text[-_OWNER * 2 // 3 :]}"


def _told(one: _First, name: bytes | None) -> Owned:
    text = clip(one.quoted.text.strip(), 100)
    return Owned(one.quoted.number, text, _middle(_named(one, name)[1].strip()))


def _named(one: _First, name: bytes | None) -> Line:
    """The line that says what the block is called."""
    known = one.fields.get(name) if name is not None else None
    return known[1] if known else one.owner


def _lone(key: _KeyCounts, blocks: bool) -> list[_First]:
    """Values that one block has, or that came once, and nearly all others have not."""
    values = key.values or Counter()
    lone = [
        first
        for value, first in key.first.items()
        if values[value] == 1 or (blocks and first.blocks == 1)
    ]
    few = len(lone) <= _RARE and len(key.first) <= 4
    return lone if few and len(lone) < len(key.first) else []


def _lone_form(key: _KeyCounts) -> list[_First]:
    """The value that alone has its form, where values are many and differ in numbers only."""
    usual = key.masked.most_common(1)[0] if key.masked else (b"", 0)
    many = key.values is None or len(key.values) > 4
    if not many or len(key.masked) != 2 or usual[0][:1] == b"0" or usual[1] != key.total - 1:
        return []
    return [first for masked, first in key.first_masked.items() if masked != usual[0]]


def _sorts(key: _KeyCounts) -> bool:
    return bool(key.values) and 1 < len(key.values or ()) <= key.total // 3


def _measures(key: _KeyCounts) -> bool:
    """Whether the values are numbers of some length: of codes and marks, no span says anything."""
    extreme = key.quantities.extreme() if key.total >= _AMONG else None
    return extreme is not None and quantity(extreme.low) != quantity(extreme.high)


def _key(name: bytes, key: _KeyCounts) -> KeyValues:
    extreme = key.quantities.extreme()
    ranked: list[tuple[bytes, int]] = []
    if key.values and _sorts(key):
        ranked = sorted(key.values.items(), key=lambda item: (-item[1], item[0]))
    return KeyValues(
        decode(name),
        key.blocks,
        tuple((clip(decode(value)), number) for value, number in ranked),
        clip(extreme.low, 40) if extreme else None,
        clip(extreme.high, 40) if extreme else None,
    )
