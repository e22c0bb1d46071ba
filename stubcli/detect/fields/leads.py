"""The part of names that sorts them: a host, a folder, a program, what stands before an @.

Found on the cells of one column, without knowing what they name.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from stubcli.detect.fields.sentences import template_of

# Of more parts, or parts of fewer cells each, none sorts anything.
_MOST = 40
_EACH = 3
_SAMPLED = 24
# Nearly all cells have the part that is best, and so many another; of the rest it is empty.
_MOSTLY, _SHARE = 0.9, 0.3
_QUOTED = re.compile(r'"([^"]{1,60})"')
_WORD = re.compile(r"(?:\S*/)?([A-Za-z_][\w.+-]*)(?=[\s:\[(]|$)")
_DIGIT = re.compile(r"\d")
_SEPARATORS = "-_."
_SITE = re.compile(r"([a-z][a-z0-9+.-]*://[^/\s]+/?)")
_PORT = re.compile(r"(.+:)\d+$")

Cut = Callable[[str], str]


class Leads(NamedTuple):
    """parts: of each cell, "" for none. counts: of the parts."""

    parts: list[str]
    counts: Counter[str]


def _quoted(cell: str) -> str:
    found = _QUOTED.search(cell)
    return found[1] if found else ""


def _owner(cell: str) -> str:
    head, at, _ = cell.partition("@")
    return head + at if at and " " not in head else ""


def _folder(cell: str) -> str:
    head, slash, _ = cell.rpartition("/")
    return head + slash if slash and " " not in head else ""


def _stem(cell: str) -> str:
    """What stands before the part that has the first digit."""
    digit = _DIGIT.search(cell)
    end = max(cell.rfind(one, 0, digit.start()) for one in _SEPARATORS) + 1 if digit else 0
    return cell[:end] if end > 2 and cell[:2].isalpha() and " " not in cell[:end] else ""


def _said(cell: str) -> str:
    """What a text of several words says; others are names."""
    text = template_of(cell)
    return text if text[:1].isalpha() and sum(map(str.isalpha, text.split())) > 1 else ""


def _matched(pattern: re.Pattern[str]) -> Cut:
    def cut(cell: str) -> str:
        found = pattern.match(cell)
        return found[1] if found else ""

    return cut


_CUTS: tuple[Cut, ...] = (
    *(_quoted, _owner, _matched(_SITE), _matched(_PORT), _folder),
    *(_stem, _said, _matched(_WORD)),
)


def leads(cells: Sequence[str]) -> Leads | None:
    """The part by which the cells are sorted into a few kinds; None where there is none."""
    filled = sum(map(bool, cells))
    found: list[Leads] = []
    sample = list(islice(dict.fromkeys(filter(None, cells)), _SAMPLED))
    for cut in _CUTS:
        parts = set(map(cut, sample))
        if 2 * len(parts) > len(sample) or parts == {""}:
            continue
        cut_off = list(map(cut, cells))
        counts = Counter(cut_off)
        del counts[""]
        some = counts.total()
        if 1 < len(counts) <= _MOST and some >= max(_SHARE * filled, _EACH * len(counts)):
            found.append(Leads(cut_off, counts))
            if some >= _MOSTLY * filled:
                return found[-1]
    return found[0] if found else None
