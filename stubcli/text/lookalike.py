"""Lines of data that look like lines of a stub, and the mark by which they are known as data.

What a program printed may hold `Next: …` or the end of a stub, by accident or on purpose. Wherever
a stub shows such a line it stands behind a mark, so that a line without one is the stub's own.
Knows how those lines begin; composing them is the renderer's work.
"""

import re

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
