"""The header of the lines of a log: the places at their beginning that hold a time, a level, a
host, a process or a source, and what stands behind it, the message.

Found on a sample by the shape of the words at each place, without the name of any format. Lines
that have no header (a stack trace, a message that goes on) are a message as a whole.
"""

from collections import Counter

from stubcli.value import Value

SAMPLED = 100
_PLACES = 14
LONGEST = 200
# Of the sampled lines, so many must have the header, and so many of those agree at each place.
_HEADED = 0.4
AGREED = 0.94
_SOURCED = 0.6
_PIPES = 4
SOURCE = 80
_HOSTS = 0.34

DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else byte for byte in range(256))
# What stands between places instead of blanks, and what it is taken for.
_SEPARATORS = {b"|": b" ", b"][": b"] ["}
AROUND = b"[](){}<>,;|\"'"
LEVELS = frozenset(
    b"trace debug dbg info inf information notice warn warning wrn error err fatal ftl crit "
    b"critical severe emerg alert panic failure verbose fine finer finest".split()
)
_LETTERS = frozenset((b"V", b"D", b"I", b"W", b"E", b"F", b"T"))
_NAMES = frozenset(
    b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split()
)
_DATES = frozenset(
    b"0000-00-00 0000/00/00 0000.00.00 00-00-00 00/00/00 00.00.00 00/00/0000 00.00.0000 "
    b"00-00 00/00 00.00 0000-00 00/000/0000".split()
)
_TIME, _NUMBER, _LEVEL, _LETTER, _NAME, _MARK, _KLOG, _WORD = range(8)
_IN_TIME = frozenset((_TIME, _NAME, _KLOG))


class Header(Value):
    """places: so many words are divided off. times: the places of the time, from and to behind.
    level: the place of the level, -1 for none. separator: what stands between the places instead
    of blanks, and how many of them. thread: whether brackets follow. source: what ends the name
    that follows, ":", "]" or a blank.
    """

    places: int
    times: tuple[int, int]
    level: int
    separator: bytes = b""
    separators: int = 0
    thread: bool = False
    source: str = ""


