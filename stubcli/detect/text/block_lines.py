"""Blocks that follow each other and are built alike: hosts with what was found on them,
certificates, devices. What begins one, and the header of the table that each may hold. It loads no
reader.

A line is told by its mark: the key it gives a value to, or its first word, with digits apart.
"""

import re
from collections import Counter
from collections.abc import Sequence

from stubcli.detect.text.layout import is_header
from stubcli.text.characters import decode
from stubcli.value import Value

FIELD = re.compile(rb"\s*(?:[-*] )?([A-Za-z][\w .()/#@+-]{0,46}?)\s*::?(?:\s+(\S.*?))?\s*$")
_DIGITS = re.compile(rb"\d+")
_LEAST = 4
_CANDIDATES = 12
# Lines that each of so many blocks has once make them alike; so many such lines are needed, or
# fewer beside the header of a table.
_ALIKE = 0.6
_MARKS = 3
_BEFORE = 0.2
_LONGEST = 3
_EVEN = 0.8
# More lines that begin with a number are those of a log.
_TIMED = 0.6
_SAMPLED = 2000
_WORDS = 3


class BlockStart(Value):
    """What begins a block: the mark of the line. header: of the table in each, "" for none."""

    mark: bytes
    header: bytes = b""


def mark(line: bytes) -> bytes:
    """What tells the line from others of its block."""
    found = FIELD.match(line[:300])
    if found and (found[2] is None or b" " not in found[1].strip() or len(found[1]) < 30):
        return _DIGITS.sub(b"0", found[1]) + b":"
    word = line[:80].split(None, 1)[:1]
    return _DIGITS.sub(b"0", word[0]) if word else b""


def start_of(lines: Sequence[bytes]) -> BlockStart | None:
    """What begins each of several blocks in these lines, blank ones apart; None where none are."""
    sampled = lines[:_SAMPLED]
    gaps = [not line.strip() for line in sampled]
    apart = [gap for gap, empty in zip([True, *gaps], gaps, strict=False) if not empty]
    lines = [line for line in sampled if line.strip()]
    marks = [mark(line) for line in lines]
    counts = Counter(marks)
    if sum(line[:1].isdigit() for line in lines) > _TIMED * len(lines):
        return None
    plain = {m for m, line in zip(marks, lines, strict=True) if line[:1] not in b" \t"}
    found = [m for m in counts if m in plain and _LEAST <= counts[m] <= len(lines) / _WORDS]
    for one in found[:_CANDIDATES]:
        at = [place for place, m in enumerate(marks) if m == one]
        if at[0] > _BEFORE * len(lines) or any(lines[place][:1] in b" \t" for place in at):
            continue
        header = _header(lines, at)
        alike = _alike(marks, at) >= (_MARKS - bool(header)) and _even(at, len(lines))
        if alike and (header or _is_set_off(lines, marks, apart, at)):
            return BlockStart(one, header)
    return None


def _is_set_off(lines: list[bytes], marks: list[bytes], apart: list[bool], at: list[int]) -> bool:
    """Whether a blank line stands before most blocks, or what is in them is indented or fields.

    Words that come again and again in turn, as in verse or a list of phrases, are no blocks.
    """
    if sum(apart[place] for place in at) >= _ALIKE * len(at):
        return True
    inside = [place for place in range(at[0], len(lines)) if marks[place] != marks[at[0]]]
    owned = sum(lines[place][:1] in b" \t" or marks[place][-1:] == b":" for place in inside)
    return owned >= _ALIKE * len(inside)


def _alike(marks: list[bytes], at: list[int]) -> int:
    """How many marks most blocks have once."""
    once: Counter[bytes] = Counter()
    for begin, end in zip(at, [*at[1:], len(marks)], strict=True):
        own = Counter(marks[begin + 1 : end])
        once.update(m for m, times in own.items() if times == 1)
    return sum(times >= _ALIKE * len(at) for times in once.values())


def _even(at: list[int], end: int) -> bool:
    """Whether hardly a line is of a block that is much longer than most."""
    lengths = sorted(stop - begin for begin, stop in zip(at, [*at[1:], end], strict=True))
    usual = _LONGEST * lengths[len(lengths) // 2]
    return sum(length for length in lengths if length <= usual) >= _EVEN * sum(lengths)


def _header(lines: list[bytes], at: list[int]) -> bytes:
    """A line of names that most blocks have, to the letter."""
    counts: Counter[bytes] = Counter()
    for begin, end in zip(at, [*at[1:], len(lines)], strict=True):
        counts.update({line.rstrip() for line in lines[begin + 1 : end]})
    for line, times in counts.most_common(8):
        words = len(line.split())
        capital = 2 * sum(word[:1].isupper() for word in line.split()) > words
        often = times >= _ALIKE * len(at) and line[:1].isalpha()
        if often and words >= _WORDS and capital and is_header(decode(line)):
            return line
    return b""
