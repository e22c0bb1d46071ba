"""Spans of time in words, everywhere in the same ones: ms, s, min, h, d.

Two units at most, and no digits that nobody measured.
"""

_LARGER = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


def span(seconds: float) -> str:
    """`850 ms`, `1.5 s`, `45 s`, `2 min 5 s`, `3 h`, `2 d 4 h`."""
    if seconds < 1:
        milliseconds = round(1000 * seconds)
        return f"{milliseconds} ms" if 0 < milliseconds < 1000 else f"{round(seconds)} s"
    if seconds < 59.95:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    whole = round(seconds)
    for size, unit, small, name in _LARGER:
        if whole >= size:
            rest = whole % size // small
            return f"{whole // size:,} {unit}" + (f" {rest} {name}" if rest else "")
    raise AssertionError(seconds)


def rough(seconds: float) -> str:
    """The largest unit alone, rounded down: `45 s`, `2 min`, `3 h`, `12 d`."""
    whole = int(seconds)
    for size, unit, _, _ in _LARGER:
        if whole >= size:
            return f"{whole // size:,} {unit}"
    return f"{whole} s"
