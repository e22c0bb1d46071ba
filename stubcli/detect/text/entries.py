"""The lines by which programs name a file, one a line: what they say of it besides its path.

A shape is a pattern with the groups path and, where it has them, size, time, mode and owner. It
loads no reader.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from stubcli.detect.text.line_signs import named_file

_MODE = rb"(?P<mode>[-dlbcpsh][-rwxsStT]{9})[.+@]?"
_CLOCK = rb"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
_DAY = rb"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{2,4}|\d\d-[A-Z][a-z]{2}-\d\d)"
_ISO = _DAY + rb"[ T]+" + _CLOCK + rb"(?: [+-]\d{4})?"
_WHEN = rb"(?:" + _ISO + rb"|[A-Z][a-z]{2} +\d{1,2} +(?:[\d:]{5}|\d{4}))"
_ZONED = rb"(?P<time>(?:[A-Z][a-z]{2} )?" + _WHEN + rb"(?::\d\d [A-Z]{2,5} \d{4})?)"
_TIME = rb"(?P<time>" + _WHEN + rb")"
_SIZE = rb"(?P<size>\d[\d,.]*[KMGTPkmgtp]?i?B?)"
_PATH = rb"(?P<path>\S.*)"
_WORD = rb"(?P<path>\S+|\S*/.*)$"
_NAMED = rb"(?P<path>(?:\S*/\S*|\S*\.[A-Za-z]\w{0,11}|\.)(?:[ \t]\S.*)?)$"
_LINKS = rb" *(?:\d+ +){0,2}" + _MODE + rb" +\d+ +(?P<owner>\S+ +\S+) +"
_PACKED = rb"(?: +\S+ +\d+ +-?\d+%)?"
_OBJECT = rb"(?P<mode>\d{6}) (?:\w+ )?[0-9a-f]{7,64}(?: {2,}(?P<size>\d+)| +-| \d)?\t"

# Each with its name and what a line begins with; the one that says most is first.
_MARKS, _DIGITS, _LETTERS = b"-dlbcpsh? 0123456789", b" 0123456789", b"ACDMRTUX!?<>ch."
_DATES = _DIGITS + b"JFMASOND"
_SHAPES = tuple(
    (name, (pattern + path, begins))
    for name, pattern, path, begins in (
        ("ls", _LINKS + _SIZE + rb",? +(?:\d+ +)?" + _TIME + rb" ", _PATH, _MARKS),
        ("tar", _MODE + rb" +(?P<owner>\S+?/\S+) +" + _SIZE + rb" " + _TIME + rb" ", _PATH, _MARKS),
        (
            "zip",
            rb"[-dl?][-rwxsStT]{6,9} +\d\.\d +\w+ +" + _SIZE + rb"(?: +\S+){2,3} +" + _TIME + rb" ",
            _PATH,
            _MARKS,
        ),
        (
            "dated",
            rb" *" + _SIZE + _PACKED + rb" +" + _ZONED + rb" +(?:[0-9a-f]{8} +)?",
            _WORD,
            _DIGITS,
        ),
        ("stored", _TIME + rb" +(?:[D.][RHSA.]{4} +)?" + _SIZE + rb" +(?:\d+ +)?", _NAMED, _DATES),
        (
            "changed",
            rb"(?P<sign>[ACDMRTUX!?]\d{0,3}|[<>ch.][fdLDS][.+?cstpoguaxn]{7,9})[\t ] *",
            _NAMED,
            _LETTERS,
        ),
        ("tree-object", _OBJECT, _PATH, _DIGITS),
        ("sized", rb" *" + _SIZE + rb"(?:\t| +)", _NAMED, _DIGITS),
    )
)
_RAIL = rb"(?:\xe2\x94\x82|\|| )(?:   |\xc2\xa0\xc2\xa0 )"
_BRANCH = rb"(?:\xe2\x94[\x9c\x94]\xe2\x94\x80\xe2\x94\x80|\|--|`--|\+--)"
TREE = re.compile(
    rb"((?:" + _RAIL + rb")*)" + _BRANCH + rb"[ \xa0\xc2]+(?:\[ *([^\]]*)\] +)?(\S.*)"
)
# What a package manager's tree of versions looks like is no list of files.
_VERSIONED = re.compile(rb"\S+(?:@| v)\d")
_NAME_WITH_BLANKS = re.compile(rb" [^/]*/|\.\w{1,8}$")
# What other lines may look like, too.
_COMMON = ("dated", "stored", "changed", "sized")
BARE, TREE_SHAPE = "bare", "tree"
_LONGEST = 2000


@cache
def pattern_of(shape: str) -> re.Pattern[bytes]:
    """The pattern of a shape; each costs a third of a millisecond, and most are never needed."""
    return re.compile(dict(_SHAPES)[shape][0])


def shape_of(lines: list[bytes]) -> str:
    """The shape that the lines have, "" where they are no list of files."""
    if len(lines) < 3:
        return ""
    first = [line[:1] for line in lines]
    for name, (_, begins) in _SHAPES:
        if sum(one in begins for one in first) < 0.5 * len(lines):
            continue
        pattern = pattern_of(name)
        least = 0.9 if name in _COMMON else 0.5
        if sum(1 for line in lines if pattern.match(line[:600])) >= least * len(lines):
            return name
    trees = [match for line in lines if (match := TREE.match(line[:600]))]
    if len(trees) >= 0.8 * len(lines):
        versioned = sum(1 for match in trees if _VERSIONED.match(match[3]))
        return TREE_SHAPE if versioned < 0.2 * len(trees) else ""
    return BARE if _bare(lines) else ""


def leaves(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, bytes]]:
    """Of the lines of a tree, what no other stands below: its number, its path, what stands in
    brackets before it. Of a line that is none, no path and the line.
    """
    above: list[bytes] = []
    pending: tuple[int, int, bytes, bytes] | None = None
    for number, line in lines:
        match = TREE.match(line[:_LONGEST])
        if match is None:
            if line.strip() and number > 1:
                yield number, b"", line
            continue
        depth = len(match[1].decode("utf-8", "replace")) // 4
        name = match[3].partition(b" -> ")[0].rstrip(b"/")
        if pending is not None and depth <= pending[1]:
            yield pending[0], pending[2], pending[3]
        above = [*above[:depth], name]
        pending = (number, depth, b"/".join(above), match[2] or b"")
    if pending is not None:
        yield pending[0], pending[2], pending[3]


def _bare(lines: list[bytes]) -> bool:
    """Whether lines are paths and little else; some may hold blanks or have no folder."""
    paths = sum(1 for line in lines if named_file(line[:400]))
    if paths >= 0.9 * len(lines):
        return True
    rooted = sum(line[:1] == b"/" or line[:2] == b"./" for line in lines)
    spread = sum(b"  " in line or b": " in line for line in lines)
    if rooted < 0.95 * len(lines) or spread > 0.05 * len(lines):
        return False
    # A name with blanks ends as names do, or goes on with a folder; a sentence does neither.
    blank = [line for line in lines if b" " in line]
    return 2 * sum(1 for line in blank if _NAME_WITH_BLANKS.search(line)) >= len(blank)


def listing(lines: list[bytes]) -> bool:
    return bool(shape_of(lines))


def names_a_file(line: bytes) -> bool:
    shapes = (name for name, (_, begins) in _SHAPES[:-1] if line[:1] in begins)
    return bool(named_file(line) or any(pattern_of(name).match(line) for name in shapes))


def size_of(text: bytes) -> float:
    """The number of a size as programs write it: 1,234, 4.0K, 12MiB."""
    text = text.replace(b",", b"")
    digits = text.rstrip(b"KMGTPkmgtpiB")
    try:
        value = float(digits)
    except ValueError:
        return 0.0
    unit = text[len(digits) : len(digits) + 1].upper()
    return value * 1024.0 ** (b"KMGTP".find(unit) + 1 if unit else 0)
