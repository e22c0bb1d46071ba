"""The lines of a log, each divided into its header and the message behind it."""

from stubcli.detect.reading import Beginning
from stubcli.detect.text.header import DIGITS, SOURCE, Header, level_of, spaced
from stubcli.value import Value

_CUT = "… ".encode()


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


def quoted(line: bytes, header: Header) -> bytes:
    """The line from its level or its source on, with a mark for what is left out."""
    words = spaced(line, header.separator, header.separators).split(None, header.places)
    at = header.level if header.level >= 0 else header.times[1] - 1
    if len(words) <= header.places or not (
        level_of(words[at]) if header.level >= 0 else b"0" in words[at][:4].translate(DIGITS)
    ):
        return line
    rest = words[header.places]
    if header.thread:
        rest = _CUT + _divided(rest, header)[1]
    level = words[header.level] + b" " if header.level > 0 else b""
    return (_CUT if header.places > bool(level) else b"") + level + rest


def divide(begun: Beginning, header: Header) -> Headed:
    """The lines, each divided into what the header holds and the message."""
    places, level, (begin, end) = header.places, header.level, header.times
    lines = begun.lines
    if header.separator:
        lines = [spaced(line, header.separator, header.separators) for line in lines]
    named, one_word = header.thread or header.source, end - begin == 1
    known = _Levels()
    messages, levels, times, sources = [], [], [], []
    for line, words in zip(begun.lines, [line.split(None, places) for line in lines], strict=True):
        message, source, of, time = line, b"", b"", b""
        if len(words) >= places and (
            (of := known[words[level]])
            if level >= 0
            else b"0" in words[end - 1][:4].translate(DIGITS)
        ):
            message = words[places] if len(words) > places else b""
            if named:
                source, message = _divided(message, header)
            time = words[begin] if one_word else b" ".join(words[begin:end])
        messages.append(message)
        levels.append(of)
        times.append(time)
        sources.append(source)
    return Headed(header, begun, messages, levels, times, sources)


class _Levels(dict[bytes, bytes]):
    """What level a word is, empty for none."""

    def __missing__(self, word: bytes) -> bytes:
        self[word] = level = level_of(word)
        return level


def _divided(rest: bytes, header: Header) -> tuple[bytes, bytes]:
    """The source that a rest of a line begins with, and the message behind it."""
    source = b""
    if header.thread and rest[:1] == b"[":
        end = rest.find(b"] ", 0, 300)
        if end < 0:
            return b"", rest
        source, rest = rest[1:end].rstrip(), rest[end + 2 :].lstrip()
        if not header.source:
            return source, rest.removeprefix(b"- ")
    if header.source == " ":
        name, _, message = rest.partition(b" ")
        return name, message.lstrip().removeprefix(b"- ")
    mark = header.source.encode()
    name, found, message = rest.partition(mark + b" ")
    if not found and rest.endswith(mark):
        name, found = rest[:-1], mark
    name = name.rstrip()
    if not found or len(name) > SOURCE or (b" " in name and name[-1:] != b"]"):
        return source, rest
    return name.partition(b"[")[0], message.lstrip()
