"""What repeats in text and what stands out of it: lines that begin alike, and headings.

Words that hold a digit or a slash differ without meaning, and count as one. Of the beginning of
a stream every line is counted; it does not know what the words mean.
"""

import re
from collections import Counter
from dataclasses import dataclass

from stubcli.detect.model import NotableLine
from stubcli.detect.reading import Beginning
from stubcli.detect.text.facts import Alike, Heading, Headings
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.text.display import looks_own

_LINE = 160
_WORDS = 8
_SHOWN = 6
_EXAMPLE = 64
# A share of all lines below which a group is not shown.
_LEAST = 0.02
_COVERED = 0.25
# Lines that are alike nowhere are rare only among so many that are, and if so few of them stand
# out; the first and the last lines are seen anyway.
_AMONG = 100
_RARE = 6
_EDGE = 4

_MASKS = (b"0", b"/")
_SPACES = b" \t\r\x0b\x0c"
_ALIKE = bytes(
    0x30 if 0x30 <= byte <= 0x39 else 0x20 if byte in _SPACES else byte for byte in range(256)
)
# Of a report, the banner of a part.
_BANNER = re.compile(rb"\s*[^\w\s]{3,} .* [^\w\s]{3,}\s*$")
# Rules, frames and excerpts of sources say nothing; what is masked stands for something.
_LETTER = re.compile(rb"[A-Za-z\x80-\xff]{2}|^[0/]$")
_STAMP = re.compile(rb"^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s+")


@dataclass
class _Key:
    """Lines that are equal when masked: how many, and the first of them."""

    words: list[bytes]
    count: int
    number: int
    example: bytes


@dataclass(frozen=True)
class _Group:
    """Keys that share their first `depth` words."""

    keys: list[_Key]
    depth: int

    @property
    def count(self) -> int:
        return sum(key.count for key in self.keys)


def find(
    begun: Beginning, without: re.Pattern[bytes] | None = None
) -> tuple[tuple[Alike, ...], tuple[NotableLine, ...]]:
    """The largest groups of lines alike, each with an example; the rare lines.

    without: lines that are counted elsewhere.
    """
    total = len(begun.lines)
    keys = _keys(begun.lines, without)
    groups, rest = _split(_Group(keys, 0), total)
    large = [group for group in groups if group.count >= max(5, _LEAST * total)]
    # One word that varies, line for line, is text that somebody encoded.
    large = [group for group in large if any(len(key.words) > 1 for key in group.keys[:9])]
    large = [group for group in large if group.depth]
    if sum(group.count for group in large) < _COVERED * sum(key.count for key in keys):
        # In prose, lines begin alike by chance.
        large = []
    large.sort(key=lambda group: (-group.count, group.keys[0].number))
    small = [key for group in groups if group not in large for key in group.keys]
    alike = tuple(Alike(group.count, _shown(group)) for group in large[:_SHOWN])
    return alike, _rare([*rest, *small], total)


def _keys(lines: list[bytes], without: re.Pattern[bytes] | None) -> list[_Key]:
    """The keys of all lines but blank ones, in the order in which they appear.

    Most lines of a log are equal once their digits are; only what is left is split into words.
    """
    examples = [line[:_LINE].rstrip(b"\r") for line in lines]
    if without is not None:
        examples = [b"" if without.match(line) else line for line in examples]
    equal = b"\n".join(examples).translate(_ALIKE).split(b"\n")
    first = dict(zip(reversed(equal), range(len(equal) - 1, -1, -1), strict=True))
    table: dict[tuple[bytes, ...], _Key] = {}
    for line, count in Counter(equal).items():
        words = tuple(_words(line))
        key = table.get(words)
        if key is not None:
            key.count += count
        elif words:
            at = first[line]
            table[words] = _Key(list(words[:_WORDS]), count, at + 1, examples[at])
    return [key for key in table.values() if any(map(_LETTER.search, key.words))]


def _words(line: bytes) -> list[bytes]:
    words = line.split()
    return list(map(_masked, words)) if b"0" in line or b"/" in line else words


def _masked(word: bytes) -> bytes:
    return b"/" if b"/" in word else b"0" if b"0" in word else word


