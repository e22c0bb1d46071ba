"""Lines reduced to templates: what varies is masked, and lines that then differ in few words are of
one template. Every line counts; the work is done once for each distinct line.

In the manner of Drain: lines of as many words, that begin with the same frequent words, are
compared word by word. It does not know what a header is, or which lines matter.
"""

import re
from collections import Counter
from collections.abc import Sequence

from stubcli.value import Value

LINE = 400
_WORDS = 24
# Of lines of one length, so many (or this share) begin with a word that parts them from others.
_FREQUENT = 3
_SHARE = 0.005
_DEPTH = 2
# Of the words that vary nowhere yet, so many are the same in lines of one template.
_SAME = 0.5
_WILD = 0.7
# A word that one or two lines have in place of the one of so many times as many makes another
# template, so that counts of either are exact.
_LONE = 2
_BESIDE = 50
# Of lines that begin alike, so many templates are compared with a further line.
_COMPARED = 40
# Of all lines, two microseconds each.
_COMPARISONS = 100_000
# So many words that do not vary say what a line is about, whoever stands at its beginning.
_TELLING = 5
_EMPTY = frozenset((b"*", b"''"))

_SPACES = b"\t\r\x0b\x0c"
_SHAPE = bytes(
    0x30 if 0x30 <= byte <= 0x39 else 0x20 if byte in _SPACES else byte for byte in range(256)
)
_QUOTED = rb"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|`[^`]*`"
# What holds a digit or a path varies, up to what separates; a run of such things varies in length.
_VARIES = re.compile(rb"[\w.+@%~/\\-]*[0/\\][\w.+@%~/\\-]*")
_RUNS = re.compile(rb"\*(?:[:,;.|*-]+\*)+")


class Key:
    """Lines that are equal when masked. shapes: how they are when digits alone are masked."""

    __slots__ = ("count", "first", "shapes", "words")

    def __init__(self, words: tuple[bytes, ...], count: int, first: int, shape: bytes) -> None:
        self.words = words
        self.count = count
        self.first = first
        self.shapes = [shape]


class Mined:
    """One template. words: masked, None where lines differ. first: the place of the first line."""

    def __init__(self, key: Key) -> None:
        self.words: list[bytes | None] = list(key.words)
        self.count = key.count
        self.first = key.first
        self.keys = [key]

    @property
    def shapes(self) -> list[bytes]:
        return [shape for key in self.keys for shape in key.shapes]


class _Room:
    """How many comparisons are left."""

    def __init__(self) -> None:
        self.left = _COMPARISONS


class Mining(Value):
    """shapes: of each line, empty for blank ones. templates: the largest first."""

    shapes: list[bytes]
    templates: list[Mined]


class _Masked(dict[bytes, bytes]):
    """What a word is masked to."""

    def __missing__(self, word: bytes) -> bytes:
        masked = word
        if b"0" in word or b"/" in word or b"\\" in word:
            masked = _RUNS.sub(b"*", _VARIES.sub(b"*", word))
        self[word] = masked
        return masked


def mine(lines: list[bytes]) -> Mining:
    shapes = shaped(lines)
    counts = Counter(shapes)
    del counts[b""]
    first = dict(zip(reversed(shapes), range(len(shapes) - 1, -1, -1), strict=True))
    masked = _Masked()
    keys: dict[tuple[bytes, ...], Key] = {}
    for shape, count in counts.items():
        line = shape
        if b"'" in line or b'"' in line or b"`" in line:
            line = re.sub(_QUOTED, b"''", line)
        words = tuple([masked[word] for word in line.split(None, _WORDS)[:_WORDS]])
        key = keys.get(words)
        if key is None:
            keys[words] = Key(words, count, first[shape], shape)
        else:
            key.count += count
            key.shapes.append(shape)
    groups: dict[int, list[Key]] = {}
    for key in keys.values():
        groups.setdefault(len(key.words), []).append(key)
    room = _Room()
    # The fewest first: text of many different lines leaves no room for others.
    found = [
        one for group in sorted(groups.values(), key=len) for one in _clustered(group, 0, room)
    ]
    found = _merged(found)
    found.sort(key=lambda one: (-one.count, one.first))
    return Mining(shapes, found)


def _merged(found: list[Mined]) -> list[Mined]:
    """The templates, those that differ in the first or second word alone as one.

    A name at the beginning that is frequent parted them.
    """
    for place in range(_DEPTH):
        merged: dict[tuple[int, tuple[bytes | None, ...]], Mined] = {}
        others = []
        for one in sorted(found, key=lambda one: (-one.count, one.first)):
            rest = one.words[:place] + one.words[place + 1 :]
            if sum(word is not None and word not in _EMPTY for word in rest) < _TELLING:
                others.append(one)
                continue
            into = merged.setdefault((len(rest), tuple(rest)), one)
            if into is not one:
                into.words[place] = None
                into.count += one.count
                into.first = min(into.first, one.first)
                into.keys += one.keys
        found = [*merged.values(), *others]
    return found


def shaped(lines: list[bytes]) -> list[bytes]:
    """The lines, with each run of digits as one 0, blanks as spaces, cut where they are long."""
    data = b"\n".join([line[:LINE].strip() for line in lines]).translate(_SHAPE)
    while b"00" in data:
        data = data.replace(b"00", b"0")
    return data.split(b"\n")


def _clustered(keys: list[Key], depth: int, room: _Room) -> list[Mined]:
    """The templates of keys that have as many words and share those before `depth`."""
    if len(keys) == 1:
        return [Mined(keys[0])]
    length = len(keys[0].words)
    if depth < min(_DEPTH, length):
        total = sum(key.count for key in keys)
        counts: Counter[bytes] = Counter()
        for key in keys:
            counts[key.words[depth]] += key.count
        least = max(_FREQUENT, _SHARE * total)
        parts: dict[bytes | None, list[Key]] = {}
        for key in keys:
            word = key.words[depth]
            parts.setdefault(word if counts[word] >= least else None, []).append(key)
        apart = sorted(parts.values(), key=len)
        return [one for part in apart for one in _clustered(part, depth + 1, room)]
    found: list[Mined] = []
    for key in sorted(keys, key=lambda key: (-key.count, key.first)):
        compared = found[: _COMPARED if room.left > 0 else 0]
        room.left -= len(compared)
        for template in compared:
            if _joined(template, key):
                break
        else:
            found.append(Mined(key))
    return found


def _joined(template: Mined, key: Key) -> bool:
    """Whether the key is of the template, which then has it."""
    words = template.words
    differ = [
        at
        for at, (one, two) in enumerate(zip(words, key.words, strict=True))
        if one is not None and one != two
    ]
    fixed = len(words) - words.count(None)
    if len(differ) > (1 - _SAME) * fixed or len(words) - fixed + len(differ) > _WILD * len(words):
        return False
    lone = key.count <= _LONE and template.count >= _BESIDE * key.count
    if lone and any(is_plain(words[at]) for at in differ):
        return False
    for at in differ:
        words[at] = None
    template.count += key.count
    template.first = min(template.first, key.first)
    template.keys.append(key)
    return True


def is_plain(word: bytes | None) -> bool:
    """Whether nothing in the word varies."""
    return word is not None and b"*" not in word and b"''" not in word


def shared(one: Sequence[object], two: Sequence[object]) -> int:
    """How much both begin with."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))
