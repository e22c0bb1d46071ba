"""The largest templates of a text, each with what varies marked, and the lines that stand apart."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from stubcli.detect.text import apart, columns, mining
from stubcli.detect.text.columns import Columns
from stubcli.detect.text.facts import Bulk, LineTemplate
from stubcli.detect.text.mining import Mined
from stubcli.detect.words import clip
from stubcli.text.characters import decode

if TYPE_CHECKING:
    from stubcli.detect.text.divisions import Start

_SHOWN = 6
_TEXT = 110
# Smaller ones are not shown; if the largest hold less of all lines, it is prose.
_LEAST = 0.005
_FEWEST = 3
_COVERED = 0.25
# Of smaller ones that are not shown, nothing is usual.
_READ = 20
_VALUE = 24
_VALUES = 5
_VALUED_PLACES = 2
_SEPARATES = ",;:"
_VARIED = "…"
# Addresses, times and decimals vary as a whole.
_VARIED_RUNS = ("….…", "…:…", "…,…")
# Fewer lines of a kind are no beginnings and endings.
_PAIRED = 10
# Durations have one of these shapes; of milliseconds, fewer than these are short anyway.
_TOOK = (b"0s", b"0 s", b"0 min")
_MILLISECONDS = (b"0ms", b"0 ms")
_MANY_MILLISECONDS = rb"\d{3}(?:\.\d+)? ?ms\b"
_PADDED = rb"\[ +(\d)"


def find(
    messages: list[bytes],
    lines: list[bytes],
    *,
    known: frozenset[int] = frozenset(),
    quoted: Callable[[bytes], bytes] = bytes,
    headed: bool = False,
    elsewhere: Callable[[int], object] | None = None,
    others: frozenset[int] | None = None,
    paired: bool = False,
    divided: "list[Start] | None" = None,
) -> Bulk:
    """What the messages have in common, and the lines that stand apart.

    messages: of each line what is compared. known: numbers of lines that are shown already.
    quoted: what is shown of a line. headed: whether they are entries of a log, and no prose however
    much they differ. elsewhere: whether a line is counted elsewhere, and its template not shown.
    others: the numbers of lines that are no rows, where a form knows rows: of rows, only what
    differs at one place stands apart. paired: whether lines may begin and end something. divided:
    where headings divide the lines.
    """
    data = b"\n".join(messages)
    if b"[ " in data:
        # [ 40%] and [100%] are one word each.
        data = re.sub(_PADDED, rb"[\1", data)
    mined = mining.mine(data.split(b"\n"))
    of, places = _assigned(mined)
    texts = decode(data).split("\n")
    read: list[Columns] = []
    for at, template in enumerate(mined.templates):
        if template.count < _READ and at >= _SHOWN:
            break
        read.append(columns.read(template, places[at], [texts[number] for number in places[at]]))
    odd = [one for each in read for one in each.odd]
    found, count = apart.find(lines, mined.templates, of, odd, known, quoted, headed, others)
    listed = mined.templates
    if elsewhere is not None:
        listed = [one for one in listed if not elsewhere(one.first)]
    columns_of = dict(zip(map(id, mined.templates), read, strict=False))
    shown, rest = _largest(listed, columns_of, headed)
    bulk = Bulk(shown, len(listed), rest, found, count)
    if paired:
        bulk = _with_pairs(bulk, messages, data, mined)
    if not divided:
        return bulk
    from stubcli.detect.text import divisions

    telling = {one.line for one in found} | known

    def marked(at: int) -> str:
        template = mined.templates[at]
        return _marked(template, columns_of.get(id(template)) or Columns())

    return bulk.replace(
        divisions=divisions.tell(divided, lines, of, marked, lambda at: at + 1 in telling)
    )


def _with_pairs(bulk: Bulk, messages: list[bytes], data: bytes, mined: mining.Mining) -> Bulk:
    """The same with what began and did not end, and what took longest.

    Most logs hold neither; what looks for them is loaded where it may find some.
    """
    counts = [one.count for one in mined.templates[:2]]
    if len(counts) == 2 and counts[1] >= _PAIRED:
        from stubcli.detect.text import pairs

        bulk = bulk.replace(unanswered=pairs.find(messages, mined.shapes))
    if _tells_durations(data, mined.shapes):
        from stubcli.detect.text import durations

        bulk = bulk.replace(longest=durations.find(messages, mined.shapes))
    return bulk


def _tells_durations(data: bytes, shapes: list[bytes]) -> bool:
    distinct = b"\n".join(dict.fromkeys(shapes))
    if any(unit in distinct for unit in _TOOK):
        return True
    return any(unit in distinct for unit in _MILLISECONDS) and bool(
        re.search(_MANY_MILLISECONDS, data)
    )


def _assigned(mined: mining.Mining) -> tuple[list[int], list[list[int]]]:
    """The template of each line, and the lines of each template."""
    of_shape = {b"": apart.BLANK}
    for at, template in enumerate(mined.templates):
        for key in template.keys:
            of_shape.update(dict.fromkeys(key.shapes, at))
    of = [of_shape[shape] for shape in mined.shapes]
    # The last are those of blank lines.
    places: list[list[int]] = [[] for _ in range(len(mined.templates) + 1)]
    for number, at in enumerate(of):
        places[at].append(number)
    return of, places


def _largest(
    templates: list[Mined], read: dict[int, Columns], headed: bool
) -> tuple[tuple[LineTemplate, ...], int]:
    """The largest templates, and how many lines the largest has that is not among them."""
    total = sum(one.count for one in templates)
    shown = []
    for template in templates[:_SHOWN]:
        found = read.get(id(template)) or Columns()
        text = _marked(template, found)
        if template.count >= max(_FEWEST, _LEAST * total) and _says_something(text):
            shown.append(LineTemplate(template.count, clip(text, _TEXT), _values(found)))
    if not headed and sum(one.count for one in shown) < _COVERED * total:
        return (), 0
    counts = (one.count for one in templates[len(shown) :])
    return tuple(shown), next(counts, 0)


def _says_something(text: str) -> bool:
    """Whether there is a word in it. One word that varies is a name, or text that is encoded."""
    encoded = _VARIED in text and all(char.isalnum() or char in "_+=-…" for char in text)
    return not encoded and sum(map(str.isalpha, text)) > 1


def _marked(template: Mined, read: Columns) -> str:
    """The template's words, … for what varies."""
    split = [shape.split() for shape in template.shapes]
    width = len(split[0])
    even = all(len(words) == width for words in split)
    shown: list[str] = []
    for place, word in enumerate(template.words):
        if place in read.same:
            text = read.same[place]
        elif even:
            text = _common({words[place] for words in split})
        else:
            text = _VARIED if word is None else decode(word).replace("''", "'…'").replace("*", "…")
        for run in _VARIED_RUNS:
            while run in text:
                text = text.replace(run, _VARIED)
        if text != _VARIED or shown[-1:] != [_VARIED]:
            shown.append(text)
    more = not even or width > len(template.words)
    return " ".join(shown) + (" …" if more and shown[-1:] != [_VARIED] else "")


