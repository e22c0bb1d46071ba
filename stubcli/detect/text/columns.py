"""The words at the places of a template: one for all lines, a few that are counted, or numbers.

What stands once or twice among few values is odd, and so is a number that is far from all others.
Numbers may carry a unit, and a name before them that is the same in all lines (size=12kB).
"""

from collections import Counter
from collections.abc import Collection, Iterable

from stubcli.detect.text.mining import Mined, shared
from stubcli.value import Value

# Of a template, so many words are looked at, half a microsecond each, and at least these places.
_CELLS = 300_000
_FEWEST = 2
# Fewer lines have no usual value.
_LEAST = 20
# So many different words are values, more are names, numbers or text; more numbers are amounts.
_VALUES = 12
_STATES = 3
# OddLine is what stands once or twice beside few that are common, in hardly a line in all.
_LONE = 2
_LONE_VALUES = 2
_COMMON_VALUES = 4
_ODD_SHARE = 0.02
# Numbers are odd beyond the last but twentieth by so many times.
_TIMES = 5
# Outcomes are codes of which nearly all lines have the same; others are rare in so few of them.
_USUAL_OUTCOME = 0.9
_RARE_OUTCOME = 0.01
_ARROWS = ("->", "=>", "→")
_OUTCOMES = frozenset(
    (
        *(
            "rc",
            "ret",
            "retval",
            "returned",
            "returncode",
            "return_code",
            "result",
            "errno",
            "code",
        ),
        *("exit", "exited", "exitcode", "exit_code", "exit-code", "status", "status_code", "http"),
    )
)
_FINE = ("200", "201", "202", "204", "301", "302", "304", "0")
# Longer ones are names made of digits.
_DIGITS = 18

