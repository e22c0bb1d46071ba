"""A report divided by its headings, whatever their style; what each division holds, in a line.

Lines that come again in a division are counted by template, the others are quoted. It does not
know templates of its own: it is given which line is of which.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from stubcli.detect.text.facts import Division, Divisions
from stubcli.detect.text.section_lines import numbered
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.text.display import looks_own

_FEWEST = 3
_MOST = 60
# Lines that may be headings of one style: of more, whatever their levels are, nothing is divided.
_FOUND = 1000
# Of all lines, more are no headings; of them, most differ in more than numbers.
_SHARE = 0.2
_DIFFERENT = 0.6
# A level of numbers of which one division holds more says too little.
_LARGEST = 0.6
_ALL = 0.85
_SHOWN = 12
_HEADING = 60
_ITEM = 70
_SINGLE = 6
_REPEATED = 2
_AGAIN = 3
_RULE_SIGNS = b"=-*#~_+"
_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
_BANNER = re.compile(rb"([=\-*#~+>]{2,}) *(\w.{0,100}?)(?: *[=\-*#~+<]{2,})?\s*$")
_HASHED = re.compile(rb"#{1,6} +(\w.{0,100}?)\s*$")
_BRACKETS = re.compile(rb"\[+([A-Za-z][^\[\]=]{1,60})\]+:?\s*$")
_ANNOUNCED = re.compile(rb"([A-Za-z][^:=|\t]{2,60}):\s*$")

# Where a heading stands, and its words; of numbers, the level.
Start = tuple[int, bytes, int]


def starts(lines: list[bytes]) -> list[Start]:
    """The headings, of the first style that divides the text; none where none does."""
    candidates = [at for at, line in enumerate(lines) if _may_head(line)]
    ruled = {at for at in candidates if _is_rule(lines[at])}
    plain = [at for at in candidates if at not in ruled]
    for style in (_boxed(lines, ruled), *(_styled(lines, plain, of) for of in _STYLES)):
        found = _leveled(list(islice(style, _FOUND)), len(lines))
        if _divides(found, len(lines)):
            return found
    return []


def _may_head(line: bytes) -> bool:
    """By tests that cost next to nothing."""
    first = line[:1]
    return bool(
        (first in _FIRST and first)
        or line[-1:] in (b":", b" ", b"\r")
        or (first.isupper() and line.isupper())
    )


_FIRST = b"=-*#~_+>[0123456789"


def _is_rule(line: bytes) -> bool:
    line = line.strip()
    return len(line) > 3 and line[:1] in _RULE_SIGNS and not line.strip(line[:1])


def _boxed(lines: list[bytes], ruled: set[int]) -> Iterator[Start]:
    """Lines between two that are drawn."""
    for at in sorted(ruled):
        text = lines[at + 1].strip() if at + 2 in ruled else b""
        if text and at + 1 not in ruled and len(text) <= 2 * _HEADING:
            yield at + 1, text.strip(_RULE_SIGNS + b" "), 1


def _styled(
    lines: list[bytes], candidates: list[int], of: Callable[[bytes, bytes, bytes], Start | None]
) -> Iterator[Start]:
    for at in candidates:
        line = lines[at]
        if len(line) > 200:
            continue
        above = lines[at - 1] if at else b""
        below = lines[at + 1] if at + 1 < len(lines) else b""
        found = of(line.rstrip(), above, below)
        if found and not looks_own(decode(line)):
            yield at, found[1], found[2]


def _matched(pattern: re.Pattern[bytes], group: int) -> Callable[..., Start | None]:
    def of(line: bytes, above: bytes, below: bytes) -> Start | None:
        match = pattern.match(line)
        return (0, match[group], 1) if match else None

    return of


def _numbered(line: bytes, above: bytes, below: bytes) -> Start | None:
    level = 0 if above.strip() else numbered(line)
    return (0, line, level) if level else None


def _capitals(line: bytes, above: bytes, below: bytes) -> Start | None:
    named = line.isupper() and len(line) > 3 and not above.strip() and below.strip()
    return (0, line.strip(), 1) if named and b"\t" not in line and b"  " not in line else None


def _announced(line: bytes, above: bytes, below: bytes) -> Start | None:
    match = _ANNOUNCED.match(line)
    return (0, match[1], 1) if match and below[:1] in (b" ", b"\t") and below.strip() else None


_STYLES = (
    _matched(_HASHED, 1),
    _matched(_BANNER, 2),
    _matched(_BRACKETS, 1),
    _numbered,
    _capitals,
    _announced,
)


def _leveled(found: list[Start], lines: int) -> list[Start]:
    """The headings down to the first level that leaves no division too large."""
    kept: list[Start] = []
    for level in sorted({level for _, _, level in found}):
        more = [one for one in found if one[2] <= level]
        if kept and len(more) > _MOST:
            break
        kept = more
        ends = [at for at, _, _ in kept[1:]] + [lines]
        largest = max(end - one[0] for one, end in zip(kept, ends, strict=True))
        if len(kept) >= _FEWEST and largest <= _LARGEST * lines:
            break
    return kept


def _divides(found: list[Start], lines: int) -> bool:
    if not _FEWEST <= len(found) <= min(_MOST, _SHARE * lines):
        return False
    different = {text.translate(_DIGITS) for _, text, _ in found}
    if len(different) < max(_FEWEST, _DIFFERENT * len(found)) or 2 * found[0][0] > lines:
        return False
    ends = [at for at, _, _ in found[1:]] + [lines]
    return max(end - one[0] for one, end in zip(found, ends, strict=True)) < _ALL * lines


def tell(
    headings: list[Start],
    lines: list[bytes],
    of: Sequence[int],
    marked: Callable[[int], str],
    known: Callable[[int], bool],
) -> Divisions:
    """What the divisions hold. of: the template of each line, below 0 for blank ones; marked: its
    words. known: whether a line is shown elsewhere; divisions that hold such lines come first
    where not all can be shown.
    """
    ends = [at for at, _, _ in headings[1:]] + [len(lines)]
    everywhere = Counter(of)
    deeper = numbered(headings[0][1]) > 0
    found: list[tuple[bool, int, Division]] = []
    for (at, text, _), end in zip(headings, ends, strict=True):
        inside = [one for one in range(at + 1, end) if of[one] >= 0 and not _is_rule(lines[one])]
        telling = [one for one in inside if not deeper or not numbered(lines[one].rstrip())]
        told = tuple(_told(telling, everywhere, lines, of, marked))
        division = Division(at + 1, clip(decode(text), _HEADING), len(inside), told)
        if inside:
            found.append((any(known(one) for one in inside), len(inside), division))
    ranked = sorted(found, key=lambda one: (not one[0], -one[1], one[2].line))[:_SHOWN]
    shown = sorted((division for _, _, division in ranked), key=lambda one: one.line)
    return Divisions(tuple(shown), len(found))


def _told(
    inside: list[int],
    everywhere: Counter[int],
    lines: list[bytes],
    of: Sequence[int],
    marked: Callable[[int], str],
) -> Iterator[str]:
    """Lines whose template does not come again here, first those that are alone of all; then the
    largest templates.
    """
    counts = Counter(of[at] for at in inside)
    single = [at for at in inside if counts[of[at]] < _AGAIN]
    single.sort(key=lambda at: everywhere[of[at]] > 1)
    for at in single[:_SINGLE]:
        yield clip(decode(b" ".join(lines[at][:200].split())), _ITEM)
    for template, count in counts.most_common(_REPEATED):
        if count >= _AGAIN:
            yield f"{count:,} × {clip(marked(template), _ITEM)}"