def _common(words: set[bytes]) -> str:
    """What the words, in which 0 is any number, begin and end with; … for the rest."""
    first, last = min(words), max(words)
    if first == last:
        return decode(first).replace("0", _VARIED)
    start = mining.shared(first, last)
    ends = [word[start:][::-1] for word in words]
    end = min(ends)[: mining.shared(min(ends), max(ends))][::-1]
    # A part of a name that all happen to begin or end with is none.
    prefix = decode(first[:start]).rstrip(columns.IN_NAMES).replace("0", _VARIED)
    suffix = decode(end).lstrip(columns.IN_NAMES).replace("0", _VARIED)
    return prefix.rstrip(_VARIED) + _VARIED + suffix.lstrip(_VARIED)


def _values(read: Columns) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The places with the fewest values."""
    few = [counts for counts in read.values.values() if len(counts) <= _VALUES]
    few = sorted((counts for counts in few if max(map(len, counts)) <= _VALUE), key=len)
    return tuple(
        tuple(sorted(_bare(counts), key=lambda item: (-item[1], item[0])))
        for counts in few[:_VALUED_PLACES]
    )


def _bare(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The words without what separates them, where they differ without it too."""
    bare = {word.strip(_SEPARATES): count for word, count in counts.items()}
    return list((bare if len(bare) == len(counts) else counts).items())
