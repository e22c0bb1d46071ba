"""The words of a page, made from facts and kept short. The only way from facts to prose.

None leads back. It cuts and never rewrites; what was cut off is marked by an ellipsis or counted.
"""

import re
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Protocol, cast

import stubcli.debug as debug
from stubcli.detect.facts import BareFacts, KindFacts
from stubcli.detect.model import NotableLine, Synopsis

ITEM = 200
ELIDED = " … "
LINE = 300
_SUMMARY = 1200
_STRUCTURE = 2700
_NOTABLE = 1700
_COLUMNS = 8
_LONGEST_NAME = 40
# A cause is told in so many plain words at least.
_SPOKEN = 3
# Tokens by how they begin: of AWS, GitHub, GitLab, Slack and Google.
_OPENERS = ("AKIA", "gho_", "ghp_", "ghs_", "ghu_", "glpat-", "xox", "AIza")
_OPENER = r"\b(AKIA|gh[opsu]_|glpat-|xox[abprs]-|AIza)[\w-]{12,}"


def clip(text: str, most: int = ITEM) -> str:
    """`text`, or its beginning and an ellipsis: at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def shortened(text: str, most: int) -> str:
    """The text; of a longer one its beginning and its end, where what is behind the last colons is
    the cause of what stands before them, and no number, name or list of them.
    """
    if len(text) <= most:
        return text
    begin = most // 4
    at = text.find(": ", len(text) - (most - begin - len(ELIDED)) - 2)
    if at < 0 or sum(map(str.isalpha, text[at + 2 :].split())) < _SPOKEN:
        return clip(text, most)
    return f"{text[:begin]}{ELIDED}{text[at + 2 :]}"


def listed(items: Iterable[str], total: int, most: int = LINE, item: int = 80) -> str:
    """As many of the items as fit, and how many of `total` are not named."""
    shown: list[str] = []
    length = 0
    for each in items:
        each = clip(each, item)
        length += len(each) + 2
        if length > most - 14:
            break
        shown.append(each)
    rest = f" +{total - len(shown):,} more" if total > len(shown) else ""
    return ", ".join(shown) + rest


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 line", "2,000 lines"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def limited(seen: int, size: int) -> tuple[str, ...]:
    """What is said when only the beginning of the stream was looked at."""
    return (f"looked at the first {seen:,} of {size:,} bytes",) if seen < size else ()


def undecodable(count: int, charset: str) -> str:
    """So many bytes are not UTF-8; charset: in which they would be letters, "" if in none."""
    would = f"; as {charset} they would be letters" if charset else ""
    return f"{counted(count, 'byte is', 'bytes are')} not UTF-8{would}"


def columns(names: Iterable[str]) -> tuple[str, ...]:
    """The first names that every reader of the table takes for the same one column.

    SQL folds case, and some readers trim blanks or take a quote for their own.
    """
    found = list(names)
    times = Counter(name.casefold().strip() for name in found)
    plain = (
        name
        for name in found
        if name == name.strip() != "" and name.isprintable() and '"' not in name
    )
    alone = [n for n in plain if times[n.casefold()] == 1 and len(n) <= _LONGEST_NAME]
    return tuple(alone[:_COLUMNS])


def fitted(synopsis: Synopsis) -> Synopsis:
    """The synopsis within its bounds, whatever a kind put into it."""
    return synopsis.replace(
        summary=_lines(synopsis.summary, _SUMMARY),
        structure=_lines(synopsis.structure, _STRUCTURE),
        notable=fitted_notable(synopsis.notable),
    )


def _lines(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    kept: list[str] = []
    for line in lines:
        line = clip(line, LINE)
        most -= len(line)
        if most < 0:
            break
        kept.append(line)
    return tuple(kept)


def fitted_notable(lines: tuple[NotableLine, ...]) -> tuple[NotableLine, ...]:
    """The lines, cut where all of them take too much room; short ones leave theirs to the long.

    What must not lie around is masked: the place is told.
    """
    lines = tuple(line.replace(text=masked(line.text)) for line in lines)
    if sum(len(line.text) for line in lines) <= _NOTABLE:
        return lines
    most = ITEM
    while sum(min(most, len(line.text)) for line in lines) > _NOTABLE:
        most -= 10
    return tuple(line.replace(text=clip(line.text, most)) for line in lines)


def masked(text: str) -> str:
    """`text` in which a token that opens something is shown by its kind alone."""
    if not any(begins in text for begins in _OPENERS):
        return text
    return re.sub(_OPENER, lambda found: found[1] + "…(masked)", text)


class Words(Protocol):
    """What the module `words` of a kind offers: lines, the most important first."""

    def summary(self, facts: KindFacts) -> list[str]: ...

    def structure(self, facts: KindFacts) -> list[str]: ...


def synopsis_of(facts: KindFacts) -> Synopsis:
    """The synopsis within its bounds; where its words fail, the label and the notable lines."""
    try:
        summary, structure = _worded(facts)
    except Exception as error:
        debug.swallowed(f"words of {facts.label}", error)
        summary, structure = [], []
    return fitted(
        Synopsis(
            facts.kind,
            facts.form,
            tuple(summary),
            tuple(structure),
            facts.notable,
            facts.encoding,
            facts.columns(),
        )
    )


def _worded(facts: KindFacts) -> tuple[list[str], list[str]]:
    if isinstance(facts, BareFacts):
        measures = (
            f"{facts.size:,} bytes",
            counted(facts.characters, "character"),
            counted(facts.lines, "line"),
        )
        return [", ".join(measures)], []
    words = cast(Words, import_module(f"stubcli.detect.{facts.detector}.words"))
    return words.summary(facts), words.structure(facts)
