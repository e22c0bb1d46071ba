"""In which of the usual encodings bytes that are not UTF-8 would be letters.

A guess by neighbours: in the right one, a byte between the letters of a word is a letter of the
same script.
"""

import re
import unicodedata
from collections.abc import Iterable

_CHARSETS = ("ISO-8859-1", "ISO-8859-2", "windows-1252", "windows-1250", "windows-1251", "KOI8-R")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_WORDS = 400


def charset_of(pieces: Iterable[bytes]) -> str:
    """The name of the likeliest encoding of what is not UTF-8 in these pieces; "" for none."""
    words = [word for piece in pieces for line in piece.split(b"\n") for word in _words(line)]
    words = [word for word in words if len(word) > 1]
    if not words:
        return ""
    counts = [sum(_is_word(word, name) for word in words[:_WORDS]) for name in _CHARSETS]
    best = max(counts)
    return _CHARSETS[counts.index(best)] if 2 * best > len(words[:_WORDS]) else ""


def _words(line: bytes) -> list[bytes]:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return _WORD.findall(line)
    return []


def _is_word(word: bytes, charset: str) -> bool:
    """Whether all characters are letters of one script, and none a capital after a small one."""
    try:
        text = word.decode(charset)
    except UnicodeDecodeError:
        return False
    if not text.isalpha() or (text[1:].lower() != text[1:] and text.upper() != text):
        return False
    return len({unicodedata.name(char, "?").partition(" ")[0] for char in text}) == 1
