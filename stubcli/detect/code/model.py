"""Which class of text the features of a text speak for: a linear model, its weights in a file.

The classes are languages, and what is none: prose, logs, tables, … whose names begin with a dash.
A line of the file is a feature and a byte for each class; the first line names the classes, the
second has the weights of every text. tests/bench/language_weights.py counts them.
"""

from collections.abc import Iterator, Mapping
from math import sqrt

# A weight is (byte - CENTRE) * STEP; bytes are printable, and no space.
CENTRE = 80
STEP = 0.7
# A line that comes again and again says little more than that it is there.
_MOST = 0.15
_FILE = __file__.rpartition("model")[0] + "weights.txt"


def scores(counts: Mapping[bytes, int]) -> tuple[dict[str, float], int]:
    """What the features speak for: by class, a logarithm of odds; and how many features do."""
    with open(_FILE, "rb") as file:
        names, *lines = file.read().split(b"\n")
    weights = dict(_rows(lines))
    total = sum(counts.values()) or 1
    # What all weights are too high by is taken off once, at the end.
    found = [float(weight) for weight in weights[b""]]
    above, known = float(CENTRE), 0
    for feature, count in counts.items():
        row = weights.get(feature)
        if row:
            known += 1
            share = weighed(count, total)
            above += CENTRE * share
            found = [score + share * weight for score, weight in zip(found, row, strict=True)]
    classes = names.decode().split("\t")
    return dict(zip(classes, (STEP * (score - above) for score in found), strict=True)), known


def weighed(count: int, total: int) -> float:
    """How much it counts that so many of all features are this one."""
    return min(sqrt(count / total), _MOST)


def _rows(lines: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for line in lines:
        feature, _, row = line.rpartition(b" ")
        if b"\\" in feature:
            feature = feature.decode("unicode_escape").encode("latin-1")
        yield feature, row
