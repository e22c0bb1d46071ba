"""The lines by which programs that search files say what they found: path, number of the line,
text. It loads no reader.
"""

import re
from itertools import pairwise

from stubcli.detect.text.line_signs import STAMP

# path:12:text, and path:12:5:text; of a line close by, path-12-text.
NUMBERED = re.compile(rb"([^\0\n]{1,400}?)[:\0](\d{1,9}):(?:\d{1,6}:)?(.*)")
NEARBY = re.compile(rb"([^\0\n]{1,400}?)[-\0](\d{1,9})-(.*)")
UNNUMBERED = re.compile(rb"([^\0\n:]{1,400})[:\0](.*)")
COUNTED = re.compile(rb"([^\0\n]{1,400}?)[:\0](\d{1,9})\r?$")
# Under the path, which stands on a line of its own.
UNDER_PATH = re.compile(rb"(\d{1,9})([:-])(?:\d{1,6}:)?(.*)")
_PATH = re.compile(
    rb"(?:[\w.@+~^-]+:)?(?:[A-Za-z]:[\\/])?(?:[^\s:/\\][^:]{0,200}|[^:\s]*)[/\\][^:/\\]+$|"
    rb"[^\s:/\\]{1,120}\.(?!(?:com|org|net|io|local|internal|lan|de|eu|svc)$)[A-Za-z]\w{0,10}$|"
    rb"[A-Z][a-z]+file$|\.\w[\w.-]{2,40}$"
)
_DATED = re.compile(rb"\W{0,2}\d{1,4}[-/.]\d\d")
_FIRST = 60
NUMBERS, TEXTS, COUNTS, HEADED = "numbers", "texts", "counts", "headed"


def is_path(text: bytes) -> bool:
    # Columns are further apart than the words of a name.
    return bool(_PATH.match(text)) and b"  " not in text and not _DATED.match(text)


def manner_of(lines: list[bytes]) -> str:
    """How the lines name what was found, "" where they do not."""
    lines = [line[:600] for line in lines if line.rstrip(b"\r") not in (b"--", b"")]
    # Most other lines are told by the signs that they lack.
    first = lines[:_FIRST]
    marked = sum(b":" in line or b"-" in line or b"\0" in line for line in first)
    if len(lines) < 5 or marked < 0.5 * len(first):
        return ""
    if _counts(lines):
        return COUNTS
    if _numbers(lines):
        return NUMBERS
    if _headed(lines):
        return HEADED
    return TEXTS if _texts(lines) else ""


def _counts(lines: list[bytes]) -> bool:
    found = [match[1] for line in lines if (match := COUNTED.match(line)) and is_path(match[1])]
    return len(found) >= 0.95 * len(lines) and len(set(found)) == len(found)


def _numbers(lines: list[bytes]) -> bool:
    found: list[tuple[bytes, int]] = []
    nearby = said = 0
    for line in lines:
        match = NUMBERED.match(line)
        if match and is_path(match[1]):
            found.append((match[1], int(match[2])))
            said += match[3][:1] == b" " and match[3][1:2] not in b" \t"
            continue
        match = NEARBY.match(line)
        nearby += bool(match and is_path(match[1]))
    if len(found) < 3 or len(found) + nearby < 0.85 * len(lines):
        return False
    # What a tool says of a place stands one blank behind it, always.
    if said >= 0.95 * len(found):
        return False
    # Numbers run on within a file, as those of messages about it do not.
    pairs = [(one, two) for one, two in pairwise(found) if one[0] == two[0]]
    back = sum(1 for one, two in pairs if two[1] < one[1])
    stamped = sum(1 for line in lines if STAMP.match(line[:80]))
    return back <= 0.02 * len(found) + 1 and stamped < 0.5 * len(lines)


def _headed(lines: list[bytes]) -> bool:
    under = paths = back = 0
    last, inside = 0, False
    for line in lines:
        match = UNDER_PATH.match(line)
        if match and inside:
            under += 1
            back += int(match[1]) <= last
            last = int(match[1])
        elif is_path(line) and not match:
            paths, last, inside = paths + 1, 0, True
    return paths >= 2 and under >= paths and under + paths >= 0.95 * len(lines) and back <= 1


def _texts(lines: list[bytes]) -> bool:
    found = [match for line in lines if (match := UNNUMBERED.match(line)) and is_path(match[1])]
    if sum(b" " in match[1] for match in found) > 0.2 * len(lines):
        return False
    if len(found) < 0.9 * len(lines):
        return False
    paths = [match[1] for match in found]
    runs = 1 + sum(one != two for one, two in pairwise(paths))
    blank = sum(match[2][:1] in b" \t" for match in found)
    again = runs - len(set(paths))
    slashed = sum(b"/" in path for path in paths)
    together: bool = again <= 0.02 * len(found) + 1
    if len(paths) < 1.2 * runs:
        return together and slashed >= 0.9 * len(found) and blank < 0.9 * len(found)
    return together


def matches(lines: list[bytes]) -> bool:
    return bool(manner_of(lines))