def find(lines: list[bytes]) -> Header | None:
    """The header that most of the lines have; None where there is none with a time or a level."""
    step = max(1, len(lines) // SAMPLED)
    sample = [cut for line in lines[::step] if (cut := line[:LONGEST]).strip()]
    if len(sample) < 3:
        return None
    separator = next((one for one in _SEPARATORS if _separates(one, sample)), b"")
    count = min(_PIPES, *(n for n in (line.count(separator) for line in sample) if n), 9)
    piped = _words_before(separator, count, sample) if separator == b"|" else 0
    sample = [spaced(line, separator, count) for line in sample]
    # What is longer than is looked at may begin with nothing but blanks.
    split = [words for line in sample if (words := line.split(None, _PLACES))]
    if len(split) < 3:
        return None
    classes = _Classes()
    first = Counter(classes[words[0]] for words in split)
    usual = max(first, key=lambda kind: (first[kind], -kind))
    if usual in _IN_TIME or usual == _LEVEL:
        split = [words for words in split if classes[words[0]] == usual]
    if len(split) < max(3, _HEADED * len(sample)):
        return None
    found = _of(split, classes)
    if found is None:
        return None
    if separator == b"|":
        return found.replace(places=max(found.places, piped), separator=separator, separators=count)
    found = found.replace(separator=separator, separators=count if separator else 0)
    return _with_source(
        found, [words[found.places :] for words in split if len(words) > found.places]
    )


def _words_before(separator: bytes, count: int, lines: list[bytes]) -> int:
    """How many words stand before the last of so many separators, in nearly all lines; or 0."""
    numbers = Counter(
        sum(len(part.split()) for part in line.split(separator, count)[:count]) for line in lines
    )
    number, agreed = numbers.most_common(1)[0]
    return number if agreed >= AGREED * len(lines) else 0


def _separates(separator: bytes, lines: list[bytes]) -> bool:
    """Whether the places are separated so, instead of by blanks."""
    least = 2 if separator == b"|" else 1
    return sum(line[:80].count(separator) >= least for line in lines) >= AGREED * len(lines)


def spaced(line: bytes, separator: bytes, count: int) -> bytes:
    """The line with blanks in place of so many separators."""
    return line.replace(separator, _SEPARATORS[separator], count) if separator else line


def _of(split: list[list[bytes]], classes: dict[bytes, int]) -> Header | None:
    """The header up to its last time or level."""
    kinds = [_agreed(split, place, classes) for place in range(_PLACES)]
    levels = [place for place, kind in enumerate(kinds) if kind in (_LEVEL, _LETTER, _KLOG)]
    times = _time(kinds, split)
    if levels and kinds[levels[0]] == _LETTER and times is None:
        levels = []
    level = levels[0] if levels else -1
    if times is None and level < 0:
        return None
    if times is None and level > 0 and not all(kind != _WORD for kind in kinds[:level]):
        return None
    places = max([level, *(p for p, kind in enumerate(kinds[:10]) if kind in _IN_TIME)]) + 1
    places = max(places, times[1] if times else 0)
    while kinds[places : places + 1] in ([_NUMBER], [_MARK]) and level >= 0:
        places += 1
    return Header(places, times or (0, 0), level)


def _agreed(split: list[list[bytes]], place: int, classes: dict[bytes, int]) -> int:
    """The class of the words at a place, where nearly all lines that have it agree."""
    kinds = Counter([classes[words[place]] for words in split if len(words) > place])
    kind, count = kinds.most_common(1)[0] if kinds else (_WORD, 0)
    return kind if count >= AGREED * len(split) else _WORD


class _Classes(dict[bytes, int]):
    """The class of each word."""

    def __missing__(self, word: bytes) -> int:
        self[word] = kind = _class(word)
        return kind


def _class(word: bytes) -> int:
    bare = _bare(word)
    if bare.lower() in LEVELS:
        return _LEVEL
    if bare in _LETTERS:
        return _LETTER
    if bare in _NAMES:
        return _NAME
    if not bare.strip(b"-*=|"):
        return _MARK
    shape = bare.translate(DIGITS)
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


def _bare(word: bytes) -> bytes:
    """The word, or the value of a key, without what stands around it."""
    bare = word.strip(AROUND)
    if b"=" in bare:
        bare = bare.rpartition(b"=")[2].strip(AROUND)
    return bare.rstrip(b":")


def _time(kinds: list[int], split: list[list[bytes]]) -> tuple[int, int] | None:
    """From which place to behind which the first time stands."""
    for place, kind in enumerate(kinds):
        if kind not in _IN_TIME:
            continue
        end = place
        # A number is a day behind a month, or a year behind a time that began with names.
        while end < len(kinds) and (
            kinds[end] in _IN_TIME or (kinds[end] == _NUMBER and _NAME in kinds[place:end])
        ):
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


def _with_source(header: Header, rests: list[list[bytes]]) -> Header:
    """The header with what names the source behind the places that were found."""
    if not rests:
        return header
    if sum(words[0][:1] == b"[" for words in rests) >= AGREED * len(rests):
        header = header.replace(thread=True)
        rests = [_behind(words) for words in rests]
    for hosts in range(3):
        ends = Counter(_source_end(words[hosts : hosts + 2]) for words in rests)
        end = max(":]", key=lambda end: ends[end])
        if ends[end] >= _SOURCED * len(rests):
            before = Counter(tuple(words[:hosts]) for words in rests)
            if hosts and len(before) > max(3, _HOSTS * len(rests)):
                return header
            return header.replace(places=header.places + hosts, source=end)
        if header.thread:
            return header
    names = Counter(words[0] for words in rests if words and _is_dotted(words[0]))
    if names.total() < AGREED * len(rests) or len(names) > max(3, _HOSTS * len(rests)):
        return header
    return header.replace(source=" ")


def _behind(words: list[bytes]) -> list[bytes]:
    """The words behind the bracket that opens with the first."""
    for at, word in enumerate(words):
        if word.rstrip(b":")[-1:] == b"]":
            return words[at + 1 :]
    return []


def _source_end(words: list[bytes]) -> str:
    """What ends the name that the words begin with: main.go:17], basind[9]:, Basin   :"""
    word = words[0] if words else b""
    if words[1:] == [b":"]:
        word += b":"
    if not 1 < len(word) <= SOURCE or word[:1] in b"\"'{(<[":
        return ""
    return ":" if word[-1:] == b":" else "]" if word[-1:] == b"]" and b"[" not in word else ""


def _is_dotted(word: bytes) -> bool:
    parts = word.split(b".")
    return len(parts) > 1 and all(parts) and not word[:1].isdigit() and b"/" not in word


def level_of(word: bytes) -> bytes:
    """The level that the word is, in capitals; empty for none."""
    bare, kind = _bare(word), _class(word)
    if kind == _KLOG:
        return bare[:1]
    return bare.upper() if kind in (_LEVEL, _LETTER) else b""
