"""Records for human eyes: blocks of keys and values, as package managers, kubectl describe, ethtool
or address books write them. Blocks are counted, and the values of each key; what one block has and
the others have not is quoted with the line that names the block.
"""

from collections import Counter
from dataclasses import dataclass, field

from stubcli.detect.model import ByteSource, NotableLine, Scan
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.quantities import Quantities, quantity
from stubcli.detect.text.read import FormReading, joined
from stubcli.detect.text.record_lines import COLON, Style, heads, style_of
from stubcli.detect.text.record_lines import field as field_of
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode
from stubcli.value import Value

NAME = "records"
_LIMIT = 8 * 1024 * 1024
_SAMPLED = 2000
_KEYS = 400
_VALUES = 40
_SHOWN = 16
_PREFIXES = 30
# So few blocks among at least so many differ from the rest.
_AMONG = 8
_RARE = 2
_NOTED = 5


class KeyValues(Value):
    """A key in so many blocks. values: the most frequent first, where they are few. low, high:
    of numbers, also with units.
    """

    name: str
    blocks: int
    values: tuple[tuple[str, int], ...] = ()
    low: str | None = None
    high: str | None = None


class BlockFacts(FormFacts):
    """blocks: that begin with the key `first`, with a heading where it is empty. keys: those of
    few values or of numbers, of key_count. names: the headings that came. prefixes: of keys where
    all are one block.
    """

    VERSION = 2
    blocks: int = 0
    first: str = ""
    keys: tuple[KeyValues, ...] = ()
    key_count: int = 0
    fields: int = 0
    prefixes: tuple[tuple[str, int], ...] = ()
    prefix_count: int = 0


FACTS = BlockFacts
Line = tuple[int, str]


@dataclass
class _KeyCounts:
    blocks: int = 0
    last: int = -1
    total: int = 0
    values: Counter[bytes] | None = field(default_factory=Counter)
    first: dict[bytes, tuple[NotableLine, Line]] = field(default_factory=dict)
    quantities: Quantities = field(default_factory=Quantities)
    began: tuple[NotableLine, Line] | None = None


class _Blocks:
    def __init__(self, style: Style) -> None:
        self._style = style
        self.blocks = self.fields = 0
        self.keys: dict[bytes, _KeyCounts] = {}
        self.prefixes: Counter[bytes] = Counter()
        self._owner: Line = (0, "")
        self._headed = False

    def line(self, number: int, line: bytes) -> None:
        if self._style.first == b"" and heads(line, self._style.name):
            # Of two lines that name a record, the first begins it.
            if not self._headed:
                self.blocks += 1
                self._owner = (number, decode(line[:190]))
            self._headed = True
            return
        self._headed = False
        match = field_of(line[:300], self._style.name)
        if match is None:
            return
        key, value = match[2], match[3] or b""
        if key == self._style.first and not match[1]:
            self.blocks += 1
            self._owner = (number, decode(line[:190]))
        if not value:
            return
        self.fields += 1
        if self._style.first is None:
            self.prefixes[key.partition(b".")[0]] += 1
        known = self.keys.get(key)
        if known is None:
            if len(self.keys) >= _KEYS:
                return
            known = self.keys[key] = _KeyCounts()
        self._add(known, NotableLine(number, decode(line[:190])), value)

    def _add(self, known: _KeyCounts, quoted: NotableLine, value: bytes) -> None:
        known.began = known.began or (quoted, self._owner)
        known.blocks += known.last != self.blocks
        known.last = self.blocks
        known.total += 1
        known.quantities.add([decode(value)], [(quoted.number, quoted.text)])
        if known.values is None:
            return
        known.values[value] += 1
        if known.values[value] == 1:
            known.first[value] = (quoted, self._owner)
        if len(known.values) > _VALUES:
            known.values = None
            known.first.clear()

    def telling(self) -> list[tuple[bytes, _KeyCounts]]:
        """The keys whose values sort the blocks or are numbers, and do not name them."""
        return [(name, key) for name, key in self.keys.items() if _sorts(key) or _measures(key)]

    def rare(self) -> tuple[NotableLine, ...]:
        """What few blocks have, each with the line that names its block."""
        found: list[tuple[NotableLine, Line]] = []
        for key in self.keys.values():
            if key.began and key.blocks <= _RARE and self.blocks >= _AMONG * key.blocks:
                found.append(key.began)
            elif key.values:
                found += [key.first[value] for value in _rare(key.values)]
        shown: dict[int, NotableLine] = {}
        for quoted, (number, owner) in found[:_NOTED]:
            if number:
                shown.setdefault(number, NotableLine(number, owner))
            shown[quoted.number] = quoted
        for _, key in self.telling():
            far = key.quantities.far_off()
            if far and len(shown) < 2 * _NOTED:
                shown.setdefault(far[0], NotableLine(*far))
        return tuple(shown[number] for number in sorted(shown))


