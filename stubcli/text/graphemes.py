"""Grapheme borders: where text may be cut without turning one visible character into another.

The `regex` package knows the rules of Unicode and costs 18 ms to import: ASCII, of which only CR LF
belongs together, does without it.
"""

from collections.abc import Iterator

# A match begins at a border, so that two regional indicators there are a pair. \X alone counts all
# those before it each time, which is quadratic.
_CLUSTER = r"[\U0001F1E6-\U0001F1FF]{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X"
# Which regional indicators are a pair depends on all those before them.
_REMAINDER = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+[\U0001F1E6-\U0001F1FF]*+\X?"
_NEAR = 64


def iter_graphemes(text: str) -> Iterator[str]:
    """The extended grapheme clusters of `text`, one after the other."""
    if text.isascii():
        yield from _ascii(text)
        return
    import regex

    for found in regex.finditer(_CLUSTER, text):
        yield found[0]


def _ascii(text: str) -> list[str]:
    if "\r\n" not in text:
        return list(text)
    parts = text.split("\r\n")
    found = list(parts[0])
    for part in parts[1:]:
        found.append("\r\n")
        found.extend(part)
    return found


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text`: "".join() of them is `text`."""
    return _ascii(text) if text.isascii() else list(iter_graphemes(text))


def border(text: str, place: int) -> int:
    """The last grapheme border of `text` at or before `place`."""
    if place <= 0:
        return 0
    if place >= len(text):
        return len(text)
    start = place
    while start and not _certain(text, start):
        start -= 1
    if start == place:
        return place
    for one in iter_graphemes(text[start : place + 1]):
        if start + len(one) > place:
            return start
        start += len(one)
    return start


def first_border(text: str) -> int:
    """A border of `text` near its beginning, which may lie in the middle of a grapheme."""
    for place in range(1, min(len(text), _NEAR)):
        if _certain(text, place):
            return place
    import regex

    lead = regex.match(_REMAINDER, text)
    return int(lead.end()) if lead else 0


def _certain(text: str, place: int) -> bool:
    """Whether a border lies there that takes no rules to know: ASCII, or before an ideograph."""
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    alone = after < "\x80" or "\u4e00" <= after <= "\u9fff"
    return alone and (before < "\x80" or "\u3000" <= before <= "\u9fff")


def clip(text: str, room: int) -> str:
    """The longest beginning of `text` of at most `room` characters that ends at a border."""
    return text if len(text) <= room else text[: border(text, room)]
