"""Records for human eyes: lines of "Key: value" that repeat from block to block, as kubectl
describe, apt show or rpm -qi write them. Blocks are counted, and the values of each key where
they are few.
"""

import re
from collections import Counter

from stubcli.detect.brief import clip, counted, limited, listed
from stubcli.detect.forms.described import Described
from stubcli.detect.forms.plainlines import lines as lines_of
from stubcli.detect.forms.plainlines import reach
from stubcli.detect.model import NotableLine, Scan, Source
from stubcli.text.decode import decode

NAME = "records"
_LIMIT = 8 * 1024 * 1024
_FIELD = re.compile(rb"(\s*)([A-Za-z][\w .()/-]{0,40}?)\s*:(?:\s+(\S.*?))?\s*$")
_KEYS = 400
_VALUES = 40
_SHOWN = 14


def holds(lines: list[bytes]) -> bool:
    if len(lines) < 12:
        return False
    fields = [match for line in lines if (match := _FIELD.match(line[:300]))]
    opening = Counter(match[2] for match in fields if not match[1] and match[3])
    first = next((match[2] for match in fields if not match[1]), b"")
    return len(fields) >= 0.6 * len(lines) and opening[first] >= 2 and len(opening) >= 3


def describe(source: Source, scan: Scan) -> Described:
    first = b""
    blocks = 0
    values: dict[bytes, Counter[bytes] | None] = {}
    lone: dict[tuple[bytes, bytes], NotableLine] = {}
    seen = reach(source, _LIMIT)
    for number, line in enumerate(lines_of(source, seen), 1):
        match = _FIELD.match(line[:300])
        if match is None or not match[3]:
            continue
        key, value = match[2], match[3]
        first = first or key
        blocks += key == first and not match[1]
        if key not in values and len(values) < _KEYS:
            values[key] = Counter()
        counter = values.get(key)
        if counter is None:
            continue
        counter[value] += 1
        if counter[value] == 1:
            lone[key, value] = NotableLine(number, decode(line[:199]))
        if len(counter) > _VALUES:
            values[key] = None
    told = [f"{counted(blocks, 'block')} that begin with {clip(decode(first), 40)}"]
    few = {key: counter for key, counter in values.items() if counter and _sorts(counter)}
    for key in list(few)[:_SHOWN]:
        ranked = sorted(few[key].items(), key=lambda item: (-item[1], item[0]))
        shown = (f"{decode(value)} {n:,}" for value, n in ranked)
        told.append(f"  {decode(key)}: {listed(shown, len(ranked), 150, 50)}")
    rare = [lone[key, value] for key, counter in few.items() for value in _rare(counter)]
    told += limited(seen, source.size)
    return Described(told, tuple(sorted(rare, key=lambda line: line.number)[:6]))


def _sorts(counter: Counter[bytes]) -> bool:
    """Whether the values sort the records, and do not name them."""
    return 1 < len(counter) <= sum(counter.values()) // 3


def _rare(counter: Counter[bytes]) -> list[bytes]:
    """Values that one record has and nearly all others have not."""
    total = sum(counter.values())
    rare = [value for value, count in counter.items() if count == 1]
    return rare if total >= 8 and len(rare) <= 2 and len(counter) <= 4 else []