def read(source: ByteSource, scan: Scan) -> FormReading:
    head = [line.rstrip(b"\r") for line in plain_lines(source, 256 * 1024) if line.strip()]
    style = style_of(head[:_SAMPLED]) or Style(COLON, None)
    found = _Blocks(style)
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        if line.strip():
            found.line(number, line)
    telling = found.telling()
    ranked = sorted(found.prefixes.items(), key=lambda item: (-item[1], item[0]))
    facts = BlockFacts(
        seen,
        source.size,
        found.blocks,
        clip(decode(style.first or b"")),
        tuple(_key(name, key) for name, key in telling[:_SHOWN]),
        len(found.keys),
        found.fields,
        tuple((clip(decode(name), 60), times) for name, times in ranked[:_PREFIXES]),
        len(ranked),
    )
    return FormReading(facts, joined(found.rare(), scan.notable), instead=True)


def words(facts: BlockFacts) -> list[str]:
    fields = f"{facts.fields:,} values of {counted(facts.key_count, 'key')}"
    if not facts.blocks:
        said = [fields]
    elif facts.first:
        many = counted(facts.blocks, "block")
        said = [f"{many} that begin with {clip(facts.first, 40)}", fields]
    else:
        said = [f"{counted(facts.blocks, 'block')} under a line that names them", fields]
    if not facts.blocks and facts.prefix_count > 1:
        groups = (f"{name} {times:,}" for name, times in facts.prefixes)
        said.append("keys by their first part: " + listed(groups, facts.prefix_count, 290, 40))
    said += [f"  {key.name}{_in(key, facts)}: {_values(key)}" for key in facts.keys]
    return [*said, *limited(facts.seen, facts.size)]


def _in(key: KeyValues, facts: BlockFacts) -> str:
    return f" (in {key.blocks:,})" if 0 < key.blocks < facts.blocks else ""


def _values(key: KeyValues) -> str:
    values = (f"{value} {number:,}" for value, number in key.values)
    shown = listed(values, len(key.values), 150, 50) if key.values else ""
    if key.low is None:
        return shown
    span = f"{key.low}–{key.high}" if key.low != key.high else f"all {key.low}"
    return f"{span}; {shown}" if 1 < len(key.values) <= 6 else span


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


def _sorts(key: _KeyCounts) -> bool:
    return bool(key.values) and 1 < len(key.values or ()) <= key.total // 3


def _measures(key: _KeyCounts) -> bool:
    """Whether the values are numbers of some length: of codes and marks, no span says anything."""
    extreme = key.quantities.extreme() if key.total >= _AMONG else None
    return extreme is not None and quantity(extreme.low) != quantity(extreme.high)


def _rare(counter: Counter[bytes]) -> list[bytes]:
    """Values that one block has and nearly all others have not."""
    total = sum(counter.values())
    rare = [value for value, count in counter.items() if count == 1]
    return rare if total >= _AMONG and len(rare) <= _RARE and len(counter) <= 4 else []
