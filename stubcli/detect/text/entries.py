"""The lines by which programs name a file, one a line: what they say of it besides its path.

A shape is a pattern with the groups path and, where it has them, size, mode and owner. It loads
no reader.
"""

import re

from stubcli.detect.text.line_signs import ENTRY, named_file

_MODE = rb"(?P<mode>[-dlbcpsh][-rwxsStT]{9})[.+@]?"
_CLOCK = rb"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
_DAY = rb"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{2,4}|\d\d-[A-Z][a-z]{2}-\d\d)"
_ISO = _DAY + rb"[ T]+" + _CLOCK + rb"(?: [+-]\d{4})?"
_WHEN = rb"(?:" + _ISO + rb"|[A-Z][a-z]{2} +\d{1,2} +(?:[\d:]{5}|\d{4}))"
_ZONED = rb"(?:[A-Z][a-z]{2} )?" + _WHEN + rb"(?::\d\d [A-Z]{2,5} \d{4})?"
_SIZE = rb"(?P<size>\d[\d,.]*[KMGTPkmgtp]?i?B?)"
_PATH = rb"(?P<path>\S.*)"
_WORD = rb"(?P<path>\S+|\S*/.*)$"
_NAMED = rb"(?P<path>(?:\S*/\S*|\S*\.[A-Za-z]\w{0,11}|\.)(?:[ \t]\S.*)?)$"
_LINKS = rb" *(?:\d+ +){0,2}" + _MODE + rb" +\d+ +(?P<owner>\S+ +\S+) +"
_PACKED = rb"(?: +\S+ +\d+ +-?\d+%)?"
_OBJECT = rb"(?P<mode>\d{6}) (?:\w+ )?[0-9a-f]{7,64}(?: {2,}(?P<size>\d+)| +-| \d)?\t"

# Each with its name; the one that says most is first.
SHAPES: tuple[tuple[str, re.Pattern[bytes]], ...] = tuple(
    (name, re.compile(pattern + path))
    for name, pattern, path in (
        ("ls", _LINKS + _SIZE + rb",? +(?:\d+ +)?" + _WHEN + rb" ", _PATH),
        ("tar", _MODE + rb" +(?P<owner>\S+?/\S+) +" + _SIZE + rb" " + _WHEN + rb" ", _PATH),
        (
            "zip",
            rb"[-dl?][-rwxsStT]{6,9} +\d\.\d +\w+ +" + _SIZE + rb"(?: +\S+){2,3} +" + _WHEN + rb" ",
            _PATH,
        ),
        ("dated", rb" *" + _SIZE + _PACKED + rb" +" + _ZONED + rb" +(?:[0-9a-f]{8} +)?", _WORD),
        ("stored", _WHEN + rb" +(?:[D.][RHSA.]{4} +)?" + _SIZE + rb" +(?:\d+ +)?", _NAMED),
        (
            "changed",
            rb"(?P<sign>[ACDMRTUX!?]\d{0,3}|[<>ch.][fdLDS][.+?cstpoguaxn]{7,9})[\t ] *",
            _NAMED,
        ),
        ("tree-object", _OBJECT, _PATH),
        ("sized", rb" *" + _SIZE + rb"(?:\t| +)", _NAMED),
    )
)
_RAIL = rb"(?:\xe2\x94\x82|\|| )(?:   |\xc2\xa0\xc2\xa0 )"
_BRANCH = rb"(?:\xe2\x94[\x9c\x94]\xe2\x94\x80\xe2\x94\x80|\|--|`--|\+--)"
TREE = re.compile(
    rb"((?:" + _RAIL + rb")*)" + _BRANCH + rb"[ \xa0\xc2]+(?:\[ *([^\]]*)\] +)?(\S.*)"
)
# What a package manager's tree of versions looks like is no list of files.
_VERSIONED = re.compile(rb"\S+(?:@| v)\d")
# What other lines may look like, too.
_COMMON = ("dated", "stored", "changed", "sized")
BARE, TREE_SHAPE = "bare", "tree"


def shape_of(lines: list[bytes]) -> str:
    """The shape that the lines have, "" where they are no list of files."""
    if len(lines) < 3:
        return ""
    for name, pattern in SHAPES:
        least = 0.9 if name in _COMMON else 0.5
        if sum(1 for line in lines if pattern.match(line[:600])) >= least * len(lines):
            return name
    trees = [match for line in lines if (match := TREE.match(line[:600]))]
    if len(trees) >= 0.8 * len(lines):
        versioned = sum(1 for match in trees if _VERSIONED.match(match[3]))
        return TREE_SHAPE if versioned < 0.2 * len(trees) else ""
    return BARE if _bare(lines) else ""


def _bare(lines: list[bytes]) -> bool:
    """Whether lines are paths and little else; some may hold blanks or have no folder."""
    paths = sum(1 for line in lines if named_file(line[:400]))
    if paths >= 0.9 * len(lines):
        return True
    rooted = sum(line[:1] == b"/" or line[:2] == b"./" for line in lines)
    spread = sum(b"  " in line or b": " in line for line in lines)
    return rooted >= 0.95 * len(lines) and spread <= 0.05 * len(lines)


def listing(lines: list[bytes]) -> bool:
    return bool(shape_of(lines))


def tabbed(lines: list[bytes]) -> bool:
    """Whether a tab stands before each path, and yet it is no table."""
    return shape_of(lines) in ("changed", "sized", "tree-object")


def names_a_file(line: bytes) -> bool:
    return bool(ENTRY.match(line) or named_file(line) or any(p.match(line) for _, p in SHAPES[:-1]))


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
