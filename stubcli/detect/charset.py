"""In which of the usual encodings bytes that are not UTF-8 would be letters.

A guess by neighbours: in the right one, a byte between the letters of a word is a letter of the
same script.
"""

import re
import unicodedata
from collections.abc import Iterable

_LATIN = ("ISO-8859-1", "ISO-8859-2", "windows-1252", "windows-1250")
_CHARSETS = (*_LATIN, "windows-1251", "KOI8-R")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_PLAIN = re.compile(rb"[A-Za-z]")
_WORDS = 400


def charset_of(pieces: Iterable[bytes]) -> str:
    """The name of the likeliest encoding of what is not UTF-8 in these pieces; "" for none."""
    words = [word for piece in pieces for line in piece.split(b"\n") for word in _words(line)]
    words = [word for word in words if len(word) > 1]
    if not words:
        return ""
    scores = [sum(_score(word, name) for word in words[:_WORDS]) for name in _CHARSETS]
    best = max(scores)
    return _CHARSETS[scores.index(best)] if best > len(words[:_WORDS]) else ""


def _words(line: bytes) -> list[bytes]:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return _WORD.findall(line)
    return []


def _score(word: bytes, charset: str) -> int:
    """0 where it is no word in that encoding, 1 for one in capitals, 2 for any other."""
    try:
        text = word.decode(charset)
    except UnicodeDecodeError:
        return 0
    if not text.isalpha() or (charset in _LATIN and len(word) > 2 and not _PLAIN.search(word)):
        return 0  # hardly a word is written in accents alone
    if len({unicodedata.name(char, "?").partition(" ")[0] for char in text}) > 1:
        return 0
    return 2 if text[1:] == text[1:].lower() else int(text == text.upper())
