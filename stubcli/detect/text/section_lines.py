"""The lines that head a section of prose, in the ways in which people write them. It loads no
reader.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stubcli.value import Value

_HASHED = re.compile(rb"(#{1,6}|={1,6}) +([^\s#=].*?)\s*[#=]*\s*$")
_UNDERLINE = re.compile(rb"([=\-~^\"'*+#:._`])\1{2,}\s*$")
_NUMBERED = re.compile(
    rb"((?:Chapter|CHAPTER|Part|PART|Section|SECTION|Appendix|APPENDIX) [\dIVXA-Z]+[.:]?|"
    rb"\d{1,3}(?:\.\d{1,3}){0,4}\.?) +([A-Z]\S*(?: .*)?)$"
)
_LETTERS = re.compile(rb"[A-Za-z\xc3]")
# A character, a backspace and the same again: how manuals are made bold.
_OVERSTRUCK = re.compile(rb".\x08")
_LONGEST = 100
_SHAPE = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
_AGAIN = 3
_REPORT = 0.4


class Section(Value):
    line: int
    level: int
    text: bytes


def sections(lines: Sequence[bytes]) -> Iterator[Section]:
    """The headings among whole lines, blank ones too, in their order."""
    underlines: list[bytes] = []
    fenced = False
    for at, line in enumerate(lines):
        above = lines[at - 1] if at else b""
        # Under a line of text, the second draws a heading.
        if line.startswith(b"```") or (line.startswith(b"~~~") and not above.strip()):
            fenced = not fenced
        if fenced or not line.strip() or len(line) > 2 * _LONGEST:
            continue
        if b"\x08" in line:
            line = _OVERSTRUCK.sub(b"", line)
        below = lines[at + 1] if at + 1 < len(lines) else b""
        found = _hashed(line) or _underlined(line, above, below, underlines) or _alone(line, above)
        if found:
            yield Section(at + 1, found[0], found[1])


def _hashed(line: bytes) -> tuple[int, bytes] | None:
    match = _HASHED.match(line)
    return (len(match[1]), line.strip()) if match else None


def _underlined(
    line: bytes, above: bytes, below: bytes, known: list[bytes]
) -> tuple[int, bytes] | None:
    """A line over one of signs that is about as long; which sign is the level, as they came."""
    match = _UNDERLINE.match(below) if below[:1] and not below[:1].isalnum() else None
    text = line.rstrip()
    if match is None or _UNDERLINE.match(line) or not text[:1].strip():
        return None
    if above.strip() and not _UNDERLINE.match(above):
        return None
    if not _is_under(text, below):
        return None
    if match[1] not in known:
        known.append(match[1])
    return known.index(match[1]) + 1, text


def _is_under(text: bytes, below: bytes) -> bool:
    """Whether the line below draws under the text, as long as that and not under a line drawn."""
    if not _UNDERLINE.match(below) or _UNDERLINE.match(text):
        return False
    length = len(text.rstrip())
    return length >= 3 and abs(len(below.rstrip()) - length) <= max(3, length // 4)


def _alone(line: bytes, above: bytes) -> tuple[int, bytes] | None:
    """A line in capitals, or with the number of a section, that stands at the left edge."""
    text = line.rstrip()
    if above.strip() or line[:1] in b" \t" or len(text) > _LONGEST or text[-1:] in b".,;{}":
        return None
    match = _NUMBERED.match(text)
    if match and len(text.split()) <= 14:
        number = match[1].rstrip(b".:")
        return (number.count(b".") + 1 if number[:1].isdigit() else 1), text
    letters = _LETTERS.findall(text)
    if len(letters) >= 3 and text == text.upper() and len(letters) >= 0.6 * len(text):
        return 1, text
    return None


def numbered(line: bytes) -> int:
    """The level of a heading with the number of a section; 0 where the line is none."""
    match = _NUMBERED.match(line) if len(line) <= _LONGEST and line[-1:] not in b",;{}" else None
    if not match or len(line.split()) > 14:
        return 0
    number = match[1].rstrip(b".:")
    return number.count(b".") + 1 if number[:1].isdigit() else 1


def prose(lines: list[bytes]) -> bool:
    """Whether sections are headed among lines that are mostly words."""
    hashed = sum(1 for line in lines if _HASHED.match(line[:300]))
    lined = sum(1 for above, line in pairwise(lines) if _is_under(above, line))
    alone = sum(1 for line in lines if _alone(line[:300], b""))
    headed = hashed + lined + alone
    if headed < 3 or headed > (0.6 if hashed == headed else 0.4) * len(lines):
        return False
    # Of a report, lines come again that differ in numbers alone, and are no sentences.
    said = (line for line in lines if not (line.rstrip().endswith(b".") and _worded(line)))
    shapes = Counter(shape for line in said if b"0" in (shape := line.translate(_SHAPE)))
    if sum(count for count in shapes.values() if count >= _AGAIN) > _REPORT * len(lines):
        return False
    words = sum(1 for line in lines if _worded(line))
    return words >= 0.5 * (len(lines) - headed)


def _worded(line: bytes) -> bool:
    """Whether the line is one of words, as of a sentence."""
    words = line.split()
    plain = sum(word.strip(b".,;:()'\"!?-").isalpha() for word in words)
    return len(words) >= 3 and plain >= 0.6 * len(words)
