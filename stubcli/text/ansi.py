"""Escape sequences and cursor movement: what a line shows once a terminal has obeyed it.

Linear in the length of the text. The C1 forms are those of decoded text (U+009B); a lone byte
0x9B is more often a half of a character in a legacy encoding, and eats nothing here.
"""

import re

from stubcli.text.graphemes import graphemes

_STRING = r"(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f\n]*+"
_CSI = r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+"
# A string that another sequence interrupts, or that the text ends in, is over there, as in a
# terminal. One that runs into a line end is none: only its introducer goes, so that a stray one
# cannot hide lines.
_SEQUENCE = re.compile(
    rf"{_STRING}(?:\x07|\x1b\\|\x9c|(?=[\x1b\x80-\x9f])|\Z)"
    rf"|{_CSI}[@-~]?"
    r"|\x1b[ -/]*+[0-~]?"
    r"|[\x90\x98\x9c-\x9f]"
)
_COMPLETE = re.compile(
    rf"{_STRING}[\x07\x9c]|{_CSI}[@-~]|\x1b(?:[ -/]++[0-~]|[0-OQ-WYZ\\`-~])|\x9c"
)
_INTRODUCERS = "\x1b\x90\x98\x9b\x9c\x9d\x9e\x9f"
_MOVES = re.compile(r"(\r|\x08|\x1b\[[012]?[KG])")
_TO_THE_START = frozenset({"\r", "\x1b[G", "\x1b[0G", "\x1b[1G"})
_ERASES_THE_REST = frozenset({"\x1b[K", "\x1b[0K"})
_ERASES_ALL = "\x1b[2K"
_KEPT = (_TO_THE_START | _ERASES_THE_REST | {_ERASES_ALL}) - {"\r"}


def _has_sequences(text: str) -> bool:
    return "\x1b" in text or not text.isascii()


def strip_ansi(text: str) -> str:
    """`text` without escape sequences, also one that it ends in the middle of."""
    return _SEQUENCE.sub("", text) if _has_sequences(text) else text


def visible_runs(text: str) -> list[tuple[int, str]]:
    """What `strip_ansi` leaves, in runs, each with its place in `text`. No run is empty."""
    runs, place = [], 0
    for found in _SEQUENCE.finditer(text):
        if found.start() > place:
            runs.append((place, text[place : found.start()]))
        place = found.end()
    if place < len(text):
        runs.append((place, text[place:]))
    return runs


def unfinished(text: str) -> int:
    """Where the sequence begins that `text` ends in the middle of, else its length."""
    # An ESC at the very end may be the first half of a string's terminator.
    end = len(text) - text.endswith("\x1b")
    begin = max(text.rfind(introducer, 0, end) for introducer in _INTRODUCERS)
    found = _SEQUENCE.match(text, begin, end) if begin >= 0 else None
    if not found or found.end() < end or _COMPLETE.fullmatch(text, begin, end):
        return end
    return begin


def last_frame(line: str) -> str:
    """What a terminal shows of one line at its end, without escape sequences.

    A carriage return, a backspace or "cursor to column 1" moves; what follows overwrites column
    by column, a grapheme taken for one; "erase line" erases. Other movement is ignored.
    """
    if "\r" not in line and "\b" not in line:
        return strip_ansi(line)
    if _has_sequences(line):
        line = _SEQUENCE.sub(lambda found: found[0] if found[0] in _KEPT else "", line)
    cells: list[str] = []
    cursor = 0
    for piece in _MOVES.split(line):
        if piece in _TO_THE_START:
            cursor = 0
        elif piece == "\b":
            cursor = max(0, cursor - 1)
        elif piece in _ERASES_THE_REST:
            del cells[cursor:]
        elif piece == _ERASES_ALL:
            # Programs return to column 1 with it; blanks up to the cursor are not worth keeping.
            cells.clear()
            cursor = 0
        else:
            written = graphemes(piece)
            cells[cursor : cursor + len(written)] = written
            cursor += len(written)
    return "".join(cells)
