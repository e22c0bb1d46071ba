"""The sentences of prose that say what was decided, how it ended, and why.

A sentence counts where a word of outcome stands beside votes, an amount or a date, or beside a
cause. Few such sentences are chance: a manual has some, minutes and reports have many.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from stubcli.detect.text.facts import Heading
from stubcli.detect.text.section_lines import Section
from stubcli.detect.words import clip
from stubcli.text.characters import decode
from stubcli.text.display import looks_own

_SHOWN = 10
_FEWEST = 3
# Of so many sentences, one at least: in longer texts, fewer are chance.
_SHARE = 1 / 80
_LONGEST = 260
_PARAGRAPH = 4000
_SENTENCES = 20_000
_HEADING = 50
_END = re.compile(r"(?<=[^\s.][^\W_A-Z]|\S[)%\"'»])[.!?]\s+(?=[\"'(«„“]?[^\W_a-z])")
_AGAINST = re.compile(
    r"\b(?:refused|rejected|declined|dismissed|denied|defeated|withdrawn|failed|terminated|"
    r"revoked|suspended|cancelled|abgelehnt|verweigert|zurückgewiesen|gescheitert|"
    r"gekündigt|refusée?s?|rejetée?s?|rechazad[ao]s?|denegad[ao]s?)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:(?:was|were|is|are|has been|have been|be) (?:thus |\w+ly )?(?:approved|elected|"
    r"re-elected|appointed|decided|resolved|agreed|adopted|accepted|carried|granted|passed|"
    r"closed|ordered)|(?:approved|elected|resolved|decided|agreed|adopted|appointed|voted)\b|"
    r"(?:genehmigt|gewählt|beschlossen|angenommen|entschieden)|"
    r"(?:approuv|adopt|décid)ée?s?|(?:aprobad|acordad|elegid)[ao]s?)",
    re.IGNORECASE,
)
_VOTES = re.compile(
    r"\b\d+ (?:votes? )?(?:for|in favou?r|ayes?|yes|pour|ja)\b.{0,30}\d|\bunanimous|"
    r"\b(?:without|with one|no|with \w+) votes? against|\bby a show of hands|"
    r"\bvot(?:es?|ed)\b.{0,30}\d|\b\d+ votes?\b|\b\d+ (?:ja-)?stimmen\b|\beinstimmig|"
    r"\bunanimi|\b\d+ (?:against|contre|nein|noes)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d{1,3}(?:[,.' ]\d{3})+|\d (?:%|percent|per cent|million|EUR|USD|CHF|NOK)|[$£€] ?\d|"
    r"\b\d{1,2}\.? (?:Jan|Feb|Ma|Mä|Apr|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez)\w*|"
    r"\b20\d\d-\d\d-\d\d\b"
)
# A count of votes is an outcome.
_TALLY = re.compile(
    r"\b\d+ (?:for|in favou?r|ayes?|pour|ja)\b.{0,20}\d+ (?:\w+ )?(?:against|noes|contre|nein)\b",
    re.IGNORECASE,
)
_LAID_OUT = re.compile(r"\w:\s{2,}\S|\S\s{4,}\S")
_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|the reasons? (?:was|is|for|given)|root cause|was caused by|"
    r"as a result of|on the grounds?|wegen|aufgrund|da die|en raison|parce que|debido a|porque)\b",
    re.IGNORECASE,
)
# What a text demands of its reader is no outcome.
_ADVICE = re.compile(
    r"\b(?:you|your|if|should|may|can|option|default|returns?|function|e\.g)\b", re.IGNORECASE
)


def find(lines: Sequence[bytes], found: Sequence[Section]) -> tuple[tuple[Heading, ...], int]:
    """The most telling sentences in their order, each with the line in which it begins and the
    heading that it stands below; and how many there are. () where a text has hardly any.
    """
    starts = [section.line for section in found]
    told: list[tuple[int, int, str]] = []
    sentences = decisive = 0
    for begin, end in _paragraphs(lines, set(starts)):
        said = list(_sentences(lines, begin, end))
        weights = [_weight(text) for _, text in said]
        told += _with_neighbours(said, weights)
        sentences += len(said)
        decisive += sum(weight > 1 for weight in weights)
        if sentences >= _SENTENCES:
            break
    if decisive < max(_FEWEST, _SHARE * sentences):
        return (), 0
    ranked = sorted(told, key=lambda one: (-one[0], one[1]))[:_SHOWN]
    shown = []
    for _, line, text in sorted(ranked, key=lambda one: one[1]):
        at = bisect_right(starts, line) - 1
        below = f" (below {clip(decode(found[at].text.strip()), _HEADING)})" if at >= 0 else ""
        shown.append(Heading(line, clip(text, _LONGEST) + below))
    return tuple(shown), len(told)


def _with_neighbours(
    said: list[tuple[int, str]], weights: list[int]
) -> Iterator[tuple[int, int, str]]:
    """What decides, with its weight; a count of votes with the sentences that it stands between."""
    last = -1
    for at, weight in enumerate(weights):
        if not weight or at <= last:
            continue
        first = last = at
        if _TALLY.search(said[at][1]):
            first = at - (at > 0 and not weights[at - 1])
            last = min(at + 1, len(said) - 1)
        yield (
            max(weights[first : last + 1]),
            said[first][0],
            " ".join(text for _, text in said[first : last + 1]),
        )


def _weight(text: str) -> int:
    """How much the sentence decides; 0 for nothing."""
    against, carried = bool(_AGAINST.search(text)), bool(_FOR.search(text))
    votes, amount, cause = (bool(one.search(text)) for one in (_VOTES, _AMOUNT, _CAUSE))
    outcome = against or carried or bool(_TALLY.search(text))
    if not (outcome and (votes or amount or cause)) and not (cause and amount):
        return 0
    if not votes and _ADVICE.search(text):
        return 0
    return 3 * against * outcome + 3 * votes + 2 * amount + 2 * cause * outcome + carried


def _sentences(lines: Sequence[bytes], begin: int, end: int) -> Iterator[tuple[int, str]]:
    """The sentences of a paragraph, and the lines in which they begin."""
    text, places = "", list[int]()
    for line in lines[begin:end]:
        places.append(len(text))
        text += decode(line).strip() + " "
        if len(text) > _PARAGRAPH:
            break
    text, start = text.strip(), 0
    for stop in [*(one.end() for one in _END.finditer(text)), len(text)]:
        sentence = text[start:stop].strip()
        if sentence and not looks_own(sentence) and not _LAID_OUT.search(sentence):
            yield begin + bisect_right(places, start), sentence
        start = stop


def _paragraphs(lines: Sequence[bytes], heads: set[int]) -> Iterator[tuple[int, int]]:
    begin = -1
    for at, line in enumerate([*lines, b""]):
        inside = bool(line.strip()) and at + 1 not in heads and line.strip(b"=-~*_# \t\r") != b""
        if inside and begin < 0:
            begin = at
        elif not inside and begin >= 0:
            yield begin, at
            begin = -1