def _split(group: _Group, total: int) -> tuple[list[_Group], list[_Key]]:
    """The group, or those it falls into at its next word and the keys that are in none."""
    while True:
        children: dict[bytes, list[_Key]] = {}
        for key in group.keys:
            word = key.words[group.depth] if len(key.words) > group.depth else b""
            children.setdefault(word, []).append(key)
        if len(children) != 1 or group.depth >= _WORDS:
            break
        group = _Group(group.keys, group.depth + 1)
    count = group.count
    if len(children) == 1 or count < max(10, _LEAST * total):
        return [group], []
    large, rest, covered = [], [], 0
    for word, keys in children.items():
        child = _Group(keys, group.depth + 1 if word else group.depth)
        size = child.count
        if word and size >= max(4, 0.04 * count):
            large.append(child)
            covered += size
        else:
            rest += keys
    # Deeper, a word that only some lines share is what the lines are about.
    plain = any(word not in _MASKS for word in group.keys[0].words[: group.depth])
    if covered < (0.85 if plain else 0.5) * count or (plain and len(large) > _SHOWN):
        return [group], []
    found: list[_Group] = []
    for child in large:
        groups, others = _split(child, total)
        found += groups
        rest += others
    return found, rest


def _shown(group: _Group) -> str:
    """How the first line of the group begins, up to where the others differ."""
    first = group.keys[0]
    example = _STAMP.sub(b"", first.example).strip()
    words = decode(example).split()
    stamp = len(first.example.split()) - len(words)
    depth = max(group.depth - stamp, 0)
    plain = [word for word in first.words[stamp : group.depth] if word not in _MASKS]
    if len(group.keys) == 1 or not plain or depth >= len(words):
        return clip(decode(example), _EXAMPLE)
    text = decode(example)
    end = 0
    for word in words[:depth]:
        end = text.index(word, end) + len(word)
    return clip(text[:end] + " …", _EXAMPLE)


def _rare(keys: list[_Key], total: int) -> tuple[NotableLine, ...]:
    rare = [key for key in keys if key.count <= 2 and key.number > _EDGE]
    rare = [key for key in rare if not _BANNER.match(key.example)]
    if total < _AMONG or len(rare) > _RARE or sum(key.count for key in keys) > 0.05 * total:
        return ()
    return tuple(NotableLine(key.number, decode(key.example)) for key in rare)


_MOST = 18
_GROUP = re.compile(rb"(?:\S+ )?(?:##\[group\]|::group::|##\[section\])(.{1,200})")
_BANNER = re.compile(
    rb"(?:={3,}|-{3,}|#{3,}|\*{3,}) ?(\w.{0,100}?\w) ?(?:={3,}|-{3,}|#{3,}|\*{3,})\s*$"
)
_ANNOUNCED = re.compile(rb"([A-Z][^:=|]{3,90}):\s*$")
_RULES = frozenset((b"===", b"---", b"###", b"***"))
# A colon at the end may be followed by spaces.
_ENDS = frozenset((b":", b" ", b"\t", b"\r", b"\x0b", b"\x0c"))


def find_headings(begun: Beginning) -> Headings:
    """The groups, and the headings where they are few."""
    groups: list[str] = []
    headings: list[Heading] = []
    count = found = 0
    for at in _candidates(begun.lines):
        line = begun.lines[at]
        if b"group" in line[:80] or b"section" in line[:80]:
            group = _GROUP.match(line[:300])
            if group:
                count += 1
                groups += [clip(decode(group[1]).strip(), 40)] if count <= _MOST else []
            continue
        heading = _heading(line, begun.lines[at + 1] if at + 1 < len(begun.lines) else b"")
        if heading:
            found += 1
            headings += [Heading(at + 1, decode(heading))] if found <= _MOST else []
    few = 2 <= found <= _MOST
    return Headings(tuple(groups), count, tuple(headings) if few else (), found if few else 0)


def _candidates(lines: list[bytes]) -> list[int]:
    """Where lines stand that may be headings, by tests that cost next to nothing."""
    return [
        at
        for at, line in enumerate(lines)
        if line[-1:] in _ENDS or line[:3] in _RULES or b"group" in line or b"section" in line
    ]


def _heading(line: bytes, below: bytes) -> bytes:
    """What a banner names, or a line that announces the indented one `below` it.

    A copied frame of a stub is a banner of nothing.
    """
    if looks_own(decode(line[:200])):
        return b""
    if line.rstrip()[-1:] == b":" and len(line) < 100:
        match = _ANNOUNCED.match(line) if below[:1] in (b" ", b"\t") else None
    else:
        match = _BANNER.match(line) if line[:3] in _RULES and len(line) < 200 else None
    return match[1] if match else b""
