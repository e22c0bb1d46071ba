"""The header of the lines of a log: the places at their beginning that hold a time, a level, a
host, a process or a source, and what stands behind it, the message.

Found on a sample by the shape of the words at each place, so that it needs no name of a format;
lines are then divided by splitting them, without a regular expression. Lines that have no header
(a stack trace, a message that goes on) are a message as a whole.
"""

from collections import Counter

from stubcli.detect.model import Value
from stubcli.detect.reading import Beginning

SAMPLED = 120
_PLACES = 14
LONGEST = 200
# Of the sampled lines, so many must have the header, and so many of those agree at each place.
_HEADED = 0.4
AGREED = 0.94
_SOURCED = 0.6
_SOURCE = 80
_HOSTS = 0.34

_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
# What stands between places instead of blanks, and what it is taken for.
_SEPARATORS = {b"|": b" ", b"][": b"] ["}
_CUT = "… ".encode()
AROUND = b"[](){}<>,;|\"'"
LEVELS = frozenset(
    b"trace debug dbg info inf information notice warn warning wrn error err fatal ftl crit "
    b"critical severe emerg alert panic failure verbose fine finer finest".split()
)
_LETTERS = frozenset((b"V", b"D", b"I", b"W", b"E", b"F", b"T"))
_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_NAMES = frozenset((*_MONTHS, *b"Mon Tue Wed Thu Fri Sat Sun".split()))
_DATES = frozenset(
    b"0000-00-00 0000/00/00 0000.00.00 00-00-00 00/00/00 00.00.00 00/00/0000 00.00.0000 "
    b"00-00 00/00 00.00 0000-00 00/000/0000".split()
)
_TIME, _NUMBER, _LEVEL, _LETTER, _NAME, _MARK, _KLOG, _WORD = range(8)
_IN_TIME = frozenset((_TIME, _NAME, _KLOG))


class Header(Value):
    """places: so many words are divided off. times: the places of the time, from and to behind.
    level: the place of the level, -1 for none; letter: its first letter is the level. separator:
    what stands between the places instead of blanks. thread: whether brackets follow. source: what
    ends the name that follows, ":" or a blank.
    """

    places: int
    times: tuple[int, int]
    level: int
    letter: bool = False
    separator: bytes = b""
    thread: bool = False
    source: str = ""


class Headed(Value):
    """Lines in their order, each divided. messages: what stands behind the header.

    levels, times, sources: of the line at the same place, empty where it has none.
    """

    header: Header
    begun: Beginning
    messages: list[bytes]
    levels: list[bytes]
    times: list[bytes]
    sources: list[bytes]


