"""How long things took that lines of one kind tell of: the longest, where they are far from usual.

A line of a step is told with the one that named the step, where both begin with its number. The
work is done once for each shape of lines.
"""

from collections.abc import Sequence

from stubcli.detect.text.facts import Longest, Took
from stubcli.detect.text.pairs import LINES, among, kind
from stubcli.text.characters import decode

_LINE = 300
_UNITS = {b"ms": 1e-3, b"s": 1.0, b"sec": 1.0, b"secs": 1.0, b"seconds": 1.0, b"min": 60.0}
_UNITS |= {b"second": 1.0, b"minutes": 60.0, b"m": 60.0}
_NUMBERS = (b"0", b"0.0")
# Words of a shape, in which 0 is any number, that are a duration.
_WORDS = frozenset(number + unit for number in _NUMBERS for unit in _UNITS if unit != b"m")
_WORDS |= {b"0m0s", b"0m0.0s"}
_AROUND = b"()[]{},;:=\"'"
_LEAST = 6
# The longest took so many times as long as is usual, and so many seconds.
_TIMES = 5
_SHORT = 0.5
_SHOWN = 3
_GROUPS = 2


def find(lines: Sequence[bytes], shapes: Sequence[bytes]) -> tuple[Longest, ...]:
    """The kinds of lines in which some took far longer than is usual, the longest first."""
    kinds: dict[bytes, tuple[str, int]] = {}
    groups: dict[str, list[tuple[float, int]]] = {}
    for at, shape in enumerate(shapes[:LINES]):
        known = kinds.get(shape)
        if known is None:
            known = kinds[shape] = _kind(shape)
        if known[1] >= 0:
            took = _seconds(lines[at], known[1])
            groups.setdefault(known[0], []).append((took, at))
    found: list[tuple[float, Longest]] = []
    for name, each in groups.items():
        ranked = sorted(each, key=lambda one: (-one[0], one[1]))
        most, usual = ranked[0][0], ranked[len(ranked) // 2][0]
        if name and len(each) >= _LEAST and most >= max(_SHORT, _TIMES * usual):
            shown = tuple(_took(at, lines) for _, at in ranked[:_SHOWN])
            found.append((most, Longest(name, len(each), shown, among(lines))))
    found.sort(key=lambda one: -one[0])
    return tuple(one for _, one in found[:_GROUPS])


def _kind(shape: bytes) -> tuple[str, int]:
    """The kind of lines of that shape, and at which word the last duration stands; -1 for none."""
    words = shape[:_LINE].split()
    bare = [word.rpartition(b"=")[2].strip(_AROUND) for word in words]
    for at in range(len(words) - 1, -1, -1):
        united = bare[at] in _NUMBERS and bare[at + 1 : at + 2] and bare[at + 1] in _UNITS
        if bare[at] in _WORDS or united:
            rest = [*words[:at], *words[at + 1 + bool(united) :]]
            return kind(b" ".join(rest)), at
    return "", -1


def _seconds(line: bytes, word: int) -> float:
    """How many seconds the word tells, or it and its unit behind it."""
    words = [one.rpartition(b"=")[2].strip(_AROUND) for one in line.split()[word : word + 2]]
    number = words[0].rstrip(b"abcdefghijklmnopqrstuvwxyz")
    unit = words[0][len(number) :] or words[-1]
    minutes, parted, seconds = number.partition(b"m")
    try:
        whole = 60.0 * float(minutes) if parted else 0.0
        return whole + float(seconds if parted else number) * _UNITS.get(unit, 1.0)
    except ValueError:
        return 0.0


def _took(at: int, lines: Sequence[bytes]) -> Took:
    line = lines[at][:_LINE].strip()
    first = line.split(None, 1)[0] if line else b""
    if not any(byte in first for byte in b"0123456789"):
        return Took(at + 1, decode(line))
    named = (n for n, one in enumerate(lines) if one.lstrip().startswith(first + b" "))
    begun = next(named, at)
    of = decode(lines[begun][:_LINE].strip()) if begun != at else ""
    return Took(at + 1, decode(line), of)
