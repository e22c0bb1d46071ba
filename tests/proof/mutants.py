"""Bytes that were damaged: all of one kind in order, or as many random ones as there is time for.

Bytes in, bytes out; the same seed gives the same mutants.
"""

import random
from collections.abc import Callable, Iterator

_TOKENS = (
    b"\0", b"\n", b"\r\n", b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"-1", b"0",
    b"1e999", b"NaN", b"99999999999999999999", b"\\ud800", b"\xff\xfe", b"\xf0\x9f\x92", b"\x1b[2J",
    b"../", b"/", b"..", b"'", b";", b"--", b"\\", b"[stub artifact:", b"[stub end ", b"Next: ",
)  # fmt: skip


def flip(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def swapped(data: bytes, first: int, second: int) -> bytes:
    lines = data.splitlines(keepends=True)
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def pairs(data: bytes) -> list[tuple[int, int]]:
    """Every two places of lines that differ."""
    lines = data.splitlines(keepends=True)
    places = range(len(lines))
    return [(a, b) for a in places for b in places[a + 1 :] if lines[a] != lines[b]]


def random_mutant(dice: random.Random, data: bytes, other: bytes = b"") -> bytes:
    """One to three changes, of which most are small."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        data = dice.choice(_CHANGES)(dice, data, other or data)
    return data


def _range(dice: random.Random, data: bytes) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + dice.choice((1, 2, 8, 64, 1000)))


def _flip(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    return flip(data, dice.randrange(len(data) * 8)) if data else data


def _set(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _cut(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _take(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(dice, data)
    return data[:start] + data[end:]


def _double(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(dice, data)
    return data[:end] + data[start:]


def _zero(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(dice, data)
    return data[:start] + b"\0" * (end - start) + data[end:]


def _insert(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + dice.choice(_TOKENS) + data[at:]


def _splice(dice: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _range(dice, data)
    mine, until = _range(dice, other)
    return data[:start] + other[mine:until] + data[end:]


def _lines(dice: random.Random, data: bytes, _other: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
    way = dice.randrange(3)
    if way == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif way == 1:
        del lines[first]
    else:
        lines.insert(second, lines[first])
    return b"".join(lines)


_CHANGES: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    _flip, _set, _cut, _take, _double, _zero, _insert, _insert, _splice, _lines,
)  # fmt: skip


def chunks(total: int, size: int) -> Iterator[range]:
    """0 to total in ranges of that size."""
    for start in range(0, total, size):
        yield range(start, min(total, start + size))
