"""Text that comes in pieces as a terminal shows it, line for line, its colours kept where wanted.

Every LF of the text ends one line of what is shown. Of escape sequences only colours and weights
are ever kept, never what hides text or moves the cursor. Bounded memory, linear time.
"""

import re
from functools import lru_cache

from stubcli.text.characters import border
from stubcli.text.display import last_frame, neutralise, neutralise_but, strip_ansi, unfinished

# A line longer than this is shown in parts, each as if it ended there.
_LONGEST = 1 << 20
# What a terminal shows as it is.
_VISIBLE = bytes((9, 10, *range(32, 127)))
_COLOUR = re.compile(r"\x1b\[([0-9;:]{0,64})m")
_RESET = "\x1b[0m"
_EXTENDED = {"38", "48", "58"}
_CONCEAL = "8"


class Screen:
    """The shown text of what is added. The last line is shown once it ends, or with `rest`."""

    def __init__(self, *, colours: bool) -> None:
        self._colours = colours
        self._coloured = False
        self._line: list[str] = []
        self._length = 0

    def add(self, text: str) -> str:
        """What can be shown by now."""
        whole, end, line = text.rpartition("\n")
        shown = ""
        if end:
            shown = self._show("".join([*self._line, whole, end]))
            self._line, self._length = [], 0
        self._line.append(line)
        self._length += len(line)
        return shown + self._cut() if self._length > _LONGEST else shown

    def rest(self) -> str:
        """What is left at the end, and the end of its colours."""
        shown = self._show("".join(self._line))
        self._line, self._length = [], 0
        return shown + (_RESET if self._coloured else "")

    def _cut(self) -> str:
        """The beginning of a line that is too long to be held, unless it is overwritten."""
        line = "".join(self._line)
        start = line.rfind("\r", 0, len(line) - 1)
        if start > 0:
            line = last_frame(line[:start]) + line[start:]
        shown = ""
        if len(line) > _LONGEST:
            place = border(line, unfinished(line)) or len(line)
            shown, line = self._show(line[:place]), line[place:]
        self._line, self._length = [line], len(line)
        return shown

    def _show(self, text: str) -> str:
        # Most text: a quarter of the time of the search for what is unsafe.
        if text.isascii() and not text.encode().translate(None, _VISIBLE):
            return text
        if "\r" not in text and "\b" not in text:
            return self._plain(text)
        *ended, last = text.split("\n")
        return "".join(self._one(line, "\n") for line in ended) + self._one(last, "")

    def _one(self, line: str, end: str) -> str:
        line = line.removesuffix("\r")
        if "\r" in line or "\b" in line:
            return neutralise(last_frame(line)) + end
        return self._plain(line + end)

    def _plain(self, text: str) -> str:
        """Text in which the cursor only goes forward."""
        if not self._colours or "\x1b[" not in text:
            return neutralise(strip_ansi(text))
        self._coloured = True
        return neutralise_but(text, _is_colour)


@lru_cache(maxsize=256)
def _is_colour(sequence: str) -> bool:
    """Whether it sets colours or weights, and hides nothing."""
    found = _COLOUR.fullmatch(sequence)
    if not found:
        return False
    codes = iter(re.split("[;:]", found[1]))
    for code in codes:
        if code.lstrip("0") == _CONCEAL:
            return False
        if code in _EXTENDED:
            for _ in range(1 if next(codes, "") == "5" else 3):
                next(codes, "")
    return True
