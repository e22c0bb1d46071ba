"""Logs: lines that begin with a time or carry a level. Levels and the span of time."""

from collections import Counter
from collections.abc import Iterable

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import beginning, blocks
from stubcli.detect.text.facts import FormFacts
from stubcli.detect.text.line_signs import LEVEL, STAMP
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip
from stubcli.text.characters import decode

NAME = "log"
ALIKE = True
HEADED = True
# Where not all lines are looked at singly, so many tell how levels stand in them; then the words
# are counted, half a millisecond a MiB and word. Of what is too long to be counted to its end,
# less tells as much.
_LEARNT = 4000
_COUNTED = 32 * 1024 * 1024
_COUNTED_OF_MORE = 8 * 1024 * 1024
_TOKENS = 60
_Tokens = Counter[tuple[str, bytes]]
_TOKEN = 16
_END = 64 * 1024


class LogFacts(FormFacts):
    """levels: each with its lines, the most frequent first. counted: where lines were not looked
    at singly, in so many bytes the words were counted instead. first, last: times, as written.
    """

    levels: tuple[tuple[str, int], ...] = ()
    counted: int | None = None
    first: str = ""
    last: str = ""


FACTS = LogFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    begun = beginning(source)
    first = _first_time(begun.lines)
    counted = None
    if begun.whole:
        levels, _ = _levels(begun.lines)
        last = _first_time(reversed(begun.lines)) if first else b""
    else:
        counted = source.size if source.size <= _COUNTED else _COUNTED_OF_MORE
        levels = _counted(source, counted, _tokens(begun.lines))
        last = _end(source) or _first_time(reversed(begun.lines))
    ranked = sorted(levels.items(), key=lambda item: (-item[1], item[0]))
    facts = LogFacts(
        size=source.size,
        seen=source.size,
        levels=tuple(ranked),
        counted=counted,
        first=clip(decode(first).strip()),
        last=clip(decode(last).strip()),
    )
    return FormReading(facts)


def words(facts: LogFacts) -> list[str]:
    said = []
    if facts.levels:
        levels = ", ".join(f"{name} {count:,}" for name, count in facts.levels)
        said.append(f"levels{_where(facts)}: {levels}")
    if facts.first:
        said.append(f"time: {facts.first} to {facts.last}")
    return said


def _where(facts: LogFacts) -> str:
    if facts.counted is None:
        return ""
    within = "" if facts.counted == facts.size else f" of the first {facts.counted:,} bytes"
    return f" (all places{within} that hold the word as the first lines do)"


def _first_time(lines: Iterable[bytes]) -> bytes:
    stamps = (STAMP.match(line[:100]) for line in lines)
    return next((stamp[0] for stamp in stamps if stamp), b"")


def _levels(lines: list[bytes]) -> tuple[Counter[str], _Tokens]:
    """How many lines are of each level, and how the word stands in them."""
    levels: Counter[str] = Counter()
    tokens: _Tokens = Counter()
    for line in lines:
        found = LEVEL.match(line[:160])
        if found:
            level = found[1].upper().decode()
            levels[level] += 1
            # With what stands around it, the word is counted where lines are not looked at singly.
            token = line[max(0, found.start(1) - 1) : found.end(1) + 1]
            if len(tokens) < _TOKENS or (level, token) in tokens:
                tokens[level, token] += 1
    return levels, tokens


def _tokens(lines: list[bytes]) -> _Tokens:
    """How levels stand in these lines: in the first ones, and in those unlike them."""
    levels, tokens = _levels(lines[:_LEARNT])
    others = lines[_LEARNT:]
    for (_, token), _ in tokens.most_common(len(levels)):
        others = [line for line in others if token not in line]
    return tokens + _levels(others[:_LEARNT])[1]


def _counted(source: ByteSource, limit: int, tokens: _Tokens) -> Counter[str]:
    """How often the most frequent token of each level stands in the first `limit` bytes.

    Levels that the beginning does not hold are looked for as the others stand.
    """
    chosen: dict[str, bytes] = {}
    for (level, token), _ in tokens.most_common():
        chosen.setdefault(level, token)
    if chosen:
        usual, form = next(iter(chosen.items()))
        for level in ("ERROR", "FATAL"):
            if form[1:-1] == usual.encode():
                chosen.setdefault(level, form[:1] + level.encode() + form[-1:])
    levels: Counter[str] = Counter()
    before = b""
    for block in blocks(source, limit):
        for level, token in chosen.items():
            # What the border between two blocks cuts is in neither.
            over = len(token) - 1
            levels[level] += block.count(token) + (before[-over:] + block[:over]).count(token)
        before = block[-_TOKEN:]
    return Counter({level: count for level, count in levels.items() if count})


def _end(source: ByteSource) -> bytes:
    """The last time that stands in the stream."""
    lines = source.read_at(source.size - _END, _END).split(b"\n")[1:]
    return _first_time(reversed(lines))
