"""Lines that stand apart: what has hardly a template in common with others, where most have, and
what differs from all others of its template.

They are ranked, never dropped for being many: what differs at one place, then block by block what
is in no large template, the shortest block first. Blocks that stand between the same lines again
and again are text that each record has, and say nothing. In prose nothing has a template.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from stubcli.detect.text.columns import OddLine
from stubcli.detect.text.facts import Apart
from stubcli.detect.text.mining import Mined, is_plain
from stubcli.text.characters import decode
from stubcli.text.display import looks_own

# Fewer lines have no bulk; of more, the large templates must hold so many.
_LEAST = 20
_BULK = 0.6
# So many lines are rare; beside a template of ten times as many, a few more.
_RARE = 2
_FEW = 4
_TIMES = 10
_RARE_SHARE = 1 / 5000
# The first lines are seen anyway.
_EDGE = 5
_MOST = 12
_MOST_ODD = 5
# Blocks between the same two templates are no exception any more: so many, and this share.
_RECURRING = 8
_RECURRING_SHARE = 0.34
# The first lines of a block say what it is. More lines that begin alike and go on each in its own
# way are free text. What begins as the lines of a large template do says how it differs from them.
_OF_A_BLOCK = 2
_FREE = 8
# Of all lines, more that begin as no large template does are text, but for entries of a log.
_STRANGERS = 0.05
_RULES = b"=-#*_~+.<>"
# What so many times as many lines have is usual.
_BESIDE = 20
_OWNER_ABOVE = 400
_OPENING_ABOVE = 60
# So many paragraphs that open alike are records, each of which owns its lines.
_PARAGRAPHS = 5
_OWNER = 80
_TEXT = 200
BLANK = -1


def find(
    lines: list[bytes],
    templates: list[Mined],
    of: Sequence[int],
    odd: list[OddLine],
    known: frozenset[int],
    quoted: Callable[[bytes], bytes],
    headed: bool,
    others: frozenset[int] | None = None,
) -> tuple[tuple[Apart, ...], int]:
    """The lines that stand apart, and how many they are. of: the template of each line.

    known: numbers of lines that are shown elsewhere. quoted: what is shown of a line. headed:
    whether they are entries of a log, each of which tells of something. others: the numbers of
    lines that may be rare; None for all.
    """

    def apart(at: int, count: int = 1, others: int = 0, usual: str = "") -> Apart:
        owner = _owner(lines, at)
        owner = _opening(lines, at, openings) if owner < 0 else owner
        text = decode(quoted(lines[at])[:_TEXT]).strip()
        above = decode(lines[owner][:_OWNER]).strip() if owner >= 0 else ""
        return Apart(at + 1, text, count, owner + 1, above, others, usual)

    def unknown(at: int) -> bool:
        return at >= _EDGE and at + 1 not in known and not looks_own(decode(lines[at][:_TEXT]))

    openings = _openings(of)
    differing = {one.line: one for one in reversed(odd) if unknown(one.line)}
    rare = [at for at in _rare(templates, of, headed) if unknown(at) and at not in differing]
    if others is not None:
        rare = [at for at in rare if at + 1 in others]
    # The rarest kind of difference first, by how many lines are otherwise.
    ranked = sorted(differing.values(), key=lambda one: (-one.others, one.line))
    found = [apart(one.line, 1, one.others, one.usual) for one in ranked[:_MOST]]
    rest = [
        apart(at, templates[of[at]].count, *_beside(templates[of[at]], templates))
        for at in rare[:_MOST]
    ]
    room = max(_MOST_ODD, _MOST - len(rest))
    shown = [*found[:room], *rest][:_MOST]
    return tuple(shown), len(differing) + len(rare)


def _beside(one: Mined, templates: list[Mined]) -> tuple[int, str]:
    """Of the largest template that differs in one word, the lines and the word; else nothing."""
    for other in templates:
        if other.count < _BESIDE * one.count:
            break
        if len(other.words) == len(one.words):
            pairs = zip(one.words, other.words, strict=True)
            differ = [theirs for ours, theirs in pairs if ours != theirs and theirs is not None]
            word = decode(differ[0]) if len(differ) == 1 and is_plain(differ[0]) else ""
            if any(map(str.isalnum, word)):
                return other.count, word
    return 0, ""


def _owner(lines: list[bytes], at: int) -> int:
    """Where the nearest less indented line above stands, -1 for none: a blank line parts them."""
    indent = _indent(lines[at])
    if not indent:
        return -1
    for above in range(at - 1, max(-1, at - _OWNER_ABOVE), -1):
        if not lines[above].strip():
            return -1
        if _indent(lines[above]) < indent:
            return above
    return -1


def _openings(of: Sequence[int]) -> set[int]:
    """Where paragraphs open, of templates that open many of them."""
    first = [at for at, one in enumerate(of) if one != BLANK and (not at or of[at - 1] == BLANK)]
    counts = Counter(of[at] for at in first)
    return {at for at in first if counts[of[at]] >= _PARAGRAPHS}


def _opening(lines: list[bytes], at: int, openings: set[int]) -> int:
    """Where the paragraph opens in which the line stands, as many do; -1 for none."""
    for above in range(at, max(-1, at - _OPENING_ABOVE), -1):
        if not lines[above].strip():
            return -1
        if above in openings:
            return above if above < at else -1
    return -1


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _rare(templates: list[Mined], of: Sequence[int], headed: bool) -> list[int]:
    """The first line of each template that is not of the bulk, the most telling first."""
    lines = sum(one.count for one in templates)
    largest = max((one.count for one in templates), default=0)
    most = max(_RARE, min(_FEW, largest // _TIMES), int(_RARE_SHARE * lines))
    bulk = sum(one.count for one in templates if one.count > max(most, _FEW))
    if lines < _LEAST or bulk < _BULK * lines:
        return []
    rare = {at for at, one in enumerate(templates) if one.count <= most}
    blocks = list(_blocks(of, rare))
    contexts = Counter(context for _, _, context in blocks)
    around = Counter(of)
    kin = {one.words[0] for one in templates if one.count > most}
    begins = Counter(templates[at].words[0] for at in rare)
    ranked: list[tuple[bool, int, bool, bool, int, int]] = []
    seen: set[int] = set()
    for begin, end, context in blocks:
        often = max(_RECURRING, _RECURRING_SHARE * min(around[one] for one in context))
        if contexts[context] >= often:
            continue
        told = 0
        for at in range(begin, end):
            one = templates[of[at]]
            if of[at] in seen or not _says_something(one):
                continue
            seen.add(of[at])
            told += 1
            first = one.words[0]
            free = begins[first] > _FREE or told > _OF_A_BLOCK
            stranger = first not in kin or not _is_a_word(first)
            ranked.append((free, end - begin, one.count > _RARE, stranger, one.count, at))
    strangers = sum(one[3] for one in ranked)
    if not headed and strangers > _STRANGERS * lines:
        ranked = [one for one in ranked if not one[3]]
    return [at for *_, at in sorted(ranked)]


def _is_a_word(word: bytes | None) -> bool:
    """Whether it is more than what stands for anything."""
    return word is not None and bool(word.strip(b"*:,;()[]'"))


def _says_something(one: Mined) -> bool:
    """Whether there is a word in it, and no banner around it: no rule, no bracket alone."""
    first, last = one.words[0] or b"", one.words[-1] or b""
    banner = min(len(first), len(last)) > 2 and not (first + last).strip(_RULES)
    letters = sum(map(str.isalpha, decode(b"".join(word or b"" for word in one.words))))
    return letters > 1 and not banner


def _blocks(of: Sequence[int], rare: set[int]) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Runs of lines of rare templates: from, to behind, and the templates around."""
    begin = None
    for at, template in enumerate([*of, BLANK]):
        if template in rare:
            begin = at if begin is None else begin
        elif begin is not None:
            yield begin, at, (of[begin - 1] if begin else BLANK, template)
            begin = None
