"""Records for human eyes: lines of "Key: value" that repeat from block to block, as kubectl
describe, apt show or rpm -qi write them. Blocks are counted, and the values of each key where
they are few.
"""

from collections import Counter

from stubcli.detect.model import ByteSource, NotableLine, Scan, Value
from stubcli.detect.reading import plain_lines, reach
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import FIELD
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, counted, limited, listed
from stubcli.text.characters import decode

NAME = "records"
_LIMIT = 8 * 1024 * 1024
_KEYS = 400
_VALUES = 40
_SHOWN = 14


class KeyValues(Value):
    """A key and its values with their numbers, the most frequent first."""

    name: str
    values: tuple[tuple[str, int], ...]


class BlockFacts(FormFacts):
    """blocks: that begin with the key `first`. keys: those of few values."""

    blocks: int = 0
    first: str = ""
    keys: tuple[KeyValues, ...] = ()


FACTS = BlockFacts


class _Blocks:
    def __init__(self) -> None:
        self.first = b""
        self.blocks = 0
        self._values: dict[bytes, Counter[bytes] | None] = {}
        self._lone: dict[tuple[bytes, bytes], NotableLine] = {}

    def line(self, number: int, line: bytes) -> None:
        match = FIELD.match(line[:300])
        if match is None or not match[3]:
            return
        key, value = match[2], match[3]
        self.first = self.first or key
        self.blocks += key == self.first and not match[1]
        if key not in self._values and len(self._values) < _KEYS:
            self._values[key] = Counter()
        counter = self._values.get(key)
        if counter is None:
            return
        counter[value] += 1
        if counter[value] == 1:
            self._lone[key, value] = NotableLine(number, decode(line[:199]))
        if len(counter) > _VALUES:
            self._values[key] = None

    def few(self) -> dict[bytes, Counter[bytes]]:
        """The keys whose values sort the records, and do not name them."""
        return {
            key: counter
            for key, counter in self._values.items()
            if counter and 1 < len(counter) <= sum(counter.values()) // 3
        }

    def rare(self) -> tuple[NotableLine, ...]:
        rare = [self._lone[key, one] for key, found in self.few().items() for one in _rare(found)]
        return tuple(sorted(rare, key=lambda line: line.number)[:6])


def read(source: ByteSource, scan: Scan) -> FormReading:
    found = _Blocks()
    seen = reach(source, _LIMIT)
    for number, line in enumerate(plain_lines(source, seen), 1):
        found.line(number, line)
    keys = tuple(_key(key, counter) for key, counter in list(found.few().items())[:_SHOWN])
    facts = BlockFacts(seen, source.size, found.blocks, clip(decode(found.first)), keys)
    return FormReading(facts, found.rare())


def words(facts: BlockFacts) -> list[str]:
    said = [f"{counted(facts.blocks, 'block')} that begin with {clip(facts.first, 40)}"]
    for key in facts.keys:
        values = (f"{value} {number:,}" for value, number in key.values)
        said.append(f"  {key.name}: {listed(values, len(key.values), 150, 50)}")
    return [*said, *limited(facts.seen, facts.size)]


def _key(key: bytes, counter: Counter[bytes]) -> KeyValues:
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return KeyValues(decode(key), tuple((clip(decode(value)), n) for value, n in ranked))


def _rare(counter: Counter[bytes]) -> list[bytes]:
    """Values that one record has and nearly all others have not."""
    total = sum(counter.values())
    rare = [value for value, count in counter.items() if count == 1]
    return rare if total >= 8 and len(rare) <= 2 and len(counter) <= 4 else []
