"""Logs: lines that begin with a time or carry a level. Levels, sources, the course of time."""

from collections import Counter
from collections.abc import Iterable

from stubcli.detect.model import ByteSource, Scan
from stubcli.detect.reading import Beginning, beginning, blocks
from stubcli.detect.text import course, header
from stubcli.detect.text.divided import Headed, divide
from stubcli.detect.text.facts import GRAVE, Course, EntryFields, FormFacts, Peak
from stubcli.detect.text.line_signs import LEVEL, STAMP
from stubcli.detect.text.read import FormReading
from stubcli.detect.words import clip, listed
from stubcli.text.characters import decode
from stubcli.text.durations import span

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


_SOURCES = 8
# So many entries of a grave level may share something.
_AGAIN = 3
_SOURCE = 32


class LogFacts(FormFacts):
    """levels: each with its lines, the most frequent first. counted: where lines were not looked
    at singly, in so many bytes the words were counted instead. first, last: times, as written.
    sources: what wrote the entries, the most frequent of source_count. course: over time.
    fields: of entries, where something grave comes again.
    """

    VERSION = 3
    levels: tuple[tuple[str, int], ...] = ()
    counted: int | None = None
    first: str = ""
    last: str = ""
    sources: tuple[tuple[str, int], ...] = ()
    source_count: int = 0
    course: Course | None = None
    fields: EntryFields = EntryFields()


FACTS = LogFacts


def read(source: ByteSource, scan: Scan) -> FormReading:
    begun = beginning(source)
    found = header.find(begun.lines)
    if found is None:
        return FormReading(_unheaded(source, begun))
    headed = divide(begun, found)
    counted = None
    levels: dict[str, int] = Counter(map(decode, headed.levels))
    if not begun.whole:
        counted, levels = _counted_beyond(source, headed, levels)
    facts = _facts(source, levels, counted, *_span(source, headed))
    sources = Counter(headed.sources)
    del sources[b""]
    facts = facts.replace(
        fields=_fields(headed),
        sources=_ranked({clip(decode(name), _SOURCE): n for name, n in sources.items()})[:_SOURCES],
        source_count=len(sources),
        course=course.find(headed.times, headed.levels) if begun.whole else None,
    )
    return FormReading(facts, headed=headed)


def _fields(headed: Headed) -> EntryFields:
    """Fields compared, where entries of a grave level come again."""
    if sum(level in GRAVE for level in headed.levels) < _AGAIN:
        return EntryFields()
    from stubcli.detect.text import log_fields

    return log_fields.compare(headed)


def _counted_beyond(
    source: ByteSource, headed: Headed, levels: dict[str, int]
) -> tuple[int, dict[str, int]]:
    """The levels of a longer stream, and of how many bytes. One letter stands for too much."""
    if any(len(level) == 1 for level in levels):
        return headed.begun.seen, levels
    counted = source.size if source.size <= _COUNTED else _COUNTED_OF_MORE
    return counted, _counted(source, counted, _headed_tokens(headed))


def _unheaded(source: ByteSource, begun: Beginning) -> LogFacts:
    """The facts of a log whose lines have no header in common."""
    first = _first_time(begun.lines)
    counted = None
    if begun.whole:
        levels, _ = _levels(begun.lines)
        last = _first_time(reversed(begun.lines)) if first else b""
    else:
        counted = source.size if source.size <= _COUNTED else _COUNTED_OF_MORE
        levels = _counted(source, counted, _tokens(begun.lines))
        last = _first_time(reversed(_end(source))) or _first_time(reversed(begun.lines))
    return _facts(source, levels, counted, first, last)


def _facts(
    source: ByteSource, levels: dict[str, int], counted: int | None, first: bytes, last: bytes
) -> LogFacts:
    return LogFacts(
        size=source.size,
        seen=source.size,
        levels=_ranked({name: count for name, count in levels.items() if name}),
        counted=counted,
        first=clip(decode(first).strip()),
        last=clip(decode(last).strip()),
    )


def _ranked(counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _span(source: ByteSource, headed: Headed) -> tuple[bytes, bytes]:
    """The first and the last time, as written."""
    lines, places = headed.begun.lines, range(len(headed.times))
    first = next((lines[at] for at in places if headed.times[at]), b"")
    last = next((lines[at] for at in reversed(places) if headed.times[at]), b"")
    if not headed.begun.whole:
        rest = _end(source)
        ends = divide(Beginning(rest, 0, 0), headed.header).times
        last = next((line for line, time in zip(rest[::-1], ends[::-1], strict=True) if time), last)
    return course.written(first, headed.header), course.written(last, headed.header)


def words(facts: LogFacts) -> list[str]:
    said = []
    if facts.levels:
        levels = ", ".join(f"{name} {count:,}" for name, count in facts.levels)
        said.append(f"levels{_where(facts)}: {levels}")
    if facts.first:
        said.append(f"time: {facts.first} to {facts.last}")
    if facts.course is not None:
        said.append(_course(facts.course))
    if len(facts.sources) > 1:
        sources = (f"{name} {count:,}" for name, count in facts.sources)
        # What grave entries share names one of them again.
        room = 80 if facts.fields.ties else 140
        said.append(
            f"sources ({facts.source_count:,}): {listed(sources, facts.source_count, room)}"
        )
    if facts.fields.ties or facts.fields.few:
        from stubcli.detect.text import log_fields

        said += log_fields.words(facts.fields)
    return said


def _course(found: Course) -> str:
    said = f"entries per {span(found.width)}: {_sliced(found.entries, found.most)}"
    if found.most_errors is not None:
        said += f"; errors {_sliced(found.errors, found.most_errors)}"
    return said


def _sliced(slices: tuple[int, ...], most: Peak | None) -> str:
    peak = f" (most {most.count:,}, from {most.time})" if most is not None else ""
    return course.blocks(slices) + peak


def _where(facts: LogFacts) -> str:
    if facts.counted is None:
        return ""
    if any(len(level) == 1 for level, _ in facts.levels):
        return f" in the first {facts.counted:,} bytes"
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


def _headed_tokens(headed: Headed) -> _Tokens:
    """How levels stand in lines that were divided: each as in the first that has it."""
    tokens: _Tokens = Counter()
    found = headed.header
    for level, count in Counter(headed.levels).items():
        line = headed.begun.lines[headed.levels.index(level)]
        words = header.spaced(line, found.separator, found.separators).split(None, found.level + 1)
        word = words[found.level].strip(header.AROUND) if level else b""
        start = line.find(word) + word.upper().rfind(level)
        if level:
            tokens[decode(level), line[max(0, start - 1) : start + len(level) + 1]] = count
    return tokens


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


def _end(source: ByteSource) -> list[bytes]:
    """The last lines of the stream."""
    return source.read_at(source.size - _END, _END).removesuffix(b"\n").split(b"\n")[1:]