def find(lines: list[bytes]) -> Header | None:
    """The header that most of the lines have; None where there is none with a time or a level."""
    step = max(1, len(lines) // SAMPLED)
    sample = [line[:LONGEST] for line in lines[::step] if line.strip()]
    if len(sample) < 3:
        return None
    separator = next((one for one in _SEPARATORS if _separates(one, sample)), b"")
    sample = [spaced(line, separator) for line in sample]
    split = [line.split(None, _PLACES) for line in sample]
    first = Counter(_class(words[0]) for words in split)
    usual = max(first, key=lambda kind: (first[kind], -kind))
    if usual in _IN_TIME or usual == _LEVEL:
        split = [words for words in split if _class(words[0]) == usual]
    if len(split) < max(3, _HEADED * len(sample)):
        return None
    return _of(split, separator)


def _separates(separator: bytes, lines: list[bytes]) -> bool:
    """Whether the places are separated so, instead of by blanks."""
    least = 2 if separator == b"|" else 1
    return sum(line[:80].count(separator) >= least for line in lines) >= AGREED * len(lines)


def spaced(line: bytes, separator: bytes) -> bytes:
    return line.replace(separator, _SEPARATORS[separator]) if separator else line


def _of(split: list[list[bytes]], separator: bytes) -> Header | None:
    kinds = [_agreed(split, place) for place in range(_PLACES)]
    levels = [place for place, kind in enumerate(kinds) if kind in (_LEVEL, _LETTER, _KLOG)]
    times = _time(kinds, split)
    if levels and kinds[levels[0]] == _LETTER and times is None:
        levels = []
    level = levels[0] if levels else -1
    if times is None and level < 0:
        return None
    if times is None and level > 0 and not all(kind != _WORD for kind in kinds[:level]):
        return None
    last = max([level, *(p for p, kind in enumerate(kinds[:10]) if kind in _IN_TIME)])
    last = max(last, times[1] - 1 if times else -1)
    places = last + 1
    while kinds[places : places + 1] in ([_NUMBER], [_MARK]) and level >= 0:
        places += 1
    klog = level >= 0 and kinds[level] == _KLOG
    header = Header(places, times or (0, 0), level, letter=klog, separator=separator)
    return _with_source(header, [words[places:] for words in split if len(words) > places])


def _agreed(split: list[list[bytes]], place: int) -> int:
    """The class of the words at a place, where nearly all lines that have it agree."""
    kinds = Counter(_class(words[place]) for words in split if len(words) > place)
    if not kinds or sum(kinds.values()) < AGREED * len(split):
        return _WORD
    # A letter that is a level in nearly all lines is none where others stand at its place.
    kind, count = kinds.most_common(1)[0]
    return kind if count >= AGREED * len(split) else _WORD


def _class(word: bytes) -> int:
    bare = word.strip(AROUND)
    if b"=" in bare:
        bare = bare.rpartition(b"=")[2].strip(AROUND)
    bare = bare.rstrip(b":")
    if bare.lower() in LEVELS:
        return _LEVEL
    if bare in _LETTERS:
        return _LETTER
    if bare in _NAMES:
        return _NAME
    if not bare.strip(b"-*=|"):
        return _MARK
    shape = bare.translate(_DIGITS)
    if shape[:1] == b"0":
        if b"00:00" in shape or b"00.00.00" in shape or shape in _DATES:
            return _TIME
        # Seconds and milliseconds since 1970, of 2001 to 2033.
        if shape.partition(b".")[0] in (b"0" * 10, b"0" * 13) and bare[:1] == b"1":
            return _TIME
        # Since the start: 12.345678, 0.040s.
        since, _, part = shape.partition(b".")
        if not since.strip(b"0") and (part == b"0" * 6 or part in (b"000s", b"00s")):
            return _TIME
        return _NUMBER if not shape.rstrip(b"ms").strip(b"0.,-") else _WORD
    return _KLOG if shape[1:] == b"0000" and bare[:1] in _LETTERS else _WORD


def _time(kinds: list[int], split: list[list[bytes]]) -> tuple[int, int] | None:
    """From which place to behind which the first time stands."""
    for place, kind in enumerate(kinds):
        if kind not in _IN_TIME:
            continue
        end = place
        while end < len(kinds) and (kinds[end] in _IN_TIME or _in_date(kinds, end, place)):
            end += 1
        if any(one in (_TIME, _KLOG) for one in kinds[place:end]):
            return place, end
    # Dates and times of digits alone have one width each: 081109 203615.
    for place in range(2):
        if kinds[place] == kinds[place + 1] == _NUMBER:
            widths = {tuple(map(len, words[place : place + 2])) for words in split}
            if widths in ({(6, 6)}, {(8, 6)}):
                return place, place + 2
    return None


def _in_date(kinds: list[int], at: int, begin: int) -> bool:
    """Whether a number is a day after a month, or a year after a time that began with names."""
    return kinds[at] == _NUMBER and at > begin and _NAME in kinds[begin:at]


def _with_source(header: Header, rests: list[list[bytes]]) -> Header:
    """The header with what names the source behind the places that were found."""
    if header.separator == b"|" or not rests:
        return header
    if sum(words[0][:1] == b"[" for words in rests) >= AGREED * len(rests):
        header = header.replace(thread=True)
        rests = [_behind(words) for words in rests]
    for hosts in range(3):
        named = sum(len(words) > hosts and _is_source(words[hosts]) for words in rests)
        if named >= _SOURCED * len(rests):
            before = Counter(tuple(words[:hosts]) for words in rests)
            if hosts and len(before) > max(3, _HOSTS * len(rests)):
                return header
            return header.replace(places=header.places + hosts, source=":")
        if header.thread:
            return header
    names = Counter(words[0] for words in rests if words and _is_dotted(words[0]))
    few = len(names) <= max(3, _HOSTS * len(rests))
    return header.replace(source=" ") if few and names.total() >= AGREED * len(rests) else header


def _behind(words: list[bytes]) -> list[bytes]:
    """The words behind the bracket that opens with the first."""
    for at, word in enumerate(words):
        if word.rstrip(b":")[-1:] == b"]":
            return words[at + 1 :]
    return []


def _is_source(word: bytes) -> bool:
    return 1 < len(word) <= _SOURCE and word[-1:] == b":" and word[:1] not in b"\"'{(<"


def _is_dotted(word: bytes) -> bool:
    parts = word.split(b".")
    return len(parts) > 1 and all(parts) and not word[:1].isdigit() and b"/" not in word


def quoted(line: bytes, header: Header) -> bytes:
    """The line from its level or its source on, with a mark for what is left out."""
    words = line.split(None, header.places)
    if header.separator or len(words) <= header.places or not _begins(words, header):
        return line
    rest = words[header.places]
    if header.thread:
        rest = _CUT + _divided(rest, header)[1]
    level = words[header.level] + b" " if header.level >= 0 and not header.letter else b""
    return (_CUT if header.places > bool(level) else b"") + level + rest


def at_the_beginning(lines: list[bytes]) -> Header | None:
    """The header where it begins with the time, as what runs a command writes it before each line.

    A time further behind is what a line of a listing or a table says.
    """
    found = find(lines)
    return found if found and found.times[1] and found.times[0] < 2 else None


def divide(begun: Beginning, header: Header) -> Headed:
    """The lines, each divided into what the header holds and the message."""
    places, level, (begin, end) = header.places, header.level, header.times
    separator = header.separator
    messages, levels, times, sources = [], [], [], []
    for line in begun.lines:
        words = (spaced(line, separator) if separator else line).split(None, places)
        message, source, of = line, b"", b""
        if len(words) >= places and _begins(words, header):
            message = words[places] if len(words) > places else b""
            if level >= 0:
                of = words[level][:1] if header.letter else words[level]
            if header.thread or header.source:
                source, message = _divided(message, header)
            times.append(b" ".join(words[begin:end]))
        else:
            times.append(b"")
        messages.append(message)
        levels.append(of)
        sources.append(source)
    names = {one: _level(one) for one in set(levels)}
    return Headed(header, begun, messages, [names[one] for one in levels], times, sources)


def _begins(words: list[bytes], header: Header) -> bool:
    if header.level >= 0 and not header.letter:
        return _level(words[header.level]) != b""
    return any(48 <= byte <= 57 for byte in words[header.times[1] - 1][:4])


def _level(word: bytes) -> bytes:
    bare = word.strip(AROUND)
    if b"=" in bare:
        bare = bare.rpartition(b"=")[2].strip(AROUND)
    bare = bare.rstrip(b":")
    return bare.upper() if bare.lower() in LEVELS or bare in _LETTERS else b""


def _divided(rest: bytes, header: Header) -> tuple[bytes, bytes]:
    """The source that a rest of a line begins with, and the message behind it."""
    source = b""
    if header.thread and rest[:1] == b"[":
        end = rest.find(b"] ", 0, 300)
        if end < 0:
            return b"", rest
        source, rest = rest[1:end].rstrip(), rest[end + 2 :].lstrip()
        if header.source != ":":
            return source, rest[2:] if rest[:2] == b"- " else rest
    if header.source == " ":
        name, _, message = rest.partition(b" ")
        return name, message.lstrip()
    name, colon, message = rest.partition(b": ")
    if not colon and rest.endswith(b":"):
        name, colon = rest[:-1], b":"
    if not colon or len(name) > _SOURCE or (b" " in name and name[-1:] != b"]"):
        return source, rest
    return name.partition(b"[")[0], message.lstrip()
