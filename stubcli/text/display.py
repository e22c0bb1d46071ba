"""Text as it is displayed: as a terminal leaves it, safe to show, marked where it looks like ours.

Escape sequences and cursor movement are obeyed; what could drive a terminal, reorder or hide text
becomes visible; a line of data that looks like a line of a stub gets a mark. Linear in the length
of the text. Knows nothing of what the text is, and keeps no way back: the artifact does.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from stubcli.text.characters import clip, graphemes

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
_Cell = TypeVar("_Cell")
_INTRODUCERS = "\x1b\x90\x98\x9b\x9c\x9d\x9e\x9f"
# A movement, or the text up to the next one. Found one by one: a list of a MiB of them took 60 MB.
_PIECE = re.compile(r"\r|\x08|\x1b\[[012]?[KG]|(?:[^\r\x08\x1b]|\x1b(?!\[[012]?[KG]))++")
_TO_THE_START = frozenset({"\r", "\x1b[G", "\x1b[0G", "\x1b[1G"})
_ERASES_THE_REST = frozenset({"\x1b[K", "\x1b[0K"})
_ERASES_ALL = "\x1b[2K"
_KEPT = (_TO_THE_START | _ERASES_THE_REST | {_ERASES_ALL}) - {"\r"}


def _has_sequences(text: str) -> bool:
    return "\x1b" in text or not text.isascii()


def strip_ansi(text: str) -> str:
    """`text` without escape sequences, also one that it ends in the middle of."""
    return _SEQUENCE.sub("", text) if _has_sequences(text) else text


def visible_runs(text: str, kept: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """What `strip_ansi` leaves, in runs, each with its place in `text`. No run is empty.

    kept: sequences that are left in it.
    """
    runs, place = [], 0
    for found in _SEQUENCE.finditer(text):
        if found[0] in kept:
            continue
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
    if "\b" in line or "\x1b" in line:
        return "".join(_cells(line, lambda piece, _: graphemes(piece)))
    *older, last = line.split("\r")
    cells = graphemes(last)
    for frame in reversed(older):
        if len(frame) > len(cells):
            cells += graphemes(frame)[len(cells) :]
    return "".join(cells)


def _cells(line: str, cells_of: Callable[[str, int], list[_Cell]]) -> list[_Cell]:
    """The cells that are left of a line; cells_of: those of a text and its place in the line."""
    cells: list[_Cell] = []
    cursor = 0
    for found in _PIECE.finditer(line):
        piece = found[0]
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
            written = cells_of(piece, found.start())
            cells[cursor : cursor + len(written)] = written
            cursor += len(written)
    return cells


def trace(line: str) -> tuple[str, list[int]]:
    """`last_frame`, and where in `line` each of its characters stands."""
    moves = "\r" in line or "\b" in line
    runs = visible_runs(line, _KEPT) if moves else visible_runs(line)
    shown = "".join(run for _, run in runs)
    places = [at for start, run in runs for at in range(start, start + len(run))]
    if not moves:
        return shown, places

    def traced(piece: str, start: int) -> list[tuple[str, int]]:
        cells = []
        for one in graphemes(piece):
            cells.append((one, start))
            start += len(one)
        return cells

    cells = _cells(shown, traced)
    return "".join(one for one, _ in cells), [
        places[start + at] for one, start in cells for at in range(len(one))
    ]


# Beyond the control characters: marks and overrides of direction, separators that some readers
# take for a line end, interlinear annotation, the byte order mark, and the plane of tags and
# supplementary variation selectors, in which text can be carried unseen. The joiner U+200D and
# the selectors U+FE00-FE0F stay: emoji are made of them.
_UNSAFE = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f"
    "\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e01ef]"
)


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0xA0 and code != 0x85:
        return f"\\x{code:02x}"
    return f"<U+{code:04X}>"


def neutralise(text: str) -> str:
    """`text` that drives no terminal, keeps its order, and can be encoded as UTF-8.

    TAB and LF stay. An undecodable byte is shown as `\\xff`, as control characters are; what acts
    on the text around it as `<U+202E>`.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_visible, text)


_SEQUENCE_OR_UNSAFE = re.compile(f"(?P<sequence>{_SEQUENCE.pattern})|{_UNSAFE.pattern}")


def neutralise_but(text: str, keep: Callable[[str], bool]) -> str:
    """`neutralise`, without escape sequences but for those that are to be kept."""

    def shown(found: re.Match[str]) -> str:
        if found.lastgroup is None:
            return _visible(found)
        return found[0] if keep(found[0]) else ""

    return _SEQUENCE_OR_UNSAFE.sub(shown, text)


def one_line(text: str) -> str:
    """`neutralise`, with LF and TAB shown as `\\n` and `\\t`: what fits into a line of ours."""
    return neutralise(text).replace("\n", "\\n").replace("\t", "\\t")


def one_word(text: str, most: int) -> str:
    """A name from outside, in double quotes unless it is plainly one word; cut after `most`.

    So a name cannot pass for a field, a column or a row beside it.
    """
    shown = one_line(text)
    plain = shown and all(" " < char < "\x7f" or char.isalnum() for char in shown)
    if len(shown) > most:
        shown = clip(shown, most - 1) + "…"
    if plain and '"' not in shown:
        return shown
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


# In so many bytes of a text is its first line looked for.
FIRST = 8 << 10
_LONGEST_FIRST = 200


def first_line(text: str) -> str:
    """The first line of `text` that shows anything, as a terminal leaves it, cut after 200."""
    for line in text.split("\n"):
        if shown := last_frame(line.removesuffix("\r")).strip():
            return clip(shown, _LONGEST_FIRST)
    return ""


def escape_json(text: str) -> str:
    """A JSON document in which what `neutralise` would change stands in JSON's own escapes."""
    return _UNSAFE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


MARK = "| "
# Blanks that an eye passes over. Four are an indentation, which no line of a stub has.
_LEAD = r"(?:\| )*[^\S\n]{0,3}"
_OWN = re.compile(
    _LEAD + r"(?:\[stub\b"
    r"|(?:Summary|Structure|Notable lines|Next):"
    r"|--- (?:head|tail)(?:[ :]|$)"
    r"|--- (?:[\d,]+ lines?|(?:the rest|a part) of line)\b"
    r"|--- .*\bnot shown\b"
    r"|… [\d,]+ (?:more|not shown)\b"
    r"|(?:tool|exit|signal|reason): .* (?:exit|signal|reason|sha256|path): )"
)
# Drawn without any width: between the letters of a word nobody sees them.
_UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
                     "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]+")  # fmt: skip


def looks_own(line: str) -> bool:
    """Whether a reader could take `line`, which stands at the left edge, for one of a stub."""
    return bool(_OWN.match(line if line.isascii() else _UNSEEN.sub("", line)))


def mark(line: str) -> str:
    """`line` as data: behind the mark where it looks like a stub's own, or like a marked one.

    So the first mark of a line, if what follows looks so, is always one that was set here.
    """
    return MARK + line if looks_own(line) else line


def measures(lines: int, characters: int, size: int) -> str:
    """How much a text is: `3 lines, 1,204 characters, 1,210 bytes`."""
    return ", ".join((amount(lines, "line"), amount(characters, "character"), amount(size, "byte")))


def amount(number: int, one: str, many: str = "") -> str:
    """`number` with thousands separators, and the noun that goes with it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