# What a unit stands for: of time, where all of a column are of time, or of sizes.
_DURATIONS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0}
_DURATIONS |= {"m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "seconds": 1.0}
_SIZES = {"": 1.0, "b": 1.0, "bytes": 1.0, "%": 1.0}
for _power, _prefix in enumerate("kmgtp", 1):
    _SIZES |= dict.fromkeys((_prefix, _prefix + "b", _prefix + "ib", _prefix + "i"), 1e3**_power)
_ENDS = ",;:)]}>'\"."
_BEGINS = "([{<'\"$"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
IN_NAMES = _LETTERS + "0123456789"
_IN_NUMBERS = IN_NAMES + "_.%+-µ"
_UNIT = _LETTERS + "%µ"


class OddLine(Value):
    """A line that differs from others of its template: which, and what the others have."""

    line: int
    others: int
    usual: str


class Columns:
    """same: by place, the word of all lines. values: by place, the words with their counts."""

    def __init__(self) -> None:
        self.same: dict[int, str] = {}
        self.values: dict[int, Counter[str]] = {}
        self.odd: list[OddLine] = []


def read(template: Mined, numbers: list[int], lines: list[str]) -> Columns:
    """The columns of a template, whose lines have these numbers and texts."""
    found = Columns()
    rows = [line.split() for line in lines]
    widths = Counter(map(len, rows))
    width = widths.most_common(1)[0][0]
    if len(widths) > 1:
        # Quoted words hold blanks: of the lines that have as many words, none stands for all.
        numbers = [number for number, row in zip(numbers, rows, strict=True) if len(row) == width]
        rows = [row for row in rows if len(row) == width]
    words = template.words
    columns = list(zip(*rows, strict=True))[: max(_FEWEST, _CELLS // len(rows))]
    skip = False
    for place, column in enumerate(columns):
        fixed = words[place] if place < len(words) else None
        if skip or (fixed is not None and b"*" not in fixed and b"''" not in fixed):
            skip = False
            continue
        counts = Counter(column)
        if len(counts) == 1:
            found.same[place] = column[0]
        elif len(column) >= _LEAST:
            units = columns[place + 1] if place + 1 < len(columns) else ()
            before = columns[place - 1][0] if words[place - 1 : place] != [None] else ""
            if _is_outcome(before if place else "", counts):
                found.values[place] = counts
                found.odd += _failed(column, counts, numbers)
                skip = False
            else:
                skip = _read_column(found, place, column, counts, units, numbers)
    if len(widths) > 1:
        found.same, found.values = {}, {}
    return found


def _read_column(
    found: Columns,
    place: int,
    column: tuple[str, ...],
    counts: Counter[str],
    units: tuple[str, ...],
    numbers: list[int],
) -> bool:
    """Read one column; whether the next one, of units, belongs to it."""
    if len(counts) <= _VALUES:
        found.values[place] = counts
    if len(counts) <= _STATES or (len(counts) <= _VALUES and not all(map(_is_number, counts))):
        found.odd += _lone(column, counts, numbers)
        return False
    scaled = _amounts(counts)
    known = {unit.strip(_ENDS).lower() for unit in set(units)}
    united = bool(known) and "" not in known and known <= (_SIZES | _DURATIONS).keys()
    if scaled and united:
        column = tuple(map("".join, zip(column, units, strict=True)))
        scaled = _amounts(set(column))
    if scaled:
        found.odd += _far(column, scaled, numbers)
        return united
    found.odd += _suffixes(column, counts, numbers)
    return False


def _is_outcome(before: str, counts: Counter[str]) -> bool:
    """Whether the words say what came of it: codes, where nearly all are the same one.

    They are named so, stand behind an arrow or such a name, or are those of HTTP.
    """
    usual, times = counts.most_common(1)[0]
    if len(counts) > _VALUES or times < _USUAL_OUTCOME * counts.total():
        return False
    if not all(map(_is_number, counts)):
        return False
    if before in _ARROWS or before.strip(_ENDS + _BEGINS + "=").lower() in _OUTCOMES:
        return True
    if usual.rpartition("=")[0].lower() in _OUTCOMES:
        return True
    bare = [word.strip(_ENDS) for word in counts]
    return usual.strip(_ENDS) in _FINE and all(len(word) == 3 and word < "600" for word in bare)


def _failed(column: tuple[str, ...], counts: Counter[str], numbers: list[int]) -> list[OddLine]:
    """Of each outcome that hardly a line has, the first lines."""
    usual, times = counts.most_common(1)[0]
    left = {
        word: _LONE
        for word, count in counts.items()
        if count <= max(_LONE, _RARE_OUTCOME * counts.total())
    }
    found: list[OddLine] = []
    for at, word in enumerate(column):
        if left.get(word):
            left[word] -= 1
            found.append(OddLine(numbers[at], times, usual.strip(_ENDS)))
    return found


def _is_number(word: str) -> bool:
    return word.rpartition("=")[2].lstrip(_BEGINS + "-+")[:1].isdecimal()


def _lone(
    column: Iterable[str], counts: Counter[str], numbers: list[int], most: int = _LONE_VALUES
) -> list[OddLine]:
    """The lines whose value stands once or twice, where the others have few values."""
    lone = {value for value, count in counts.items() if count <= _LONE}
    total = sum(counts.values())
    others = total - sum(counts[value] for value in lone)
    common = len(counts) - len(lone)
    if not 0 < len(lone) <= most or common > _COMMON_VALUES:
        return []
    if not any(map(str.isalnum, "".join(lone))):
        return []
    if total - others > max(1, _ODD_SHARE * total):
        return []
    named = [value.strip(_ENDS) for value, _ in counts.most_common(3) if value not in lone]
    named = [value for value in named if any(map(str.isalnum, value))]
    if not named:
        return []
    usual = ", ".join(named) + (", …" if common > len(named) else "")
    return [OddLine(numbers[at], others, usual) for at, value in enumerate(column) if value in lone]


def _suffixes(column: tuple[str, ...], counts: Counter[str], numbers: list[int]) -> list[OddLine]:
    """Of paths, the lines whose last part ends as that of hardly another."""
    if sum("." in value for value in counts) < 0.8 * len(counts):
        return []
    ends = [value.rpartition("/")[2] for value in column]
    kinds = [end.rpartition(".")[2] if "." in end[1:] else end[:1] + "…" for end in ends]
    found = Counter(kinds)
    return _lone(kinds, found, numbers, _VALUES)


def _amounts(words: Collection[str]) -> dict[str, float] | None:
    """What the words are as numbers, with a unit and with the same name before them."""
    smallest, largest = min(words), max(words)
    begin = len(smallest[: shared(smallest, largest)].rstrip(_IN_NUMBERS))
    parsed: dict[str, tuple[float, str]] = {}
    for word in words:
        bare = word[begin:].strip(_ENDS).lstrip(_BEGINS)
        number = bare.rstrip(_UNIT)
        plain = number.lstrip("+-").replace(",", "").replace(".", "", 1)
        if not (plain.isascii() and plain.isdecimal() and len(plain) <= _DIGITS):
            return None
        parsed[word] = float(number.replace(",", "")), bare[len(number) :].lower()
    units = {unit for _, unit in parsed.values()}
    factors = next((known for known in (_DURATIONS, _SIZES) if units <= known.keys()), None)
    if factors is None:
        return None
    return {word: number * factors[unit] for word, (number, unit) in parsed.items()}


def _far(column: tuple[str, ...], amounts: dict[str, float], numbers: list[int]) -> list[OddLine]:
    """The lines whose number is far from all the others."""
    values = [amounts[word] for word in column]
    order = sorted(range(len(values)), key=values.__getitem__)
    if order[0] == 0 and values == [values[at] for at in order]:
        # What only grows counts or tells the time.
        return []
    ranked = [values[at] for at in order]
    found: list[int] = []
    p95 = ranked[int(0.95 * (len(ranked) - 1))]
    for some in (2, 1):
        low, high = ranked[0], ranked[-some - 1]
        gap = ranked[-some] - high
        if gap > high - low or (ranked[-some] > _TIMES * p95 > 0 and gap > 0):
            found = order[-some:]
            break
    for some in (1, 2):
        low, high = ranked[some], ranked[-1]
        if low - ranked[some - 1] > high - low and not found:
            found = order[:some]
            break
    rest = [at for at in order if at not in found]
    usual = f"{column[rest[0]].strip(_ENDS)} to {column[rest[-1]].strip(_ENDS)}"
    return [OddLine(numbers[at], len(rest), usual) for at in sorted(found)]
